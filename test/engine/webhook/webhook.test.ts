import { createHmac } from 'node:crypto';
import type { IDataObject, INodePropertyOptions } from 'n8n-workflow';

import { CorrigoTrigger } from '../../../nodes/Corrigo/CorrigoTrigger.node';
import { CorrigoWebhookTrigger } from '../../../nodes/Corrigo/CorrigoWebhookTrigger.node';
import { unpackKeys } from '../../../nodes/Corrigo/feed/cursor';
import type { EventName } from '../../../nodes/Corrigo/trigger/events';
import type { Fault, Row } from '../../../sandbox';
import { logAction } from '../../../sandbox/base/actionLog';
import { SERVICE_USER } from '../../../sandbox/seed/lookups';
import { away, loadNodes, openCompany } from '../../support/activeTrigger';
import { active, startListener } from '../../support/activeWebhook';
import { byId, byName, connectEngine, idsOf, jsonOf, some } from '../../support/company';
import { forLoggedEvents, listMissingKinds } from '../../support/loggedEvents';

const MINUTE = 60_000;

type Active = Awaited<ReturnType<typeof active>>;

describe('the webhook trigger', () => {
	const cases: Record<string, object> = {
		...forLoggedEvents(() => ({})),
		documentAdded: {},
		noteAdded: {},
		record: { entity: byName('WorkOrder'), dateProperty: 'LastActionDateUtc' },
		severalEvents: {
			events: ['vendorCheckedOut', 'workOrderCreated', 'workOrderEnteredStatus'],
			statuses: ['Paused', 'Completed'],
		},
		vendorCheckedIn: { returns: 'event' },
		workOrderAction: { actionTypes: ['PickUp', 'Create'], ignoreApi: true },
		workOrderCreated: {},
		workOrderEnteredStatus: { statuses: ['InProgress', 'Open'], returns: 'record' },
		workOrderUpdated: { ignoreChangesBy: { values: [{ employee: byId(SERVICE_USER.Id) }] } },
	};

	/** One change for each event, by people and by programs. */
	function happenings({ person, api, sandbox, store, insert, ordersIn }: Active) {
		const { Id: id } = person({ note: 'Bring a ladder' });
		person({ id, command: 'WoPickUpCommand' });
		person({ id, command: 'WoStartCommand' });
		const vendor = store.rows('Employee').find((one) => one.ActorTypeId === 'Provider')?.Id;
		person({ id, command: 'WoAssignCommand', members: { Assignees: [vendor] } });
		for (const command of ['WoPauseCommand', 'WoStartCommand', 'WoCompleteCommand']) {
			person({ id, command, actor: vendor });
		}
		const [first, second] = ordersIn('New');
		api('WoPickUpCommand', { WorkOrderId: first.Id });
		const received = { VendorInvoiceStatusId: 2 };
		person({ id: second.Id, command: 'ApStatusChangeCommand', members: received });
		for (const TypeId of Object.values(forLoggedEvents((type) => type))) {
			logAction(sandbox.world, second, { TypeId });
		}
		insert('Document', { Title: 'A', ActorTypeId: 'WO', ActorId: first.Id });
		insert('Document', { Title: 'B', ActorTypeId: 'WO', ActorId: second.Id });
	}

	// Promise: A push is answered before anything is read
	it.each(Object.keys(cases))('returns the items of a poll for the event %s', async (event) => {
		const own = { event, ...cases[event] };
		const parameters = { ...own, options: { delivery: 'atLeastOnce', lag: true } };
		const webhook = await active({ ...own, options: { lag: true } });
		const engine = connectEngine(webhook.sandbox, { corrigoTrigger: CorrigoTrigger });
		const poll = async (staticData?: IDataObject) =>
			await engine.poll('corrigoTrigger', { parameters, staticData });
		const { staticData } = await poll();

		happenings(webhook);
		webhook.pass(90_000);
		const { items } = await poll(staticData);
		const found = await webhook.pushed({ form: 'together' });

		expect(found.length).toBeGreaterThan(0);
		expect(found).toEqual(jsonOf(items ?? []));
		expect(idsOf(found, 'ChangeKey')).not.toContain(undefined);
		expect(idsOf(found, 'Lag')).not.toContain(undefined);
		expect(await webhook.pushed()).toEqual([]);
	});

	it('every kind of event that it offers has a case', () => {
		const { properties } = new CorrigoWebhookTrigger().description;
		const offered = properties.find(({ name }) => name === 'event')?.options;
		const names = (offered as INodePropertyOptions[]).map(({ value }) => value as EventName);
		expect(names).toContain('workOrderCreated');
		expect(listMissingKinds(names, Object.keys(cases) as EventName[])).toEqual([]);
	});

	it('takes a push of any form with two requests', async () => {
		const { person, pushed, sent, sandbox } = await active();
		for (const form of ['wrapper', 'notification', 'bare'] as const) {
			sandbox.forgetRequests();
			const { Id } = person({});
			expect(await pushed({ form })).toMatchObject([
				{ WorkOrderId: Id, TypeId: 'Create', WorkOrder: { Id, Status: 'New' } },
			]);
			expect(sent()).toEqual(['WoActionLog', 'WorkOrder']);
		}
	});

	it.each([
		[
			'workOrderAction',
			{ command: 'WoPickUpCommand' },
			['WoActionLog', 'WoActionLogProp', 'WorkOrder', 'WorkOrder'],
		],
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
		expect(sent().sort()).toEqual([...requests].sort());
		expect(await pushed({ form: 'sample', again: true })).toEqual([]);
	});

	it('reads nothing for a push with the number of no order', async () => {
		const { receive, sent } = await active();
		const Data = { Number: 'NONE00001', TypeCategory: 'Request', WorkOrderCost: {} };
		expect(await receive({ Entities: [{ Data }] })).toEqual([]);
		expect(sent()).toEqual(['WorkOrder', 'WorkOrder']);
	});

	// Promise: A push answered with 200 is not dropped
	it.each<[string, (order: Row) => object]>([
		['ID', ({ Id }) => ({ WorkOrder: { Id } })],
		['number', () => ({ Number: 'SOON', TypeCategory: 'Request' })],
	])(
		'asks once more for a change that cannot be read yet, of an order by %s',
		async (_, toPush) => {
			const { person, push, receive, settled, sandbox, change, sent, ...webhook } = await active();
			const [order] = webhook.orders();
			await push([toPush(order), { WorkOrder: { Id: 7 } }]);
			await sandbox.waitFor(() => sent().includes('WoActionLog'));
			change('WorkOrder', order.Id, { Number: 'SOON' });
			person({ id: order.Id, note: 'late' });
			expect(await settled()).toMatchObject([{ WorkOrderId: order.Id, TypeId: 'Note' }]);
			expect(webhook.queriesOf('WoActionLog')).toHaveLength(2);
			await receive({ WorkOrder: { Id: order.Id } });
			expect(webhook.queriesOf('WoActionLog')).toHaveLength(4);
		},
	);

	it('returns both records of a push, one of which cannot be read yet', async () => {
		const { person, push, settled, sandbox, sent, ...webhook } = await active();
		const [early, late] = webhook.orders();
		person({ id: early.Id, note: 'early' });
		const done = push([{ WorkOrder: { Id: early.Id } }, { WorkOrder: { Id: late.Id } }]);
		await sandbox.waitFor(() => sent().includes('WoActionLog'));
		await done;
		person({ id: late.Id, note: 'late' });
		expect(idsOf(await settled(), 'WorkOrderId')).toEqual([early.Id, late.Id]);
	});

	it('reads earlier changes of a record whose push was lost', async () => {
		const { person, pushed, sandbox, url } = await active();
		const { Id } = person({});
		await sandbox.push({ url: `${url}/lost`, atOnce: 1 }).catch(() => []);
		person({ id: Id, command: 'WoPickUpCommand' });
		expect(idsOf(await pushed(), 'TypeId')).toEqual(['Create', 'PickUp']);
	});

	it('accepts pushes of records that were not chosen, and reads nothing', async () => {
		const { push, sent, executions } = await active({ event: 'noteAdded' });
		for (const body of [{ Customer: { Id: 5 } }, {}, [], '', 'null', '"ping"']) {
			expect(await push(body)).toEqual({ status: 200, text: 'Received' });
		}
		expect(sent()).toEqual([]);
		expect(executions).toEqual([]);
	});

	it('returns records of the chosen entity, the oldest of which is pushed last', async () => {
		const { receive, insert } = await active({ event: 'record', entity: byName('Contact') });
		const made = [1, 2, 3].map(() => insert('Contact', { LastName: 'Miller' }));
		for (const Id of made.reverse()) {
			expect(idsOf(await receive({ EntityType: 'Contact', EntityId: Id }))).toEqual([Id]);
		}
	});
});

describe('the webhook trigger returns each change once', () => {
	it('for each state of a record that changes between two pushes', async () => {
		const { person, pushed, ordersIn, receive, pass } = await active({ event: 'workOrderUpdated' });
		const [{ Id }] = ordersIn('New');
		person({ id: Id, command: 'WoPickUpCommand' });
		expect(await pushed()).toMatchObject([{ Id, Status: 'Open' }]);
		expect(await receive({ WorkOrder: { Id } })).toEqual([]);
		pass(1000);
		person({ id: Id, command: 'WoStartCommand' });
		expect(await pushed()).toMatchObject([{ Id, Status: 'In Progress' }]);
	});

	it('in two processes, if the first one has saved it before the second one gets the push', async () => {
		const { person, pushed, inNewProcess } = await active();
		const other = await inNewProcess();
		const { Id: first } = person({});
		expect(await pushed()).toHaveLength(1);
		const { Id: second } = person({});
		const items = await other.receive([
			{ WorkOrder: { Id: first } },
			{ WorkOrder: { Id: second } },
		]);
		expect(idsOf(items, 'WorkOrderId')).toEqual([second]);
		expect([...(await other.pushed()), ...(await pushed())]).toEqual([]);
	});

	/** Adds actions of one order, which a single push returns. */
	function logMany({ insert, orders }: Active, count: number) {
		const [{ Id: WorkOrderId }] = orders();
		for (let index = 0; index < count; index++) {
			const SystemDateUtc = new Date(Date.UTC(2031, 4, 5, 7) + index).toISOString();
			insert('WoActionLog', { WorkOrderId, TypeId: 'Message', SystemDateUtc });
		}
		return { WorkOrderId };
	}

	it('with a state of bounded size', async () => {
		const webhook = await active({ event: 'workOrderAction', returns: 'event' });
		const push = logMany(webhook, 11_000);
		webhook.pass(3_600_000);
		expect(new Set(idsOf(await webhook.receive(push))).size).toBe(11_000);
		const [{ known }] = Object.values(webhook.database.state) as IDataObject[];
		expect(unpackKeys(known).keys).toHaveLength(10_000);
		expect(JSON.stringify(webhook.database.state).length).toBeLessThan(100_000);
		expect(await webhook.receive(push)).toEqual([]);
	});

	it('and none from before another event was published, whatever was pushed before', async () => {
		const parameters = { event: 'noteAdded', returns: 'event' };
		const { person, pushed, receive, activate } = await active(parameters);
		person({ note: 'Bring a ladder' });
		expect(await pushed()).toHaveLength(1);
		expect(await receive({ Customer: { Id: 5 } })).toEqual([]);
		const { Id } = person({});
		parameters.event = 'workOrderAction';
		await activate('update');
		expect(await receive({ WorkOrderId: Id })).toEqual([]);
	});

	it.each([
		['while n8n runs', false],
		['as n8n starts', true],
	])(
		'and none that was left out before other actions were chosen, published %s',
		async (_, restarts) => {
			const picked = { event: 'workOrderAction', actionTypes: ['PickUp'], returns: 'event' };
			const { activate, pushed, inNewProcess, sandbox, orders, pass } = await active(picked);
			const [order] = orders();
			const act = (TypeId: string) => logAction(sandbox.world, order, { TypeId });
			act('Start');
			act('PickUp');
			expect(await pushed()).toMatchObject([{ TypeId: 'PickUp' }]);
			pass(60 * MINUTE);
			act('Note');
			pass(10 * MINUTE);
			expect(await pushed()).toEqual([]);
			pass(60 * MINUTE);
			act('Start');
			const edited = { actionTypes: ['Note', 'Start', 'PickUp'] };
			picked.actionTypes = edited.actionTypes;
			if (!restarts) await activate('update');
			const next = await inNewProcess(edited);
			if (restarts) await next.activate('init');
			act('Start');
			const found = await next.pushed({ again: true });
			expect(found).toMatchObject([{ TypeId: 'Start' }, { TypeId: 'Start' }]);
		},
	);

	it('of many of which only some could be read', async () => {
		const eventOnly = { event: 'workOrderAction', returns: 'event' };
		const webhook = await active(eventOnly, { mostRows: 100 });
		webhook.sandbox.fault(away('api', { status: 502, after: 4, times: 99 }));
		const found = await webhook.receive(logMany(webhook, 400));
		expect(found.length).toBeGreaterThan(0);
		expect(found.length).toBeLessThan(400);
		webhook.sandbox.clearFaults();
		found.push(...(await webhook.receive({ WorkOrderId: webhook.orders()[1].Id })));
		expect(new Set(idsOf(found)).size).toBe(400);
	});

	it('without parsing a long state again, even if pushes that come together get older copies', async () => {
		const webhook = await active({ event: 'workOrderAction', returns: 'event' });
		await webhook.receive(logMany(webhook, 2000));
		const made = Array.from({ length: 20 }, () => webhook.person({}).Id);
		const parsed = jest.spyOn(Date, 'parse');
		await Promise.all(made.map(async (WorkOrderId) => await webhook.push({ WorkOrderId })));
		expect(await webhook.settled()).toHaveLength(20);
		expect(parsed.mock.calls.length).toBeLessThan(2000);
	});
});

// Promise: A clock of the Company that is ahead when a trigger is published hides nothing afterwards
describe.each(['this process', 'a new process'])('pushes that %s reads', (reader) => {
	const DAY = 24 * 60 * MINUTE;
	it.each([20 * MINUTE, 2 * 60 * MINUTE, 30 * DAY])(
		'start the workflow where it was published while the clock of Corrigo was %d ms ahead',
		async (lead) => {
			const company = await openCompany({ workOrders: 3 }, Date.now());
			const { sandbox, person, pass, setClock, orders } = company;
			const note = (index: number) => person({ id: orders()[index].Id, note: 'Bring a ladder' });
			setClock(lead);
			note(0);
			const first = await startListener(sandbox, { event: 'workOrderAction' });
			await first.activate('activate');
			pass(MINUTE);
			note(1);
			const ahead = idsOf(await first.pushed(), 'WorkOrderId');
			setClock(-lead);
			pass(MINUTE);
			const { database } = first;
			const { CorrigoWebhookTrigger: node } = await loadNodes();
			const second =
				reader === 'this process'
					? first
					: await startListener(sandbox, { event: 'workOrderAction' }, { database, node });
			note(2);
			const found = idsOf(await second.pushed(), 'WorkOrderId');

			expect(ahead).toEqual([orders()[1].Id]);
			expect(found).toContain(orders()[2].Id);
			expect(second.warnings.join()).toContain("ahead of Corrigo's clock");
			expect(await second.pushed()).toEqual([]);
		},
	);
});

describe('the webhook trigger with delivery at least once', () => {
	const options = { delivery: 'atLeastOnce' };
	const parameters = { event: 'workOrderAction', returns: 'event', options };

	// Promise: With *At Least Once*, a change that a kill cut off comes when it is pushed again
	it('returns the last changes again when they are pushed to a new process, with equal keys', async () => {
		const { person, pushed, inNewProcess, receive } = await active(parameters);
		const made = [person({}).Id];
		const items = await pushed();
		made.push(person({}).Id);
		items.push(...(await pushed()));
		const repeated = made.map((WorkOrderId) => ({ WorkOrderId }));
		expect(await receive(repeated)).toEqual([]);

		const next = await inNewProcess();
		await next.activate('init');
		const { Id } = person({});
		expect(idsOf(await next.receive({ WorkOrderId: Id }), 'WorkOrderId')).toEqual([Id]);
		expect(await next.receive(repeated)).toEqual(items);
		expect(await next.receive(repeated)).toEqual([]);
	});

	it('returns no change from before the activation', async () => {
		const { orders, inNewProcess, receive } = await active(parameters);
		const next = await inNewProcess();
		const all = orders().map(({ Id }) => ({ WorkOrderId: Id }));
		expect(await receive(all)).toEqual([]);
		expect(await next.receive(all)).toEqual([]);
	});

	it('returns changes that were read when n8n is shutting down', async () => {
		const { person, sandbox, url, shutDown, settled, inNewProcess } = await active(parameters);
		person({});
		sandbox.set({ latencyMs: 100 });
		await sandbox.push({ url });
		shutDown();
		const items = await settled();
		expect(items).toHaveLength(1);
		// n8n may have been too late to start the execution.
		const next = await inNewProcess();
		expect(await next.receive({ WorkOrderId: 1 })).toEqual(items);
	});
});

describe('the webhook trigger, when n8n is shutting down,', () => {
	const parameters = { event: 'workOrderAction', returns: 'event' };

	// Promise: A push answered with 200 is not dropped
	it('marks nothing as returned that may not be executed', async () => {
		const { person, sandbox, url, shutDown, settled, database, ...webhook } =
			await active(parameters);
		const { Id } = person({});
		sandbox.set({ latencyMs: 100 });
		const getPlace = () => {
			const [{ edge, newest, known }] = Object.values(database.state) as IDataObject[];
			return [edge, newest, known];
		};
		const before = getPlace();
		expect(await sandbox.push({ url })).toMatchObject([{ status: 200 }]);
		shutDown();
		expect(await settled()).toEqual([]);
		expect(getPlace()).toEqual(before);

		// What was answered with 200 is read with the first push after the restart, of any record.
		const next = await webhook.inNewProcess();
		expect(idsOf(await next.receive({ WorkOrderId: 1 }), 'WorkOrderId')).toEqual([Id]);
		expect(await next.receive({ WorkOrderId: Id })).toEqual([]);
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

// Promise: A forged push adds nothing to a workflow
it('a forged push causes two reads at most, and adds nothing to an item', async () => {
	const { receive, sent, person } = await active();
	expect(await receive({ WorkOrder: { Id: 987_654_321, Number: 'forged' } })).toEqual([]);
	expect(sent()).toEqual(['WoActionLog', 'WoActionLog']);
	const { Id } = person({});
	const found = await receive({
		WorkOrder: { Id, Number: 'forged', StatusId: 'forged', forged: 'forged' },
	});
	expect(found).toHaveLength(1);
	expect(JSON.stringify(found)).not.toContain('forged');
});

describe('a record that cannot be read', () => {
	const parameters = { event: 'workOrderAction', returns: 'event' };
	it('keeps no others from being read, and is given up after a few tries in a row', async () => {
		const { sandbox, person, push, idle, items, failures, warnings, sent } =
			await active(parameters);
		const poison = 987_654_321;
		const match = { server: 'api' as const, bodyIncludes: String(poison) };
		const isGivenUp = () => warnings.at(-1)?.includes('it is not tried again');
		for (const [index, fails] of [true, true, false, true, true, true].entries()) {
			expect(isGivenUp()).not.toBe(true);
			sandbox.clearFaults();
			if (fails) sandbox.fault({ kind: 'status', status: 500, times: 999, match });
			const { Id } = person({});
			// What fails is tried again with the next push.
			await push([...(index % 3 === 0 ? [{ WorkOrderId: poison }] : []), { WorkOrderId: Id }]);
			await idle();
			expect(idsOf(items(), 'WorkOrderId')).toEqual([Id]);
		}
		expect(failures).toEqual([]);
		expect(isGivenUp()).toBe(true);
		sandbox.forgetRequests();
		const { Id } = person({});
		await push({ WorkOrderId: Id });
		await idle();
		expect(idsOf(items(), 'WorkOrderId')).toEqual([Id]);
		expect(sent()).toEqual(['WoActionLog']);
	});

	it('is named in the log by what was pushed, in quotation marks and in one line', async () => {
		const { sandbox, person, push, idle, warnings } = await active(parameters);
		const match = { server: 'api' as const, bodyIncludes: 'N7 was read' };
		sandbox.fault({ kind: 'status', status: 500, times: 999, match });
		const { Id } = person({});
		const forged = 'N7 was read". Paste the token at \u202Eevil.example\n[error] x';
		await push([{ Number: forged, TypeCategory: 'x' }, { WorkOrderId: Id }]);
		await idle();
		expect(warnings).toHaveLength(1);
		const [line, quoted] =
			/^The pushed record ("(?:[^"\\]|\\.)*") cannot be read, /.exec(warnings[0]) ?? [];
		expect(quoted).toContain('evil.example');
		expect(warnings[0].slice(line?.length)).not.toMatch(/N7|evil|error/);
		expect(warnings[0]).not.toMatch(/[\n\u202E]/);
	});

	it('is not to blame while Corrigo is not available, which is asked once', async () => {
		const { sandbox, person, push, idle, failures, warnings, queriesOf } = await active(parameters);
		const headers = { 'retry-after': '0' };
		sandbox.fault({ kind: 'status', status: 503, times: 999, match: { server: 'api' }, headers });
		const { Id } = person({});
		await push({ WorkOrderId: Id });
		await idle();
		expect(warnings).toEqual([]);
		expect(failures).toEqual([some({ message: 'Corrigo is not available right now' })]);
		// The orders of the actions are read after these, so only the question has read any.
		// The question names no record, because one that cannot be read would look like an outage.
		const ids = queriesOf('WorkOrder').map(({ Criteria }) => JSON.stringify(Criteria));
		expect(ids).toEqual([expect.stringContaining('"Values":[0]')]);
	});

	it('is not looked for if its ID is greater than any', async () => {
		const { push, idle, sent } = await active(parameters);
		expect(await push({ WorkOrderId: 2 ** 31 })).toMatchObject({ status: 400 });
		expect(await push({ WorkOrderId: '99999999999' })).toMatchObject({ status: 400 });
		await idle();
		expect(sent()).toEqual([]);
	});
});

describe('a signature', () => {
	const KEY = 'a key of up to 64 characters';
	const hmac = (header: string, algorithm = 'sha1', encoding = 'hex') => ({
		event: 'workOrderAction',
		signature: 'hmac',
		signatureHeader: header,
		signatureAlgorithm: algorithm,
		signatureEncoding: encoding,
	});
	const learn = { event: 'workOrderAction', signature: 'learn' };
	const ways = [
		{ header: 'X-Corrigo-Signature', algorithm: 'sha256', encoding: 'hex', prefix: 'sha256=' },
		{ header: 'X-Hub-Signature', algorithm: 'sha1', encoding: 'hex', prefix: '' },
		{ header: 'Authorization', algorithm: 'sha512', encoding: 'base64', prefix: '' },
	] as const;
	/** The words of the form. */
	const LABELS = {
		...{ sha1: 'SHA-1', sha256: 'SHA-256', sha512: 'SHA-512' },
		...{ base64: 'Base64', hex: 'Hex' },
	};

	// Promise: A forged push adds nothing to a workflow
	it.each(ways)(
		'in header $header, by $algorithm as $encoding, is checked before anything is read',
		async (way) => {
			const { person, pushed, sandbox, url, failures, executions } = await active(
				hmac(way.header, way.algorithm, way.encoding),
				{ credentials: { useWebhook: true, signingSecret: KEY } },
			);
			const signed = { key: KEY, ...way };
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
		const [way] = ways;
		const { person, pushed } = await active(hmac(way.header, way.algorithm), {
			credentials: { useWebhook: true, signingSecret: ' new\n', formerSigningSecret: 'old ' },
		});
		// A key may have been copied with blanks, or chosen with one.
		for (const key of ['old', 'old ', 'new']) {
			person({});
			expect(await pushed({ signed: { key, ...way } })).toHaveLength(1);
		}
	});

	it.each(ways)('is recognized from a test event: $header, $algorithm, $encoding', async (way) => {
		const { sandbox, person } = await active();
		const test = await startListener(sandbox, learn, {
			credentials: { useWebhook: true, signingSecret: 'another', formerSigningSecret: KEY },
			mode: 'manual',
		});
		await test.activate('manual');
		person({});
		const [report] = await test.pushed({ signed: { key: KEY, ...way } });
		expect(report.Fits).toEqual([
			{
				Header: way.header.toLowerCase(),
				Algorithm: LABELS[way.algorithm],
				Encoding: LABELS[way.encoding],
				SignedBy: 'Former Signing Key',
			},
		]);
		expect(JSON.stringify(report)).not.toContain(KEY);
	});

	it('that matches no key is reported, and so is a missing key', async () => {
		const { sandbox } = await active();
		const made = createHmac('sha256', 'another').update('{}').digest('hex');
		const reports: IDataObject[] = [];
		for (const credentials of [{ useWebhook: true, signingSecret: KEY }, {}]) {
			const test = await startListener(sandbox, learn, { credentials, mode: 'manual' });
			reports.push(...(await test.receive({}, { 'x-signature': made })));
		}
		expect(reports).toMatchObject([
			{ Fits: [], Advice: expect.stringMatching(/^No header has/) as string },
			{ Fits: [], Advice: expect.stringMatching(/^Enter the key/) as string },
		]);
		expect(reports[0].Headers).toContain('x-signature');
	});

	it.each<[string, object]>([
		["'Signature' is Learn, which is for test events only", learn],
		["'Signing Key' is empty in the Corrigo credential", hmac('X')],
		["'Header' is empty", { signature: 'hmac' }],
		['\'Header\' is "X Signature", which is not a header name', hmac('X Signature')],
		['\'Algorithm\' must be one of sha1, sha256, sha512, but it is "md5"', hmac('X', 'md5')],
		["'Statuses' is empty", { event: 'workOrderEnteredStatus' }],
		[
			"'Trigger On' is Work Order Due Soon or Overdue, of which nothing is pushed",
			{ event: 'workOrderDeadline' },
		],
		[
			"'Trigger On' is Record Added, Edited or Deleted (by Comparison), of which nothing is pushed",
			{ event: 'recordEdited' },
		],
		[
			"'Events' has Note Added, which this trigger does not combine with others",
			{ event: 'severalEvents', events: ['workOrderCreated', 'noteAdded'] },
		],
	])('or another invalid setting is rejected on activation: %s', async (message, parameters) => {
		const { sandbox } = await openCompany({});
		const one = await startListener(sandbox, { event: 'workOrderAction', ...parameters });
		await expect(one.activate()).rejects.toThrow(message);
	});

	it('cannot be learned by an active workflow, whose change a person publishes', async () => {
		const { sandbox } = await openCompany({});
		const one = await startListener(sandbox, learn);
		await expect(one.activate('update')).rejects.toThrow("'Signature' is Learn");
	});
});

describe('the answer to a push', () => {
	const WRONG_TYPE = 'The body must be JSON, with the Content-Type application/json';
	const tooMany = Array.from({ length: 1001 }, (_, index) => ({ Id: index + 1 }));

	it.each([
		[413, 'The body is larger than 1 MB', { x: 'x'.repeat(1024 * 1024) }, undefined],
		[413, 'The body names more than 1000 records', tooMany, undefined],
		[413, 'The body has more than 20000 values', Array(10_001).fill({}), undefined],
		[415, WRONG_TYPE, '<x/>', 'application/xml'],
		[415, WRONG_TYPE, '{"Id":5}', 'x-application/json'],
		[415, WRONG_TYPE, 'Id=5', 'application/x-www-form-urlencoded'],
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
			const { receive, person } = await active();
			const body = `\uFEFF{"WorkOrderId":${String(person({}).Id)}}`;
			expect(await receive(body, { 'content-type': type })).toHaveLength(1);
		},
	);
});

describe('the webhook trigger, when Corrigo is unavailable,', () => {
	const unavailable = away('api', { status: 502 });

	it('fails, and reads the pushed records with the next push', async () => {
		const { sandbox, person, url, idle, failures, pushed } = await active();
		const { Id: first } = person({});
		sandbox.fault({ ...unavailable, times: 99 });
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

	it.each<[string, Fault, string]>([
		['is away', unavailable, 'not available'],
		['refuses', away('api', { status: 403 }), 'refused'],
		['has no such page', away('api', { kind: 'html', status: 404 }), 'refused'],
	])(
		'fails an activation by a person where Corrigo %s, and lets n8n start',
		async (_, fault, message) => {
			const { sandbox, person } = await openCompany({});
			const one = await startListener(sandbox, { event: 'workOrderAction' });
			sandbox.fault(fault);
			await expect(one.activate('activate')).rejects.toThrow(message);
			sandbox.clearFaults();
			sandbox.fault(fault);
			await one.activate('init');
			expect(one.database.state).toEqual({});
			sandbox.clearFaults();
			const { Id } = person({});
			await one.activate('activate');
			expect(await one.receive({ WorkOrderId: Id })).toEqual([]);
		},
	);

	/** An n8n that has started while Corrigo was away. */
	async function startedAway(parameters: object, activatesHere = true) {
		const company = await openCompany({});
		const { sandbox } = company;
		const one = await startListener(sandbox, parameters);
		sandbox.fault(unavailable);
		if (activatesHere) await one.activate('init');
		sandbox.clearFaults();
		return { ...company, ...one };
	}

	// Promise: The first push counts, even if n8n started without Corrigo
	it.each<[string, object, string[]]>([
		['an action', { event: 'workOrderAction', returns: 'event' }, ['WoActionLog', 'WoActionLog']],
		['an order', { event: 'workOrderCreated' }, ['WorkOrder', 'WorkOrder']],
		['a note', { event: 'noteAdded', returns: 'event' }, ['WoNote', 'WoNote', 'WoNote']],
	])(
		'as n8n starts, loses no push: it returns %s of the five minutes before the first one',
		async (_, parameters, requests) => {
			const { sandbox, person, pass, receive, read } = await startedAway(parameters);
			const { Id: old } = person({ note: 'before' });
			pass(90_000);
			const { Id } = person({ note: 'Bring a ladder' });
			pass(240_000);
			sandbox.forgetRequests();
			const both = [{ WorkOrder: { Id: old } }, { WorkOrder: { Id } }];
			const found = await receive(both);
			expect(new Set(found.map((item) => item.WorkOrderId ?? item.Id))).toEqual(new Set([Id]));
			// Nothing is new of one of both records, so both are read again before anything is returned.
			expect(read()).toEqual([...requests, ...requests]);
			expect(await receive(both)).toEqual([]);
		},
	);

	it.each([
		[1, true],
		[10, true],
		[60, false],
	])(
		'loses no push if Corrigo comes back %i minutes after the first one (in the process that activates: %s)',
		async (minutes, activatesHere) => {
			const eventOnly = { event: 'workOrderAction', returns: 'event' };
			const { sandbox, person, pass, push, idle, failures, receive } = await startedAway(
				eventOnly,
				activatesHere,
			);
			const { Id } = person({});
			sandbox.fault({ ...unavailable, times: 999 });
			const now = jest.spyOn(performance, 'now');
			const begun = performance.now();
			await push({ WorkOrder: { Id } });
			await idle();
			failures.splice(0);
			sandbox.clearFaults();
			pass(minutes * 60_000);
			now.mockImplementation(() => begun + minutes * 60_000);
			const { Id: other } = person({});
			const found = await receive({ WorkOrder: { Id: other } });
			now.mockRestore();
			expect(idsOf(found, 'WorkOrderId').sort()).toEqual([Id, other].sort());
		},
	);

	it('returns nothing from before another event was published after a repair', async () => {
		const parameters = { event: 'noteAdded', returns: 'event' };
		const { sandbox, person, activate, receive } = await startedAway(parameters);
		sandbox.clearFaults();
		await activate('update');
		const { Id } = person({});
		parameters.event = 'workOrderAction';
		await activate('update');
		expect(await receive({ WorkOrderId: Id })).toEqual([]);
	});

	// Promise: A push answered with 200 is not dropped
	it('loses no push that waits when n8n repairs the activation, even after another failure', async () => {
		const { sandbox, person, pass, push, idle, failures, activate, pushed } = await startedAway({
			event: 'workOrderAction',
			returns: 'event',
		});
		const { Id } = person({});
		sandbox.fault({ ...unavailable, times: 999 });
		const now = jest.spyOn(performance, 'now');
		const begun = performance.now();
		await push({ WorkOrder: { Id } });
		await idle();
		expect(failures.splice(0)).toHaveLength(1);
		for (const minutes of [10, 20]) {
			pass(600_000);
			now.mockImplementation(() => begun + minutes * 60_000);
			if (minutes === 20) sandbox.clearFaults();
			await activate('update');
		}
		const found = await pushed();
		now.mockRestore();
		expect(idsOf(found, 'WorkOrderId')).toEqual([Id]);
	});

	it('as n8n starts, loses no push of a record without a time: it returns the last ninety', async () => {
		const { insert, receive } = await startedAway({ event: 'record', entity: byName('Contact') });
		const made = Array.from({ length: 102 }, () => insert('Contact', { LastName: 'Miller' }));
		const items = await receive(made.map((EntityId) => ({ EntityType: 'Contact', EntityId })));
		expect(idsOf(items)).toEqual(made.slice(-90));
	});

	it('lets n8n start without a request where there is a state', async () => {
		const { sandbox, activate, sent } = await active();
		sandbox.fault(unavailable);
		await activate('init');
		expect(sent()).toEqual([]);
	});
});

it('a test event shows the newest changes of the pushed records each time, and does not move the cursor', async () => {
	const { sandbox, person, pushed, orders } = await active();
	const test = await startListener(sandbox, { event: 'workOrderAction' }, { mode: 'manual' });
	await test.activate('manual');
	const { Id } = person({});
	for (let count = 0; count < 2; count++) {
		const [item] = await test.receive({ WorkOrder: { Id } });
		expect(item).toMatchObject({ WorkOrderId: Id, TypeId: 'Create' });
		expect(item.ChangeKey).toMatch(/^Test WoActionLog \d+ /);
	}
	const [old] = orders();
	expect(await test.receive({ WorkOrder: { Id: old.Id } })).not.toEqual([]);
	expect(test.database.state).toEqual({});
	expect(await pushed()).toHaveLength(1);
});
