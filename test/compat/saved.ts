/** The nodes, states and workflows that a version has left in n8n, and the results of running them. */
import { randomUUID } from 'node:crypto';
import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { startSandbox, type RecordedRequest, type Sandbox } from '../../sandbox';
import { actAsColleague, workOrderShape } from '../../sandbox/desktop';
import { createEngine, type EngineOptions, type RunOptions } from '../engine/engine';
import { typeOfNode, type NodeClass } from '../engine/nodes';
import { outside, runnable, standIns, type WorkflowFile } from '../engine/standIns';

/** The classes of one version. */
export interface VersionClasses {
	Corrigo: NodeClass;
	CorrigoTrigger: NodeClass;
	CorrigoApi: EngineOptions['credentialTypes'][number];
}

/** A change in Corrigo. */
export type Step =
	| ['change', entity: string, id: number, values: IDataObject]
	| ['insert', entity: string, values: IDataObject]
	| ['desktop', work: IDataObject]
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
}

/** A node as n8n stores it, without the parameters that equal their defaults. */
export interface SavedNode {
	name: string;
	type: 'corrigo' | 'corrigoTrigger';
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

/** The answers of a person or a language model. */
export type Answers = Partial<Pick<typeof outside, 'answers' | 'reply' | 'understood'>>;

/** A complete workflow, as a user imported it from the examples of that version. */
export interface SavedWorkflow extends Pick<Saved, 'before' | 'items' | 'refused'> {
	workflow: WorkflowFile;
	/** Items that the workflow starts with. */
	input: INodeExecutionData[];
	/** The arguments of a model, where the node is the tool of an agent. */
	asks?: IDataObject;
	answers?: Answers;
	/** Writes that the workflow sends to Corrigo. */
	writes: Sent[];
}

/** The address of the locator in recordings. */
const LOCATOR = 'http://locator';

const NOON = Date.UTC(2026, 0, 15, 12);

const TIMERS = [
	...(['hrtime', 'nextTick', 'performance', 'queueMicrotask'] as const),
	...(['setImmediate', 'setInterval', 'setTimeout'] as const),
	...(['clearImmediate', 'clearInterval', 'clearTimeout'] as const),
];

/** A Corrigo whose clock starts on a fixed day, with an engine in front of it. */
export async function openCompany({ Corrigo, CorrigoTrigger, CorrigoApi }: VersionClasses) {
	jest.useFakeTimers({ now: NOON, doNotFake: TIMERS });
	const sandbox = await startSandbox({ workOrders: 40, strict: true, now: () => Date.now() });
	const engine = createEngine({
		nodes: { corrigo: Corrigo, corrigoTrigger: CorrigoTrigger, ...standIns },
		credentialTypes: [CorrigoApi],
		credentials: { corrigoApi: { id: '1', data: sandbox.credentials } },
	});
	const take = (step: Step) => {
		const { store, world } = sandbox;
		if (step[0] === 'change') store.change(step[1], step[2], step[3]);
		else if (step[0] === 'insert') store.insert(step[1], { ...step[2] });
		else if (step[0] === 'desktop') actAsColleague(world, workOrderShape.parse(step[1]));
		else jest.setSystemTime(Date.now() + step[1] * 1000);
	};
	return {
		sandbox,
		engine,
		/** Resets the clock to the first day, then applies the steps. */
		happen: (steps: readonly Step[] = []) => steps.forEach(take),
		begin: (steps: readonly Step[] = []) => {
			jest.setSystemTime(NOON);
			sandbox.world.reset();
			steps.forEach(take);
			sandbox.forgetRequests();
		},
	};
}

type Company = Awaited<ReturnType<typeof openCompany>>;

const nodeOf = ({ name, type, typeVersion, parameters }: SavedNode): RunOptions => ({
	node: type,
	nodeName: name,
	typeVersion,
	parameters,
});

export async function run(
	{ engine, sandbox, begin }: Company,
	{ node, before, input }: Pick<SavedOperation, 'node' | 'before' | 'input'>,
): Promise<Outcome> {
	begin(before);
	const { error, items } = await engine.run({ ...nodeOf(node), ...(input && { items: input }) });
	return { ...outcomeOf(sandbox, items), ...(error && { refused: error.message }) };
}

const isWrite = ({ method, path }: Sent) => method !== 'GET' && !path.includes('/query/');

/** Runs a workflow. The items are those of its last nodes; a node may go on after an error only. */
export async function runWorkflow(
	{ engine, sandbox, begin }: Company,
	{ workflow, before, input, asks, answers }: Omit<SavedWorkflow, 'writes' | 'items' | 'refused'>,
): Promise<Pick<SavedWorkflow, 'writes' | 'items' | 'refused'>> {
	begin(before);
	outside.reset();
	Object.assign(outside, answers);
	const { nodes, connections } = runnable(workflow);
	const tool = workflow.nodes.find(({ type }) => type === typeOfNode('corrigoTool'));
	const run =
		tool === undefined
			? await engine.runWorkflow({ nodes, connections, items: input })
			: await engine.runTool({ ...tool, nodeName: tool.name, node: 'corrigo', arguments: asks });
	const isEnd = (name: string) =>
		Object.values(connections[name] ?? {}).every(([first]) => (first ?? []).length === 0);
	const ends = nodes.filter(({ name }) => isEnd(name));
	const items = tool === undefined ? ends.flatMap(({ name }) => run.output(name)) : run.items;
	const { requests, ...outcome } = outcomeOf(sandbox, items);
	const refused = run.error && { refused: run.error.message };
	return { writes: requests.filter(isWrite), ...outcome, ...refused };
}

/** The saved state names the locator in place of its address, which differs on each run. */
export async function poll({ engine, sandbox }: Company, node: SavedNode, saved: IDataObject) {
	sandbox.forgetRequests();
	const { locatorUrl } = sandbox;
	const rename = (state: IDataObject, from: string, to: string) =>
		JSON.parse(JSON.stringify(state).replaceAll(from, to)) as IDataObject;
	const staticData = rename(saved, LOCATOR, locatorUrl);
	// As a node that n8n has just loaded, whose names are not known yet.
	const settings = { id: randomUUID() };
	const polled = await engine.poll('corrigoTrigger', { ...nodeOf(node), staticData, settings });
	const { error, items } = polled;
	return {
		state: rename(polled.staticData, locatorUrl, LOCATOR),
		outcome: { ...outcomeOf(sandbox, items ?? []), ...(error && { refused: error.message }) },
	};
}

/** The result without values that differ on each run or that newer hosts add. */
function outcomeOf(sandbox: Sandbox, items: INodeExecutionData[]): Outcome {
	const requests = sandbox.requestsTo('api').map(sentOf);
	return JSON.parse(masked(sandbox, JSON.stringify({ requests, items }))) as Outcome;
}

const sentOf = ({ method, path, query, body }: RecordedRequest): Sent => ({
	method,
	path,
	...(Object.keys(query).length > 0 && { query }),
	...(body !== undefined && { body }),
});

function masked({ world }: Sandbox, text: string): string {
	const { urls } = world;
	return Object.entries(urls)
		.reduce((rest, [name, url]) => rest.replaceAll(url, `http://${name}`), text)
		.replace(/"RequestId":"[0-9a-f-]{36}"/g, '"RequestId":"random"')
		.replace(/(http:\/\/storage\/[^?"]*)\?[^"]*/g, '$1')
		.replace(/(\.\d{3})\d{4}(?=Z?")/g, '$1')
		.replace(/,"bytes":\d+/g, '')
		.replace(/\b\d+ ms\b/g, 'some ms');
}
