import { parse } from 'flatted';
import type {
	ExecutionError,
	ExecutionStatus,
	ICredentialDataDecryptedObject,
	IConnections,
	IDataObject,
	IExecuteData,
	INode,
	INodeCredentials,
	INodeExecutionData,
	INodeListSearchResult,
	IRunData,
	ITaskData,
	ITaskDataConnections,
	IWorkflowSettings,
} from 'n8n-workflow';
import { randomUUID } from 'node:crypto';

import { newConnection } from '../process/loopback';
import { waitFor } from '../waitFor';
import { PushChannel } from './pushChannel';

export interface Owner {
	email: string;
	password: string;
	firstName: string;
	lastName: string;
}

/** A login. n8n accepts the cookie only together with the ID of the browser that logged in. */
export interface Session {
	browserId: string;
	cookie: string;
}

interface InstalledPackage {
	packageName: string;
	installedVersion: string;
	failedLoading: boolean;
	installedNodes: Array<{ name: string; type: string; latestVersion: number }>;
}

export interface Credential {
	id: string;
	name: string;
	type: string;
}

export interface CredentialTest {
	status: 'OK' | 'Error';
	message: string;
}

/** A workflow as n8n exports it. */
export interface WorkflowFile {
	name: string;
	nodes: INode[];
	connections: IConnections;
	settings?: IWorkflowSettings;
	pinData?: IDataObject;
}

export interface Workflow extends WorkflowFile {
	id: string;
	active: boolean;
	versionId: string;
	/** State that the nodes keep between executions. */
	staticData?: IDataObject | null;
}

export interface Execution {
	id: string;
	workflowId: string;
	mode: string;
	status: ExecutionStatus;
	runData: IRunData;
	error?: ExecutionError;
}

interface StoredExecution extends Omit<Execution, 'runData' | 'error'> {
	stoppedAt: string | null;
	/** Serialized by `flatted`: every value once, with references by index. */
	data: string;
}

interface StoredRun {
	resultData: { runData?: IRunData; error?: ExecutionError };
	executionData?: { nodeExecutionStack: Array<Pick<IExecuteData, 'data'>> };
}

/** A form's request for the entries of a resource locator's list. */
export interface ListSearchRequest {
	node: Pick<INode, 'type' | 'typeVersion' | 'parameters'>;
	credentials: INodeCredentials;
	/** Path of the field, such as `parameters.id`. */
	path: string;
	methodName: string;
}

/** The output items of a node in an execution. */
export const itemsOf = ({ runData }: Execution, node: string, output = 0): INodeExecutionData[] =>
	runData[node]?.at(-1)?.data?.main[output] ?? [];

const itemsIn = (data?: ITaskDataConnections) => data?.main.flatMap((items) => items ?? []) ?? [];

const triggerOutput = (json: IDataObject): Partial<ITaskData> => ({
	executionStatus: 'success',
	startTime: 0,
	executionTime: 0,
	executionIndex: 0,
	source: [],
	data: { main: [[{ json }]] },
});

function asExecution({ data, ...execution }: StoredExecution): Execution {
	const { resultData } = parse(data) as StoredRun;
	return { ...execution, runData: resultData.runData ?? {}, error: resultData.error };
}

const FINAL_STATUSES: readonly ExecutionStatus[] = ['canceled', 'crashed', 'error', 'success'];

const isTrigger = ({ type }: INode) => type.toLowerCase().endsWith('trigger');

/** Client for the internal REST API that the editor uses. */
export class N8nApi {
	/** A given session avoids another login, because n8n limits how often a user can log in. */
	constructor(
		readonly url: string,
		readonly session: Session = { browserId: randomUUID(), cookie: '' },
	) {}

	/** Sets up the owner of a new instance, or logs in to one that has an owner. */
	async setUpOrLogIn(owner: Owner) {
		const { userManagement } = await this.send<{
			userManagement: { showSetupOnFirstLoad: boolean };
		}>('GET', '/settings');
		if (userManagement.showSetupOnFirstLoad) {
			await this.send('POST', '/owner/setup', owner);
		} else {
			const { email, password } = owner;
			await this.send('POST', '/login', { emailOrLdapLoginId: email, password });
		}
	}

	async communityPackages() {
		return await this.send<InstalledPackage[]>('GET', '/community-packages');
	}

	async installCommunityPackage(name: string, version: string) {
		return await this.send<InstalledPackage>('POST', '/community-packages', { name, version });
	}

	async updateCommunityPackage(name: string, version: string) {
		return await this.send<InstalledPackage>('PATCH', '/community-packages', { name, version });
	}

	async credentials() {
		return await this.send<Credential[]>('GET', '/credentials');
	}

	async createCredential(name: string, type: string, data: ICredentialDataDecryptedObject) {
		return await this.send<Credential>('POST', '/credentials', { name, type, data });
	}

	async updateCredential({ id, name, type }: Credential, data: ICredentialDataDecryptedObject) {
		return await this.send<Credential>('PATCH', `/credentials/${id}`, { name, type, data });
	}

	async deleteCredential({ id }: Pick<Credential, 'id'>) {
		await this.send('DELETE', `/credentials/${id}`);
	}

	/** A stored credential with its data; n8n blanks the secrets. */
	async credential(id: string) {
		return await this.send<Credential & { data: ICredentialDataDecryptedObject }>(
			'GET',
			`/credentials/${id}?includeData=true`,
		);
	}

	/** Runs the test that the credential form runs on saving; n8n fills in the blanked secrets. */
	async testCredential(id: string) {
		const credentials = await this.credential(id);
		return await this.send<CredentialTest>('POST', '/credentials/test', { credentials });
	}

	async workflows() {
		return await this.send<Array<Pick<Workflow, 'id' | 'name' | 'active'>>>('GET', '/workflows');
	}

	/** The IDs of workflows that the migration report of n8n flags for a new version, with its rules. */
	async flaggedWorkflows(version: string) {
		const { report } = await this.send<{ report: { workflowResults: Array<{ ruleId: string }> } }>(
			'POST',
			`/breaking-changes/report/refresh?version=${version}`,
		);
		const rules = report.workflowResults.map(async ({ ruleId }) => {
			const { affectedWorkflows } = await this.send<{ affectedWorkflows: Array<{ id: string }> }>(
				'GET',
				`/breaking-changes/report/${ruleId}`,
			);
			return affectedWorkflows.map(({ id }) => ({ id, ruleId }));
		});
		return (await Promise.all(rules)).flat();
	}

	async workflow(id: string) {
		return await this.send<Workflow>('GET', `/workflows/${id}`);
	}

	async createWorkflow({ name, nodes, connections, settings, pinData }: WorkflowFile) {
		return await this.send<Workflow>('POST', '/workflows', {
			name,
			nodes,
			connections,
			settings,
			pinData,
		});
	}

	async updateWorkflow({ id, name, nodes, connections, settings, versionId }: Workflow) {
		const changed = { name, nodes, connections, settings, versionId };
		return await this.send<Workflow>('PATCH', `/workflows/${id}`, changed);
	}

	/** n8n activates after it has responded, so this waits for the message that it sends to the editor. */
	async activate({ id, versionId }: Workflow) {
		return await this.withPushChannel(async (push) => {
			const active = await this.send<Workflow>('POST', `/workflows/${id}/activate`, { versionId });
			const { data } = await push.waitForMessage(
				id,
				'workflowActivated',
				'workflowFailedToActivate',
			);
			if (data.errorMessage) throw new Error(`Workflow ${id}: ${data.errorMessage}`);
			return active;
		});
	}

	async deactivate({ id }: Workflow) {
		return await this.withPushChannel(async (push) => {
			const inactive = await this.send<Workflow>('POST', `/workflows/${id}/deactivate`, {});
			await push.waitForMessage(id, 'workflowDeactivated');
			return inactive;
		});
	}

	/**
	 * Runs a workflow as "Execute workflow" does, and waits for the end of the run. A trigger that
	 * waits for input, such as a chat, needs an item.
	 */
	async run(
		{ id, nodes }: Workflow,
		triggerItem?: IDataObject,
		triggerName = nodes.find(isTrigger)?.name,
		lastNode?: string,
	): Promise<Execution> {
		return await this.withPushChannel(async (push, pushRef) => {
			const { executionId } = await this.send<{ executionId: string }>(
				'POST',
				`/workflows/${id}/run`,
				{
					triggerToStartFrom: {
						name: triggerName,
						...(triggerItem && { data: triggerOutput(triggerItem) }),
					},
					...(lastNode && { destinationNode: { nodeName: lastNode, mode: 'inclusive' } }),
				},
				{ 'push-ref': pushRef },
			);
			await push.waitForMessage(executionId, 'executionFinished');
			return await this.execution(executionId);
		});
	}

	/** Listens for a test event, and returns the execution that `sendEvent` starts. */
	async runTestEvent({ id, nodes }: Workflow, sendEvent: () => Promise<void>): Promise<Execution> {
		const name = nodes.find(isTrigger)?.name;
		const before = (await this.executions(id)).length;
		return await this.withPushChannel(async (_, pushRef) => {
			const start = { triggerToStartFrom: { name } };
			await this.send('POST', `/workflows/${id}/run`, start, { 'push-ref': pushRef });
			await sendEvent();
			const [newest] = await waitFor(
				'the test event has started a run',
				async () => await this.executions(id),
				({ length }) => length > before,
			);
			return await this.execution(newest.id);
		});
	}

	/** The latest executions of a workflow, newest first, without their data. */
	async executions(workflowId: string, status?: ExecutionStatus) {
		const criteria = { workflowId, ...(status && { status: [status] }) };
		const filter = encodeURIComponent(JSON.stringify(criteria));
		const { results } = await this.send<{
			results: Array<Pick<Execution, 'id' | 'workflowId' | 'mode' | 'status'>>;
		}>('GET', `/executions?filter=${filter}&limit=100`);
		return results;
	}

	/** The items that a trigger started an execution with, even where the execution did not finish. */
	async triggerItems(id: string): Promise<INodeExecutionData[]> {
		const { data } = await this.storedExecution(id);
		const { executionData, resultData } = parse(data) as StoredRun;
		const stack = executionData?.nodeExecutionStack ?? [];
		const [trigger] = Object.values(resultData.runData ?? {});
		return [...stack.flatMap((entry) => itemsIn(entry.data)), ...itemsIn(trigger?.at(-1)?.data)];
	}

	/** Waits for the end of an execution, because n8n saves the data after the last node has run. */
	async execution(id: string): Promise<Execution> {
		const ended = await waitFor(
			`execution ${id} has ended`,
			async () => await this.storedExecution(id),
			({ status, stoppedAt }) => FINAL_STATUSES.includes(status) && stoppedAt !== null,
		);
		return asExecution(ended);
	}

	/** Waits until an execution of a workflow is waiting, and returns its data so far. */
	async waitForWaitingExecution({ id }: Workflow): Promise<Execution> {
		const [{ id: first }] = await waitFor(
			`an execution of ${id} is waiting`,
			async () => await this.executions(id, 'waiting'),
			({ length }) => length > 0,
		);
		return asExecution(await this.storedExecution(first));
	}

	private async storedExecution(id: string) {
		return await this.send<StoredExecution>('GET', `/executions/${id}`);
	}

	/** The entries of a resource locator's list. */
	async listSearch({ node, ...request }: ListSearchRequest, filter?: string) {
		return await this.send<INodeListSearchResult>(
			'POST',
			'/dynamic-node-parameters/resource-locator-results',
			{
				nodeTypeAndVersion: { name: node.type, version: node.typeVersion },
				currentNodeParameters: node.parameters,
				...request,
				filter,
			},
		);
	}

	/** Creates one of n8n's own agents, which is not a workflow, with an OpenAI credential and tools. */
	async createAgent(name: string, { id: credential }: Credential, tools: IDataObject[]) {
		const { id: project } = await this.send<{ id: string }>('GET', '/projects/personal');
		const agents = `/projects/${project}/agents/v2`;
		const { id } = await this.send<{ id: string }>('POST', agents, { name });
		const agent = `${agents}/${id}`;
		const { configHash } = await this.send<{ configHash: string }>('GET', `${agent}/config`);
		await this.send('PUT', `${agent}/config`, {
			config: {
				...{ name, credential, model: 'openai/gpt-5-mini', instructions: 'Use the tools.' },
				tools,
			},
			baseConfigHash: configHash,
		});
		return agent;
	}

	/** Says something to an agent as its preview does, and waits until it has answered. */
	async chat(agent: string, message: string) {
		const events = await this.request('POST', `${agent}/chat`, { message });
		if (!events.includes('"type":"done"')) throw new Error(`${agent}: ${events}`);
	}

	private async withPushChannel<T>(
		work: (push: PushChannel, pushRef: string) => Promise<T>,
	): Promise<T> {
		const pushRef = randomUUID();
		const push = await PushChannel.open(this.url, pushRef, this.headers());
		try {
			return await work(push, pushRef);
		} finally {
			push.close();
		}
	}

	private headers() {
		const { browserId, cookie } = this.session;
		return { 'browser-id': browserId, cookie };
	}

	private async send<T>(...request: Parameters<N8nApi['request']>): Promise<T> {
		return (JSON.parse(await this.request(...request)) as { data: T }).data;
	}

	private async request(
		method: string,
		path: string,
		body?: object,
		headers: Record<string, string> = {},
	): Promise<string> {
		const response = await fetch(`${this.url}/rest${path}`, {
			method,
			headers: {
				'content-type': 'application/json',
				...newConnection,
				...this.headers(),
				...headers,
			},
			body: body && JSON.stringify(body),
		});
		const session = response.headers.getSetCookie().find((each) => each.startsWith('n8n-auth='));
		if (session) [this.session.cookie] = session.split(';');
		const text = await response.text();
		if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
		return text;
	}
}
