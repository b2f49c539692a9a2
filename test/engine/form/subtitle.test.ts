/** What stands under a node on the canvas, computed as the editor does. */
import type { INode, INodeParameters } from 'n8n-workflow';

import { resources } from '../../../nodes/Corrigo/actions/resources';
import { Corrigo } from '../../../nodes/Corrigo/Corrigo.node';
import { CorrigoTrigger } from '../../../nodes/Corrigo/CorrigoTrigger.node';
import { CorrigoWebhookTrigger } from '../../../nodes/Corrigo/CorrigoWebhookTrigger.node';
import { events, isPushed } from '../../../nodes/Corrigo/trigger/events';
import { withExpressions } from '../../support/host';
import { createNodeTypes, typeOfNode } from '../../support/nodes';
import { createWorkflow } from '../../support/run';

const nodeTypes = createNodeTypes({
	corrigo: Corrigo,
	corrigoTrigger: CorrigoTrigger,
	corrigoWebhookTrigger: CorrigoWebhookTrigger,
});

async function readSubtitles(name: string, all: INodeParameters[]): Promise<unknown[]> {
	const type = typeOfNode(name);
	const { description } = nodeTypes.getByNameAndVersion(type);
	const nodes = all.map(
		(parameters, index): INode => ({
			id: String(index),
			name: `Node ${index}`,
			type,
			typeVersion: 1,
			position: [0, 0],
			parameters,
		}),
	);
	const { expression, ...workflow } = createWorkflow(nodeTypes, nodes);
	return await withExpressions({ expression }, async () =>
		Object.values(workflow.nodes).map((node) =>
			expression.getSimpleParameterValue(node, description.subtitle, 'internal', {}),
		),
	);
}

it('an action shows the labels of its operation and resource', async () => {
	const shown = resources.flatMap(({ name: resource, value, operations }) =>
		operations.map((operation) => ({
			parameters: { resource: value, operation: operation.value },
			label: `${operation.name}: ${resource}`,
		})),
	);
	const labels = shown.map(({ label }) => label);
	expect(labels).toEqual(
		expect.arrayContaining(['Create: Work Order', 'Set Cost Limits (NTE): Work Order']),
	);
	const parameters = shown.map((one) => one.parameters);
	expect(await readSubtitles('corrigo', parameters)).toEqual(labels);
});

it('a new action shows the labels of its defaults', async () => {
	expect(await readSubtitles('corrigo', [{}])).toEqual(['Get Many: Work Order']);
});

it.each(['corrigoTrigger', 'corrigoWebhookTrigger'])(
	'%s shows the label of its event',
	async (name) => {
		const pushed = Object.entries(events).filter(
			([, event]) => name === 'corrigoTrigger' || isPushed(event),
		);
		const parameters = pushed.map(([event]) => ({ event }));
		expect(await readSubtitles(name, parameters)).toEqual(pushed.map(([, event]) => event.name));
	},
);
