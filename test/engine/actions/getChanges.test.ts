/** Get Changes returns what Corrigo Trigger would have returned between two times. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { Corrigo } from '../../../nodes/Corrigo/Corrigo.node';
import {
	isOfAnyEntity,
	isPushed,
	listEventNames,
	type EventName,
} from '../../../nodes/Corrigo/trigger/events';
import type { Row } from '../../../sandbox';
import { logAction } from '../../../sandbox/base/actionLog';
import { SERVICE_USER } from '../../../sandbox/seed/lookups';
import type { Values } from '../../../sandbox/store/store';
import { activate, type Active } from '../../support/activeTrigger';
import { byId, connectEngine, idsOf, jsonOf, rejection, where } from '../../support/company';
import { forLoggedEvents, listMissingKinds } from '../../support/loggedEvents';
import type { Engine, RunOptions } from '../../support/engine';

const SECOND = 1000;
const BEGIN = '2031-05-05T00:00:00';

let active: Active;
let engine: Engine;

async function start(parameters: object = {}) {
	active = await activate({ options: { delivery: 'atLeastOnce' }, ...parameters });
	engine = connectEngine(active.sandbox, { corrigo: Corrigo });
}

const buildForm = (parameters: object) =>
	({ operation: 'getChanges', from: BEGIN, ...parameters }) as INodeParameters;

const run = async (parameters: object, more: RunOptions = {}) =>
	await engine.run({ parameters: buildForm(parameters), ...more });

async function changes(parameters: object): Promise<IDataObject[]> {
	const { items, error } = await run(parameters);
	if (error !== undefined) throw error as unknown as Error;
	return jsonOf(items);
}

const form = { event: 'workOrderAction', returns: 'event' };
const utc = (ms: number) => new Date(ms).toISOString();
const [COLLEAGUE, VENDOR] = ['Employee', 'Provider'].map((TypeId) => ({ Id: 7, TypeId }));

function log(order: Row, members: Values): number {
	active.pass(SECOND);
	return Number(logAction(active.sandbox.world, order, { TypeId: 'Message', ...members })?.Id);
}

type Happens = (order: Row, Actor: Values) => unknown;

const logged =
	(...types: string[]): Happens =>
	(order, Actor) =>
		types.map((TypeId) => log(order, { Actor, TypeId }));

const now = () => utc(active.pass(SECOND));
const buildDocument = (ActorId: number) => ({ ActorTypeId: 'WO', ActorId });
const cases: Partial<Record<EventName, { happens: Happens; and?: object }>> = {
	...forLoggedEvents((...types) => ({ happens: logged(...types, 'Message') })),
	documentAdded: {
		happens: ({ Id }, UpdatedBy) =>
			active.insert('Document', { ...buildDocument(Id), UpdatedBy, UpdatedDate: now() }),
	},
	invoiceEnteredApStatus: { happens: logged('APInvStatus', 'APInvStatus') },
	noteAdded: {
		happens: ({ Id: WorkOrderId }, CreatedBy) =>
			active.insert('WoNote', { WorkOrderId, CreatedBy, CreatedDate: now() }),
	},
	vendorCheckedIn: { happens: logged('Start', 'Stop') },
	vendorCheckedOut: { happens: logged('Start', 'Stop') },
	workOrderAction: { happens: logged('Message', 'Start'), and: { actionTypes: ['Start'] } },
	workOrderCreated: { happens: () => (now(), active.person({})) },
	workOrderEnteredStatus: { happens: logged('OnHold', 'Note'), and: { statuses: ['OnHold'] } },
	workOrderUpdated: { happens: logged('Message', 'Start') },
};

it('every kind of event of work orders has a case, except deadlines', () => {
	const known = listEventNames((event) => isPushed(event) && !isOfAnyEntity(event));
	expect(listMissingKinds(known, Object.keys(cases) as EventName[])).toEqual([]);
});

const forms: object[] = [
	{},
	{ returns: 'record', output: 'selected', properties: ['Id', 'Number'], ignoreApi: true },
	{ returns: 'event', ignoreChangesBy: { values: [{ employee: byId(SERVICE_USER.Id) }] } },
	where('Id', '50003', 'LessThan'),
];

// Promise: *Get Changes* returns what the trigger returned
it.each(
	Object.entries(cases).map(([event, one], index) => ({ event, one, other: 1 + (index % 3) })),
)('$event is replayed as the trigger returned it', async ({ event, one, other }) => {
	await start({ event, ...one.and });
	// Every event without choices, and the choices in turn.
	for (const form of process.env.FULL ? forms : [forms[0], forms[other]]) {
		await active.poll(form);
		const from = utc(active.pass(SECOND));
		const [first, second] = active.orders();
		for (const Actor of [COLLEAGUE, VENDOR, SERVICE_USER]) {
			one.happens(first, Actor);
			one.happens(second, Actor);
		}
		const items = await active.poll(form);
		expect(await changes({ event, ...one.and, ...form, from })).toEqual(items);
		if (form === forms[0]) expect(items).not.toEqual([]);
	}
});

describe('a window', () => {
	const logEvery = (count: number) => {
		const [order] = active.orders();
		return Array.from({ length: count }, () => ({ at: active.now() + SECOND, id: log(order, {}) }));
	};

	it('includes its first time and not its last, so that the next one goes on without a gap', async () => {
		await start();
		const made = logEvery(9);
		const part = async (from: number, until: number) =>
			idsOf(await changes({ ...form, from: utc(made[from].at), until: utc(made[until].at) }));
		const ids = made.map(({ id }) => id);
		expect(await part(0, 3)).toEqual(ids.slice(0, 3));
		expect(await part(3, 8)).toEqual(ids.slice(3, 8));
		expect(idsOf(await changes({ ...form, from: utc(made[8].at) }))).toEqual([ids[8]]);
	});

	it('takes times without a zone as UTC, and texts, dates and times of expressions alike', async () => {
		await start();
		const made = logEvery(3);
		const second = utc(made[1].at);
		for (const from of [
			second.slice(0, 19),
			second.replace('Z', '+00:00'),
			utc(made[1].at + 2 * 3_600_000).replace('Z', '+02:00'),
			`={{ new Date("${second}") }}`,
			`={{ DateTime.fromISO("${second}") }}`,
		]) {
			expect(idsOf(await changes({ ...form, from }))).toEqual(made.slice(1).map(({ id }) => id));
			expect(idsOf(await changes({ ...form, until: from }))).toEqual([made[0].id]);
		}
	});

	it('ends with the last change where it has no end, or one in the future', async () => {
		await start();
		const ids = logEvery(2).map(({ id }) => id);
		expect(idsOf(await changes(form))).toEqual(ids);
		expect(idsOf(await changes({ ...form, until: '2099-01-01' }))).toEqual(ids);
		expect(await changes({ ...form, from: '2098-01-01', until: '2099-01-01' })).toEqual([]);
	});

	it('has the last change of each order in it, also if more followed, and each of an invoice', async () => {
		await start();
		const [first, second] = active.orders();
		const from = utc(active.pass(SECOND));
		log(first, { TypeId: 'APInvStatus' });
		log(second, { TypeId: 'APInvStatus' });
		const last = log(first, { TypeId: 'APInvStatus' });
		const at = `${utc(active.now()).slice(0, 19)}.0000000`;
		const until = utc(active.pass(SECOND));
		log(first, { TypeId: 'APInvStatus' });
		log(second, { TypeId: 'Message' });
		const inWindow = { from, until };
		const updated = await changes({ event: 'workOrderUpdated', ...inWindow });
		expect(idsOf(updated)).toEqual([second.Id, first.Id]);
		expect(idsOf(updated, 'ChangeKey')[1]).toBe(`WorkOrder ${first.Id} ${at}`);
		const entered = { event: 'invoiceEnteredApStatus', returns: 'event' };
		const invoices = await changes({ ...entered, ...inWindow });
		expect(invoices).toHaveLength(3);
		expect(idsOf(invoices, 'ChangeKey')[2]).toBe(`WoActionLog ${last} ${at}`);
	});

	it('leaves out actions of no order from updated orders', async () => {
		await start();
		log(active.orders()[0], {});
		const SystemDateUtc = utc(active.now());
		for (const WorkOrderId of [null, 0]) {
			active.insert('WoActionLog', { WorkOrderId, TypeId: 'Message', SystemDateUtc });
		}
		expect(idsOf(await changes({ event: 'workOrderUpdated' }))).toEqual([active.orders()[0].Id]);
	});

	it('has documents by their last change', async () => {
		await start();
		const add = (UpdatedDate: string) =>
			active.insert('Document', { ...buildDocument(1), UpdatedDate });
		const [before, within] = ['2031-05-05T23:59:59.99', '2031-05-06T00:00:00'].map(add);
		add('2031-05-07T00:00:00');
		const window = { from: '2031-05-06', until: '2031-05-07' };
		const day = { event: 'documentAdded', returns: 'event', ...window };
		expect(idsOf(await changes(day))).toEqual([within]);
		active.change('Document', before, { UpdatedDate: '2031-05-06T12:00:00' });
		expect(idsOf(await changes(day))).toEqual([before, within]);
	});
});

it('applies filters to the orders as they are now, by the clock of Corrigo', async () => {
	await start();
	const [first, second] = active.orders();
	log(first, {});
	log(second, {});
	active.change('WorkOrder', second.Id, { StatusId: 'OnHold', DueDateUtc: '2098-01-01' });
	active.change('WorkOrder', first.Id, { StatusId: 'New', DueDateUtc: BEGIN });
	const records = { event: 'workOrderAction', returns: 'record' };
	const onHold = { filters: { status: ['OnHold'] } };
	expect(idsOf(await changes({ ...records, ...onHold }))).toEqual([second.Id]);
	// This machine is years behind.
	expect(idsOf(await changes({ ...records, filters: { overdue: true } }))).toEqual([first.Id]);
});

describe('thousands of changes', () => {
	const COUNT = 9000;
	beforeEach(async () => {
		await start();
		const [{ Id: WorkOrderId }] = active.orders();
		for (let index = 0; index < COUNT; index++) {
			// More of one second than fit on a page.
			const SystemDateUtc = index < 4500 ? '2031-05-05T01:00:00' : utc(active.pass(10));
			active.insert('WoActionLog', { WorkOrderId, TypeId: 'Note', SystemDateUtc });
		}
		active.sandbox.forgetRequests();
	});

	it('are all returned, once and in order, in pages', async () => {
		const items = await changes(form);
		expect(items).toHaveLength(COUNT);
		expect(new Set(idsOf(items, 'ChangeKey')).size).toBe(COUNT);
		expect(idsOf(items)).toEqual([...idsOf(items)].sort((a, b) => Number(a) - Number(b)));
		// A page of one second is read again by ID.
		expect(active.read().length).toBeLessThanOrEqual(7);
	});

	// Promise: *Get Changes* returns what the trigger returned
	it('are returned completely or not at all', async () => {
		const body = { ErrorCode: 'BUSINESS_LOGIC_ERROR', ErrorMessage: 'Not today' };
		const broken = rejection('WoActionLog', body, { after: 2 });
		active.sandbox.fault(broken);
		expect(await changes(form)).toHaveLength(COUNT);
		active.sandbox.clearFaults();
		active.sandbox.fault({ ...broken, times: 99 });
		const { error, items } = await run(form);
		expect(error?.message).toContain('Not today');
		expect(items).toEqual([]);
	});

	it('are no longer read once the run is stopped', async () => {
		active.sandbox.fault(rejection('WoActionLog', {}, { kind: 'hang', after: 1, times: 9 }));
		const started = engine.start({ parameters: buildForm(form) });
		await active.sandbox.waitFor(() => active.read().length === 2);
		started.cancel();
		const { items, status } = await started.finished;
		expect([items, status]).toEqual([[], 'canceled']);
		expect(active.read()).toHaveLength(2);
	});
});

describe('wrong input', () => {
	it.each<[string, object, string]>([
		['no beginning', { from: '={{ "" }}' }, "'From'"],
		['an end that is no time', { until: '2031-02-30' }, "'Until'"],
		['an end before the beginning', { until: '2031-05-04' }, "'Until' is not after 'From'"],
		['an empty window', { until: BEGIN }, "'Until' is not after 'From'"],
		[
			'no statuses',
			{ event: 'workOrderEnteredStatus', statuses: '={{ [] }}' },
			"'Statuses' is empty",
		],
	])('is refused before anything is sent: %s', async (_, form, message) => {
		await start();
		const { error } = await run(form);
		expect(error?.message).toContain(message);
		expect(active.sandbox.requests).toEqual([]);
	});
});
