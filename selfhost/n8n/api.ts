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
	INodeParameters,
	INodePropertyOptions,
	IRunData,
	ITaskData,
	ITaskDataConnections,
	IWorkflowSettings,
	ResourceMapperFields,
} from 'n8n-workflow';
import { randomUUID } from 'node:crypto';

import { Push } from './pushChannel';
import { until } from '../waitFor';

export interface Owner {
	email: string;
	password: string;
	firstName: string;
	lastName: string;
}

/** n8n ties a session to the browser that opened it, and refuses its cookie to others. */
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
	/** What its nodes keep between executions. */
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
	/** n8n stores the data of a run flattened: every value once, references by index. */
	data: string;
}

interface StoredRun {
	resultData: { runData?: IRunData; error?: ExecutionError };
	executionData?: { nodeExecutionStack: Array<Pick<IExecuteData, 'data'>> };
}

/** A question that a form asks about one of its fields while the user fills it in. */
export interface ParameterQuestion {
	node: Pick<INode, 'type' | 'typeVersion'>;
	parameters: INodeParameters;
	credentials: INodeCredentials;
	/** Path of the field, as `parameters.id`. */
	path: string;
	methodName: string;
}

class N8nApiError extends Error {
	constructor(
		request: string,
		readonly status: number,
		message: string,
	) {
		super(`${request}: ${status} ${message}`);
		this.name = 'N8nApiError';
	}
}

/** The output items of a node in a run; of the first output unless another is asked for. */
export const itemsOf = ({ runData }: Execution, node: string, output = 0): INodeExecutionData[] =>
	runData[node]?.at(-1)?.data?.main[output] ?? [];

const itemsIn = (data?: ITaskDataConnections) => data?.main.flatMap((items) => items ?? []) ?? [];

const outputOf = (json: IDataObject): Partial<ITaskData> => ({
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

const ENDED: readonly ExecutionStatus[] = ['canceled', 'crashed', 'error', 'success'];

const isTrigger = ({ type }: INode) => type.toLowerCase().endsWith('trigger');

/** What the editor says to its server, without the editor. */
export class N8nApi {
	/** Another process can go on with a session: n8n lets nobody log in more than a few times a minute. */
	constructor(
		readonly url: string,
		readonly session: Session = { browserId: randomUUID(), cookie: '' },
	) {}

	/** The first visitor of a new instance becomes its owner. */
	async setUpOwner(owner: Owner) {
		await this.send('POST', '/owner/setup', owner);
	}

	async logIn({ email, password }: Owner) {
		await this.send('POST', '/login', { emailOrLdapLoginId: email, password });
	}

	/** Becomes the owner of a new instance, or logs in to one that is set up already. */
	async enter(owner: Owner) {
		const { userManagement } = await this.send<{
			userManagement: { showSetupOnFirstLoad: boolean };
		}>('GET', '/settings');
		if (userManagement.showSetupOnFirstLoad) await this.setUpOwner(owner);
		else await this.logIn(owner);
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

	/** A stored credential with its data; secrets come blanked. */
	async credential(id: string) {
		return await this.send<Credential & { data: ICredentialDataDecryptedObject }>(
			'GET',
			`/credentials/${id}?includeData=true`,
		);
	}

	/** The test that the credential form runs on saving; blanked secrets are filled in by n8n. */
	async testCredential(id: string) {
		const credentials = await this.credential(id);
		return await this.send<CredentialTest>('POST', '/credentials/test', { credentials });
	}

	async workflows() {
		return await this.send<Array<Pick<Workflow, 'id' | 'name' | 'active'>>>('GET', '/workflows');
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

	/** n8n activates after it has answered: the workflow is active when it says so to the editor. */
	async activate({ id, versionId }: Workflow) {
		return await this.listening(async (push) => {
			const active = await this.send<Workflow>('POST', `/workflows/${id}/activate`, { versionId });
			const { data } = await push.told(id, 'workflowActivated', 'workflowFailedToActivate');
			if (data.errorMessage) throw new Error(`Workflow ${id}: ${data.errorMessage}`);
			return active;
		});
	}

	async deactivate({ id }: Workflow) {
		return await this.listening(async (push) => {
			const inactive = await this.send<Workflow>('POST', `/workflows/${id}/deactivate`, {});
			await push.told(id, 'workflowDeactivated');
			return inactive;
		});
	}

	/**
	 * Runs a workflow as "Execute workflow" does, and waits for the end of the run. A trigger that
	 * waits for somebody, such as a chat, is given the item it would have got. Of several triggers it
	 * is the first, unless another one is named.
	 */
	async run(
		{ id, nodes }: Workflow,
		said?: IDataObject,
		name = nodes.find(isTrigger)?.name,
	): Promise<Execution> {
		return await this.listening(async (push, pushRef) => {
			const { executionId } = await this.send<{ executionId: string }>(
				'POST',
				`/workflows/${id}/run`,
				{ triggerToStartFrom: { name, ...(said && { data: outputOf(said) }) } },
				{ 'push-ref': pushRef },
			);
			await push.told(executionId, 'executionFinished');
			return await this.execution(executionId);
		});
	}

	/** Listens for a test event, and hands back the run that `push` starts. */
	async test({ id, nodes }: Workflow, push: () => Promise<void>): Promise<Execution> {
		const name = nodes.find(isTrigger)?.name;
		const before = (await this.executions(id)).length;
		return await this.listening(async (_, pushRef) => {
			const listened = { triggerToStartFrom: { name } };
			await this.send('POST', `/workflows/${id}/run`, listened, { 'push-ref': pushRef });
			await push();
			const [newest] = await until(
				'the test event has started a run',
				async () => await this.executions(id),
				({ length }) => length > before,
			);
			return await this.execution(newest.id);
		});
	}

	/** The newest runs of a workflow, newest first, without their data. */
	async executions(workflowId: string, status?: ExecutionStatus) {
		const only = { workflowId, ...(status && { status: [status] }) };
		const filter = encodeURIComponent(JSON.stringify(only));
		const { results } = await this.send<{
			results: Array<Pick<Execution, 'id' | 'workflowId' | 'mode' | 'status'>>;
		}>('GET', `/executions?filter=${filter}&limit=100`);
		return results;
	}

	/** The items that a trigger started a run with, however far that came. */
	async startedWith(id: string): Promise<INodeExecutionData[]> {
		const { data } = await this.stored(id);
		const { executionData, resultData } = parse(data) as StoredRun;
		const stack = executionData?.nodeExecutionStack ?? [];
		const [trigger] = Object.values(resultData.runData ?? {});
		return [...stack.flatMap((entry) => itemsIn(entry.data)), ...itemsIn(trigger?.at(-1)?.data)];
	}

	/** A run that has ended. n8n saves its end and its data in one go, later than its nodes can tell. */
	async execution(id: string): Promise<Execution> {
		const ended = await until(
			`execution ${id} has ended`,
			async () => await this.stored(id),
			({ status, stoppedAt }) => ENDED.includes(status) && stoppedAt !== null,
		);
		return asExecution(ended);
	}

	/** The first run of a workflow that waits, as far as it has come. */
	async waiting({ id }: Workflow): Promise<Execution> {
		const [{ id: first }] = await until(
			`an execution of ${id} waits`,
			async () => await this.executions(id, 'waiting'),
			({ length }) => length > 0,
		);
		return asExecution(await this.stored(first));
	}

	private async stored(id: string) {
		return await this.send<StoredExecution>('GET', `/executions/${id}`);
	}

	async listSearch(question: ParameterQuestion, filter?: string, paginationToken?: string) {
		return await this.ask<INodeListSearchResult>('resource-locator-results', question, {
			filter,
			paginationToken,
		});
	}

	async options(question: ParameterQuestion) {
		return await this.ask<INodePropertyOptions[]>('options', question);
	}

	async mappingColumns(question: ParameterQuestion) {
		return await this.ask<ResourceMapperFields>('resource-mapper-fields', question);
	}

	private async ask<T>(about: string, question: ParameterQuestion, more: object = {}) {
		const { node, parameters, ...rest } = question;
		return await this.send<T>('POST', `/dynamic-node-parameters/${about}`, {
			nodeTypeAndVersion: { name: node.type, version: node.typeVersion },
			currentNodeParameters: parameters,
			...rest,
			...more,
		});
	}

	private async listening<T>(work: (push: Push, pushRef: string) => Promise<T>): Promise<T> {
		const pushRef = randomUUID();
		const push = await Push.open(this.url, pushRef, this.headers());
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

	private async send<T>(
		method: string,
		path: string,
		body?: object,
		headers: Record<string, string> = {},
	): Promise<T> {
		const response = await fetch(`${this.url}/rest${path}`, {
			method,
			headers: { 'content-type': 'application/json', ...this.headers(), ...headers },
			body: body && JSON.stringify(body),
		});
		const session = response.headers.getSetCookie().find((each) => each.startsWith('n8n-auth='));
		if (session) [this.session.cookie] = session.split(';');
		const text = await response.text();
		if (!response.ok) throw new N8nApiError(`${method} ${path}`, response.status, text);
		return (JSON.parse(text) as { data: T }).data;
	}
}
