import { createHmac } from 'node:crypto';
import type { IDataObject, INodeParameters, INodePropertyOptions } from 'n8n-workflow';

import { CorrigoApi } from '../../credentials/CorrigoApi.credentials';
import { CorrigoTrigger } from '../../nodes/Corrigo/CorrigoTrigger.node';
import { CorrigoWebhookTrigger } from '../../nodes/Corrigo/CorrigoWebhookTrigger.node';
import type { Fault, Sandbox } from '../../sandbox';
import { logAction } from '../../sandbox/base/actionLog';
import { active, settled, startListener } from './activeWebhook';
import { byId, byName, idsOf, jsonOf } from './desk';
import { createEngine } from './engine';
import { Database, type Listener } from './webhook';

describe('the webhook trigger', () => {
	const cases: Record<string, INodeParameters> = {
		documentAdded: {},
		noteAdded: {},
		estimateDecided: {},
		quoteSubmitted: {},
		record: { entity: byName('WorkOrder'), dateProperty: 'LastActionDateUtc' },
		vendorCheckedIn: { returns: 'event' },
		vendorCheckedOut: {},
		invoiceEnteredApStatus: {},
		workOrderAssigned: {},
		workOrderCompleted: {},
		workOrderAction: { actionTypes: ['PickUp', 'Create'], ignoreApi: true },
		workOrderCreated: {},
		workOrderEnteredStatus: { statuses: ['InProgress', 'Open'], returns: 'record' },
		workOrderUpdated: {},
	};

	/** One change for each event, by people and by programs. */
	function happenings({ person, api, sandbox, orders }: Awaited<ReturnType<typeof active>>) {
		const { Id: made } = person({ note: 'Bring a ladder' });
		person({ id: made, command: 'WoPickUpCommand' });
		person({ id: made, command: 'WoStartCommand' });
		const vendor = sandbox.store.rows('Employee').find((one) => one.ActorTypeId === 'Provider');
		person({ id: made, command: 'WoAssignCommand', members: { Assignees: [vendor?.Id] } });
		for (const command of ['WoPauseCommand', 'WoStartCommand', 'WoCompleteCommand']) {
			person({ id: made, command, actor: vendor?.Id });
		}
		const [first, second] = orders().filter(({ StatusId }) => StatusId === 'New');
		api('WoPickUpCommand', { WorkOrderId: first.Id });
		person({
			id: second.Id,
			command: 'ApStatusChangeCommand',
			members: { VendorInvoiceStatusId: 2 },
		});
		logAction(sandbox.world, second, { TypeId: 'QuoteSubmitted' });
		logAction(sandbox.world, second, { TypeId: 'EstimateApproved' });
		sandbox.store.insert('Document', { Title: 'A', ActorTypeId: 'WO', ActorId: first.Id });
		sandbox.store.insert('Document', { Title: 'B', ActorTypeId: 'WO', ActorId: second.Id });
	}

	it.each(Object.keys(cases))('returns the items of a poll for the event %s', async (event) => {
		const parameters: INodeParameters = { event, ...cases[event] };
		const webhook = await active(parameters);
		const { sandbox } = webhook;
		const engine = createEngine({
			nodes: { corrigoTrigger: CorrigoTrigger },
			credentialTypes: [CorrigoApi],
			credentials: { corrigoApi: { id: '1', data: sandbox.credentials } },
		});
		const poll = async (staticData: IDataObject) =>
			await engine.poll('corrigoTrigger', {
				parameters: { ...parameters, options: { delivery: 'atLeastOnce' } },
				staticData,
			});
		const { staticData } = await poll({});

		happenings(webhook);
		const { items } = await poll(staticData);
		const found = await webhook.pushed({ form: 'together' });

		expect(found.length).toBeGreaterThan(0);
		expect(found).toEqual(jsonOf(items ?? []));
		expect(idsOf(found, 'ChangeKey')).not.toContain(undefined);
		expect(await webhook.pushed()).toEqual([]);
	});

	it('offers all events that can be pushed', () => {
		const { properties } = new CorrigoWebhookTrigger().description;
		const offered = properties.find(({ name }) => name === 'event')?.options;
		expect((offered as INodePropertyOptions[]).map(({ value }) => value).sort()).toEqual(
			Object.keys(cases).sort(),
		);
	});

	it.each(['wrapper', 'notification', 'bare', 'together'] as const)(
		'takes a push as %s with two requests',
		async (form) => {
			const { person, pushed, sent } = await active();
			const { Id } = person({});
			expect(await pushed({ form })).toMatchObject([
				{ WorkOrderId: Id, TypeId: 'Create', WorkOrder: { Id, StatusId: 'New' } },
			]);
			expect(sent()).toEqual(['WoActionLog', 'WorkOrder']);
		},
	);

	it.each([
		['workOrderAction', { command: 'WoPickUpCommand' }, ['WorkOrder', 'WoActionLog', 'WorkOrder']],
		['workOrderUpdated', { command: 'WoPickUpCommand' }, ['WorkOrder', 'WorkOrder']],
		// Two pushes: for the note, and for the action that it is, which brings nothing new twice.
		[
			'noteAdded',
			{ note: 'Bring a ladder' },
			['WorkOrder', 'WoNote', 'WorkOrder', 'WorkOrder', 'WoNote', 'WorkOrder', 'WoNote'],
		],
	])('takes the published sample of a push for %s', async (event, work, requests) => {
		const { person, pushed, sent, pass, sandbox } = await active({ event, returns: 'both' });
		const { Id } = person({});
		await pushed({ form: 'sample' });
		sandbox.forgetRequests();
		pass(1000);
		person({ id: Id, ...work });
		const items = await pushed({ form: 'sample' });
		expect(items).toHaveLength(1);
		expect(items[0].WorkOrderId ?? items[0].Id).toBe(Id);
		expect(sent()).toEqual(requests);
		expect(await pushed({ form: 'sample', again: true })).toEqual([]);
	});

	it('reads nothing for a push with the number of no order', async () => {
		const { push, idle, items, failures, sent } = await active();
		const Data = { Number: 'NONE00001', TypeCategory: 'Request', WorkOrderCost: {} };
		expect(await push({ Entities: [{ Data }] })).toMatchObject({ status: 200 });
		await idle();
		expect([items(), failures, sent()]).toEqual([[], [], ['WorkOrder', 'WorkOrder']]);
	});

	it.each<[string, (order: object) => object]>([
		['ID', (order) => ({ WorkOrder: order })],
		['number', (order) => ({ ...order, TypeCategory: 'Request' })],
	])(
		'asks once more for a change that cannot be read yet, of an order by %s',
		async (by, toPush) => {
			const { person, push, sandbox, sent, orders, ...webhook } = await active();
			const [order] = orders();
			if (by === 'number') sandbox.store.change('WorkOrder', order.Id, { Number: 'LATE' });
			await push([
				toPush(by === 'number' ? { Number: 'SOON' } : { Id: order.Id }),
				{ WorkOrder: { Id: 7 } },
			]);
			await sandbox.waitFor(() => sent().includes('WoActionLog'));
			sandbox.store.change('WorkOrder', order.Id, { Number: 'SOON' });
			person({ id: order.Id, note: 'late' });
			expect(await settled(webhook as unknown as Listener)).toMatchObject([
				{ WorkOrderId: order.Id, TypeId: 'Note' },
			]);
			const reads = sent().filter((entity) => entity === 'WoActionLog').length;
			await push({ WorkOrder: { Id: order.Id } });
			await webhook.idle();
			expect([reads, sent().filter((entity) => entity === 'WoActionLog').length]).toEqual([2, 4]);
		},
	);

	it('omits changes that do not pass the filters, or that the API made', async () => {
		const filtered = await active({
			event: 'workOrderCreated',
			filters: { customer: byId(7_777_777) },
		});
		filtered.person({});
		expect(await filtered.pushed()).toEqual([]);

		const { person, api, orders, pushed } = await active({
			event: 'workOrderAction',
			ignoreApi: true,
			returns: 'event',
		});
		const [{ Id }] = orders().filter(({ StatusId }) => StatusId === 'New');
		api('WoPickUpCommand', { WorkOrderId: Id });
		expect(await pushed()).toEqual([]);
		person({ id: Id, command: 'WoStartCommand' });
		expect(await pushed()).toMatchObject([{ WorkOrderId: Id, TypeId: 'Start' }]);
	});

	it('reads earlier changes of a record whose push was lost', async () => {
		const { person, pushed, sandbox, url } = await active();
		const { Id } = person({});
		await sandbox.push({ url: `${url}/lost`, atOnce: 1 }).catch(() => []);
		person({ id: Id, command: 'WoPickUpCommand' });
		expect(idsOf(await pushed(), 'TypeId')).toEqual(['Create', 'PickUp']);
	});

	it.each<[string, INodeParameters, number | null]>([
		['of an order, from when it was made', { event: 'workOrderCreated' }, 90],
		['of an action, whatever the output', { event: 'workOrderAction', returns: 'record' }, 90],
		['of a note, from when it was written', { event: 'noteAdded' }, 90],
		['of a record that has no time, unknown', { event: 'record', entity: byName('WoNote') }, null],
	])('adds Lag: %s', async (_, parameters, lag) => {
		const { person, pushed, pass } = await active({ ...parameters, options: { lag: true } });
		person({ note: 'Bring a ladder' });
		pass(90_000);
		const items = await pushed();
		expect(items.length).toBeGreaterThan(0);
		expect(idsOf(items, 'Lag')).toEqual(items.map(() => lag));
	});

	it('adds no Lag without the option', async () => {
		const { person, pushed } = await active();
		person({});
		const [item] = await pushed();
		expect(item).not.toHaveProperty('Lag');
	});

	it('accepts pushes of records that were not chosen, and reads nothing', async () => {
		const { push, sent, executions } = await active({ event: 'noteAdded' });
		for (const body of [{ Customer: { Id: 5 } }, {}, [], '', 'null', '"ping"']) {
			expect(await push(body)).toEqual({ status: 200, text: 'Received' });
		}
		expect(sent()).toEqual([]);
		expect(executions).toEqual([]);
	});

	it('returns a record of the chosen entity', async () => {
		const { push, sandbox, idle, items } = await active({
			event: 'record',
			entity: byName('Contact'),
		});
		const { Id } = sandbox.store.insert('Contact', { LastName: 'Miller' });
		await push({ EntityType: 'Contact', EntityId: Id });
		await idle();
		expect(idsOf(items())).toEqual([Id]);
	});
});

/** The node as a new process of n8n loads it. */
async function inNewProcess(sandbox: Sandbox, database: Database, parameters: INodeParameters) {
	let one!: Listener;
	await jest.isolateModulesAsync(async () => {
		const { CorrigoWebhookTrigger: node } = await import(
			'../../nodes/Corrigo/CorrigoWebhookTrigger.node'
		);
		one = await startListener(sandbox, parameters, { database, node });
	});
	return one;
}

describe('the webhook trigger returns each change once', () => {
	it('in any order, at the same time, and however often the sender repeats it', async () => {
		const { person, pushed } = await active();
		const made = Array.from({ length: 30 }, () => person({}).Id);
		const items = await pushed({ times: 3, shuffled: true, atOnce: 10 });
		expect(idsOf(items, 'WorkOrderId').sort()).toEqual(made.sort());
	});

	it('for each state of a record that changes between two pushes', async () => {
		const { person, pushed, orders, push, items, idle, pass } = await active({
			event: 'workOrderUpdated',
		});
		const [{ Id }] = orders().filter(({ StatusId }) => StatusId === 'New');
		person({ id: Id, command: 'WoPickUpCommand' });
		expect(await pushed()).toMatchObject([{ Id, StatusId: 'Open' }]);
		await push({ WorkOrder: { Id } });
		await idle();
		expect(items()).toEqual([]);
		pass(1000);
		person({ id: Id, command: 'WoStartCommand' });
		expect(await pushed()).toMatchObject([{ Id, StatusId: 'InProgress' }]);
	});

	it('in a new process of n8n, which reads the state', async () => {
		const parameters = { event: 'workOrderAction' };
		const { person, pushed, sandbox, database } = await active(parameters);
		const { Id } = person({});
		expect(await pushed()).toHaveLength(1);

		const later = await inNewProcess(sandbox, database, parameters);
		await later.activate('init');
		await later.push({ WorkOrder: { Id } });
		expect(await settled(later)).toEqual([]);
		person({ id: Id, command: 'WoPickUpCommand' });
		await later.push({ WorkOrder: { Id } });
		expect(idsOf(await settled(later), 'TypeId')).toEqual(['PickUp']);
	});

	it('in two processes, if the first one has saved it before the second one gets the push', async () => {
		const parameters = { event: 'workOrderAction' };
		const { person, pushed, sandbox, database } = await active(parameters);
		const other = await inNewProcess(sandbox, database, parameters);
		const { Id: first } = person({});
		expect(await pushed()).toHaveLength(1);
		const { Id: second } = person({});
		await other.push([{ WorkOrder: { Id: first } }, { WorkOrder: { Id: second } }]);
		expect(idsOf(await settled(other), 'WorkOrderId')).toEqual([second]);
		await sandbox.push({ url: other.url });
		expect(await pushed()).toEqual([]);
		expect(await settled(other)).toEqual([]);
	});

	/** Adds actions of one order, which a single push returns. */
	function logMany({ sandbox, orders }: Awaited<ReturnType<typeof active>>, count: number) {
		const [{ Id: WorkOrderId }] = orders();
		for (let index = 0; index < count; index++) {
			sandbox.store.insert('WoActionLog', {
				WorkOrderId,
				TypeId: 'Message',
				SystemDateUtc: new Date(Date.UTC(2031, 4, 5, 7) + index).toISOString(),
			});
		}
		return { WorkOrderId };
	}

	it('with a state of bounded size', async () => {
		const webhook = await active({ event: 'workOrderAction', returns: 'event' });
		const { database, push, idle, items } = webhook;
		const pushed = logMany(webhook, 21_000);
		await push(pushed);
		await idle();
		expect(new Set(idsOf(items())).size).toBe(21_000);
		expect(JSON.stringify(database.state).length).toBeLessThan(800_000);
		await push(pushed);
		await idle();
		expect(items()).toEqual([]);
	});

	it('without parsing a long state again, even if pushes that come together get older copies', async () => {
		const webhook = await active({ event: 'workOrderAction', returns: 'event' });
		const { push, idle, items, person } = webhook;
		await push(logMany(webhook, 2000));
		await idle();
		items();
		const made = Array.from({ length: 20 }, () => person({}).Id);
		const parsed = jest.spyOn(Date, 'parse');
		await Promise.all(made.map(async (WorkOrderId) => await push({ WorkOrderId })));
		await idle();
		expect(items()).toHaveLength(20);
		expect(parsed.mock.calls.length).toBeLessThan(2000);
	});
});

describe('the webhook trigger with delivery at least once', () => {
	const parameters: INodeParameters = {
		event: 'workOrderAction',
		returns: 'event',
		options: { delivery: 'atLeastOnce' },
	};

	it('returns the last changes again when they are pushed to a new process, with equal keys', async () => {
		const { person, pushed, sandbox, database, push } = await active(parameters);
		const made = [person({}).Id];
		const items = await pushed();
		made.push(person({}).Id);
		items.push(...(await pushed()));
		const repeated = made.map((WorkOrderId) => ({ WorkOrderId }));
		await push(repeated);
		expect(await pushed()).toEqual([]);

		const next = await inNewProcess(sandbox, database, parameters);
		await next.activate('init');
		const { Id } = person({});
		await next.push({ WorkOrderId: Id });
		expect(idsOf(await settled(next), 'WorkOrderId')).toEqual([Id]);
		await next.push(repeated);
		expect(await settled(next)).toEqual(items);
		await next.push(repeated);
		expect(await settled(next)).toEqual([]);
	});

	it('returns no change from before the activation', async () => {
		const { orders, sandbox, database, push, idle, items } = await active(parameters);
		const next = await inNewProcess(sandbox, database, parameters);
		const all = orders().map(({ Id }) => ({ WorkOrderId: Id }));
		await push(all);
		await next.push(all);
		await idle();
		expect([...items(), ...(await settled(next))]).toEqual([]);
	});

	it('returns no change again once the option is off', async () => {
		const { person, pushed, sandbox, database } = await active(parameters);
		person({});
		expect(await pushed()).toHaveLength(1);
		const once = await inNewProcess(sandbox, database, { ...parameters, options: {} });
		await sandbox.push({ url: once.url, again: true });
		expect(await settled(once)).toEqual([]);
	});

	it('returns changes that were read when n8n is shutting down', async () => {
		const { person, sandbox, url, shutDown, idle, items } = await active(parameters);
		person({});
		sandbox.set({ latencyMs: 100 });
		await sandbox.push({ url });
		shutDown();
		await idle();
		expect(items()).toHaveLength(1);
	});
});

describe('the webhook trigger, when n8n is shutting down,', () => {
	const parameters: INodeParameters = { event: 'workOrderAction', returns: 'event' };

	it('marks nothing as returned that may not be executed', async () => {
		const { person, sandbox, url, shutDown, idle, executions, database } = await active(parameters);
		const { Id } = person({});
		sandbox.set({ latencyMs: 100 });
		const before = database.state;
		expect(await sandbox.push({ url })).toMatchObject([{ status: 200 }]);
		shutDown();
		await idle();
		expect([executions, database.state]).toEqual([[], before]);

		const next = await inNewProcess(sandbox, database, parameters);
		await sandbox.push({ url: next.url, again: true });
		expect(idsOf(await settled(next), 'WorkOrderId')).toEqual([Id]);
	});

	it('refuses a push with 503', async () => {
		const { startPush, shutDown, idle, sent } = await active(parameters);
		const finish = await startPush({ WorkOrderId: 1 });
		shutDown();
		expect(await finish()).toBe(503);
		await idle();
		expect(sent()).toEqual([]);
	});
});

describe('a forged push', () => {
	it('causes two reads at most, and adds nothing to an item', async () => {
		const { push, idle, executions, sent, person, items } = await active();
		await push({ WorkOrder: { Id: 987_654_321, Number: 'forged' } });
		await idle();
		expect(executions).toEqual([]);
		expect(sent()).toEqual(['WoActionLog', 'WoActionLog']);
		const { Id } = person({});
		await push({ WorkOrder: { Id, Number: 'forged', StatusId: 'forged', forged: 'forged' } });
		await idle();
		const found = items();
		expect(found).toHaveLength(1);
		expect(JSON.stringify(found)).not.toContain('forged');
	});

	it('of an old record starts nothing', async () => {
		const { push, idle, executions, orders } = await active();
		for (const { Id } of orders()) await push({ Entities: [{ Data: { Id } }] });
		await idle();
		expect(executions).toEqual([]);
	});
});

describe('a signature', () => {
	const KEY = 'a key of up to 64 characters';
	const hmac = (header: string, algorithm: string, encoding: string): INodeParameters => ({
		event: 'workOrderAction',
		signature: 'hmac',
		signatureHeader: header,
		signatureAlgorithm: algorithm,
		signatureEncoding: encoding,
	});
	const ways = [
		['X-Corrigo-Signature', 'sha256', 'hex', 'sha256='],
		['X-Hub-Signature', 'sha1', 'hex', ''],
		['Authorization', 'sha512', 'base64', ''],
	] as const;

	it.each(ways)(
		'in header %s, by %s as %s, is checked before anything is read',
		async (header, algorithm, encoding, prefix) => {
			const { person, pushed, sandbox, url, failures, executions } = await active(
				hmac(header, algorithm, encoding),
				{ credentials: { useWebhook: true, signingSecret: KEY } },
			);
			const signed = { key: KEY, header, algorithm, encoding, prefix };
			const { Id } = person({});
			sandbox.forgetRequests();
			const wrong = [
				{ signed, forged: true },
				{ signed: { ...signed, key: 'another' } },
				{ signed: { ...signed, header: 'X-Other' } },
				{},
			];
			for (const push of wrong) {
				person({ id: Id, members: { PoNumber: 'x' } });
				person({ id: Id, note: 'pushed' });
				const [answer] = await sandbox.push({ url, ...push });
				expect(answer).toMatchObject({ status: 401, text: 'The signature is missing or wrong' });
			}
			expect([failures, executions, sandbox.requests]).toEqual([[], [], []]);
			person({ id: Id, note: 'pushed' });
			expect(await pushed({ signed })).toHaveLength(wrong.length + 2);
		},
	);

	it('is accepted by the former key and by the new one', async () => {
		const [[header, algorithm, encoding, prefix]] = ways;
		const { person, pushed } = await active(hmac(header, algorithm, encoding), {
			credentials: { useWebhook: true, signingSecret: 'new', formerSigningSecret: 'old' },
		});
		for (const key of ['old', 'new']) {
			person({});
			const signed = { key, header, algorithm, encoding, prefix };
			expect(await pushed({ signed })).toHaveLength(1);
		}
	});

	it.each(ways)('is recognized from a test event: %s, %s, %s', async (...way) => {
		const [header, algorithm, encoding, prefix] = way;
		const { sandbox, person } = await active();
		const test = await startListener(
			sandbox,
			{ event: 'workOrderAction', signature: 'learn' },
			{
				credentials: { useWebhook: true, signingSecret: 'another', formerSigningSecret: KEY },
				mode: 'manual',
			},
		);
		await test.activate('manual');
		person({});
		await sandbox.push({
			url: test.url,
			signed: { key: KEY, header, algorithm, encoding, prefix },
		});
		const [report] = await settled(test);
		expect(report.Fits).toEqual([
			{
				Header: header.toLowerCase(),
				Algorithm: algorithm,
				Encoding: encoding,
				Prefix: prefix,
				Key: 'Former Signing Key',
			},
		]);
		expect(JSON.stringify(report)).not.toContain(KEY);
	});

	it('that matches no key is reported, and so is a missing key', async () => {
		const { sandbox } = await active();
		const learn = { event: 'workOrderAction', signature: 'learn' };
		const reports: IDataObject[] = [];
		for (const credentials of [{ useWebhook: true, signingSecret: KEY }, {}]) {
			const test = await startListener(sandbox, learn, { credentials, mode: 'manual' });
			const made = createHmac('sha256', 'another').update('{}').digest('hex');
			await test.push({}, { 'x-signature': made });
			reports.push(...(await settled(test)));
		}
		expect(reports).toMatchObject([
			{ Fits: [], Advice: expect.stringMatching(/^No header holds/) as string },
			{ Fits: [], Advice: expect.stringMatching(/^Enter the key/) as string },
		]);
		expect(reports[0].Headers).toContain('x-signature');
	});

	it.each<[string, INodeParameters]>([
		["'Signature' is Learn, which is for test events only", { signature: 'learn' }],
		["'Signing Key' is empty in the Corrigo credential", hmac('X', 'sha1', 'hex')],
		["'Header' is empty", { signature: 'hmac' }],
		['\'Header\' is "X Signature", which is not a header name', hmac('X Signature', 'sha1', 'hex')],
		['\'Algorithm\' must be one of sha1, sha256, sha512, but it is "md5"', hmac('X', 'md5', 'hex')],
		["'Statuses' is empty", { event: 'workOrderEnteredStatus' }],
		[
			"'Trigger On' is Work Order Due Soon or Overdue, of which nothing is pushed",
			{ event: 'workOrderDeadline' },
		],
		[
			"'Trigger On' is Record Added, Edited or Deleted, of which nothing is pushed",
			{ event: 'recordEdited' },
		],
	])('or another invalid setting is rejected on activation: %s', async (message, parameters) => {
		const { sandbox } = await active();
		const one = await startListener(sandbox, { event: 'workOrderAction', ...parameters });
		await expect(one.activate()).rejects.toThrow(message);
	});

	it('cannot be learned by an active workflow, whose change a person publishes', async () => {
		const { sandbox } = await active();
		const one = await startListener(sandbox, { event: 'workOrderAction', signature: 'learn' });
		await expect(one.activate('update')).rejects.toThrow("'Signature' is Learn");
	});
});

describe('the answer to a push', () => {
	it.each([
		[
			413,
			'The body is larger than 1 MB',
			JSON.stringify({ x: 'x'.repeat(1024 * 1024) }),
			undefined,
		],
		[
			413,
			'The body names more than 1000 records',
			JSON.stringify(Array.from({ length: 1001 }, (_, index) => ({ Id: index + 1 }))),
			undefined,
		],
		[
			415,
			'The body must be JSON, with the Content-Type application/json',
			'<x/>',
			'application/xml',
		],
		[
			415,
			'The body must be JSON, with the Content-Type application/json',
			'{"Id":5}',
			'x-application/json',
		],
		[
			415,
			'The body must be JSON, with the Content-Type application/json',
			'Id=5',
			'application/x-www-form-urlencoded',
		],
		[400, 'The body is not valid JSON', '{"Id":', undefined],
		[400, 'The body is not valid JSON', 'Id: 5', 'text/plain; charset=utf-8'],
	])('is %s if the push cannot be read: %s', async (status, text, body, type) => {
		const { push, sent, executions, failures } = await active();
		const headers: Record<string, string> = type === undefined ? {} : { 'content-type': type };
		expect(await push(body, headers)).toEqual({ status, text });
		expect([sent(), executions, failures]).toEqual([[], [], []]);
	});

	it.each(['application/json; charset=utf-8', 'text/plain', 'application/vnd.corrigo+json'])(
		'is 200 to JSON with the type %s',
		async (type) => {
			const { push, person, idle, items } = await active();
			const { Id } = person({});
			await push(`\uFEFF{"WorkOrderId":${Id}}`, { 'content-type': type });
			await idle();
			expect(items()).toHaveLength(1);
		},
	);
});

describe('the webhook trigger, when Corrigo is unavailable,', () => {
	const away = { kind: 'status', status: 502, times: 9, headers: { 'retry-after': '0' } } as const;

	it('fails, and reads the pushed records with the next push', async () => {
		const { sandbox, person, url, idle, failures, pushed } = await active();
		const { Id: first } = person({});
		sandbox.fault({ match: { server: 'api' }, ...away });
		expect(await sandbox.push({ url })).toMatchObject([{ status: 200 }]);
		await idle();
		expect(failures.splice(0)).toMatchObject([
			{
				message: expect.stringContaining('not available') as string,
				description: expect.stringContaining('is read with the next push') as string,
			},
		]);
		sandbox.clearFaults();
		const { Id: second } = person({});
		expect(idsOf(await pushed(), 'WorkOrderId')).toEqual([first, second]);
	});

	it.each<[string, Partial<Fault>, string]>([
		['is away', away, 'not available'],
		['refuses', { kind: 'status', status: 403, times: 9 }, 'refused'],
		['has no such page', { kind: 'html', status: 404, times: 9 }, 'refused'],
	])(
		'fails an activation by a person where Corrigo %s, and lets n8n start',
		async (_, fault, message) => {
			const { sandbox } = await active();
			const one = await startListener(sandbox, { event: 'workOrderAction' });
			const fail = () => sandbox.fault({ match: { server: 'api' }, ...fault } as Fault);
			fail();
			await expect(one.activate('activate')).rejects.toThrow(message);
			sandbox.clearFaults();
			fail();
			await one.activate('init');
			expect(one.database.state).toEqual({});
		},
	);

	/** An n8n that has started while Corrigo was away. */
	async function startedAway(parameters: INodeParameters) {
		const webhook = await active(parameters);
		const { sandbox } = webhook;
		const one = await startListener(sandbox, parameters);
		sandbox.fault({ match: { server: 'api' }, ...away });
		await one.activate('init');
		sandbox.clearFaults();
		return { ...webhook, ...one };
	}

	it.each<[string, INodeParameters, string[]]>([
		['an action', { event: 'workOrderAction', returns: 'event' }, ['WoActionLog', 'WoActionLog']],
		['an order', { event: 'workOrderCreated' }, ['WorkOrder', 'WorkOrder']],
		['a note', { event: 'noteAdded', returns: 'event' }, ['WoNote', 'WoNote', 'WoNote']],
	])(
		'as n8n starts, loses no push: it returns %s of the five minutes before the first one',
		async (_, parameters, requests) => {
			const webhook = await startedAway(parameters);
			const { sandbox, person, pass, push, sent } = webhook;
			const { Id: old } = person({ note: 'before' });
			pass(90_000);
			const { Id } = person({ note: 'Bring a ladder' });
			pass(240_000);
			sandbox.forgetRequests();
			const both = [{ WorkOrder: { Id: old } }, { WorkOrder: { Id } }];
			await push(both);
			const found = await settled(webhook);
			expect(found.length).toBeGreaterThan(0);
			expect(new Set(found.map((item) => item.WorkOrderId ?? item.Id))).toEqual(new Set([Id]));
			expect(sent()).toEqual(requests);
			await push(both);
			expect(await settled(webhook)).toEqual([]);
		},
	);

	it('as n8n starts, loses no push of a record without a time: it returns the last hundred', async () => {
		const webhook = await startedAway({ event: 'record', entity: byName('Contact') });
		const { sandbox, push } = webhook;
		const made = Array.from(
			{ length: 102 },
			() => sandbox.store.insert('Contact', { LastName: 'Miller' }).Id,
		);
		await push(made.map((EntityId) => ({ EntityType: 'Contact', EntityId })));
		expect(idsOf(await settled(webhook))).toEqual(made.slice(-100));
	});

	it('lets n8n start without a request where there is a state', async () => {
		const { sandbox, activate, sent } = await active();
		sandbox.fault({ match: { server: 'api' }, ...away });
		await activate('init');
		expect(sent()).toEqual([]);
	});
});

describe('a test event', () => {
	it('shows the newest changes of the pushed records each time, and does not move the cursor', async () => {
		const { sandbox, person, pushed, orders } = await active();
		const test = await startListener(sandbox, { event: 'workOrderAction' }, { mode: 'manual' });
		await test.activate('manual');
		const { Id } = person({});
		for (let count = 0; count < 2; count++) {
			await test.push({ WorkOrder: { Id } });
			const [item] = await settled(test);
			expect(item).toMatchObject({ WorkOrderId: Id, TypeId: 'Create' });
			expect(item.ChangeKey).toMatch(/^Test WoActionLog \d+ /);
		}
		const [old] = orders();
		await test.push({ WorkOrder: { Id: old.Id } });
		expect((await settled(test)).length).toBeGreaterThan(0);
		expect(test.database.state).toEqual({});
		expect(await pushed()).toHaveLength(1);
	});
});
