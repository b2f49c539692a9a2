/** An active trigger as in n8n: polled repeatedly, with its state saved between polls. */
import type { IDataObject, INode, INodeParameters, WorkflowActivateMode } from 'n8n-workflow';

import { CorrigoApi } from '../../credentials/CorrigoApi.credentials';
import { CorrigoTrigger } from '../../nodes/Corrigo/CorrigoTrigger.node';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../sandbox';
import { runCommand } from '../../sandbox/commands';
import { actAsColleague, workOrderShape } from '../../sandbox/desktop';
import { CredentialStore, StoredCredentialsHelper } from './credentials';
import { connectEngine, CREDENTIAL, isLimitProbe, jsonOf, credentialsOf } from './desk';
import { PollContext, withExpressions } from './host';
import { createNodeTypes, typeOfNode } from './nodes';
import { additionalDataFor, createWorkflow } from './run';

const opened: Sandbox[] = [];

afterEach(async () => {
	await Promise.all(opened.splice(0).map(async (sandbox) => await sandbox.close()));
});

/** A Corrigo whose clock is years away from that of this machine. */
export async function openCompany(options: SandboxOptions) {
	let now = Date.UTC(2031, 4, 5, 6, 7, 8);
	const sandbox = await startSandbox({ workOrders: 40, strict: true, now: () => now, ...options });
	return {
		sandbox,
		/** Entities of all requests but the probes of the page limit, one per hour and entity. */
		read: () =>
			sandbox
				.requestsTo('api')
				.filter((one) => !isLimitProbe(one))
				.map(({ path }) => path.split('/').at(-1)),
		pass: (ms: number) => (now += ms),
		now: () => now,
		/** A change by a person at the desktop of Corrigo. */
		person: (work: object) => actAsColleague(sandbox.world, workOrderShape.parse(work)),
		/** A change by an integration. */
		api: (command: string, members: IDataObject) => runCommand(sandbox.world, command, members),
		orders: () => sandbox.store.rows('WorkOrder'),
	};
}

/** An active workflow in front of such a Corrigo, until the end of the test. */
export async function activate(parameters: object, options: SandboxOptions = {}) {
	const company = await openCompany(options);
	const { sandbox, read } = company;
	opened.push(sandbox);
	const engine = connectEngine(sandbox, { corrigoTrigger: CorrigoTrigger });
	let staticData: IDataObject = {};
	const warnings: string[] = [];
	const tryPoll = async (
		more: {
			mode?: 'manual';
			activation?: WorkflowActivateMode;
			budgetMs?: number;
			settings?: Partial<INode>;
			and?: object;
		} = {},
	) => {
		const { and = {}, ...spec } = more;
		sandbox.forgetRequests();
		return await engine.poll('corrigoTrigger', {
			parameters: { ...parameters, ...and },
			staticData,
			...spec,
		});
	};
	return {
		...company,
		engine,
		tryPoll,
		/** Polls once, keeps the state as n8n does, and returns the items. */
		async poll(and: object = {}, budgetMs?: number): Promise<IDataObject[]> {
			const { items, staticData: kept, error, warnings: more } = await tryPoll({ and, budgetMs });
			warnings.push(...more);
			if (error !== undefined) throw error as unknown as Error;
			// The state goes through the database and back.
			staticData = JSON.parse(JSON.stringify(kept)) as IDataObject;
			return jsonOf(items ?? []);
		},
		/** Warnings of all polls in the log of n8n. */
		warnings,
		state: () => staticData,
		sent: () => read().length,
	};
}

export type Active = Awaited<ReturnType<typeof activate>>;

interface Loading {
	/** The reason for the activation; by default a user activated the workflow. */
	activation?: WorkflowActivateMode;
	staticData?: IDataObject;
	trigger?: CorrigoTrigger;
	store?: CredentialStore;
	/** Identifies the node, of which several may be in one process. */
	id?: string;
}

/** A trigger with the one workflow object of a running n8n, so that polls may overlap. */
export function loadTrigger(
	sandbox: Sandbox,
	parameters: object,
	{
		activation = 'activate',
		staticData = {},
		trigger = new CorrigoTrigger(),
		store = credentialsOf(sandbox),
		id = 'trigger',
	}: Loading = {},
) {
	const nodeTypes = createNodeTypes({ corrigoTrigger: CorrigoTrigger });
	const helper = new StoredCredentialsHelper([new CorrigoApi()], store, nodeTypes);
	const workflow = createWorkflow(nodeTypes, [
		{
			id,
			name: 'Trigger',
			type: typeOfNode('corrigoTrigger'),
			typeVersion: 1,
			position: [0, 0],
			parameters: parameters as INodeParameters,
			credentials: { corrigoApi: { id: CREDENTIAL, name: 'Corrigo' } },
		},
	]);
	const data = workflow.getStaticData('node', workflow.nodes.Trigger) as IDataObject;
	Object.assign(data, staticData);
	const context = new PollContext(
		workflow,
		workflow.nodes.Trigger,
		additionalDataFor(helper),
		'trigger',
		activation,
	);
	const poll = async (): Promise<IDataObject[]> => {
		const found = await withExpressions(workflow, async () => await trigger.poll.call(context));
		return jsonOf(found?.[0] ?? []);
	};
	/** The state as n8n writes it to the database. */
	const state = () => JSON.parse(JSON.stringify(data)) as IDataObject;
	return Object.assign(poll, { state });
}
