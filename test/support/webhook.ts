/**
 * n8n's part in a webhook: it registers the node and receives requests. For each request it loads the
 * workflow with its state from the database, calls the node, saves the state, and starts an execution
 * with the items of the node.
 */
import { once } from 'node:events';
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type {
	ICredentialType,
	IDataObject,
	INode,
	INodeExecutionData,
	INodeParameters,
	INodeType,
	IWebhookData,
	IWebhookResponseData,
	Workflow,
	WorkflowActivateMode,
} from 'n8n-workflow';

import { CorrigoApi } from '../../credentials/CorrigoApi.credentials';
import type { Sandbox } from '../../sandbox';
import { post } from '../../sandbox/pushes';
import { StoredCredentialsHelper, type CredentialStore } from './credentials';
import { CREDENTIAL, credentialsOf } from './company';
import { collectWarnings, HookContext, WebhookContext, withExpressions } from './host';
import { createNodeTypes, typeOfNode, type NodeClass } from './nodes';
import { additionalDataFor, createWorkflow } from './run';

const NAME = 'corrigoWebhookTrigger';

/** A second read comes after ten seconds, which pass quickly here. */
const SECOND_READ_MS = 60;
const { setTimeout: setRealTimeout } = globalThis;
globalThis.setTimeout = Object.assign(
	(work: (...values: unknown[]) => void, ms?: number, ...values: unknown[]) =>
		setRealTimeout(work, ms === 10_000 ? SECOND_READ_MS : ms, ...values),
	setRealTimeout,
);

/** The table of workflows, which all processes of n8n share, and which stores states as text. */
export class Database {
	private static count = 0;
	/** Unique for each workflow. */
	readonly id = `workflow ${++Database.count}`;
	private text: string;

	constructor(state: IDataObject = {}) {
		this.text = JSON.stringify(state);
	}

	get state(): IDataObject {
		return JSON.parse(this.text) as IDataObject;
	}

	keep({ staticData }: Workflow): void {
		if (staticData.__dataChanged === true) this.text = JSON.stringify(staticData);
	}
}

interface Listening {
	sandbox: Pick<Sandbox, 'credentials'>;
	parameters: INodeParameters;
	/** The class of the node as this or another process of n8n has loaded it. */
	node: NodeClass;
	credentialType?: new () => ICredentialType;
	database?: Database;
	/** Members of the credential in addition to those of the sandbox. */
	credentials?: IDataObject;
	store?: CredentialStore;
	/** Whether the workflow is active or listens for a test event. */
	mode?: 'manual' | 'webhook';
}

export type Listener = Awaited<ReturnType<typeof listen>>;

/** A process of n8n that listens with one workflow. */
export async function listen({
	sandbox,
	parameters,
	node: NodeUnderTest,
	credentialType: CredentialType = CorrigoApi,
	database = new Database(),
	credentials = {},
	store = credentialsOf(sandbox),
	mode = 'webhook',
}: Listening) {
	const nodeTypes = createNodeTypes({ [NAME]: NodeUnderTest });
	const nodeType: INodeType = nodeTypes.getByNameAndVersion(typeOfNode(NAME));
	store.put(CREDENTIAL, { ...store.get(CREDENTIAL), ...credentials });
	const helper = new StoredCredentialsHelper([new CredentialType()], store, nodeTypes);
	const node: INode = {
		id: 'the id of the node',
		name: 'Corrigo Webhook Trigger',
		type: typeOfNode(NAME),
		typeVersion: Number(nodeType.description.version),
		position: [0, 0],
		webhookId: 'webhook-id',
		parameters,
		credentials: { corrigoApi: { id: CREDENTIAL, name: 'Corrigo' } },
	};
	/** The form may have been edited. */
	const load = (): Workflow =>
		createWorkflow(nodeTypes, [{ ...node, parameters }], {}, database.state, database.id);
	const webhookData = {
		httpMethod: 'POST',
		node: node.name,
		path: 'webhook-id/webhook',
		webhookDescription: nodeType.description.webhooks?.[0],
		workflowId: database.id,
	} as unknown as IWebhookData;

	/** Items of the executions that n8n started, and errors of the node. */
	const executions: INodeExecutionData[][] = [];
	const failures: Error[] = [];
	/** Warnings of the node in the log of n8n. */
	const warnings: string[] = [];
	/** Calls of the node that are still running. */
	const calls = new Set<Promise<void>>();

	async function call(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
		const workflow = load();
		const parsed = Object.assign(incoming, { rawBody: await bodyOf(incoming), body: {} });
		const overrides = { httpRequest: parsed, httpResponse: response } as object;
		const context = new WebhookContext(
			workflow,
			workflow.nodes[node.name],
			additionalDataFor(helper, overrides),
			mode,
			webhookData,
			[],
			null,
		);
		const own = collectWarnings(context);
		const handed: IWebhookResponseData | Error = await withExpressions(
			workflow,
			async () => (await nodeType.webhook?.call(context)) ?? {},
		).catch((error: unknown) => error as Error);
		warnings.push(...own);
		if (handed instanceof Error) {
			failures.push(handed);
			if (response.headersSent) response.socket?.destroy();
			else response.writeHead(500).end();
			return;
		}
		if (handed.noWebhookResponse !== true) response.end('Webhook call received');
		database.keep(workflow);
		if (handed.workflowData !== undefined) executions.push(handed.workflowData[0]);
	}

	const server = createServer((incoming, response) => {
		const made = call(incoming, response).finally(() => calls.delete(made));
		calls.add(made);
	});
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhook`;

	return {
		url,
		database,
		store,
		executions,
		failures,
		warnings,
		/** Items of all executions since the last call. */
		items: (): IDataObject[] =>
			executions.splice(0).flatMap((items) => items.map(({ json }) => json)),

		/** Registers the address, as n8n does when a workflow is activated, or when n8n starts. */
		async activate(activation: WorkflowActivateMode = 'activate'): Promise<void> {
			const workflow = load();
			const own = workflow.nodes[node.name];
			const { checkExists, create } = nodeType.webhookMethods?.default ?? {};
			const context = new HookContext(
				workflow,
				own,
				additionalDataFor(helper),
				mode === 'manual' ? 'manual' : 'trigger',
				activation,
				webhookData,
			);
			await withExpressions(workflow, async () => {
				if ((await checkExists?.call(context)) !== true) await create?.call(context);
			});
			database.keep(workflow);
		},

		/** Sends one push; resolves when the sender has the answer. */
		async push(body: unknown, headers: Record<string, string> = {}) {
			const text = typeof body === 'string' ? body : JSON.stringify(body);
			return await post(url, { 'content-type': 'application/json', ...headers }, text);
		},

		/** Sends the head of a push; returns a function that sends the body and resolves with the status. */
		async startPush(body: unknown): Promise<() => Promise<number | undefined>> {
			const sent = request(url, {
				method: 'POST',
				headers: { 'content-type': 'application/json', expect: '100-continue' },
			});
			const answered = once(sent, 'response') as Promise<[IncomingMessage]>;
			sent.flushHeaders();
			await once(sent, 'continue');
			return async () => {
				sent.end(JSON.stringify(body));
				const [response] = await answered;
				response.resume();
				return response.statusCode;
			};
		},

		/** Takes no further connections, as n8n does first when it is stopped. */
		shutDown(): void {
			server.close();
		},

		/** Resolves when the node has processed everything. */
		async idle(): Promise<void> {
			while (calls.size > 0) await Promise.all(calls);
		},

		async close(): Promise<void> {
			while (calls.size > 0) await Promise.all(calls);
			server.closeAllConnections();
			if (server.listening) await new Promise((resolve) => server.close(resolve));
		},
	};
}

async function bodyOf(incoming: IncomingMessage): Promise<Buffer> {
	const parts: Buffer[] = [];
	for await (const part of incoming) parts.push(part as Buffer);
	return Buffer.concat(parts);
}
