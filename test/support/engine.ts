import { createEmptyRunExecutionData, NodeConnectionTypes, UnexpectedError } from 'n8n-workflow';
import type {
	IConnections,
	ICredentialType,
	IDataObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	INode,
	INodeExecutionData,
	INodeListSearchResult,
	INodeParameters,
	INodePropertyOptions,
	INodeType,
	INodeTypes,
	IWorkflowSettings,
	OnError,
	PaginationOptions,
	ResourceMapperFields,
	WorkflowActivateMode,
	WorkflowExecuteMode,
} from 'n8n-workflow';

import { runCredentialTest } from './credential-test';
import type { CredentialTestResult } from './credential-test';
import { CredentialStore, StoredCredentialsHelper } from './credentials';
import {
	collectWarnings,
	ExecuteContext,
	LoadOptionsContext,
	PollContext,
	withExpressions,
} from './host';
import { createNodeTypes, TYPE, typeOfNode } from './nodes';
import type { NodeClass } from './nodes';
import { additionalDataFor, createWorkflow, startWorkflow } from './run';
import type { Run, RunError, Started } from './run';

export interface EngineOptions {
	/** The first one is the node under test unless a call names another. */
	nodes: Record<string, NodeClass>;
	credentialTypes: Array<new () => ICredentialType>;
	/** Each credential type once, with the credential that the nodes use for it. */
	credentials: Record<string, { id: string; data: IDataObject }>;
	/** Store of another engine, to act as a second worker on one database. */
	store?: CredentialStore;
}

type Helpers = IExecuteFunctions['helpers'];

/** The older request format, which the stock HTTP Request node still uses. */
export type LegacyRequest = Parameters<Helpers['requestWithAuthenticationPaginated']>[0];

export type NodeSpec = Partial<INode> & Pick<INode, 'name' | 'type'>;

interface NodeOptions {
	parameters?: INodeParameters;
	/** Key in `nodes` of the engine. */
	node?: string;
	typeVersion?: number;
	/** Other settings of the node, such as `retryOnFail`. */
	settings?: Partial<INode>;
}

export interface RunOptions extends NodeOptions {
	items?: INodeExecutionData[];
	nodeName?: string;
	onError?: OnError;
	mode?: WorkflowExecuteMode;
}

export interface WorkflowOptions {
	nodes: NodeSpec[];
	connections: IConnections;
	items?: INodeExecutionData[];
	/** Node whose output is `items` of the run; the last node by default. */
	nodeName?: string;
	mode?: WorkflowExecuteMode;
	/** Settings of the workflow, those of a new one by default. */
	workflowSettings?: IWorkflowSettings;
}

export interface ToolOptions extends Omit<RunOptions, 'items' | 'onError'> {
	/** The model's answers for each `$fromAI` of the parameters. */
	arguments?: IDataObject;
	/** Whether the agent asks n8n to run the tool, as newer agents do. */
	isRequested?: true;
	workflowSettings?: IWorkflowSettings;
}

export interface MethodOptions extends NodeOptions {
	/** Path of the requesting parameter, as the editor names it: `parameters.conditions.values[0].operator`. */
	path?: string;
}

export interface PollOptions extends Omit<NodeOptions, 'node'> {
	staticData?: IDataObject;
	mode?: WorkflowExecuteMode;
	/** Reason for the poll; by default a user activated the workflow. */
	activation?: WorkflowActivateMode;
	/** Time limit of the poll, which older hosts do not support. */
	budgetMs?: number;
}

export interface PollResult {
	/** `null` when no execution starts. */
	items: INodeExecutionData[] | null;
	/** State that n8n stores: unchanged when the poll failed. */
	staticData: IDataObject;
	error?: RunError;
	/** Warnings of the poll in the log of n8n. */
	warnings: string[];
}

export type Engine = ReturnType<typeof createEngine>;

/** A parameter whose value is this one as it is, also where it looks like an expression. */
const toLiteral = (value: IDataObject): string => {
	const text = JSON.stringify(JSON.stringify(value));
	const escaped = text.replace(/[={}$]/g, (sign) => `\\x${sign.charCodeAt(0).toString(16)}`);
	return `={{ JSON.parse(${escaped}) }}`;
};

const START = 'Start';
const AGENT = 'Agent';
const { Main, AiTool } = NodeConnectionTypes;

const to = (node: string, type: typeof Main | typeof AiTool = Main) => ({ node, type, index: 0 });

const chain = (names: string[]): IConnections =>
	Object.fromEntries(names.slice(1).map((name, index) => [names[index], { [Main]: [[to(name)]] }]));

export function createEngine(options: EngineOptions) {
	const { nodes: classes, credentials } = options;
	const nodeTypes: INodeTypes = createNodeTypes(classes);
	const credentialTypes = options.credentialTypes.map((CredentialType) => new CredentialType());
	const store = options.store ?? new CredentialStore();
	if (options.store === undefined) {
		for (const { id, data } of Object.values(credentials)) store.put(id, data);
	}
	const helper = new StoredCredentialsHelper(credentialTypes, store, nodeTypes);
	const [firstNode] = Object.keys(classes);
	const [credentialType] = Object.keys(credentials);
	const nodeCredentials = Object.fromEntries(
		Object.entries(credentials).map(([type, { id }]) => [type, { id, name: type }]),
	);

	const nodeTypeOf = (node: string): INodeType => nodeTypes.getByNameAndVersion(typeOfNode(node));

	const complete = (spec: NodeSpec): INode => ({
		id: spec.name,
		typeVersion: 1,
		position: [0, 0],
		parameters: {},
		credentials: nodeCredentials,
		...spec,
	});

	function nodeUnderTest(
		{ node = firstNode, nodeName, parameters = {}, typeVersion = 1, onError, settings }: RunOptions,
		suffix = '',
	): INode {
		const { description } = nodeTypeOf(node);
		return complete({
			name: nodeName ?? description.defaults.name ?? node,
			type: typeOfNode(node) + suffix,
			typeVersion,
			parameters,
			...(onError && { onError }),
			...settings,
		});
	}

	/** A single node, its parameters completed with their defaults as in the editor. */
	function standAlone(node: INode, staticData: IDataObject = {}) {
		const workflow = createWorkflow(nodeTypes, [node], {}, staticData);
		return { workflow, node: workflow.nodes[node.name] };
	}

	function startWorkflowOf({
		nodes,
		connections,
		items = [{ json: {} }],
		nodeName = nodes[nodes.length - 1].name,
		mode = 'manual',
		workflowSettings,
	}: WorkflowOptions): Started {
		return startWorkflow(nodeTypes, helper, {
			nodes: nodes.map(complete),
			connections,
			items,
			nodeUnderTest: nodeName,
			mode,
			settings: workflowSettings,
		});
	}

	function start(run: RunOptions = {}): Started {
		const node = nodeUnderTest(run);
		const nodes = [{ name: START, type: TYPE.start }, node];
		return startWorkflowOf({
			nodes,
			connections: chain(nodes.map(({ name }) => name)),
			items: run.items,
			nodeName: node.name,
			mode: run.mode,
		});
	}

	/** An agent with the node as its only tool; `items[0].json` is `{ name, description, response }`. */
	async function runTool({
		arguments: args = {},
		isRequested,
		workflowSettings,
		...run
	}: ToolOptions): Promise<Run> {
		const tool = nodeUnderTest(run, 'Tool');
		return await startWorkflowOf({
			nodes: [
				{ name: START, type: TYPE.start },
				tool,
				{
					name: AGENT,
					type: isRequested ? TYPE.requestingAgent : TYPE.agent,
					parameters: { arguments: toLiteral(args) },
				},
			],
			connections: {
				...chain([START, AGENT]),
				[tool.name]: { [AiTool]: [[to(AGENT, AiTool)]] },
			},
			mode: run.mode,
			workflowSettings,
		}).finished;
	}

	/** Calls a method of the node as the editor does. */
	async function callMethod<T>(
		kind: keyof NonNullable<INodeType['methods']>,
		name: string,
		{ path = '', ...spec }: MethodOptions,
		...given: unknown[]
	): Promise<T> {
		const { workflow, node } = standAlone(nodeUnderTest(spec));
		const additionalData = additionalDataFor(helper, { currentNodeParameters: node.parameters });
		const context = new LoadOptionsContext(workflow, node, additionalData, path);
		const method = nodeTypeOf(spec.node ?? firstNode).methods?.[kind]?.[name] as
			| ((this: ILoadOptionsFunctions, ...given: unknown[]) => Promise<T>)
			| undefined;
		if (method === undefined) throw new UnexpectedError(`The node has no method "${name}"`);
		return await withExpressions(workflow, async () => await method.call(context, ...given));
	}

	const listSearch = async (
		method: string,
		{
			filter,
			paginationToken,
			...spec
		}: MethodOptions & { filter?: string; paginationToken?: string },
	) => await callMethod<INodeListSearchResult>('listSearch', method, spec, filter, paginationToken);

	const loadOptions = async (method: string, spec: MethodOptions = {}) =>
		await callMethod<INodePropertyOptions[]>('loadOptions', method, spec);

	const mappingColumns = async (method: string, spec: MethodOptions = {}) =>
		await callMethod<ResourceMapperFields>('resourceMapping', method, spec);

	async function poll(
		name: string,
		{
			staticData = {},
			mode = 'trigger',
			activation = 'activate',
			budgetMs,
			...spec
		}: PollOptions = {},
	): Promise<PollResult> {
		const own = nodeUnderTest({ ...spec, node: name });
		const key = `node:${own.name}`;
		const { workflow, node } = standAlone(own, { [key]: structuredClone(staticData) });
		const context = new PollContext(
			workflow,
			node,
			additionalDataFor(helper),
			mode,
			mode === 'manual' ? 'manual' : activation,
			// The other callbacks of the context keep their defaults.
			...([() => {}, undefined, undefined, undefined, undefined] as const),
			budgetMs === undefined ? undefined : () => budgetMs,
		);
		const warnings = collectWarnings(context);
		const { poll: pollNode } = nodeTypeOf(name);
		if (pollNode === undefined) throw new UnexpectedError(`"${name}" does not poll`);
		try {
			const found = await withExpressions(workflow, async () => await pollNode.call(context));
			// A copy as the database stores it: the workflow's own object is a proxy, which cannot be cloned.
			const kept = JSON.parse(JSON.stringify(workflow.getStaticData('node', node))) as IDataObject;
			return { items: found?.[0] ?? null, staticData: kept, warnings };
		} catch (error) {
			return { items: null, staticData, error: error as RunError, warnings };
		}
	}

	/** Runs in a node of the type that may use any credential, as the HTTP Request node does. */
	async function inHttpRequestNode<T>(work: (this: IExecuteFunctions) => Promise<T>): Promise<T> {
		const { workflow, node } = standAlone(
			complete({ name: 'HTTP Request', type: TYPE.httpRequest }),
		);
		const items = [{ json: {} }];
		const context = new ExecuteContext(
			workflow,
			node,
			additionalDataFor(helper),
			'manual',
			createEmptyRunExecutionData(),
			0,
			items,
			{ main: [items] },
			{ node, data: { main: [items] }, source: null },
			[],
		);
		return await withExpressions(workflow, async () => await work.call(context));
	}

	return {
		store,
		run: async (run?: RunOptions): Promise<Run> => await start(run).finished,
		start,
		runWorkflow: async (workflow: WorkflowOptions): Promise<Run> =>
			await startWorkflowOf(workflow).finished,
		runTool,
		listSearch,
		loadOptions,
		mappingColumns,
		poll,

		/** The form saves before it tests: `data` is merged into the stored data. */
		async testCredential(data: IDataObject = {}): Promise<CredentialTestResult> {
			const { id } = credentials[credentialType];
			store.put(id, { ...store.get(id), ...data });
			return await runCredentialTest(helper, credentialTypes, credentialType, id);
		},

		httpRequest: async (request: IHttpRequestOptions): Promise<unknown> =>
			await inHttpRequestNode(async function () {
				return await this.helpers.httpRequestWithAuthentication.call(this, credentialType, request);
			}),

		/** The request helper that the stock HTTP Request node uses. */
		legacyRequest: async (request: LegacyRequest): Promise<unknown> =>
			await inHttpRequestNode(async function () {
				// eslint-disable-next-line @n8n/community-nodes/no-deprecated-workflow-functions -- the stock node calls it
				return await this.helpers.requestWithAuthentication.call(this, credentialType, request);
			}),

		legacyPaginated: async (
			request: LegacyRequest,
			pagination: PaginationOptions,
		): Promise<unknown[]> =>
			await inHttpRequestNode(async function () {
				const { requestWithAuthenticationPaginated: send } = this.helpers;
				return await send.call(this, request, 0, pagination, credentialType);
			}),
	};
}
