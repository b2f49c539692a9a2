import type { INodeParameters } from 'n8n-workflow';

import type { Fault } from '../../../sandbox';
import {
	byId,
	byName,
	type Company,
	eachId,
	itemsOf,
	jsonOf,
	quoteRefusal,
	rejection,
	shareCompany,
	some,
} from '../../support/company';

const company = shareCompany();

const anOrder = () => company.records.rows('WorkOrder')[0].Id;
const read = async () => await company.n8n.run('workOrder:get', { id: byId(anOrder()) });
const writeParameters = (body = 'x') => ({
	entity: byName('WoNote'),
	fieldsJson: { WorkOrderId: anOrder(), Body: body, NoteTypeId: 'Public' },
	options: { advanced: { requestId: 'request-77' } },
});
const write = async () => await company.n8n.run('record:create', writeParameters());
const actions = [
	['read', read],
	['write', write],
] as const;
const notes = () => company.sandbox.store.count('WoNote');
const api = { server: 'api' } as const;

/** Retries wait as long as the service says, so that zero makes the tests fast. */
const headers = { 'retry-after': '0' };

type Failure = Omit<Fault, 'match'>;
const fail = (failure: Failure) => company.requests.fault({ match: api, ...failure });
const status = (code: number, more: Partial<Failure> = {}): Failure => ({
	kind: 'status',
	status: code,
	headers,
	...more,
});

beforeEach(async () => {
	await read();
	company.sandbox.forgetRequests();
});

/** Runs a read or a write that ends after a second. */
const runShortly = {
	read: async () =>
		await company.n8n.run('workOrder:get', {
			id: byId(anOrder()),
			options: { advanced: { timeout: 1000 } },
		}),
	write: async () =>
		await company.n8n.run('record:create', {
			...writeParameters(),
			options: { advanced: { timeout: 1000, requestId: 'late' } },
		}),
};

describe('a read', () => {
	it.each<[string, Failure]>([
		['a broken connection', { kind: 'resetBefore' }],
		['a page in place of an answer', { kind: 'html' }],
		['an empty answer', { kind: 'empty' }],
		['a cut answer', { kind: 'truncated' }],
		['an answer of another shape', { kind: 'wrongShape' }],
		['429 with Retry-After', status(429, { times: 3 })],
		['502', { kind: 'status', status: 502, body: 'bad gateway' }],
		['504 with a date', status(504, { headers: { 'retry-after': new Date(0).toUTCString() } })],
	])('recovers from %s', async (_, failure) => {
		fail(failure);
		const run = await read();
		expect(run.error).toBeUndefined();
		expect(run.items).toHaveLength(1);
		expect(company.requests.sent()).toHaveLength((failure.times ?? 1) + 1);
	});

	it.each<[string, Failure[], number, string]>([
		[
			'counts all its tries when the session is renewed between them',
			[status(502, { times: 3 }), status(401), status(502)],
			5,
			'not available right now',
		],
		[
			'renews its session no more often when it is repeated',
			[status(401, { times: 2 }), status(502), status(401)],
			4,
			'did not accept the session',
		],
	])('%s', async (_, failures, requests, message) => {
		failures.forEach(fail);
		expect((await read()).error?.message).toContain(message);
		expect(company.requests.sent()).toHaveLength(requests);
	});

	it.each<[string, Failure, string]>([
		[
			'a refusal',
			status(400, {
				body: { ErrorCode: 'BUSINESS_LOGIC_ERROR', ErrorMessage: "{!{Work Order}!} is 'New'" },
			}),
			quoteRefusal("Work Order is 'New'"),
		],
		[
			'a redirect',
			status(302, { headers: { location: 'http://127.0.0.1:1/login' } }),
			'Corrigo pointed to another address, which is not followed',
		],
	])('does not repeat %s', async (_, failure, message) => {
		fail(failure);
		expect((await read()).error?.message).toBe(message);
		expect(company.requests.sent()).toHaveLength(1);
	});
});

describe('an answer with 20,000 levels', () => {
	const nested = '['.repeat(20_000) + ']'.repeat(20_000);
	const inError = `{"ErrorCode":"X","ErrorMessage":${nested}}`;

	it.each<[string, string, INodeParameters, string]>([
		['a record', 'workOrder:get', { output: 'simplified' }, `{"Data":{"Id":1,"Number":${nested}}}`],
		['a whole record', 'workOrder:get', { output: 'raw' }, `{"Data":{"Number":${nested}}}`],
		['rows', 'workOrder:getMany', {}, `{"Entities":[{"Data":{"Id":1,"Number":${nested}}}]}`],
		['rows without a wrapper', 'workOrder:getMany', { output: 'raw' }, `[{"Id":1,"A":${nested}}]`],
		['a command', 'company:discover', {}, `{"CommandResult":{"Url":${nested}}}`],
		['an error', 'workOrder:get', {}, inError],
		['an error of a command', 'company:discover', {}, `{"CommandResult":{"ErrorInfo":${inError}}}`],
	])('is refused as %s', async (_, operation, parameters, body) => {
		const server = operation.startsWith('company') ? 'locator' : 'api';
		company.requests.fault({ match: { server }, ...status(200, { body, times: 9 }) });
		const { error } = await company.n8n.run(operation, { id: byId(anOrder()), ...parameters });
		expect(error?.message).toBe('Corrigo gave an answer that cannot be read');
	});
});

describe.each(actions)('a %s that is answered with 429', (name, act) => {
	it('is sent again after the time that the service asks for and a random part of it, and carried out once', async () => {
		fail(status(429, { headers: { 'retry-after': '0.3' } }));
		const before = notes();
		const random = jest.spyOn(Math, 'random').mockReturnValue(1);
		const began = performance.now();
		const run = await act();
		random.mockRestore();
		expect(run.items).toHaveLength(1);
		expect(performance.now() - began).toBeGreaterThanOrEqual(450);
		expect([company.requests.sent().length, notes() - before]).toEqual([
			2,
			name === 'write' ? 1 : 0,
		]);
	});
});

describe.each([
	['does not come', 'hang', 0],
	['arrives byte by byte', 'drip', 1],
] as const)('an answer that %s', (_, kind, written) => {
	it('ends in time for a read', async () => {
		fail({ kind });
		const { error } = await runShortly.read();
		expect(error?.message).toBe('Corrigo did not answer in time');
		expect(error?.description).toContain("'Timeout'");
		expect(error?.description).not.toContain('may have been carried out');
		expect(company.requests.sent()).toHaveLength(1);
	});

	it('ends in time for a write, which may have been carried out', async () => {
		fail({ kind });
		const before = notes();
		const { error } = await runShortly.write();
		expect(error?.message).toBe('Corrigo did not answer in time');
		expect(error?.description).toMatch(/may have been carried out.*RequestId late/);
		expect([company.requests.sent().length, notes() - before]).toEqual([1, written]);
	});
});

describe('a write that may have run', () => {
	// Promise: A request that may have run is never silently repeated
	it.each<[string, Failure]>([
		['is broken off before it arrives', { kind: 'resetBefore' }],
		['is carried out, and its answer lost', { kind: 'resetAfter' }],
		['is carried out, and its answer cut', { kind: 'truncated' }],
		['is carried out, and its answer empty', { kind: 'empty' }],
		['is carried out, and its answer of another shape', { kind: 'wrongShape', body: { Data: 1 } }],
		['is answered by a page', { kind: 'html' }],
		['is carried out, and answered with 500', status(500, { body: {}, commit: true })],
		['is answered with 503', status(503)],
	])('%s: is sent once, and the message says so', async (_, failure) => {
		fail(failure);
		const before = notes();
		const run = await write();
		expect(run.status).toBe('error');
		expect(run.error?.description).toContain('may have been carried out');
		expect(run.error?.description).toContain('RequestId request-77');
		expect(company.requests.sent()).toHaveLength(1);
		expect(notes() - before).toBeLessThanOrEqual(1);
	});
});

it('repeats a write whose connection was refused, with a newly discovered host', async () => {
	const away = company.n8n.stored().baseUrl;
	company.n8n.store({ baseUrl: 'http://127.0.0.1:1' });
	const before = notes();
	const run = await write();
	expect(run.error).toBeUndefined();
	expect(notes()).toBe(before + 1);
	expect(company.n8n.stored().baseUrl).toBe(away);
});

describe('an execution that is stopped', () => {
	/** Stops the run while its first request is under way. */
	async function stop(failure: Failure, ...given: Parameters<Company['n8n']['start']>) {
		fail(failure);
		const started = company.n8n.start(...given);
		await company.sandbox.waitFor(({ server }) => server === 'api');
		started.cancel();
		const run = await started.finished;
		expect(run.status).toBe('canceled');
		expect(company.requests.sent()).toHaveLength(1);
		return run;
	}

	it.each<[string, Failure]>([
		['cancels the pending request', { kind: 'hang' }],
		['cancels an answer that arrives byte by byte', { kind: 'drip' }],
		[
			'does not wait for a long Retry-After',
			status(429, { headers: { 'retry-after': '30' }, times: 9 }),
		],
	])('%s', async (_, failure) => {
		await stop(failure, 'workOrder:get', { id: byId(anOrder()) });
	});

	it('reports that a pending write may have been carried out', async () => {
		const { serialized } = await stop({ kind: 'hang' }, 'record:create', writeParameters());
		expect(serialized).toContain('may have been carried out');
	});

	// Promise: A run that stops sends nothing more
	it('sends nothing for the remaining items, even with Continue On Fail', async () => {
		await stop({ kind: 'hang' }, 'record:create', writeParameters(), {
			items: itemsOf(1, 2, 3),
			onError: 'continueRegularOutput',
		});
	});
});

describe('items', () => {
	const notePerItem = {
		entity: byName('WoNote'),
		fieldsJson: '={{ { WorkOrderId: $json.x, Body: "b", NoteTypeId: "Public" } }}',
	};

	// Promise: Errors contain Corrigo's own message
	it('are sorted by outcome: results to the first output, failures to the error output, each paired', async () => {
		const run = await company.n8n.run('record:create', notePerItem, {
			items: itemsOf(anOrder(), 424242, anOrder()),
			onError: 'continueErrorOutput',
		});
		expect(run.items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 2 }]);
		expect(jsonOf(run.errorItems)).toEqual([
			some({ x: 424242, error: expect.any(String) as string }),
		]);
	});

	it('report a failure in the regular output with Continue On Fail', async () => {
		const run = await company.n8n.run(
			'workOrder:get',
			{ id: eachId },
			{ items: itemsOf('no id', anOrder()), onError: 'continueRegularOutput' },
		);
		expect(jsonOf(run.items)).toEqual([
			{
				error: '\'Work Order\': no work order has the number "no id"',
				message: expect.any(String) as string,
			},
			some({ Id: anOrder() }),
		]);
	});
});

it('a message about canceled work orders is not taken for a canceled run', async () => {
	company.requests.fault(
		rejection(api, {
			ErrorCode: 'BUSINESS_LOGIC_ERROR',
			ErrorMessage: 'The work order is Canceled or CANCELED (ECONNREFUSED)',
		}),
	);
	const run = await read();
	expect(run.status).toBe('error');
	expect(run.error?.message).toBe(
		quoteRefusal('The work order is Cancelled or CANCELLED (ECONNREFUSED)'),
	);
});
