/** The nodes and states that a version has left in n8n, and the results of running them. */
import { randomUUID } from 'node:crypto';
import type {
	IDataObject,
	INodeExecutionData,
	INodeParameters,
	INodeTypeDescription,
} from 'n8n-workflow';

import { startSandbox, type RecordedRequest, type Sandbox } from '../../sandbox';
import { logAction } from '../../sandbox/base/actionLog';
import { actAsColleague, workOrderShape } from '../../sandbox/desktop';
import { createEngine, type EngineOptions, type RunOptions } from '../support/engine';
import type { NodeClass } from '../support/nodes';
import type { Run } from '../support/run';
import { Database, listen } from '../support/webhook';

/** The classes of one version. */
export interface VersionClasses {
	Corrigo: NodeClass;
	CorrigoDesk: NodeClass;
	CorrigoTrigger: NodeClass;
	CorrigoWebhookTrigger: NodeClass;
	CorrigoApi: EngineOptions['credentialTypes'][number];
}

/** A change in Corrigo. */
export type Step =
	| ['change', entity: string, id: number, values: IDataObject]
	| ['insert', entity: string, values: IDataObject]
	| ['desktop', work: IDataObject]
	| ['log', order: number, type: string]
	| ['seconds pass', seconds: number];

interface Sent {
	method: string;
	path: string;
	query?: Record<string, string>;
	body?: unknown;
}

export interface Outcome {
	requests: Sent[];
	items: INodeExecutionData[];
	/** The error message of a run that failed. */
	refused?: string;
	/** Warnings in the log of n8n. */
	warnings?: string[];
}

export type NodeName = 'corrigo' | 'corrigoDesk' | 'corrigoTrigger' | 'corrigoWebhookTrigger';

/** What n8n knows of a node besides its form. */
export type Nodes = Record<
	NodeName,
	Pick<INodeTypeDescription, 'name' | 'inputs' | 'outputs' | 'webhooks' | 'usableAsTool'> & {
		credentials?: string[];
	}
>;

/** A node as n8n stores it, without the parameters that equal their defaults. */
export interface SavedNode {
	name: string;
	type: NodeName;
	typeVersion: number;
	parameters: INodeParameters;
}

interface Saved extends Outcome {
	node: SavedNode;
	/** Changes before the node runs, or before the state of the trigger was saved. */
	before?: Step[];
}

export interface SavedOperation extends Saved {
	input?: INodeExecutionData[];
}

export interface SavedTrigger extends Saved {
	/** Static data after a few polls. */
	state: IDataObject;
	/** Changes before the next poll. */
	after: Step[];
}

export interface SavedWebhook extends SavedTrigger {
	push: Push;
	/** Members of the credential in addition to those of the sandbox. */
	credentials: IDataObject;
}

type Push = Omit<Parameters<Sandbox['push']>[0], 'url'>;

/** The address of the locator in recordings. */
const LOCATOR = 'http://locator';

const BY_A_PERSON = { Actor: { Id: 2, TypeId: 'Employee', DisplayAs: 'Ada' }, UiTypeId: 'Corp' };

const NOON = Date.UTC(2026, 0, 15, 12);

const TIMERS = [
	...(['hrtime', 'nextTick', 'queueMicrotask'] as const),
	...(['setImmediate', 'setInterval', 'setTimeout'] as const),
	...(['clearImmediate', 'clearInterval', 'clearTimeout'] as const),
];

/** A Corrigo whose clock starts on a fixed day, with an engine in front of it that has a session. */
export async function openCompany(classes: VersionClasses) {
	const { CorrigoApi } = classes;
	jest.useFakeTimers({ now: NOON, doNotFake: TIMERS });
	const sandbox = await startSandbox({ workOrders: 40, strict: true, now: () => Date.now() });
	const engine = createEngine({
		nodes: {
			corrigo: classes.Corrigo,
			corrigoDesk: classes.CorrigoDesk,
			corrigoTrigger: classes.CorrigoTrigger,
		},
		credentialTypes: [CorrigoApi],
		credentials: { corrigoApi: { id: '1', data: sandbox.credentials } },
	});
	await engine.run({ parameters: { resource: 'company', operation: 'discover' } });
	const take = (step: Step) => {
		const { store, world } = sandbox;
		if (step[0] === 'change') store.change(step[1], step[2], step[3]);
		else if (step[0] === 'insert') store.insert(step[1], { ...step[2] });
		else if (step[0] === 'log')
			logAction(world, store.existing('WorkOrder', step[1]), { ...BY_A_PERSON, TypeId: step[2] });
		else if (step[0] === 'desktop') actAsColleague(world, workOrderShape.parse(step[1]));
		else jest.setSystemTime(Date.now() + step[1] * 1000);
	};
	return {
		classes,
		sandbox,
		engine,
		happen: (steps: readonly Step[]) => steps.forEach(take),
		/** Resets the data and the clock, then applies the steps. */
		begin: (steps: readonly Step[] = []) => {
			jest.setSystemTime(NOON);
			sandbox.world.reset();
			steps.forEach(take);
			sandbox.pushes.skipExisting();
			sandbox.forgetRequests();
		},
	};
}

export type Company = Awaited<ReturnType<typeof openCompany>>;

const toRunOptions = ({ name, type, typeVersion, parameters }: SavedNode): RunOptions => ({
	node: type,
	nodeName: name,
	typeVersion,
	parameters,
});

export async function run(
	company: Company,
	{ node, before, input }: Pick<SavedOperation, 'node' | 'before' | 'input'>,
): Promise<Outcome> {
	company.begin(before);
	const done = await company.engine.run({
		...toRunOptions(node),
		...(input && { items: input }),
	});
	return toOutcome(company, node, done);
}

/** Returns what a recording holds of a run. */
export function toOutcome(
	{ sandbox }: Company,
	node: SavedNode,
	{ error, items }: Pick<Run, 'error' | 'items'>,
): Outcome {
	const { requests, ...outcome } = readOutcome(sandbox, items);
	// Later versions may check more.
	const isReport = node.parameters.operation === 'checkAccess';
	return {
		...(isReport ? { requests: [], items: outcome.items.slice(0, 1) } : { requests, ...outcome }),
		...(error && { refused: error.message }),
	};
}

const renamed = <T>(state: T, from: string, to: string) =>
	JSON.parse(JSON.stringify(state).replaceAll(from, to)) as T;

/** The state as another process finds it. */
export const ended = (state: IDataObject) =>
	JSON.parse(
		JSON.stringify(state).replace(/"process":"[^"]+"/, '"process":"ended"'),
	) as IDataObject;

export async function poll(company: Company, node: SavedNode, saved: IDataObject) {
	const { engine, sandbox } = company;
	sandbox.forgetRequests();
	const polled = await engine.poll('corrigoTrigger', {
		...toRunOptions(node),
		staticData: renamed(saved, LOCATOR, sandbox.locatorUrl),
		// As a node that n8n has just loaded, whose names are not known yet.
		settings: { id: randomUUID() },
	});
	const { error, items, staticData, warnings } = polled;
	return {
		state: renamed(staticData, sandbox.locatorUrl, LOCATOR),
		outcome: {
			...readOutcome(sandbox, items ?? []),
			warnings,
			...(error && { refused: error.message }),
		},
	};
}

const MAX_POLLS = 10;

/** Polls until nothing is left. */
export async function pollAll(
	company: Company,
	{ node, state, after }: Pick<SavedTrigger, 'node' | 'state' | 'after'>,
): Promise<Outcome> {
	company.happen(after);
	const all = [await poll(company, node, state)];
	while (all.length < MAX_POLLS && all[all.length - 1].outcome.items.length > 0) {
		all.push(await poll(company, node, all[all.length - 1].state));
	}
	const outcomes: Outcome[] = all.map(({ outcome }) => outcome);
	const refused = outcomes.find((outcome) => outcome.refused !== undefined)?.refused;
	return {
		requests: outcomes.flatMap(({ requests }) => requests),
		items: outcomes.flatMap(({ items }) => items),
		warnings: outcomes.flatMap(({ warnings = [] }) => warnings),
		...(refused !== undefined && { refused }),
	};
}

/** Activates the workflow if it has no state yet, pushes what happens, and returns the state and the items. */
export async function sendPush(
	{ classes, engine, sandbox, happen }: Company,
	{ node, push, credentials }: Pick<SavedWebhook, 'node' | 'push' | 'credentials'>,
	saved: IDataObject | undefined,
	steps: Step[],
) {
	const listener = await listen({
		sandbox,
		parameters: node.parameters,
		node: classes.CorrigoWebhookTrigger,
		credentialType: classes.CorrigoApi,
		store: engine.store,
		database: new Database(saved && renamed(saved, LOCATOR, sandbox.locatorUrl)),
		credentials,
	});
	try {
		if (saved === undefined) await listener.activate();
		happen(steps);
		sandbox.forgetRequests();
		const answers = await sandbox.push({ url: listener.url, ...push });
		await listener.idle();
		const refused = [
			...listener.failures.map(({ message }) => message),
			...answers.filter(({ status }) => status !== 200).map(({ text }) => text),
		];
		return {
			state: renamed(listener.database.state, sandbox.locatorUrl, LOCATOR),
			outcome: {
				...readOutcome(sandbox, listener.executions.flat()),
				warnings: listener.warnings,
				...(refused.length > 0 && { refused: refused.join() }),
			},
		};
	} finally {
		await listener.close();
	}
}

/** The result without values that differ on each run or that newer hosts add. */
function readOutcome(sandbox: Sandbox, items: INodeExecutionData[]): Outcome {
	const requests = sandbox.requestsTo('api').map(toSent);
	return JSON.parse(masked(sandbox, JSON.stringify({ requests, items }))) as Outcome;
}

const toSent = ({ method, path, query, body }: RecordedRequest): Sent => ({
	method,
	path,
	...(Object.keys(query).length > 0 && { query }),
	...(body !== undefined && { body }),
});

function masked({ world }: Sandbox, text: string): string {
	const { urls } = world;
	return (
		Object.entries(urls)
			.reduce((rest, [name, url]) => rest.replaceAll(url, `http://${name}`), text)
			.replace(/"RequestId":"[0-9a-f-]{36}"/g, '"RequestId":"random"')
			.replace(/(http:\/\/storage\/[^?"]*)\?[^"]*/g, '$1')
			.replace(/(\.\d{3})\d{4}(?=Z?")/g, '$1')
			.replace(/,"bytes":\d+/g, '')
			.replace(/"ConfirmationKey":"[^"]+"/g, '"ConfirmationKey":"random"')
			// Words that people read may change.
			.replace(/"(Summary|detail|howToFix)":"(\\.|[^"\\])*"/g, '"$1":"text"')
			.replace(/\b\d+ ms\b/g, 'some ms')
	);
}
