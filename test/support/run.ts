import {
	createRunExecutionData,
	UnexpectedError,
	Workflow,
	type ExecutionStatus,
	type IConnections,
	type ICredentialsHelper,
	type IDataObject,
	type INode,
	type INodeExecutionData,
	type INodeTypes,
	type IRun,
	type ITaskData,
	type IWorkflowBase,
	type IWorkflowExecuteAdditionalData,
	type IWorkflowSettings,
	type NodeExecutionHint,
	type WorkflowExecuteMode,
} from 'n8n-workflow';

import { ExecutionLifecycleHooks, ExternalSecretsProxy, WorkflowExecute } from './host';

/** An error as n8n stores it with an execution. */
export interface RunError {
	name: string;
	message: string;
	description?: string | null;
	httpCode?: string | null;
	messages?: string[];
	context: IDataObject;
	node?: INode;
	cause?: unknown;
}

export interface Run {
	status: ExecutionStatus;
	error?: RunError;
	/** Output 0 of the node under test. */
	items: INodeExecutionData[];
	/** Output 1: the error output. */
	errorItems: INodeExecutionData[];
	hints: NodeExecutionHint[];
	/** The record of the node under test; absent when it never ran. */
	nodeData?: ITaskData;
	/** Everything that n8n would store of the execution, for assertions on secrets. */
	readonly serialized: string;
	output(nodeName: string, index?: number): INodeExecutionData[];
}

/** Leaves the words of the node alone. */
export const omitQuotations = (message: string): string =>
	message.replace(/"(?:[^"\\]|\\.)*"/g, '""');

export interface Started {
	cancel(): void;
	finished: Promise<Run>;
}

export interface WorkflowSpec {
	nodes: INode[];
	connections: IConnections;
	items: INodeExecutionData[];
	nodeUnderTest: string;
	mode: WorkflowExecuteMode;
	settings?: IWorkflowSettings;
}

const unavailable = (what: string) => async (): Promise<never> => {
	throw new UnexpectedError(`${what} is not available in engine tests`);
};

const ADDRESS = 'http://localhost:5678';

export const additionalDataFor = (
	credentialsHelper: ICredentialsHelper,
	overrides: Pick<IWorkflowExecuteAdditionalData, 'currentNodeParameters' | 'hooks'> = {},
): IWorkflowExecuteAdditionalData => ({
	credentialsHelper,
	executionId: 'execution',
	currentNodeExecutionIndex: 0,
	variables: {},
	externalSecretsProxy: new ExternalSecretsProxy(),
	setExecutionStatus: () => {},
	sendDataToUI: () => {},
	logAiEvent: () => {},
	executeWorkflow: unavailable('A sub-workflow'),
	getRunExecutionData: unavailable('Another execution'),
	getRuntimeCredential: unavailable('A runtime credential'),
	startRunnerTask: unavailable('A task runner'),
	restApiUrl: `${ADDRESS}/rest`,
	instanceBaseUrl: ADDRESS,
	formBaseUrl: `${ADDRESS}/form`,
	formWaitingBaseUrl: `${ADDRESS}/form-waiting`,
	formTestBaseUrl: `${ADDRESS}/form-test`,
	webhookBaseUrl: `${ADDRESS}/webhook`,
	webhookWaitingBaseUrl: `${ADDRESS}/webhook-waiting`,
	webhookTestBaseUrl: `${ADDRESS}/webhook-test`,
	mcpBaseUrl: `${ADDRESS}/mcp`,
	mcpTestBaseUrl: `${ADDRESS}/mcp-test`,
	...overrides,
});

export function createWorkflow(
	nodeTypes: INodeTypes,
	nodes: INode[],
	connections: IConnections = {},
	staticData: IDataObject = {},
	id = 'workflow',
	settings: IWorkflowSettings = { executionOrder: 'v1' },
): Workflow {
	return new Workflow({
		id,
		name: 'Engine test',
		active: false,
		nodeTypes,
		nodes,
		connections,
		staticData,
		settings,
	});
}

/** The execution as searchable text. Each object is written once, because executions contain cycles. */
function serialize(data: unknown): string {
	const seen = new Set<unknown>();
	return JSON.stringify(data, function (this: Record<string, unknown>, key, value: unknown) {
		if (typeof value !== 'object' || value === null) return value;
		if (seen.has(value)) return undefined;
		seen.add(value);
		const original = this[key];
		return original instanceof Error ? { ...value, message: original.message } : value;
	});
}

function viewOf({ status, data }: IRun, nodeUnderTest: string): Run {
	const { runData, error } = data.resultData;
	const output = (nodeName: string, index = 0): INodeExecutionData[] =>
		runData[nodeName]?.[0]?.data?.main?.[index] ?? [];
	const nodeData = runData[nodeUnderTest]?.[0];
	return {
		status,
		error: error as RunError | undefined,
		items: output(nodeUnderTest),
		errorItems: output(nodeUnderTest, 1),
		hints: nodeData?.hints ?? [],
		nodeData,
		get serialized() {
			return serialize(data);
		},
		output,
	};
}

export function startWorkflow(
	nodeTypes: INodeTypes,
	credentialsHelper: ICredentialsHelper,
	{ nodes, connections, items, nodeUnderTest, mode, settings }: WorkflowSpec,
): Started {
	const workflow = createWorkflow(nodeTypes, nodes, connections, {}, undefined, settings);
	const [first] = nodes;
	const start = workflow.getStartNode() ?? workflow.nodes[first.name];
	const workflowData: IWorkflowBase = {
		id: workflow.id,
		name: 'Engine test',
		active: false,
		activeVersionId: null,
		isArchived: false,
		createdAt: new Date(0),
		updatedAt: new Date(0),
		nodes,
		connections,
	};
	const execution = new WorkflowExecute(
		additionalDataFor(credentialsHelper, {
			hooks: new ExecutionLifecycleHooks(mode, 'execution', workflowData),
		}),
		mode,
		createRunExecutionData({
			executionData: {
				nodeExecutionStack: [{ node: start, data: { main: [items] }, source: null }],
			},
		}),
	).processRunExecutionData(workflow);
	return {
		cancel: () => execution.cancel(),
		finished: execution.then((run) => viewOf(run, nodeUnderTest)),
	};
}
