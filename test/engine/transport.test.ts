import type { INodeParameters } from 'n8n-workflow';

import type { Fault } from '../../sandbox';
import { TYPE } from './nodes';
import { byId, byName, itemsOf, jsonOf, sharedDesk, rejection, some, eachId } from './desk';

const desk = sharedDesk();

const anOrder = () => desk.rows('WorkOrder')[0].Id;
const read = async () => await desk.run('workOrder:get', { id: byId(anOrder()) });
const writeParameters = (body = 'x') => ({
	entity: byName('WoNote'),
	fieldsJson: { WorkOrderId: anOrder(), Body: body, NoteTypeId: 'Public' },
	options: { advanced: { requestId: 'request-77' } },
});
const write = async () => await desk.run('record:create', writeParameters());
const notes = () => desk.sandbox.store.count('WoNote');
const api = { server: 'api' } as const;

/** Retries wait as long as the service says, so that zero makes the tests fast. */
const atOnce = { 'retry-after': '0' };

describe('a read', () => {
	const passing: Array<[string, Fault]> = [
		['a broken connection', { match: api, kind: 'resetBefore' }],
		['a page in place of an answer', { match: api, kind: 'html' }],
		['an empty answer', { match: api, kind: 'empty' }],
		['a cut answer', { match: api, kind: 'truncated' }],
		['an answer of another shape', { match: api, kind: 'wrongShape' }],
		['nothing in an object', { match: api, kind: 'wrongShape', body: {} }],
		["a stranger's JSON", { match: api, kind: 'wrongShape', body: { message: 'Please log in' } }],
		['another record', { match: api, kind: 'wrongShape', body: { Data: { Id: 1 } } }],
		['rows in the place of a record', { match: api, kind: 'wrongShape', body: [] }],
		[
			'429 with Retry-After',
			{ match: api, kind: 'status', status: 429, headers: atOnce, times: 3 },
		],
		['502', { match: api, kind: 'status', status: 502, body: 'bad gateway' }],
		[
			'504 with a date',
			{
				match: api,
				kind: 'status',
				status: 504,
				headers: { 'retry-after': new Date(0).toUTCString() },
			},
		],
	];
	it.each(passing)('recovers from %s', async (_, fault) => {
		await read();
		desk.sandbox.forgetRequests();
		desk.fault(fault);
		const run = await read();
		expect(run.error).toBeUndefined();
		expect(run.items).toHaveLength(1);
		expect(desk.sent()).toHaveLength((fault.times ?? 1) + 1);
	});

	it('waits as long as the service says', async () => {
		await read();
		const headers = { 'retry-after': '0.3' };
		desk.fault({ match: api, kind: 'status', status: 429, headers });
		const began = performance.now();
		const run = await read();
		expect(run.items).toHaveLength(1);
		expect(performance.now() - began).toBeGreaterThanOrEqual(300);
	});

	it('counts all its tries when the session is renewed between them', async () => {
		await read();
		desk.sandbox.forgetRequests();
		const busy: Fault = { match: api, kind: 'status', status: 502, headers: atOnce };
		desk.fault({ ...busy, times: 3 });
		desk.fault({ match: api, kind: 'status', status: 401 });
		desk.fault(busy);
		expect((await read()).error?.message).toContain('not available right now');
		expect(desk.sent()).toHaveLength(5);
	});

	it('is repeated after its session was renewed, too', async () => {
		await read();
		desk.sandbox.forgetRequests();
		desk.fault({ match: api, kind: 'status', status: 401 });
		desk.fault({ match: api, kind: 'status', status: 502, headers: atOnce });
		expect((await read()).items).toHaveLength(1);
		expect(desk.sent()).toHaveLength(3);
	});

	it('renews its session no more often when it is repeated', async () => {
		await read();
		desk.sandbox.forgetRequests();
		const ended: Fault = { match: api, kind: 'status', status: 401 };
		desk.fault({ ...ended, times: 2 });
		desk.fault({ match: api, kind: 'status', status: 502, headers: atOnce });
		desk.fault(ended);
		expect((await read()).error?.message).toContain('did not accept the session');
		expect(desk.sent()).toHaveLength(4);
	});

	it('gives up after four tries', async () => {
		desk.fault({ match: api, kind: 'status', status: 429, headers: atOnce, times: 50 });
		const run = await read();
		expect(run.error).toMatchObject({
			message: 'Corrigo is not available right now',
			httpCode: '429',
		});
		expect(desk.sent()).toHaveLength(4);
	});

	it.each([
		[
			'a refusal',
			{
				kind: 'status',
				status: 400,
				body: { ErrorCode: 'BUSINESS_LOGIC_ERROR', ErrorMessage: "{!{Work Order}!} is 'New'" },
			},
			"Work Order is 'New'",
		],
		[
			'an unhandled exception',
			{ kind: 'status', status: 500, body: { ErrorCode: 'ERROR_CODE_77', ErrorMessage: 'Boom' } },
			'Boom',
		],
		[
			'a redirect',
			{ kind: 'status', status: 302, headers: { location: 'http://127.0.0.1:1/login' } },
			'Corrigo pointed to another address, which is not followed',
		],
	] as Array<[string, Omit<Fault, 'match'>, string | undefined]>)(
		'does not repeat %s',
		async (_, fault, message) => {
			desk.fault({ match: api, ...fault });
			const run = await read();
			if (message) expect(run.error?.message).toBe(message);
			expect(desk.sent()).toHaveLength(1);
		},
	);

	it.each([{}, [], { message: 'Please log in' }])(
		'does not treat %j as an empty list',
		async (body) => {
			desk.fault({
				match: { ...api, pathIncludes: 'query' },
				kind: 'wrongShape',
				body,
			});
			const run = await desk.run('workOrder:getMany', { limit: 3 });
			expect(run.items).toHaveLength(3);
			expect(desk.sent()).toHaveLength(2);
		},
	);

	it('ends in time when the service does not answer', async () => {
		desk.fault({ match: api, kind: 'hang' });
		const run = await desk.run('workOrder:get', {
			id: byId(anOrder()),
			options: { advanced: { timeout: 1000 } },
		});
		expect(run.error?.message).toBe('Corrigo did not answer in time');
		expect(run.error?.description).toContain("'Timeout'");
		expect(run.error?.description).not.toContain('may have been carried out');
		expect(desk.sent()).toHaveLength(1);
	});
});

describe('an answer that arrives byte by byte', () => {
	beforeEach(async () => {
		await read();
		desk.sandbox.forgetRequests();
		desk.fault({ match: api, kind: 'drip' });
	});

	it('ends in time for a read', async () => {
		const run = await desk.run('workOrder:get', {
			id: byId(anOrder()),
			options: { advanced: { timeout: 1000 } },
		});
		expect(run.error?.message).toBe('Corrigo did not answer in time');
		expect(desk.sent()).toHaveLength(1);
	});

	it('ends in time for a write, which may have been carried out', async () => {
		const before = notes();
		const run = await desk.run('record:create', {
			...writeParameters(),
			options: { advanced: { timeout: 1000, requestId: 'late' } },
		});
		expect(run.error?.message).toBe('Corrigo did not answer in time');
		expect(run.error?.description).toMatch(/may have been carried out.*RequestId late/);
		expect([desk.sent().length, notes() - before]).toEqual([1, 1]);
	});

	it('is canceled when the run is stopped', async () => {
		const run = desk.start('workOrder:get', { id: byId(anOrder()) });
		while (desk.sent().length === 0) await new Promise(setImmediate);
		run.cancel();
		expect((await run.finished).status).toBe('canceled');
	});
});

describe('messages of the service', () => {
	it('are shown without secrets, and cut when they are long', async () => {
		await read();
		const { accessToken, clientSecret } = desk.stored();
		const secrets = [String(accessToken), String(clientSecret)];
		const said = `Refused: ${secrets.join(', ')}. ${'x'.repeat(5_000_000)}`;
		const body = { ErrorCode: `C ${said}`, ErrorMessage: said, RequestId: `R ${said}` };
		desk.fault({ match: api, kind: 'status', status: 400, body });
		const run = await read();
		expect(run.error?.message).toMatch(/^Refused: \*\*\*, \*\*\*\. x{900,1000}…$/);
		for (const secret of secrets) expect(run.serialized).not.toContain(secret);
		expect(run.serialized.length).toBeLessThan(50_000);
	});
});

describe('a write that may have run', () => {
	const faults: Array<[string, Omit<Fault, 'match'>]> = [
		['is broken off before it arrives', { kind: 'resetBefore' }],
		['is carried out, and its answer lost', { kind: 'resetAfter' }],
		['is carried out, and its answer cut', { kind: 'truncated' }],
		['is carried out, and its answer empty', { kind: 'empty' }],
		['is carried out, and its answer of another shape', { kind: 'wrongShape', body: { Data: 1 } }],
		['is answered with nothing in an object', { kind: 'status', status: 200, body: {} }],
		[
			'is answered by a stranger',
			{ kind: 'status', status: 200, body: { message: 'Please log in' } },
		],
		['is answered by a page', { kind: 'html' }],
		[
			'is carried out, and answered with 500',
			{ kind: 'status', status: 500, body: {}, commit: true },
		],
		['is answered with 502', { kind: 'status', status: 502 }],
		['is answered with 503', { kind: 'status', status: 503, headers: atOnce }],
		['is answered with 504', { kind: 'status', status: 504 }],
		['is answered with 408', { kind: 'status', status: 408 }],
	];
	it.each(faults)('%s: is sent once, and the message says so', async (_, fault) => {
		await read();
		desk.sandbox.forgetRequests();
		desk.fault({ match: api, ...fault });
		const before = notes();
		const run = await write();
		expect(run.status).toBe('error');
		expect(run.error?.description).toContain('may have been carried out');
		expect(run.error?.description).toContain('RequestId request-77');
		expect(desk.sent()).toHaveLength(1);
		expect(notes() - before).toBeLessThanOrEqual(1);
	});

	const writes: Array<[string, INodeParameters]> = [
		['record:delete', { entity: byName('WoNote'), id: byId('7') }],
		['record:update', { entity: byName('WoNote'), id: byId('7'), fieldsJson: { Body: 'x' } }],
		['workOrder:pickUp', { id: byId('7') }],
		[
			'command:execute',
			{ commandName: byName('WoPickUpCommand'), commandBody: { WorkOrderId: 7 } },
		],
	];
	const strangers = [{}, { message: 'Please log in' }, [], { EntitySpecifier: { Id: 8 } }];
	it.each(writes)(
		'%s does not succeed on an answer that is not from Corrigo',
		async (operation, form) => {
			for (const body of strangers) {
				desk.fresh();
				desk.fault({ match: api, kind: 'status', status: 200, body });
				const run = await desk.run(operation, form);
				expect(run.error?.message).toBe('Corrigo gave an answer that cannot be read');
				expect(run.error?.description).toContain('may have been carried out');
				expect(desk.sent()).toHaveLength(1);
			}
		},
	);

	it('runs out of time: is sent once', async () => {
		desk.fault({ match: api, kind: 'hang' });
		const run = await desk.run('record:create', {
			...writeParameters(),
			options: { advanced: { timeout: 1000, requestId: 'late' } },
		});
		expect(run.error?.message).toBe('Corrigo did not answer in time');
		expect(run.error?.description).toMatch(/may have been carried out.*RequestId late/);
		expect(desk.sent()).toHaveLength(1);
	});
});

describe('a write answered with 429, which did not run,', () => {
	const busy: Fault = { match: api, kind: 'status', status: 429 };

	beforeEach(async () => {
		await read();
		desk.sandbox.forgetRequests();
	});

	it('is sent again after the time that the service asks for, and carried out once', async () => {
		desk.fault({ ...busy, headers: { 'retry-after': '0.3' } });
		const before = notes();
		const began = performance.now();
		const run = await write();
		expect(run.error).toBeUndefined();
		expect(performance.now() - began).toBeGreaterThanOrEqual(300);
		expect([desk.sent().length, notes() - before]).toEqual([2, 1]);
	});

	it('fails after four tries, and provably did not run', async () => {
		desk.fault({ ...busy, headers: atOnce, times: 50 });
		const { error } = await write();
		expect(error).toMatchObject({
			message: 'Corrigo is not available right now',
			httpCode: '429',
		});
		expect(error?.description).not.toContain('may have been carried out');
		expect(desk.sent()).toHaveLength(4);
	});

	it('is not sent a third time when the answer to the second is lost', async () => {
		desk.fault({ ...busy, headers: atOnce });
		desk.fault({ match: api, kind: 'resetAfter' });
		const before = notes();
		const { error } = await write();
		expect(error?.description).toContain('may have been carried out');
		expect([desk.sent().length, notes() - before]).toEqual([2, 1]);
	});
});

it('repeats a write whose connection was refused, with a newly discovered host', async () => {
	await read();
	const away = desk.stored().baseUrl;
	desk.store({ baseUrl: 'http://127.0.0.1:1' });
	const before = notes();
	const run = await write();
	expect(run.error).toBeUndefined();
	expect(notes()).toBe(before + 1);
	expect(desk.stored().baseUrl).toBe(away);
});

describe('an execution that is stopped', () => {
	it('cancels the pending request', async () => {
		desk.fault({ match: api, kind: 'hang' });
		const started = desk.start('workOrder:get', { id: byId(anOrder()) });
		await desk.sandbox.waitFor(({ server }) => server === 'api');
		started.cancel();
		expect((await started.finished).status).toBe('canceled');
		expect(desk.sent()).toHaveLength(1);
	});

	it('does not wait for a long Retry-After', async () => {
		desk.fault({
			match: api,
			kind: 'status',
			status: 429,
			headers: { 'retry-after': '30' },
			times: 9,
		});
		const started = desk.start('workOrder:get', { id: byId(anOrder()) });
		await desk.sandbox.waitFor(({ server }) => server === 'api');
		started.cancel();
		expect((await started.finished).status).toBe('canceled');
		expect(desk.sent()).toHaveLength(1);
	});

	it('reports that a pending write may have been carried out', async () => {
		desk.fault({ match: api, kind: 'hang' });
		const started = desk.start('record:create', writeParameters());
		await desk.sandbox.waitFor(({ server }) => server === 'api');
		started.cancel();
		const run = await started.finished;
		expect(run.serialized).toContain('may have been carried out');
	});

	it('sends nothing for the remaining items, even with Continue On Fail', async () => {
		desk.fault({ match: api, kind: 'hang' });
		const started = desk.start('record:create', writeParameters(), {
			items: itemsOf(1, 2, 3),
			onError: 'continueRegularOutput',
		});
		await desk.sandbox.waitFor(({ server }) => server === 'api');
		started.cancel();
		expect((await started.finished).status).toBe('canceled');
		expect(desk.sent()).toHaveLength(1);
	});
});

describe('the hint for a failure', () => {
	it.each([
		['ERROR_CODE_1002', "Check the names in 'Field Names or IDs'"],
		['INCORRECT_MODEL', 'Compare the names and values'],
		['NO_SUCH_CODE', 'Check the values of this node'],
	])('is shown for %s', async (ErrorCode, words) => {
		const body = { ErrorCode, ErrorMessage: 'It is not so' };
		desk.fault({ match: api, kind: 'status', status: 400, body });
		const { error } = await read();
		expect(error?.message).toBe('It is not so');
		expect(error?.description).toContain(words);
		expect(error?.description).toContain(`code ${ErrorCode}, status 400`);
	});
});

describe('items', () => {
	it('are sorted by outcome: results to the first output, failures to the error output, each paired', async () => {
		const run = await desk.run(
			'record:create',
			{
				entity: byName('WoNote'),
				fieldsJson: `={{ { WorkOrderId: $json.x, Body: "b", NoteTypeId: "Public" } }}`,
			},
			{ items: itemsOf(anOrder(), 424242, anOrder()), onError: 'continueErrorOutput' },
		);
		expect(run.items.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 2 }]);
		expect(run.errorItems).toHaveLength(1);
		expect(run.errorItems[0].json).toMatchObject({
			x: 424242,
			error: expect.any(String) as string,
		});
	});

	it('report a failure in the regular output with Continue On Fail', async () => {
		const run = await desk.run(
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

	it('stop the run at the first failure by default, naming the item', async () => {
		const run = await desk.run(
			'record:create',
			{
				entity: byName('WoNote'),
				fieldsJson: `={{ { WorkOrderId: $json.x, Body: "b", NoteTypeId: "Public" } }}`,
			},
			{ items: itemsOf(anOrder(), 424242, anOrder()) },
		);
		expect(run.status).toBe('error');
		expect(run.error?.context.itemIndex).toBe(1);
		expect(desk.sent()).toHaveLength(2);
	});

	it('use the open session after a failed item', async () => {
		await read();
		desk.sandbox.forgetRequests();
		for (const status of [400, 500]) {
			const body = { ErrorCode: 'X', ErrorMessage: 'No' };
			desk.fault({ match: api, kind: 'status', status, body });
		}
		const run = await desk.run('record:create', writeParameters(), {
			items: itemsOf(1, 2, 3),
			onError: 'continueErrorOutput',
		});
		expect([run.items.length, run.errorItems.length]).toEqual([1, 2]);
		expect(desk.sandbox.requests.map(({ server }) => server)).toEqual(['api', 'api', 'api']);
	});

	it('are paired for the next nodes', async () => {
		const run = await desk.run(
			'record:getMany',
			{ entity: byName('WoPriority'), limit: 2, properties: 'DisplayAs' },
			{
				items: itemsOf('first', 'second'),
				nodesAfter: [
					{
						name: 'After',
						type: TYPE.evaluate,
						parameters: { value: "={{ $('Start').item.json.x }}" },
					},
				],
			},
		);
		expect(jsonOf(run.output('After')).map(({ value }) => value)).toEqual([
			'first',
			'first',
			'second',
			'second',
		]);
	});
});

it('a failure puts no secret and no token in anything that n8n stores', async () => {
	const faults: Fault[] = [
		{ match: api, kind: 'resetAfter' },
		{ match: api, kind: 'html' },
		{ match: api, kind: 'status', status: 403, body: { ErrorMessage: 'no', ErrorCode: 'X' } },
		{ match: { server: 'locator' }, kind: 'status', status: 500 },
		{ match: { server: 'token' }, kind: 'resetBefore' },
	];
	for (const fault of faults) {
		desk.sandbox.clearFaults();
		desk.sandbox.revokeTokens();
		desk.fault(fault);
		const run = await write();
		expect(run.status).toBe('error');
		const token = String(desk.stored().accessToken);
		expect(token).not.toBe('');
		expect(run.serialized).not.toContain(token);
		expect(run.serialized).not.toContain('sandbox-secret');
		expect(run.serialized).not.toContain('Bearer');
	}
	for (const { path, query } of desk.sandbox.requests) {
		expect(path + JSON.stringify(query)).not.toMatch(/sandbox-secret|Bearer/);
	}
});

it('a message about canceled work orders is not taken for a canceled run', async () => {
	desk.fault(
		rejection(api, {
			ErrorCode: 'BUSINESS_LOGIC_ERROR',
			ErrorMessage: 'The work order is Canceled or CANCELED (ECONNREFUSED)',
		}),
	);
	const run = await read();
	expect(run.status).toBe('error');
	expect(run.error?.message).toBe('The work order is Cancelled or CANCELLED (ECONNREFUSED)');
});
