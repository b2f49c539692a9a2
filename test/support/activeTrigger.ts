/** An active trigger as in n8n: polled repeatedly, with its state saved between polls. */
import type { IDataObject, INode, INodeParameters, WorkflowActivateMode } from 'n8n-workflow';

import { CorrigoApi } from '../../credentials/CorrigoApi.credentials';
import { CorrigoTrigger } from '../../nodes/Corrigo/CorrigoTrigger.node';
import { startSandbox, type Fault, type Sandbox, type SandboxOptions } from '../../sandbox';
import { runCommand } from '../../sandbox/commands';
import { actAsColleague, workOrderShape } from '../../sandbox/desktop';
import { CredentialStore, StoredCredentialsHelper } from './credentials';
import {
	connectEngine,
	CREDENTIAL,
	credentialsOf,
	isLimitProbe,
	jsonOf,
	rejection,
} from './company';
import type { PollOptions } from './engine';
import { HOST_VERSION, PollContext, withExpressions } from './host';
import { createNodeTypes, typeOfNode } from './nodes';
import { additionalDataFor, createWorkflow } from './run';

/** Older hosts allow a poll five minutes, whatever the test sets, and have no durable scheduler. */
export const OLD_HOST = HOST_VERSION.startsWith('2.0.');
/** A poll of n8n's durable scheduler, which is an update, with the time that it grants. */
export const DURABLE = { activation: 'update', budgetMs: 36_000 } as const;

/** A server that does not answer as it should, in all tries of a poll or push. */
export const away = (server: 'api' | 'token' | 'locator', fault: Partial<Fault>) =>
	rejection({ server }, fault.kind === 'html' ? undefined : {}, {
		times: 9,
		headers: { 'retry-after': '0' },
		...fault,
	});

/** The clock of this machine, too, goes on where a test lets time pass. */
const { now: getTime } = Date;
let passed = 0;
Date.now = () => getTime() + passed;

const opened: Array<{ close(): Promise<void> }> = [];

/** Closes it after the test, before what was opened earlier. */
export function closeAfterTest<T extends { close(): Promise<void> }>(one: T): T {
	opened.push(one);
	return one;
}

afterEach(async () => {
	for (const one of opened.splice(0).reverse()) await one.close();
	passed = 0;
});

/** The nodes as a new process of n8n loads them. */
export async function loadNodes() {
	const load = async () => ({
		...(await import('../../nodes/Corrigo/CorrigoTrigger.node')),
		...(await import('../../nodes/Corrigo/CorrigoWebhookTrigger.node')),
	});
	let nodes!: Awaited<ReturnType<typeof load>>;
	await jest.isolateModulesAsync(async () => void (nodes = await load()));
	return nodes;
}

/** A Corrigo whose clock is years away from that of this machine, until the end of the test. */
export async function openCompany(options: SandboxOptions, begin = Date.UTC(2031, 4, 5, 6, 7, 8)) {
	let now = begin;
	const sandbox = closeAfterTest(
		await startSandbox({ workOrders: 40, strict: true, now: () => now, ...options }),
	);
	const { store, world } = sandbox;
	/** All requests but the probes of the page limit, one per poll and entity. */
	const requests = () => sandbox.requestsTo('api').filter((one) => !isLimitProbe(one));
	const orders = () => store.rows('WorkOrder');
	return {
		sandbox,
		store,
		requests,
		/** Entities of these requests. */
		read: () => requests().map(({ path }) => path.split('/').at(-1)),
		/** The queries for an entity among them. */
		queriesOf: (entity: string) =>
			requests()
				.filter(({ path }) => path === `/api/v1/query/${entity}`)
				.map(({ body }) => (body as { QueryExpression: IDataObject }).QueryExpression),
		/** Time passes for both Corrigo and n8n. */
		pass(ms: number): number {
			passed += ms;
			return (now += ms);
		},
		/** The clock of Corrigo is wrong from now on. */
		setClock: (ms: number) => (now += ms),
		now: () => now,
		/** A change by a person at the desktop of Corrigo. */
		person: (work: object) => actAsColleague(world, workOrderShape.parse(work)),
		/** A change by an integration. */
		api: (command: string, members: IDataObject) => runCommand(world, command, members),
		insert: (entity: string, values: object) => store.insert(entity, values as IDataObject).Id,
		change: (entity: string, id: unknown, values: object) =>
			store.change(entity, Number(id), values as IDataObject),
		/** Something happens when the second request of a poll has arrived. */
		duringPoll(happen: () => void): void {
			const record = world.journal.record.bind(world.journal);
			let count = 0;
			jest.spyOn(world.journal, 'record').mockImplementation((request) => {
				record(request);
				if (request.server === 'api' && ++count === 2) happen();
			});
		},
		orders,
		ordersIn: (status: string) => orders().filter(({ StatusId }) => StatusId === status),
	};
}

/** An active workflow in front of such a Corrigo. */
export async function activate(parameters: object, options: SandboxOptions = {}) {
	const company = await openCompany(options);
	const { sandbox, read } = company;
	const engine = connectEngine(sandbox, { corrigoTrigger: CorrigoTrigger });
	let staticData: IDataObject = {};
	const warnings: string[] = [];
	const tryPoll = async ({ and = {}, ...spec }: PollOptions & { and?: object } = {}) => {
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
			staticData = kept;
			return jsonOf(items ?? []);
		},
		/** Fetches test events in the editor, which leaves the state as it is. */
		async test(and: object = {}): Promise<IDataObject[]> {
			const { items, staticData: kept, error } = await tryPoll({ mode: 'manual', and });
			expect([error, kept]).toEqual([undefined, staticData]);
			return jsonOf(items ?? []);
		},
		/** Loads the workflow with the stored state, as another n8n does, for polls that may overlap. */
		load: ({ and = {}, ...loading }: Loading & { and?: object } = {}) =>
			loadTrigger(sandbox, { ...parameters, ...and }, { staticData, ...loading }),
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

/** The trigger as it is in a workflow, where it is the node Trigger. */
export const buildTriggerNode = (parameters: object, id = 'trigger'): INode => ({
	id,
	name: 'Trigger',
	type: typeOfNode('corrigoTrigger'),
	typeVersion: 1,
	position: [0, 0],
	parameters: parameters as INodeParameters,
	credentials: { corrigoApi: { id: CREDENTIAL, name: 'Corrigo' } },
});

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
	const workflow = createWorkflow(nodeTypes, [buildTriggerNode(parameters, id)]);
	const data = workflow.getStaticData('node', workflow.nodes.Trigger) as IDataObject;
	Object.assign(data, staticData);
	const context = new PollContext(
		workflow,
		workflow.nodes.Trigger,
		additionalDataFor(helper),
		'trigger',
		activation,
		() => {},
	);
	let stored: IDataObject | undefined;
	const poll = async (): Promise<IDataObject[]> => {
		const found = await withExpressions(workflow, async () => await trigger.poll.call(context));
		// n8n takes what a poll returns in this way.
		if (found !== null) context.__emit(found);
		// n8n stores the state when the workflow is activated, and with an execution.
		if (found !== null || stored === undefined) stored = state();
		return jsonOf(found?.[0] ?? []);
	};
	/** The state as n8n writes it to the database. */
	const state = () => JSON.parse(JSON.stringify(data)) as IDataObject;
	return Object.assign(poll, { state, stored: () => stored });
}
