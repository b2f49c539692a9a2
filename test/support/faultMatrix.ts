/** Draws faults and operations by a seed, runs one such case, and checks the promises of the package. */
import * as fc from 'fast-check';
import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import {
	companyChecks,
	latencyCheck,
	sessionChecks,
} from '../../nodes/Corrigo/actions/company/checks';
import type { Fault, RecordedRequest } from '../../sandbox';
import { byId, idsOf, type Company } from './company';
import type { Run } from './run';

const ITEMS = 4;
const TRIES = 3;
/** One first attempt, three repeats and two renewals. */
const MAX_SENT = 6;
/** Timeout of a request that gets no answer. */
const TIMEOUT_MS = 150;
const MAX_CASE_MS = 60_000;

interface Subject {
	/** Selects the requests that meet the fault. */
	request: NonNullable<Fault['match']>;
	/** Entity of the record that each item writes. */
	entity: string;
	parameters: INodeParameters;
	options?: IDataObject;
	/** The IDs of the rows that a read returns for the item with this ID. */
	reads?: (company: Company, id: number) => readonly unknown[];
	/** Whether it may wait for seconds before it looks for a lost create. */
	waits?: true;
	/** Whether the look-ups of the form may meet the fault too. */
	looksUp?: true;
	binary?: true;
	before?: (company: Company, id: number) => unknown;
}

const id = byId('={{ $json.id }}');
const MARK = '={{ $json.mark }}';
const fields = (expression: string): INodeParameters => ({
	fieldsMode: 'json',
	fieldsJson: `={{ (${expression}) }}`,
});

/** Writes with the values of a record of the entity. The request is that which meets the fault. */
function writing(
	request: string,
	entity: string,
	parameters: INodeParameters,
	more: Partial<Subject> = {},
): Subject {
	const [method, pathIncludes] = request.split(' ');
	return { request: { method, pathIncludes }, entity, parameters, ...more };
}

/** The fields of an order that does not exist yet. */
const order: INodeParameters = {
	typeCategory: 'Request',
	subType: byId(24),
	customer: byId('={{ $json.customer }}'),
	items: { values: [{ asset: byId('={{ $json.asset }}'), task: byId('={{ $json.task }}') }] },
	additionalFields: { comment: MARK },
};

const creating = (parameters: INodeParameters = {}, more: Partial<Subject> = {}) =>
	writing('POST /cmd/WoCreateCommand', 'WorkOrder', { ...order, ...parameters }, more);

const numbered = { additionalFields: { externalNumber: MARK } };

/** The member that holds the ID of the order. */
const OWNER = { WoEstimate: 'WorkOrderId', WoQuote: 'WoId' };

const money = (entity: keyof typeof OWNER): Subject => ({
	request: { pathIncludes: `/query/${entity}` },
	entity: 'WorkOrder',
	parameters: { id },
	before: (company, order) => company.records.insert(entity, { [OWNER[entity]]: order }),
	reads: (company, order) => idsOf(company.records.children(entity, OWNER[entity], order)),
});

const getOrder: Subject = {
	request: { pathIncludes: '/WorkOrder' },
	entity: 'WorkOrder',
	parameters: { id },
	reads: (_, order) => [order],
};

/** The fields of a customer with the mark in every text. */
const customer = fields(
	'{ DisplayAs: $json.mark, Name: $json.mark, Dba: $json.mark, TenantCode: $json.mark, TaxExempt: false, WorkZone: { Id: $json.id } }',
);

export const subjects = {
	'note:create': writing('POST /base/WoNote', 'WorkOrder', {
		workOrder: id,
		body: MARK,
		type: 'Public',
	}),
	'contact:create': writing(
		'POST /base/Contact',
		'Customer',
		fields('{ LastName: $json.mark, CustomerId: $json.id, TypeId: "Primary" }'),
		{ options: { returnRecord: true }, looksUp: true },
	),
	'customer:create': writing('POST /base/Customer', 'WorkZone', customer),
	'customer:upsert': writing(
		'POST /base/Customer',
		'WorkZone',
		{ matchOn: 'TenantCode', ...customer },
		{ looksUp: true, waits: true },
	),
	'contact:upsert': writing(
		'PUT /base/Contact',
		'Contact',
		{ matchOn: 'Number', ...fields('{ Number: "C-" + $itemIndex, Comment: $json.mark }') },
		{ looksUp: true },
	),
	'workOrder:create': creating(),
	'workOrder:create with a number': creating(numbered, { waits: true }),
	'workOrder:create once': creating(
		{ ...numbered, preventDuplicates: { skipIfExternalNumberExists: true } },
		{ looksUp: true, waits: true },
	),
	'workOrder:upsert': creating({ externalNumber: MARK }, { looksUp: true, waits: true }),
	'workOrder:upsert of orders that are there': writing(
		'PUT /base/WorkOrder',
		'WorkOrder',
		{
			...order,
			externalNumber: '={{ "X-" + $json.id }}',
			additionalFields: { contactName: MARK },
		},
		{
			looksUp: true,
			before: (company, order) =>
				company.records.change('WoLastAction', order, { XNumber: `X-${order}` }),
		},
	),
	'workOrder:create once per fault': creating(
		{ preventDuplicates: { skipIfOpenOrderExists: 'asset' } },
		{
			looksUp: true,
			waits: true,
			before: (company) => {
				for (const open of company.records.ids('WorkOrder')) {
					company.records.change('WorkOrder', open, { StatusId: 'Completed' });
				}
			},
		},
	),
	'workOrder:create with a note on the open order': writing(
		'POST /base/WoNote',
		'WorkOrder',
		{
			...order,
			preventDuplicates: {
				skipIfOpenOrderExists: 'asset',
				noteOnOpenOrder: { note: { body: MARK, type: 'Public' } },
			},
		},
		{
			looksUp: true,
			before: (company, order) => {
				const [item] = company.records.children('WoItem', 'WorkOrderId', order);
				const place = company.records.ids('WorkOrder').indexOf(order);
				company.records.change('WoItem', item.Id, {
					Asset: { Id: company.records.ids('Location')[place] },
				});
				company.records.change('WorkOrder', order, {
					StatusId: 'Open',
					Customer: { Id: company.records.ids('Customer')[0] },
					CreatedDateUtc: new Date().toISOString(),
				});
			},
		},
	),
	'workOrder:start': writing(
		'POST /cmd/WoStartCommand',
		'WorkOrder',
		{ id },
		{
			before: (company, order) => company.records.change('WorkOrder', order, { StatusId: 'Open' }),
		},
	),
	'contact:update': writing('PUT /base/Contact', 'Contact', {
		id,
		...fields('{ Comment: $json.mark }'),
	}),
	'contact:delete': writing('DELETE /base/Contact', 'Contact', { id }),
	'document:upload': writing(
		'POST /base/Document',
		'WorkOrder',
		{
			actorTypeId: 'WO',
			actorId: id,
			documentType: byId(3),
			additionalFields: { title: MARK },
		},
		{ binary: true },
	),
	'workOrder:get': getOrder,
	'workOrder:get one by one': { ...getOrder, options: { advanced: { combineItems: false } } },
	'workOrder:getMany': {
		request: { pathIncludes: '/query/WorkOrder' },
		entity: 'WorkOrder',
		parameters: { returnAll: true },
		options: { advanced: { pageSize: 4 } },
		reads: (company) => company.records.ids('WorkOrder'),
	},
	'workOrder:getEstimates': money('WoEstimate'),
	'workOrder:getQuotes': money('WoQuote'),
	'company:checkAccess': { request: {}, entity: 'WorkOrder', parameters: {}, reads: () => [] },
} satisfies Record<string, Subject>;

export type Name = keyof typeof subjects;

interface Kind {
	fault: Omit<Fault, 'match' | 'times' | 'after'>;
	/** Whether the fault proves that the write did not run. */
	proves?: true;
	/** Requests that succeed after a single fault: reads only, or all. */
	healed?: 'reads' | 'all';
	/** Whether the fault takes a timeout, so that few cases have it. */
	slow?: true;
}

const AT_ONCE = { 'retry-after': '0' };
const status = (code: number, ErrorCode?: string, commit = false): Kind['fault'] => ({
	kind: 'status',
	status: code,
	headers: AT_ONCE,
	body: ErrorCode === undefined ? {} : { ErrorCode, ErrorMessage: 'No' },
	...(commit ? { commit } : {}),
});
const answer = (kind: Fault['kind'], more: Partial<Fault> = {}): Kind => ({
	fault: { kind, headers: AT_ONCE, ...more },
	healed: 'reads',
});
const overcome = (fault: Kind['fault']): Kind => ({ fault, proves: true, healed: 'all' });

const undecided = [408, 500, 502, 503, 504].flatMap((code): Array<[string, Kind]> => {
	const healed = code > 500 ? ({ healed: 'reads' } as const) : {};
	return [
		[`${code}`, { fault: status(code), ...healed }],
		[`${code} after it was carried out`, { fault: status(code, undefined, true), ...healed }],
	];
});

/** Placeholder for the secrets of the session, which are known when the case runs. */
const SECRETS = 'the secrets';

const kinds: Record<string, Kind> = {
	...Object.fromEntries(undecided),
	'400': { fault: status(400, 'BUSINESS_LOGIC_ERROR'), proves: true },
	'400 with secrets': {
		fault: { ...status(400), body: { ErrorCode: SECRETS, ErrorMessage: SECRETS } },
		proves: true,
	},
	'401': overcome(status(401)),
	'403': { fault: status(403, 'ACCESS_DENIED'), proves: true },
	'403 expired token': overcome(status(403, 'EXPIRED_TOKEN')),
	'403 incorrect token': overcome(status(403, 'INCORRECT_TOKEN')),
	'400 moved': overcome(status(400, 'DATABASE_VERSION_MISMATCH')),
	'429': overcome(status(429)),
	'302': { fault: { ...status(302), headers: { location: 'http://127.0.0.1:1/login' } } },
	'200 with nothing done': { fault: status(200), healed: 'reads' },
	'200 with a page': answer('html', { status: 200 }),
	'502 with a page': answer('html'),
	'502 with a page after it was carried out': answer('html', { commit: true }),
	'reset before': { fault: { kind: 'resetBefore' }, healed: 'reads', slow: true },
	'reset after': { fault: { kind: 'resetAfter' }, healed: 'reads', slow: true },
	hang: { fault: { kind: 'hang' }, slow: true },
	'hang after it was carried out': { fault: { kind: 'hang', commit: true }, slow: true },
	drip: { fault: { kind: 'drip' }, slow: true },
	empty: answer('empty'),
	truncated: answer('truncated'),
	'another shape': answer('wrongShape'),
	"a stranger's JSON": answer('wrongShape', { body: { message: 'Please log in' } }),
	list: answer('wrongShape', { body: [] }),
};

/** A request that timed out may still arrive later, between the next requests. */
export const isSilent = ({ fault }: Pick<Case, 'fault'>): boolean => /^(hang|drip)/.test(fault);

/** Faults for the servers of the session, whose timeout is a minute: silent ones are left out. */
const quick = Object.keys(kinds).filter((fault) => !isSilent({ fault }));

const ON_ERROR = [undefined, 'continueRegularOutput', 'continueErrorOutput'] as const;

export interface Case {
	operation: Name;
	fault: string;
	server: 'api' | 'token' | 'locator';
	/** Number of requests before the fault. */
	after: number;
	times: number;
	/** Whether every request of the operation meets the fault. */
	any: boolean;
	onError: (typeof ON_ERROR)[number];
	parallel: number;
	retry: boolean;
}

const isAccessCheck = (operation: Name) => operation === 'company:checkAccess';

const waits = (operation: Name) => (subjects[operation] as Subject).waits === true;

const shape = fc
	.record({
		operation: fc.oneof(
			...Object.keys(subjects).map((name) => ({
				arbitrary: fc.constant(name as Name),
				weight: waits(name as Name) || isAccessCheck(name as Name) ? 1 : 5,
			})),
		),
		server: fc.oneof(
			{ arbitrary: fc.constant('api' as const), weight: 5 },
			{ arbitrary: fc.constantFrom('token' as const, 'locator' as const), weight: 1 },
		),
		after: fc.constantFrom(0, 1, ITEMS - 1),
		times: fc.constantFrom(1, 1, 2, 3, 99),
		any: fc.boolean(),
		onError: fc.constantFrom(...ON_ERROR),
		parallel: fc.constantFrom(1, ITEMS),
		retry: fc.boolean(),
	})
	.chain((drawn) =>
		fc.constantFrom(...(drawn.server === 'api' ? Object.keys(kinds) : quick)).map((fault): Case => {
			const { reads, looksUp }: Subject = subjects[drawn.operation];
			const any = drawn.any && looksUp === true;
			return {
				...drawn,
				fault,
				any,
				times: waits(drawn.operation) || (kinds[fault].slow && (reads || any)) ? 1 : drawn.times,
			};
		}),
	);

export const draw = (count: number, seed: number): Case[] =>
	fc.sample(shape, { numRuns: count, seed });

interface Item {
	id: number;
	mark: string;
}

/** Runs one case and returns the broken promises. */
export async function complaintsAbout(company: Company, given: Case): Promise<string[]> {
	company.fresh();
	const subject: Subject = subjects[given.operation];
	const items = itemsFor(company, subject);
	for (const item of items) subject.before?.(company, item.json.id as number);
	const expected = items.map(({ json }) => subject.reads?.(company, json.id as number));
	const secrets = secretsOf(company);
	for (const fault of faultsOf(given, subject, secrets)) company.requests.fault(fault);

	const { onError, parallel, retry, operation } = given;
	const work = company.n8n.run(
		operation.split(' ')[0],
		{
			...subject.parameters,
			options: {
				...subject.options,
				advanced: { parallelRequests: parallel, ...(isSilent(given) && { timeout: TIMEOUT_MS }) },
			},
		},
		{
			items,
			...(onError && { onError }),
			settings: retry ? { retryOnFail: true, maxTries: TRIES, waitBetweenTries: 1 } : {},
		},
	);
	const run = await within(work);
	if (run === undefined) return ['it does not end'];
	const said = isAccessCheck(operation)
		? accessComplaints(company, given, run)
		: subject.reads
			? readComplaints(given, run, expected)
			: writeComplaints(company, given, run, items);
	return [
		...said,
		...leaks(run, [...secrets, ...secretsOf(company)]),
		...excess(company, given),
		...(meets(company) || isSilent(given) || !failedAtAll(run) ? [] : ['it fails without a fault']),
	];
}

export const meets = ({ sandbox }: Company): boolean =>
	sandbox.requests.some(({ fault }) => fault !== undefined);

/** Numbers the cases, so that they share nothing, like executions on different days. */
let nth = 0;

function itemsFor(
	{ sandbox: { store } }: Company,
	{ entity, binary }: Subject,
): INodeExecutionData[] {
	const ids = store.ids(entity);
	nth += 1;
	return Array.from({ length: ITEMS }, (_, index) => ({
		json: {
			// Customers may share a work zone; no two items change one record.
			id: ids[entity === 'WorkZone' ? 0 : index],
			mark: `mark-${index}-${nth}-`,
			customer: store.ids('Customer')[0],
			// Each item reports its own fault.
			asset: store.ids('Location')[index],
			task: store.ids('Task')[0],
		},
		...(binary && { binary: { data: { data: 'aGVsbG8=', mimeType: 'image/png' } } }),
	}));
}

/** The session's servers meet a fault when a request needs a new session. */
function faultsOf(
	{ fault, server, after, times, any }: Case,
	{ request }: Subject,
	secrets: string[],
): Fault[] {
	const asked = { server: 'api' as const, ...(!any && request) };
	const text = JSON.stringify(kinds[fault].fault).replaceAll(SECRETS, secrets.join(' '));
	const kind = JSON.parse(text) as Kind['fault'];
	if (server === 'api') return [{ ...kind, match: asked, after, times }];
	return [
		{ ...kinds['403 expired token'].fault, match: asked, after },
		{ ...kind, match: { server }, times },
	];
}

async function within(work: Promise<Run>): Promise<Run | undefined> {
	let timer: NodeJS.Timeout | undefined;
	const late = new Promise<undefined>((resolve) => {
		timer = setTimeout(resolve, MAX_CASE_MS, undefined);
	});
	return await Promise.race([work, late]).finally(() => clearTimeout(timer));
}

const secretsOf = (company: Company): string[] => {
	const { clientSecret, accessToken } = company.n8n.stored();
	const sent = company.sandbox.requests.map(({ headers }) => headers.authorization ?? '');
	return [clientSecret, accessToken, ...sent.map((header) => header.replace(/^Bearer /, ''))]
		.map((secret) => String(secret ?? ''))
		.filter(Boolean);
};

const leaks = ({ serialized }: Run, secrets: string[]): string[] =>
	[...new Set(secrets)].some((secret) => serialized.includes(secret)) ? ['a secret is shown'] : [];

function excess(company: Company, { retry, operation }: Case): string[] {
	// A search reads several pages; a lost order is looked up twice.
	const steps = operation === 'workOrder:getMany' || waits(operation) ? 4 : 2;
	const most = ITEMS * steps * MAX_SENT * (retry ? TRIES : 1);
	const { length } = company.sandbox.requests;
	return length > 3 * most ? [`${length} requests`] : [];
}

const textOf = (value: unknown) => JSON.stringify(value);
const isDoubted = (text: string) => text.includes('may have been carried out');
const whole = ({ error }: Run) => `${error?.message} ${error?.description ?? ''}`;

const isError = ({ json }: INodeExecutionData) =>
	Object.keys(json).sort().join() === 'error,message';

interface Outcome {
	done: INodeExecutionData[];
	failed: INodeExecutionData[];
}

/** Reads the outcome of one item from the output. */
function outcomeOf(run: Run, item: number): Outcome {
	const ofItem = ({ pairedItem }: INodeExecutionData) =>
		(pairedItem as { item?: number } | undefined)?.item === item;
	return {
		done: run.items.filter((one) => ofItem(one) && !isError(one)),
		failed: [...run.items.filter(isError), ...run.errorItems].filter(ofItem),
	};
}

const isAbout = ({ rawBody, query, body }: RecordedRequest, { id, mark }: Item): boolean =>
	rawBody.includes(mark) ||
	query.ID === String(id) ||
	(body as { Command?: IDataObject } | undefined)?.Command?.WorkOrderId === id;

function writeComplaints(
	company: Company,
	given: Case,
	run: Run,
	items: INodeExecutionData[],
): string[] {
	const { request }: Subject = subjects[given.operation];
	const writes = company.requests
		.sent()
		.filter(
			({ method, path }) =>
				method === request.method && path.includes(String(request.pathIncludes)),
		);
	const complaints: string[] = [];
	const committed = items.map((item, index) => {
		const own = writes.filter((one) => isAbout(one, item.json as unknown as Item));
		const count = own.filter((one) => one.committed).length;
		if (count > 1) complaints.push(`item ${index} was carried out ${count} times`);
		if (count > 0 && own.at(-1)?.committed !== true) {
			complaints.push(`item ${index} was sent again after it was carried out`);
		}
		return count > 0;
	});
	const said =
		run.error === undefined
			? items.flatMap((_, index) => itemComplaints(outcomeOf(run, index), committed[index], index))
			: stopComplaints(run, committed);
	return [...complaints, ...said, ...certainty(given, run)];
}

function itemComplaints({ done, failed }: Outcome, committed: boolean, item: number): string[] {
	if (done.length + failed.length !== 1) {
		return [`item ${item} has ${done.length} results and ${failed.length} errors`];
	}
	if (done.length === 1) return committed ? [] : [`item ${item} is said to be done, and is not`];
	return committed && !isDoubted(textOf(failed[0].json))
		? [`item ${item} is said not to be done, and is: ${textOf(failed[0].json)}`]
		: [];
}

/** n8n shows no output of a node that throws, so the error has to report all items. */
function stopComplaints(run: Run, committed: boolean[]): string[] {
	const text = whole(run);
	const done = Number(/(\d+) of \d+ items had been carried out before/.exec(text)?.[1] ?? 0);
	const others = Number(/(\d+) other items? may have been carried out/.exec(text)?.[1] ?? 0);
	const doubted = (text.includes('The request may have been carried out') ? 1 : 0) + others;
	const really = committed.filter(Boolean).length;
	if (done > really) return [`${done} items are said to be done, ${really} are: ${text}`];
	if (really > done + doubted) return [`${really} items are done, which is not said: ${text}`];
	return [];
}

/** A provable outcome is not reported as unknown, and a temporary fault does not fail the run. */
function certainty({ fault, server, times, operation }: Case, run: Run): string[] {
	const { proves, healed } = kinds[fault];
	const all = textOf([run.items, run.errorItems]) + (run.error ? whole(run) : '');
	if ((proves || server !== 'api') && isDoubted(all)) return [`doubt without reason: ${all}`];
	const { reads }: Subject = subjects[operation];
	const heals =
		server === 'api' && times === 1 && (healed === 'all' || (reads !== undefined && healed));
	return heals && failedAtAll(run) ? [`not overcome: ${all}`] : [];
}

const failedAtAll = (run: Run) =>
	run.error !== undefined ||
	run.errorItems.length > 0 ||
	run.items.some((item) => isError(item) || item.json.status === 'failed');

const MAX_ACCESS_REQUESTS = 40;
/** The verdict comes first. */
const ACCESS_ITEMS = 1 + sessionChecks.length + companyChecks.length + [latencyCheck].length;

/** It reports failures as findings, in a few requests however many fail. */
function accessComplaints({ sandbox }: Company, given: Case, run: Run): string[] {
	// A login asks for a token and the locator.
	const count = sandbox.requestsTo('api').length;
	return [
		...(run.error === undefined ? [] : [`it fails: ${whole(run)}`]),
		...(run.items.length === ACCESS_ITEMS ? [] : [`${run.items.length} findings`]),
		...(count <= MAX_ACCESS_REQUESTS ? [] : [`${count} requests`]),
		...certainty(given, run),
	];
}

function readComplaints(
	given: Case,
	run: Run,
	expected: ReadonlyArray<readonly unknown[] | undefined>,
): string[] {
	const doubt = certainty(given, run);
	if (run.error !== undefined) return doubt;
	const complaints = expected.flatMap((rows, index) => {
		const { done, failed } = outcomeOf(run, index);
		if (failed.length === 1 && done.length === 0) return [];
		const ids = done.map(({ json }) => json.Id);
		return failed.length === 0 && textOf(ids) === textOf(rows)
			? []
			: [`item ${index} got ${textOf(ids)} and ${failed.length} errors`];
	});
	return [...complaints, ...doubt];
}
