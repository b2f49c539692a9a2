import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { CorrigoApi } from '../../credentials/CorrigoApi.credentials';
import { Corrigo } from '../../nodes/Corrigo/Corrigo.node';
import {
	startSandbox,
	type Fault,
	type Row,
	type Sandbox,
	type SandboxOptions,
	type Store,
} from '../../sandbox';
import { CredentialStore } from './credentials';
import { createEngine, type EngineOptions, type RunOptions } from './engine';
import type { Run, RunError } from './run';

export type Company = Awaited<ReturnType<typeof openCompany>>;

export const CREDENTIAL = '1';

/** The table of credentials with one for the sandbox, which all workflows and processes share. */
export function credentialsOf(sandbox: Pick<Sandbox, 'credentials'>): CredentialStore {
	const store = new CredentialStore();
	store.put(CREDENTIAL, sandbox.credentials);
	return store;
}

/** Creates an engine whose nodes are connected to a sandbox. */
export const connectEngine = (
	{ credentials }: { credentials: IDataObject },
	nodes: EngineOptions['nodes'],
	store?: EngineOptions['store'],
) =>
	createEngine({
		nodes,
		credentialTypes: [CorrigoApi],
		credentials: { corrigoApi: { id: CREDENTIAL, data: credentials } },
		store,
	});

/**
 * A run whose answer the page limit may have cut off reads the newest Ids once. Most tests count
 * the other requests; requestCounts.test.ts counts these, too.
 */
export const isLimitProbe = ({ body }: { body?: unknown }) =>
	JSON.stringify(body) ===
	JSON.stringify({
		QueryExpression: {
			PropertySet: { Properties: ['Id'] },
			Orders: [{ PropertyName: 'Id', OrderType: 'Descending' }],
			Count: 4000,
			FirstResultIndex: 0,
		},
	});

/** A sandbox, and an engine whose node is connected to it. */
export async function openCompany(options: SandboxOptions = {}) {
	const sandbox = await startSandbox({ workOrders: 40, strict: true, ...options });
	const engine = connectEngine(sandbox, { corrigo: Corrigo });
	const settings = { ...sandbox.world.settings };

	const parametersOf = (operation: string, parameters: object): INodeParameters => {
		const [resource, name] = operation.split(':');
		// The form has separate modes for JSON and for conditions.
		const isJson = 'fieldsJson' in parameters || 'commandBody' in parameters;
		const mode = isJson ? { fieldsMode: 'json' } : {};
		const ways = { conditions: 'conditions', criteriaJson: 'json' };
		const searchBy = Object.entries(ways).find(([field]) => field in parameters)?.[1];
		const search = searchBy === undefined ? {} : { searchBy };
		// Tests read the properties that they select, or all; the summary has its own tests.
		const set = /^get(Many)?$/.test(name) ? { output: 'selected' } : {};
		return { resource, operation: name, ...mode, ...search, ...set, ...parameters };
	};

	const start = (operation: string, parameters: object = {}, more: RunOptions = {}) =>
		engine.start({ parameters: parametersOf(operation, parameters), ...more });
	const run = async (...given: Parameters<typeof start>) => await start(...given).finished;

	return {
		sandbox,
		requests: readRequests(sandbox),
		records: openRecords(sandbox, engine.store),
		n8n: {
			engine,
			/** Runs `resource:operation`, once for each item. */
			run,
			start,
			/** Runs an operation that has to succeed. */
			succeed: async (...given: Parameters<typeof start>) => {
				const done = await run(...given);
				expect(done.error).toBeUndefined();
				return done;
			},
			/** The message of a run, or of its first item, that is refused before anything is sent. */
			refusal: async (running: Promise<Run>) => {
				const { error, errorItems } = await running;
				expect(sandbox.requests).toEqual([]);
				return error?.message ?? errorItems[0]?.json.error;
			},
			/** Runs an operation that has to fail before anything is sent, and returns its error. */
			refuse: async (...given: Parameters<typeof start>) => {
				sandbox.forgetRequests();
				const { error } = await run(...given);
				expect(sandbox.requests).toEqual([]);
				expect(error).toBeDefined();
				return error as RunError;
			},
			/** The stored credential. */
			stored: () => engine.store.get(CREDENTIAL),
			store: (data: IDataObject) =>
				engine.store.put(CREDENTIAL, { ...engine.store.get(CREDENTIAL), ...data }),
		},
		/** Restores the seeded data and the settings, and clears the recorded requests; the session stays open. */
		fresh: () => {
			sandbox.world.reset();
			sandbox.set(settings);
			sandbox.clearFaults();
			sandbox.forgetRequests();
		},
		close: async () => await sandbox.close(),
	};
}

/** Reads what was sent to the sandbox. */
function readRequests(sandbox: Sandbox) {
	const sent = () => sandbox.requestsTo('api').filter((request) => !isLimitProbe(request));
	const writes = () =>
		sent().filter(({ method, path }) => method !== 'GET' && !path.includes('/query/'));
	const lookUps = () => sent().filter(({ path }) => path.includes('/query/'));
	return {
		/** Requests that reached the host of the Company, without probes of its page limit. */
		sent,
		/** The commands among these requests. */
		commands: () =>
			sent()
				.filter(({ path }) => path.includes('/cmd/'))
				.map(({ body }) => (body as { Command: IDataObject }).Command),
		/** Their methods and paths, without what all addresses begin with. */
		paths: () => sent().map(({ method, path }) => `${method} ${path.slice('/api/v1/'.length)}`),
		/** Those of these requests that query. */
		lookUps,
		/** The entities that were queried, in the order of the requests. */
		queries: () => lookUps().map(({ path }) => path.split('/').at(-1)),
		/** Those of these requests that write. */
		writes,
		/** Bodies of these writes. */
		bodies: () => writes().map(({ body }) => body as { Command: IDataObject; Entity: IDataObject }),
		fault: (fault: Fault) => sandbox.fault(fault),
		/** Number of `POST /OAuth/token` and discovery calls so far. */
		sessions: () => ({
			tokens: sandbox.requestsTo('token').length,
			discoveries: sandbox.requestsTo('locator').length,
		}),
	};
}

/** The records of the sandbox, whose store is a new one after each reset, and forms of new records. */
function openRecords(sandbox: Sandbox, credentials: CredentialStore) {
	const find = (entity: string, members: object): Row => {
		const wanted = Object.entries(members);
		const isWanted = (row: Row) => wanted.every(([name, value]) => row[name] === value);
		return sandbox.store.rows(entity).find(isWanted) as Row;
	};
	return {
		rows: (entity: string) => sandbox.store.rows(entity),
		ids: (entity: string, count?: number) => sandbox.store.ids(entity).slice(0, count),
		idsWhere: (entity: string, fits: (row: Row) => unknown) =>
			sandbox.store.rows(entity).flatMap((row) => (fits(row) ? [row.Id] : [])),
		/** The first record with these values. */
		find,
		orderIn: (status: string) => find('WorkOrder', { StatusId: status }),
		children: (...of: Parameters<Store['children']>) => sandbox.store.children(...of),
		get: (entity: string, id: number) => sandbox.store.existing(entity, id),
		change: (entity: string, id: number, values: object) =>
			sandbox.store.change(entity, id, values as IDataObject),
		insert: (entity: string, values: object) => sandbox.store.insert(entity, values as IDataObject),
		/** The address of the page of a work order, once the host is known. */
		pageOf: (id: unknown) =>
			`${String(credentials.get(CREDENTIAL).baseUrl)}/corpnet/workorder/workorderdetails.aspx/${String(id)}`,
		/** The form of a new work order with what it needs, and with more. */
		newOrder: (more: object = {}) => {
			const first = (entity: string) => byId(sandbox.store.rows(entity)[0].Id);
			return {
				typeCategory: 'Request',
				subType: byId(24),
				customer: first('Customer'),
				items: { values: [{ asset: first('Location'), task: first('Task') }] },
				...more,
			} as INodeParameters;
		},
		/** The fields of a customer that does not exist yet. */
		newCustomer: (Dba: string) => {
			const [{ WorkZone }] = sandbox.store.rows('Customer');
			const names = { DisplayAs: 'Nine', Name: 'Nine', Dba };
			return { TenantCode: 'N-9', ...names, TaxExempt: false, WorkZone };
		},
		/** Adds a custom field with texts to a kind of records, and returns its ID. */
		addField: (ActorTypeId: string, Name = 'Own', more: IDataObject = {}) =>
			sandbox.store.insert('CustomFieldDescriptor', { ActorTypeId, Name, Type: 'String', ...more })
				.Id,
	};
}

/** One Company for all tests of a file, with the seeded data restored before each test. */
export function shareCompany(options?: SandboxOptions): Company {
	// Tests take these parts before there is a sandbox.
	const company = { n8n: {}, requests: {}, records: {} } as Company;
	beforeAll(async () => {
		const { n8n, requests, records, ...more } = await openCompany(options);
		Object.assign(company.n8n, n8n);
		Object.assign(company.requests, requests);
		Object.assign(company.records, records);
		Object.assign(company, more);
	});
	beforeEach(() => company.fresh());
	afterAll(async () => {
		await company.close();
	});
	return company;
}

/** Returns the Id of the record that a row refers to. */
export const getId = (reference: unknown) => (reference as { Id: number }).Id;

export const byId = (value: unknown) => ({ __rl: true, mode: 'id', value }) as INodeParameters;
export const byNumber = (value: unknown) =>
	({ __rl: true, mode: 'number', value }) as INodeParameters;
export const byName = (value: unknown) => ({ __rl: true, mode: 'name', value }) as INodeParameters;
/** A choice of a list, with the name that the list had for it. */
export const fromList = (value: unknown, cachedResultName = 'as the list had it') =>
	({ __rl: true, mode: 'list', value, cachedResultName }) as INodeParameters;
/** A value that is typed where there is a list of values. */
export const asText = (value: unknown) => ({ __rl: true, mode: 'text', value }) as INodeParameters;

/** Corrigo rejects a request, 400 unless `more` says otherwise. */
export const rejection = (
	match: string | Fault['match'],
	body: Fault['body'],
	more: Partial<Fault> = {},
): Fault => ({
	match: typeof match === 'string' ? { pathIncludes: match } : match,
	kind: 'status',
	status: 400,
	body,
	...more,
});

/** Returns the message of an error with which Corrigo refuses a request in its own words. */
export const quoteRefusal = (words: string) =>
	`Corrigo refused the request: ${JSON.stringify(words)}`;

/** The service user may not read or write what a request is about. */
export const DENIED = { ErrorCode: 'ACCESS_DENIED', ErrorMessage: 'No rights' };

/** Search by one condition on a field of the records. */
export const where = (property: string, value: unknown, operator = 'Equal') => ({
	searchBy: 'conditions',
	conditions: { values: [{ property, operator, value }] },
});

/** The columns that a new asset needs. */
export const PUMP = { Name: 'Pump', ModelId: 401, TypeId: 'Equipment', ParentId: 10_001 };

export const some = (part: object): unknown => expect.objectContaining(part);

/** Fields as the editor saves them in a node. */
export const filledIn = (value: object, schema: object[] = []) =>
	({
		mappingMode: 'defineBelow',
		value,
		matchingColumns: [],
		schema,
	}) as unknown as INodeParameters;

/** Parameters that the editor saves for fields that map the input by name. */
export const mappedByName = (matchingColumns: string[], schema: object[] = []) =>
	({
		fieldsMode: 'autoMapInputData',
		autoFields: { mappingMode: 'autoMapInputData', value: null, matchingColumns, schema },
	}) as unknown as INodeParameters;

/** Chooses for each item of itemsOf its own value as ID. */
export const eachId = byId('={{ $json.x }}');

export const itemsOf = (...values: unknown[]): INodeExecutionData[] =>
	values.map((x) => ({ json: { x } as IDataObject }));

export const idsOf = (rows: Array<Record<string, unknown>>, name = 'Id') =>
	rows.map((row) => row[name]);

export const jsonOf = (items: INodeExecutionData[]) => items.map(({ json }) => json);

export const errorsOf = ({ errorItems }: Run) => errorItems.map(({ json }) => json.error);

export const hintsOf = ({ hints }: Run) => hints.map(({ message }) => message);

/** The clock never goes back, not even in the next test. */
let passed = 0;

/** Shortens the pauses of the node: a timer for some seconds ends at once, and the clock is as much later. */
export async function withShortPauses<T>(
	work: () => Promise<T>,
	onPause: (ms: number) => void = () => {},
): Promise<T> {
	const now = performance.now.bind(performance);
	const { setTimeout: wait } = globalThis;
	const shorten = (then: () => void, ms = 0) => {
		if (ms >= 10_000) return wait(then, ms);
		return wait(() => {
			passed += ms;
			onPause(ms);
			then();
		}, 0);
	};
	const mocks = [
		jest.spyOn(performance, 'now').mockImplementation(() => now() + passed),
		jest.spyOn(globalThis, 'setTimeout').mockImplementation(shorten as typeof setTimeout),
	];
	try {
		return await work();
	} finally {
		for (const mock of mocks) mock.mockRestore();
	}
}
