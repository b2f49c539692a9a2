import type { IBinaryData, IDataObject, INode, INodeParameters } from 'n8n-workflow';

import { step } from '../console/progress';
import { itemsOf } from '../n8n/api';
import { waitFor } from '../waitFor';
import { sum, type TestSetup } from './run';
import { byId, createParameters } from './workflow';

/** Results of a test run in the editor. */
export interface TestRunReport {
	mode: string;
	/** Number of executions that the workers have finished, by their logs. */
	finished: number;
	/** Output of the create with *Dry Run: When Testing*. */
	dryRun: IDataObject;
	/** Number of work orders that the run has created. */
	created: number;
	printed?: IBinaryData;
	downloaded?: IBinaryData;
}

/** Runs a dry run and passes a file through three nodes, in a workflow that n8n gives to a worker. */
export async function runTestRun({ sandbox, cluster }: TestSetup): Promise<TestRunReport> {
	const { api, credential, workers } = cluster;
	const finished = () => sum(workers.map((worker) => worker.finished()));
	const node = (name: string, index: number, parameters: object): INode => ({
		id: name,
		name,
		type: 'n8n-nodes-corrigo.corrigo',
		typeVersion: 1,
		position: [200 * index, 0],
		parameters: parameters as INodeParameters,
		credentials: { corrigoApi: { id: credential.id, name: credential.name } },
	});
	const order = byId(sandbox.store.rows('WorkOrder')[0].Id);
	const parameters = createParameters(sandbox);
	const nodes: INode[] = [
		{ ...node('Start', 0, {}), type: 'n8n-nodes-base.manualTrigger', credentials: undefined },
		node('Create', 1, { ...parameters, additionalFields: {}, options: { dryRun: 'manual' } }),
		node('Print', 2, { resource: 'workOrder', operation: 'print', id: order }),
		node('Upload', 3, {
			resource: 'document',
			operation: 'upload',
			actorTypeId: 'WO',
			actorId: order,
			documentType: byId(sandbox.store.rows('DocumentType')[0].Id),
		}),
		node('Download', 4, {
			resource: 'document',
			operation: 'download',
			id: byId('={{ $json.Id }}'),
		}),
	];
	const connections = Object.fromEntries(
		nodes
			.slice(1)
			.map(({ name }, index) => [
				nodes[index].name,
				{ main: [[{ node: name, type: 'main' as const, index: 0 }]] },
			]),
	);
	const workflow = await api.createWorkflow({ name: 'A test run', nodes, connections });
	const count = () => sandbox.store.count('WorkOrder');
	const before = { finished: finished(), orders: count() };
	const execution = await step(
		'A test run of the editor',
		async () => await api.run(workflow, undefined, 'Start'),
	);
	await waitFor('a worker has finished', finished, (now) => now > before.finished);
	const binary = (name: string) => itemsOf(execution, name)[0]?.binary?.data;
	return {
		mode: execution.mode,
		finished: finished() - before.finished,
		dryRun: itemsOf(execution, 'Create')[0]?.json ?? {},
		created: count() - before.orders,
		printed: binary('Print'),
		downloaded: binary('Download'),
	};
}
