/** A small service, its credential and its nodes, on which the harness is tested. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { NodeApiError, NodeConnectionTypes, UserError } from 'n8n-workflow';
import type {
	ICredentialDataDecryptedObject,
	ICredentialTestRequest,
	ICredentialType,
	IDataObject,
	IExecuteFunctions,
	IHttpRequestHelper,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	INodeExecutionData,
	INodeProperties,
	INodeType,
	INodeTypeDescription,
	IPollFunctions,
	JsonObject,
} from 'n8n-workflow';

/** Issues numbered tokens, and answers with the requested path. */
export class Service {
	tokens = 0;

	/** Whether a new token invalidates the previous one. */
	oneSession = true;

	readonly requests: string[] = [];

	/** Resolves when a request to `/hang` has arrived. */
	readonly arrived: Promise<void>;

	/** Resolves when the client of that request has disconnected. */
	readonly aborted: Promise<void>;

	private arrive = () => {};

	private abort = () => {};

	private readonly server = createServer((request, response) => this.answer(request, response));

	constructor() {
		this.arrived = new Promise((resolve) => (this.arrive = resolve));
		this.aborted = new Promise((resolve) => (this.abort = resolve));
	}

	async open(): Promise<void> {
		this.server.listen(0, '127.0.0.1');
		await once(this.server, 'listening');
	}

	async close(): Promise<void> {
		this.server.closeAllConnections();
		this.server.close();
		await once(this.server, 'close');
	}

	get url(): string {
		return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
	}

	private answer(request: IncomingMessage, response: ServerResponse): void {
		const path = request.url ?? '/';
		this.requests.push(`${request.method} ${path}`);
		const send = (status: number, body: IDataObject) =>
			response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

		if (path === '/token') return void send(200, { token: `token-${++this.tokens}` });
		const [, token] = request.headers.authorization?.split('Bearer token-') ?? [];
		if (!token || (this.oneSession && Number(token) !== this.tokens)) {
			return void send(401, { message: 'Who are you?' });
		}
		if (path === '/hang') {
			response.on('close', () => this.abort());
			return this.arrive();
		}
		if (path.endsWith('/fail')) return void send(400, { message: 'Not like this' });
		return void send(200, { path });
	}
}

export class ExampleApi implements ICredentialType {
	name = 'exampleApi';

	displayName = 'Example API';

	properties: INodeProperties[] = [
		{ displayName: 'Server', name: 'server', type: 'string', default: '' },
		{ displayName: 'Greeting', name: 'greeting', type: 'string', default: 'hello' },
		{ displayName: 'Issued', name: 'issued', type: 'hidden', default: '' },
		{
			displayName: 'Token',
			name: 'accessToken',
			type: 'hidden',
			typeOptions: { expirable: true, password: true },
			default: '',
		},
	];

	test: ICredentialTestRequest = { request: { url: '/me' } };

	async preAuthentication(
		this: IHttpRequestHelper,
		{ server }: ICredentialDataDecryptedObject,
	): Promise<IDataObject> {
		if (server === '') throw new UserError('Say which server', { description: 'Fill in Server' });
		const { token } = (await this.helpers.httpRequest({
			baseURL: String(server),
			url: '/token',
			method: 'POST',
			json: true,
		})) as { token: string };
		return { accessToken: token, issued: 'today' };
	}

	authenticate = async (
		{ server, accessToken }: ICredentialDataDecryptedObject,
		request: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> => {
		request.baseURL ??= String(server);
		request.headers = { ...request.headers, Authorization: `Bearer ${String(accessToken)}` };
		return request;
	};
}

async function ask(
	this: IExecuteFunctions | ILoadOptionsFunctions | IPollFunctions,
	url: string,
): Promise<IDataObject> {
	return (await this.helpers.httpRequestWithAuthentication.call(
		this as IExecuteFunctions,
		'exampleApi',
		{
			url,
			json: true,
		},
	)) as IDataObject;
}

const describe = (
	overrides: Pick<INodeTypeDescription, 'name' | 'inputs' | 'properties'>,
): INodeTypeDescription => ({
	displayName: 'Example',
	description: 'Asks the example service',
	group: ['transform'],
	version: 1,
	defaults: { name: 'Example' },
	outputs: [NodeConnectionTypes.Main],
	usableAsTool: true,
	credentials: [{ name: 'exampleApi', required: true }],
	...overrides,
});

export class Example implements INodeType {
	description = describe({
		name: 'example',
		inputs: [NodeConnectionTypes.Main],
		properties: [
			{ displayName: 'Path', name: 'path', type: 'string', default: 'default' },
			{
				displayName: 'Conditions',
				name: 'conditions',
				type: 'fixedCollection',
				typeOptions: { multipleValues: true },
				default: {},
				options: [
					{
						displayName: 'Values',
						name: 'values',
						values: [
							{ displayName: 'Field', name: 'field', type: 'string', default: '' },
							{ displayName: 'Operator', name: 'operator', type: 'string', default: '' },
						],
					},
				],
			},
		],
	});

	methods = {
		listSearch: {
			async searchPaths(this: ILoadOptionsFunctions, filter?: string, paginationToken?: string) {
				const { path } = await ask.call(this, `/${filter}`);
				const current = this.getCurrentNodeParameter('path') as string;
				const results = [path as string, current].map((value) => ({ name: value, value }));
				return { results, paginationToken: `${paginationToken}+1` };
			},
		},
		loadOptions: {
			async getPaths(this: ILoadOptionsFunctions) {
				const selected = this.getCurrentNodeParameter('&field') as string;
				return [{ name: selected, value: selected }];
			},
		},
		resourceMapping: {
			async getColumns(this: ILoadOptionsFunctions) {
				const id = this.getNodeParameter('path') as string;
				return {
					fields: [{ id, displayName: id, required: false, defaultMatch: false, display: true }],
				};
			},
		},
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const items: INodeExecutionData[] = [];
		for (let item = 0; item < this.getInputData().length; item++) {
			try {
				const json = await ask.call(this, `/${this.getNodeParameter('path', item) as string}`);
				items.push({ json, pairedItem: { item } });
			} catch (error) {
				if (!this.continueOnFail()) throw new NodeApiError(this.getNode(), error as JsonObject);
				items.push({ json: { error: (error as Error).message }, pairedItem: { item } });
			}
		}
		this.addExecutionHints({ message: `Asked ${items.length} times` });
		return [items];
	}
}

export class ExampleTrigger implements INodeType {
	description = describe({ name: 'exampleTrigger', inputs: [], properties: [] });

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		const state = this.getWorkflowStaticData('node');
		if (this.getMode() !== 'manual') state.polls = ((state.polls as number | undefined) ?? 0) + 1;
		if (state.polls === 3) throw new UserError('Three is too many');
		if (state.polls === 1) return null;
		const budget = this.getPollBudgetMs?.();
		return [[{ json: { ...(await ask.call(this, '/news')), budget } }]];
	}
}
