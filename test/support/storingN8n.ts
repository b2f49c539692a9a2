/**
 * n8n's part in storing what triggers leave, as n8n 2.40 does it: all triggers of a workflow that are
 * activated at once share one copy of the static data of all nodes, and one that is edited and
 * published gets a copy of its own. Each save writes the whole copy.
 */
import type {
	IDataObject,
	INode,
	INodeParameters,
	Workflow,
	WorkflowActivateMode,
} from 'n8n-workflow';

import { CorrigoApi } from '../../credentials/CorrigoApi.credentials';
import type { CorrigoTrigger } from '../../nodes/Corrigo/CorrigoTrigger.node';
import type { Sandbox } from '../../sandbox';
import { buildTriggerNode, type loadNodes } from './activeTrigger';
import { StoredCredentialsHelper } from './credentials';
import { credentialsOf, jsonOf } from './company';
import { collectWarnings, PollContext, withExpressions } from './host';
import { createNodeTypes } from './nodes';
import { additionalDataFor, createWorkflow } from './run';

type Nodes = Awaited<ReturnType<typeof loadNodes>>;

interface Registration {
	workflow: Workflow;
	context: PollContext;
	trigger: CorrigoTrigger;
	warnings: string[];
}

let count = 0;

/** An n8n with one workflow, whose triggers have these names and parameters. */
export function createStoringN8n(sandbox: Sandbox, triggers: Record<string, INodeParameters>) {
	const workflowId = `stored ${++count}`;
	const parameters = new Map(Object.entries(triggers));
	const store = credentialsOf(sandbox);
	const registrations = new Map<string, Registration>();
	let database = '{}';
	let nodes: Nodes;
	/** Executions without items since the last call. */
	let empty = 0;

	const buildNodes = (): INode[] =>
		[...parameters].map(([name, own]) => ({ ...buildTriggerNode(own, name), name }));

	function save({ staticData }: Workflow): void {
		if (staticData.__dataChanged !== true) return;
		database = JSON.stringify(staticData);
		staticData.__dataChanged = false;
	}

	async function poll(name: string): Promise<IDataObject[]> {
		const { workflow, context, trigger } = registrations.get(name) as Registration;
		const found = await withExpressions(workflow, async () => await trigger.poll.call(context));
		if (found === null) return [];
		context.__emit(found);
		if (found[0].length === 0) empty += 1;
		return jsonOf(found[0]);
	}

	/** Registers these triggers with one copy of what is stored, and polls each of them. */
	async function register(
		names: string[],
		activation: WorkflowActivateMode,
	): Promise<Record<string, IDataObject[]>> {
		const nodeTypes = createNodeTypes({ corrigoTrigger: nodes.CorrigoTrigger });
		const helper = new StoredCredentialsHelper([new CorrigoApi()], store, nodeTypes);
		const state = JSON.parse(database) as IDataObject;
		const workflow = createWorkflow(nodeTypes, buildNodes(), {}, state, workflowId);
		const items: Record<string, IDataObject[]> = {};
		for (const name of names) {
			const emit = () => save(workflow);
			const own = workflow.nodes[name];
			const additional = additionalDataFor(helper);
			const context = new PollContext(workflow, own, additional, 'trigger', activation, emit);
			const warnings = collectWarnings(context);
			registrations.set(name, { workflow, context, trigger: new nodes.CorrigoTrigger(), warnings });
			items[name] = await poll(name);
		}
		save(workflow);
		return items;
	}

	return {
		poll,
		/** Starts a process, in the one that these nodes belong to. */
		async start(own: Nodes, activation: WorkflowActivateMode = 'init') {
			nodes = own;
			return await register([...parameters.keys()], activation);
		},
		/** Publishes the workflow after one trigger was edited; the others stay registered. */
		async publish(name: string, edits: INodeParameters = {}) {
			parameters.set(name, { ...parameters.get(name), ...edits });
			return await register([name], 'update');
		},
		getParameters: (name: string) => parameters.get(name) as INodeParameters,
		warnings: (name: string) => registrations.get(name)?.warnings ?? [],
		takeEmpty: () => [empty, (empty = 0)][0],
		stored: () => JSON.parse(database) as IDataObject,
	};
}
