import { startSandbox, type Sandbox, type SandboxOptions, type Store } from '../../sandbox';

export interface Answer {
	status: number;
	/** The parsed JSON, or the text if it is not JSON. */
	data: Json;
	headers: Headers;
}

// Tests check the shape of answers, so any path may be read without a check.
export interface Json {
	[member: string]: Json;
}

interface Call {
	body?: unknown;
	/** The body as text, sent unchanged. */
	rawBody?: string;
	/** `null` omits a standard header. */
	headers?: Record<string, string | null>;
}

/** A property, an operator and its values. */
export type Condition = [string, string, ...unknown[]];

/** A client written from the documentation of the service; it shares no code with the sandbox. */
export class Client {
	token = '';

	constructor(readonly sandbox: Sandbox) {}

	static async start(options: SandboxOptions = {}): Promise<Client> {
		const client = new Client(await startSandbox({ workOrders: 200, strict: true, ...options }));
		client.token = await client.newToken();
		return client;
	}

	async newToken(): Promise<string> {
		const { data } = await this.requestToken({});
		return String(data.access_token);
	}

	async requestToken(
		fields: Record<string, string>,
		headers?: Record<string, string>,
	): Promise<Answer> {
		const { clientId, clientSecret } = this.sandbox.credentials;
		const form = {
			grant_type: 'client_credentials',
			...(headers?.authorization ? {} : { client_id: clientId, client_secret: clientSecret }),
			...fields,
		};
		return await readAnswer(
			await fetch(`${this.sandbox.tokenUrl}/OAuth/token`, {
				method: 'POST',
				headers,
				body: new URLSearchParams(form),
			}),
		);
	}

	async send(
		method: string,
		url: string,
		{ body, rawBody, headers = {} }: Call = {},
	): Promise<Answer> {
		const text = rawBody ?? (body === undefined ? undefined : JSON.stringify(body));
		const all: Record<string, string | null> = {
			authorization: `Bearer ${this.token}`,
			companyname: this.sandbox.credentials.companyName,
			...(text === undefined ? {} : { 'content-type': 'application/json' }),
			...headers,
		};
		const sent = Object.entries(all).filter((entry): entry is [string, string] => !!entry[1]);
		return await readAnswer(await fetch(url, { method, headers: sent, body: text }));
	}

	async call(method: string, path: string, call?: Call): Promise<Answer> {
		return await this.send(method, `${this.sandbox.apiUrl}/api/v1/${path}`, call);
	}

	get store(): Store {
		return this.sandbox.store;
	}

	async read(entity: string, id: number, properties = '*'): Promise<Json> {
		const list = encodeURIComponent(properties);
		return (await this.call('GET', `base/${entity}?ID=${id}&properties=${list}`)).data.Data;
	}

	async create(entity: string, Entity: object): Promise<Answer> {
		return await this.call('POST', `base/${entity}`, { body: { Entity } });
	}

	/** The Id of a new record. */
	async make(entity: string, members: object): Promise<number> {
		return Number((await this.create(entity, members)).data.EntitySpecifier.Id);
	}

	async update(entity: string, Entity: object, Properties?: string[]): Promise<Answer> {
		return await this.call('PUT', `base/${entity}`, { body: { Entity, Properties } });
	}

	async query(entity: string, QueryExpression: object): Promise<Answer> {
		return await this.call('POST', `query/${entity}`, { body: { QueryExpression } });
	}

	/** Queries with one condition. */
	async queryWhere(
		entity: string,
		[PropertyName, Operator, ...Values]: Condition,
		rest: object = {},
	): Promise<Answer> {
		const Criteria = { Conditions: [{ PropertyName, Operator, Values }] };
		return await this.query(entity, { Criteria, ...rest });
	}

	async command(name: string, Command: object, RequestId?: string): Promise<Answer> {
		return await this.call('POST', `cmd/${name}`, { body: { Command, RequestId } });
	}

	/** The result of a command. */
	async run(name: string, Command: object): Promise<Json> {
		return (await this.command(name, Command)).data.CommandResult;
	}

	async close(): Promise<void> {
		await this.sandbox.close();
	}
}

/** One client, with its own sandbox, for all tests of a file or a block. */
export function sharedClient(options?: SandboxOptions): Client {
	const client = Object.create(Client.prototype) as Client;
	beforeAll(async () => Object.assign(client, await Client.start(options)));
	afterAll(async () => await client.close());
	return client;
}

async function readAnswer(response: Response): Promise<Answer> {
	const text = await response.text();
	let data: unknown = text;
	if (response.headers.get('content-type')?.includes('json') && text !== '') {
		data = JSON.parse(text);
	}
	return { status: response.status, data: data as Json, headers: response.headers };
}

export const listRows = ({ data }: Answer): Json[] =>
	(data.Entities as unknown as Array<{ Data: Json }>).map(({ Data }) => Data);

export const listIds = (answer: Answer): number[] => listRows(answer).map(({ Id }) => Number(Id));

export const getError = ({ status, data }: Answer): [number, unknown] => [status, data.ErrorCode];

/** The error code of a call that has to be refused. */
export async function getRefusal(call: Promise<Answer>): Promise<unknown> {
	const [status, code] = getError(await call);
	expect(status).toBe(400);
	return code;
}

/** A clock that stands still until a test moves it. */
export class TestClock {
	time = Date.UTC(2026, 0, 31, 12);
	readonly now = (): number => this.time;

	advance(seconds: number): void {
		this.time += seconds * 1000;
	}
}
