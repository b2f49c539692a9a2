import {
	createRunExecutionData,
	type INodeExecutionData,
	type INodeParameters,
	type INodeTypes,
} from 'n8n-workflow';

import { CredentialStore, StoredCredentialsHelper } from '../test/support/credentials';
import { createEngine, type NodeSpec } from '../test/support/engine';
import {
	ExecutionLifecycleHooks,
	startExpressionEngine,
	WorkflowExecute,
} from '../test/support/host';
import { createNodeTypes, TYPE, typeOfNode } from '../test/support/nodes';
import { additionalDataFor, createWorkflow } from '../test/support/run';
import { loadCredential, loadNode } from './built';
import type { Service } from './service';
import { SMALLEST, smallestNode, type NodeWork } from './smallestNode';
import { stockNodes } from './stock';

const CorrigoApi = loadCredential();

export const CORRIGO = typeOfNode('corrigo');

const CREDENTIAL = '1';
const MODE = 'trigger';

/** Expressions are evaluated by one of these: an isolated VM, as newer hosts have it by default, or what it replaced. */
export type Expressions = 'vm' | 'legacy';

/** An engine with the nodes of this package and the stock nodes, with the same credential. */
export async function openEngine({ credentials }: Service, expressions: Expressions) {
	if (expressions === 'vm') await startExpressionEngine();
	const classes = { corrigo: loadNode('Corrigo'), corrigoTrigger: loadNode('CorrigoTrigger') };
	const own = createNodeTypes(classes);
	const stock = stockNodes();
	const getByNameAndVersion = (name: string) => stock.get(name) ?? own.getByNameAndVersion(name);
	const nodeTypes: INodeTypes = {
		getByName: getByNameAndVersion,
		getByNameAndVersion,
		getKnownTypes: () => ({}),
	};
	const store = new CredentialStore();
	store.put(CREDENTIAL, credentials);
	const helper = new StoredCredentialsHelper([new CorrigoApi()], store, nodeTypes);
	const form = createEngine({
		nodes: classes,
		credentialTypes: [CorrigoApi],
		credentials: { corrigoApi: { id: CREDENTIAL, data: credentials } },
		store,
	});

	/** Runs a chain of nodes and returns the output of the last one. */
	async function run(chain: NodeSpec[], items: INodeExecutionData[]) {
		const nodes = [{ name: 'Start', type: TYPE.start }, ...chain].map((spec) => ({
			id: spec.name,
			typeVersion: [getByNameAndVersion(spec.type).description.version].flat().at(-1) ?? 1,
			position: [0, 0] as [number, number],
			parameters: {},
			credentials: { corrigoApi: { id: CREDENTIAL, name: 'Corrigo' } },
			...spec,
		}));
		const connections = Object.fromEntries(
			chain.map(({ name }, index) => [
				nodes[index].name,
				{ main: [[{ node: name, type: 'main' as const, index: 0 }]] },
			]),
		);
		const workflow = createWorkflow(nodeTypes, nodes, connections);
		const hooks = new ExecutionLifecycleHooks(MODE, 'execution', {
			id: workflow.id,
			name: 'Benchmark',
			active: false,
			activeVersionId: null,
			isArchived: false,
			createdAt: new Date(),
			updatedAt: new Date(),
			nodes,
			connections,
		});
		const { data } = await new WorkflowExecute(
			additionalDataFor(helper, { hooks }),
			MODE,
			createRunExecutionData({
				executionData: {
					nodeExecutionStack: [
						{ node: workflow.nodes.Start, data: { main: [items] }, source: null },
					],
				},
			}),
		).processRunExecutionData(workflow);
		const { error, runData } = data.resultData;
		if (error) throw error;
		return runData[chain[chain.length - 1].name][0].data?.main[0] ?? [];
	}

	return {
		run,
		smallest: async (work: NodeWork, parameters: INodeParameters, items: INodeExecutionData[]) => {
			stock.set(SMALLEST, smallestNode(work));
			return await run([{ name: 'Smallest', type: SMALLEST, parameters }], items);
		},
		poll: form.poll,
		listSearch: form.listSearch,
		/** The token of the open session, for the baseline. */
		token: () => String(store.get(CREDENTIAL).accessToken),
		openSession: async () => await form.listSearch('searchPriorities', {}),
	};
}
