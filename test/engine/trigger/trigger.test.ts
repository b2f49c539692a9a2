import type { IDataObject, WorkflowActivateMode } from 'n8n-workflow';

import { summaries } from '../../../nodes/Corrigo/catalogue/summaries';
import type { Fault, Row, SandboxOptions } from '../../../sandbox';
import {
	activate,
	away,
	DURABLE,
	loadNodes,
	OLD_HOST,
	openCompany,
	type Active,
} from '../../support/activeTrigger';
import {
	CREDENTIAL,
	byId,
	byName,
	idsOf,
	jsonOf,
	rejection,
	where,
	withShortPauses,
} from '../../support/company';

const MINUTE = 60_000;

let active: Active;

const start = async (parameters: object, options?: SandboxOptions) => {
	active = await activate(parameters, options);
	return active;
};

const startOn = async (event: string, parameters: object = {}, options?: SandboxOptions) =>
	await start({ event, ...parameters }, options);

/** Starts on an event, and polls once, so that the next poll has what happens from now on. */
const watch = async (...on: Parameters<typeof startOn>) => {
	await (await startOn(...on)).poll();
	return active;
};

const insert = (...row: Parameters<Active['insert']>) => active.insert(...row);

/** Makes orders a second apart, and returns their IDs. */
const createOrders = (length: number) =>
	Array.from({ length }, () => {
		active.pass(1000);
		return active.person({}).Id;
	});

const newOrders = () => active.ordersIn('New');

const pickUp = (id: number) => active.person({ id, command: 'WoPickUpCommand' });

const PO_X = { PropertyName: 'PoNumber', Operator: 'Equal', Values: ['X'] };

const since = (startTime: string) => ({ startFrom: 'time', startTime });

const contacts = { entity: byName('Contact') };

const GOES_ON = expect.stringContaining('The next poll goes on from the same place.') as unknown;

/** The next poll returns these records in this order, and the poll after it returns nothing. */
async function expectOnce(ids: unknown[], parameters?: object) {
	expect(idsOf(await active.poll(parameters))).toEqual(ids);
	expect(await active.poll(parameters)).toEqual([]);
}

describe('Work Order Created', () => {
	it('returns each order created since the activation once, with names', async () => {
		const { poll, person, sent, pass } = await startOn('workOrderCreated');
		expect(await poll()).toEqual([]);
		expect(sent()).toBe(1);
		expect(await poll()).toEqual([]);
		expect(sent()).toBe(1);

		const first = person({});
		pass(MINUTE);
		const second = person({});
		const items = await poll();
		expect(idsOf(items)).toEqual([first.Id, second.Id]);
		expect(items[0]).toMatchObject({
			Number: first.Number,
			Status: 'New',
			Customer: { DisplayAs: expect.any(String) as unknown },
		});
		expect(sent()).toBe(1);
		expect(await poll()).toEqual([]);
	});

	it('returns no order from before the activation when filters are widened later', async () => {
		const narrow = { filters: { customer: byId(7_777_777) } };
		const { poll, person } = await startOn('workOrderCreated');
		expect(await poll(narrow)).toEqual([]);
		const { Id } = person({});
		expect(await poll(narrow)).toEqual([]);
		await expectOnce([Id]);
	});

	const createdFrom = (time: string) =>
		idsOf(active.orders().filter((order) => String(order.CreatedDateUtc) >= time));

	it('starts at the given start time, and over at another one', async () => {
		await startOn('workOrderCreated', since('2025-06-25T12:00:00+02:00'));
		const later = createdFrom('2025-06-25T10:00:00');
		const all = createdFrom('2025-06-20');
		expect(later.length).toBeGreaterThan(0);
		expect(all.length).toBeGreaterThan(later.length);
		await expectOnce(later);
		await expectOnce(all, since('2025-06-20'));
	});

	it('does not start over when the start time is an expression', async () => {
		const time = '={{ new Date(1750000000000 + 1000 * Math.random()).toISOString() }}';
		const { poll, person } = await startOn('workOrderCreated', since(time));
		expect((await poll()).length).toBeGreaterThan(5);
		expect(await poll()).toEqual([]);
		const { Id } = person({});
		expect(idsOf(await poll())).toEqual([Id]);
	});

	it('sends filters and conditions to Corrigo', async () => {
		const { poll, person, orders } = await startOn('workOrderCreated', {
			filters: { customer: byId('=') },
		});
		const [{ Customer: customer, WorkZone: zone }] = orders();
		const and = {
			filters: { customer: byId((customer as Row).Id), workZone: byId((zone as Row).Id) },
			...where('PoNumber', 'PO%', 'Like'),
		};
		await poll(and);
		person({});
		const own = person({ members: { Customer: customer, PoNumber: 'PO-7' } });
		person({ members: { Customer: customer } });
		expect(idsOf(await poll(and))).toEqual([own.Id]);
	});

	it('leaves out orders that the API made, with Ignore API Changes', async () => {
		const { poll, person, api, orders, store } = await watch('workOrderCreated', {
			ignoreApi: true,
		});
		const [{ Customer }] = orders();
		const [item] = store.rows('WoItem');
		const order = { TypeCategory: 'Request', Customer, Items: [{ ...item, Id: undefined }] };
		const SubType = { Id: store.rows('WorkOrderType').find(({ IsDefSR }) => IsDefSR)?.Id };
		api('WoCreateCommand', { WorkOrder: { ...order, SubType } } as unknown as IDataObject);
		const own = person({});
		expect(idsOf(await poll())).toEqual([own.Id]);
	});
});

describe('Work Order Updated', () => {
	it('returns the latest state of an order once for each poll', async () => {
		const { poll, person, pass } = await watch('workOrderUpdated');
		const [order] = newOrders();
		pickUp(order.Id);
		pass(1000);
		person({ id: order.Id, command: 'WoStartCommand' });
		expect(await poll()).toMatchObject([{ Id: order.Id, Status: 'In Progress' }]);
		// Actions within one hundredth of a second have equal times.
		pass(10);
		person({ id: order.Id, note: 'again' });
		await expectOnce([order.Id]);
	});

	it('leaves out changes of the workflow itself, with Ignore API Changes', async () => {
		const { poll, person, api, pass } = await watch('workOrderUpdated', { ignoreApi: true });
		const [mine, both] = newOrders();
		api('WoPickUpCommand', { WorkOrderId: mine.Id });
		pickUp(both.Id);
		pass(1000);
		person({ id: both.Id, note: 'and a note' });
		api('WoStartCommand', { WorkOrderId: both.Id });
		expect(await poll()).toMatchObject([{ Id: both.Id, Status: 'In Progress' }]);
		api('WoPauseCommand', { WorkOrderId: both.Id });
		expect(await poll()).toEqual([]);
	});
});

describe('actions of work orders', () => {
	it('are returned one by one, with their work order, if their type is chosen', async () => {
		const types = { actionTypes: ['PickUp', 'Note'] };
		const { poll, person, sent } = await watch('workOrderAction', types);
		const [order] = newOrders();
		pickUp(order.Id);
		person({ id: order.Id, command: 'WoStartCommand' });
		person({ id: order.Id, note: 'one' });
		person({ id: order.Id, note: 'two' });
		const items = await poll();
		expect(items.map(({ TypeId, Comment }) => [TypeId, Comment])).toEqual([
			['PickUp', undefined],
			['Note', 'one'],
			['Note', 'two'],
		]);
		expect(items[0]).toMatchObject({
			WorkOrderId: order.Id,
			Actor: { DisplayAs: 'Colleague at the desktop' },
			WorkOrder: { Id: order.Id, Number: order.Number, Status: 'In Progress' },
		});
		// The third one is for the status before.
		expect(sent()).toBe(3);
	});

	it.each<[string, IDataObject]>([
		[
			'simplified',
			{
				Customer: {
					Id: expect.any(Number) as number,
					DisplayAs: expect.any(String) as string,
				},
			},
		],
		[
			'raw',
			{ DtDue: expect.any(String) as string, Customer: { Id: expect.any(Number) as number } },
		],
		['selected', { Id: expect.any(Number) as number, Number: expect.any(String) as string }],
	])('come with their work orders as Output says: %s', async (output, expected) => {
		const { poll, sent } = await watch('workOrderAction', { output, properties: 'Number' });
		pickUp(newOrders()[0].Id);
		const [{ WorkOrder }] = await poll();
		expect(WorkOrder).toMatchObject(expected);
		expect((WorkOrder as Row).Customer).toEqual(expected.Customer);
		expect(sent()).toBe(output === 'simplified' ? 3 : 2);
	});

	it.each([
		['as they were chosen', 'selected', ['StatusId', 'Customer', 'Number', 'Id']],
		['as in Get Many', 'simplified', ['Number', 'Id', 'Status', 'Priority', 'Customer']],
	])('show the fields of their work orders %s', async (_, output, first) => {
		const properties = ['StatusId', 'Customer.DisplayAs', 'Number'];
		const { poll } = await watch('workOrderAction', { output, properties });
		pickUp(newOrders()[0].Id);
		const [{ WorkOrder }] = await poll();
		expect(Object.keys(WorkOrder as Row).slice(0, first.length)).toEqual(first);
	});

	it('are joined with their work orders by one request for each 500', async () => {
		const from = since('2031-01-01');
		const { poll, orders, sent } = await startOn('workOrderAction', from, { workOrders: 501 });
		for (const { Id: WorkOrderId } of orders()) {
			const SystemDateUtc = '2031-02-01T00:00:00';
			insert('WoActionLog', { WorkOrderId, TypeId: 'Message', SystemDateUtc });
		}
		const items = await poll();
		expect(items.map(({ WorkOrder }) => (WorkOrder as IDataObject).Number)).toEqual(
			orders().map((order) => order.Number),
		);
		// The page, and the orders.
		expect(sent()).toBe(3);
		expect(active.queriesOf('WorkOrder')).toMatchObject([{ Count: 500 }, { Count: 1 }]);
	});

	it.each([
		['both', { searchBy: 'json', criteriaJson: `{ "Conditions": [${JSON.stringify(PO_X)}] }` }],
		['event', where('PoNumber', 'X')],
	])(
		'are omitted if their work order does not meet the conditions, with Returns "%s"',
		async (returns, conditions) => {
			const { poll, person } = await watch('workOrderAction', { returns, ...conditions });
			const [a, b] = newOrders();
			person({ id: b.Id, members: { PoNumber: 'X' } });
			pickUp(a.Id);
			pickUp(b.Id);
			const items = await poll();
			expect(idsOf(items, 'WorkOrderId')).toEqual([b.Id]);
			expect('WorkOrder' in items[0]).toBe(returns === 'both');
			person({ id: a.Id, members: { PoNumber: 'X' } });
			expect(await poll()).toEqual([]);
		},
	);

	it.each([
		['both', (Id: number) => ({ TypeId: 'Message', WorkOrder: { Id } })],
		['record', (Id: number) => ({ Id })],
		['event', (WorkOrderId: number) => ({ TypeId: 'Message', WorkOrderId })],
	])(
		'have the ID of a work order that cannot be read, with Returns "%s"',
		async (returns, expected) => {
			const messages = { actionTypes: ['Message'], returns };
			const { poll, orders, sent } = await watch('workOrderAction', messages);
			const unseen = 987_654_321;
			const [{ Id: seen, Customer }] = orders();
			const happen = () => {
				for (const WorkOrderId of [unseen, seen]) {
					const SystemDateUtc = '2031-06-01T00:00:00';
					insert('WoActionLog', { WorkOrderId, TypeId: 'Message', SystemDateUtc });
				}
			};
			happen();
			expect(await poll()).toMatchObject([expected(unseen), expected(seen)]);
			// A missing order is not requested again.
			expect(sent()).toBe(returns === 'event' ? 1 : 2);
			happen();
			const filters = { customer: byId((Customer as Row).Id) };
			expect(await poll({ filters })).toMatchObject([expected(seen)]);
		},
	);

	it('are chosen by an expression, and by label', async () => {
		const { poll, person } = await watch('workOrderAction', { actionTypes: '={{ "Pick Up" }}' });
		const [{ Id: id }] = newOrders();
		pickUp(id);
		person({ id, command: 'WoStartCommand' });
		expect(idsOf(await poll(), 'TypeId')).toEqual(['PickUp']);
		const entered = { event: 'workOrderEnteredStatus', statuses: '={{ "in progress" }}' };
		person({ id, command: 'WoPauseCommand' });
		person({ id, command: 'WoStartCommand' });
		await poll(entered);
		expect((await active.tryPoll({ and: entered })).error).toBeUndefined();
	});

	it('are returned when a vendor invoice enters a chosen AP status', async () => {
		const { poll, person, orders } = await watch('invoiceEnteredApStatus', {
			apStatuses: { values: [{ status: byName('received') }] },
			returns: 'record',
		});
		const [a, b] = orders();
		const change = (id: number, VendorInvoiceStatusId: number) =>
			person({ id, command: 'ApStatusChangeCommand', members: { VendorInvoiceStatusId } });
		change(a.Id, 2);
		change(b.Id, 2);
		change(b.Id, 3);
		expect(idsOf(await poll())).toEqual([a.Id, b.Id]);
		change(a.Id, 3);
		change(b.Id, 2);
		expect(idsOf(await poll())).toEqual([b.Id]);
	});

	it.each([
		['record', 0],
		['both', 4],
	])('that belong to no work order: with Returns "%s", %d are returned', async (returns, count) => {
		const { poll } = await watch('invoiceEnteredApStatus', { returns });
		for (const WorkOrderId of [null, null, 0, 0]) {
			const action = { TypeId: 'APInvStatus', SystemDateUtc: '2031-06-01T00:00:00', WorkOrderId };
			insert('WoActionLog', action);
		}
		expect(await poll()).toHaveLength(count);
	});
});

describe('Note Added, with Ignore API Changes,', () => {
	const watchNotes = async (options?: SandboxOptions) =>
		await watch('noteAdded', { ignoreApi: true, returns: 'event' }, options);
	/** A note that the API writes. */
	const post = async (WorkOrderId: number, Body: string) => {
		const answer = await active.engine.httpRequest({
			method: 'POST',
			url: '/api/v1/base/WoNote',
			body: { Entity: { WorkOrderId, Body, NoteTypeId: 'Public' } },
			json: true,
		});
		return (answer as { EntitySpecifier: { Id: number } }).EntitySpecifier.Id;
	};
	/** An action in the log of an order, about the note with this ID. */
	const log = (WorkOrderId: number, ObjectId: number, more: object = {}) =>
		insert('WoActionLog', {
			...{ WorkOrderId, ObjectId, TypeId: 'Note', UiTypeId: 'IntegrationWS' },
			SystemDateUtc: '2031-05-05T06:07:08',
			...more,
		});
	const lastNote = () => active.store.rows('WoNote').at(-1)?.Id as number;

	it('distinguishes notes that the API changed from those that it created', async () => {
		const { poll, person } = await watchNotes();
		const [{ Id: order }] = newOrders();
		person({ id: order, note: 'by hand' });
		const mine = lastNote();
		const first = await post(order, 'one');
		for (let count = 0; count < 5; count++) log(order, first);
		await post(order, 'two');
		log(order, mine, { UiTypeId: 'Corp' });
		log(order, mine);
		expect(idsOf(await poll())).toEqual([mine]);
	});

	it('reads only the actions of notes to find the author of a note', async () => {
		const { poll, person } = await watchNotes();
		const [{ Id: order }] = newOrders();
		const note = lastNote() + 1;
		log(order, note, { TypeId: 'PickUp' });
		person({ id: order, note: 'by hand' });
		expect(idsOf(await poll())).toEqual([note]);
	});

	it.each([120, 100])(
		'leaves out notes of the API with many actions where a Company sends pages of %i',
		async (mostRows) => {
			const { poll, person } = await watchNotes({ mostRows });
			const [{ Id: order }] = newOrders();
			for (let count = 0; count < 100; count++) {
				const note = insert('WoNote', { WorkOrderId: order, Body: 'x' });
				for (let times = 0; times < 3; times++) log(order, note);
			}
			expect(await poll()).toEqual([]);
			person({ id: order, note: 'by hand' });
			expect(await poll()).toMatchObject([{ Body: 'by hand' }]);
		},
	);

	it('returns notes although Corrigo answers with actions of other orders', async () => {
		const { poll, person, sandbox, sent } = await watchNotes();
		person({ id: newOrders()[0].Id, note: 'by hand' });
		const Entities = Array.from({ length: 100 }, (_, Id) => ({ Data: { Id, ObjectId: -1 } }));
		sandbox.fault(rejection('WoActionLog', { Entities }, { status: 200 }));
		expect(await poll()).toMatchObject([{ Body: 'by hand' }]);
		// One request more would show whether the page limit has cut off the 100 rows; it is not counted.
		expect(sent()).toBe(2);
	});

	it('treats notes without an action as written by a person', async () => {
		const { poll } = await watchNotes();
		const Id = insert('WoNote', { WorkOrderId: newOrders()[0].Id, Body: 'x' });
		expect(idsOf(await poll())).toEqual([Id]);
	});
});

describe('Note Added, Document Added and Record Added or Changed (by Date or ID)', () => {
	it.each([
		['notes since a given time', 'noteAdded', 'WoNote', '2025-06-15', 2],
		['all documents since a time before the first', 'documentAdded', 'Document', '2000-01-01', 2],
	])('return %s', async (_, event, entity, time, requests) => {
		const { poll, store, sent } = await startOn(event, { ...since(time), returns: 'event' });
		const rows = store.rows(entity);
		const ids = idsOf(rows.filter((row) => String(row.CreatedDate ?? row.UpdatedDate) >= time));
		expect(ids.length).toBeGreaterThan(0);
		expect(idsOf(await poll())).toEqual(ids);
		expect(sent()).toBe(requests);
	});

	it('return documents created since a given time, and no older ones that were changed', async () => {
		const from = { ...since('2031-01-01'), returns: 'event' };
		const { poll, store, change, sent } = await startOn('documentAdded', from);
		change('Document', store.ids('Document')[0], { UpdatedDate: '2031-03-01T00:00:00' });
		const add = () => insert('Document', { Title: 'x', UpdatedDate: '2031-02-01T00:00:00' });
		const ids = [add(), add()];
		expect(idsOf(await poll())).toEqual(ids);
		expect(sent()).toBe(2);
	});

	it('return documents of any record', async () => {
		const { poll, change } = await watch('documentAdded');
		const [order] = newOrders();
		const add = (ActorTypeId: string, ActorId: number | string) =>
			insert('Document', { Title: ActorTypeId, ActorTypeId, ActorId });
		const ids = [add('WO', order.Id), add('Asset', order.Id)];
		const items = await poll();
		expect(idsOf(items)).toEqual(ids);
		expect(items).toMatchObject([{ WorkOrder: { Id: order.Id } }, { WorkOrder: null }]);
		change('Document', ids[0], { Title: 'Changed', UpdatedDate: '2031-06-01T00:00:00' });
		expect(await poll()).toEqual([]);
		// No work order has this ID.
		add('WO', 'unknown');
		expect(await poll()).toMatchObject([{ WorkOrder: null }]);
		expect(active.queriesOf('WorkOrder')).toEqual([]);
	});

	it('return records of any entity, by ascending ID or by a date', async () => {
		const { poll, store, change } = await watch('record', { entity: byName('contact') });
		const id = insert('Contact', { LastName: 'Miller' });
		insert('Contact', { LastName: 'Miller', IsRemoved: true });
		expect(idsOf(await poll())).toEqual([id]);

		const byDate = { entity: byName('Document'), dateProperty: 'updateddate' };
		expect(await poll(byDate)).toEqual([]);
		const [Id] = store.ids('Document');
		change('Document', Id, { UpdatedDate: '2031-06-01T00:00:00.5' });
		await expectOnce([Id], byDate);
	});

	it.each([
		['deleted records, with Include Removed', { options: { includeRemoved: true } }, true],
		['records by ID where the date property is empty', { dateProperty: '  ' }, false],
	])('return %s', async (_, parameters, IsRemoved) => {
		const { poll } = await watch('record', { ...contacts, ...parameters });
		const Id = insert('Contact', { LastName: 'Miller', IsRemoved });
		expect(idsOf(await poll())).toEqual([Id]);
	});

	it('read each record once where a condition matches several of its children', async () => {
		const { poll, person } = await startOn('record', contacts);
		const { conditions } = where('LastName', 'X');
		await poll({ conditions });
		const Id = insert('Contact', { LastName: 'X' });
		expect(idsOf(await poll({ conditions }))).toEqual([Id]);
		const distinct = (entity: string) =>
			new Set(active.queriesOf(entity).map(({ Distinct }) => Distinct));
		expect(distinct('Contact')).toEqual(new Set([true]));
		await poll();
		expect(distinct('Contact')).toEqual(new Set([undefined]));

		const orders = { event: 'workOrderAction' };
		await poll(orders);
		person({});
		await poll(orders);
		expect(distinct('WorkOrder')).toEqual(new Set([undefined]));
		for (const through of [{ filters: { assignee: byId(1) } }, where('PoNumber', 'X')]) {
			person({});
			await poll({ ...orders, ...through });
			expect(distinct('WorkOrder')).toEqual(new Set([true]));
		}
	});

	it('start over with another date property', async () => {
		const entity = { entity: byName('WorkOrder') };
		const { poll, change, orders, person } = await startOn('record', entity);
		await poll({ dateProperty: 'LastActionDateUtc' });
		change('WorkOrder', orders()[0].Id, { CreatedDateUtc: '2032-01-01T00:00:00' });
		expect(await poll({ dateProperty: ' CreatedDateUtc ' })).toEqual([]);
		const { Id: made } = person({});
		expect(idsOf(await poll({ dateProperty: 'CreatedDateUtc' }))).toEqual([made]);
	});

	it.each([
		['the summary of an entity', 'Contact', 'simplified', summaries.Contact],
		[
			'all properties and the names of references where there is no summary',
			'TaxRegionItem',
			'simplified',
			['*', 'TaxCode.Id', 'TaxCode.DisplayAs'],
		],
		['all properties', 'Contact', 'raw', ['*']],
	])('return %s, as Output says', async (_, entity, output, properties) => {
		const { poll } = await watch('record', { entity: byName(entity), output });
		await poll();
		insert(entity, {});
		await poll();
		expect(active.queriesOf(entity).at(-1)).toMatchObject({
			PropertySet: { Properties: properties },
		});
	});

	it('return links with the names of both records', async () => {
		const { poll } = await watch('record', { entity: byName('LinkUserAndTeam') });
		insert('LinkUserAndTeam', { UserId: 325, TeamId: 2 });
		expect(await poll()).toMatchObject([
			{ User: { DisplayAs: 'Mechanical Partners, Inc.' }, Team: { DisplayAs: 'Night Shift' } },
		]);
	});

	it('return the chosen properties and no others', async () => {
		const selected = { output: 'selected', properties: 'LastName' };
		const { poll } = await watch('record', { ...contacts, ...selected });
		const Id = insert('Contact', { LastName: 'Miller', FirstName: 'Ann' });
		expect(await poll()).toEqual([{ Id, LastName: 'Miller', ChangeKey: `Contact ${Id}` }]);
	});

	it('return records since a given time, and none before a time in the future', async () => {
		const byDate = { entity: byName('Document'), dateProperty: 'UpdatedDate' };
		await startOn('record', { ...byDate, ...since('2031-01-01') });
		const add = (UpdatedDate: string) => insert('Document', { Title: 'x', UpdatedDate });
		add('2030-12-31T23:59:59');
		await expectOnce([add('2031-01-01T00:00:00'), add('2031-01-02T00:00:00')]);
		await expectOnce([], { startTime: '2032-01-01' });
	});

	it('read the UTC date instead of the local date of a work zone', async () => {
		const byLocalDate = { entity: byName('WorkOrder'), dateProperty: 'LastActionDate' };
		const { poll, change, orders } = await watch('record', byLocalDate);
		const [west, east] = orders();
		const act = ({ Id }: Row, LastActionDate: string, LastActionDateUtc: string) =>
			change('WorkOrder', Id, { LastActionDate, LastActionDateUtc });
		act(east, '2031-06-01T02:00:00', '2031-06-01T00:00:00');
		expect(idsOf(await poll())).toEqual([east.Id]);
		act(west, '2031-05-31T20:00:01', '2031-06-01T00:00:01');
		expect(idsOf(await poll())).toEqual([west.Id]);
	});
});

describe('a manual test', () => {
	// Promise: *Fetch Test Event* does not affect what the workflow receives
	it('shows recent items in order and does not move the cursor', async () => {
		const { test, orders, queriesOf } = await startOn('workOrderCreated');
		expect(idsOf(await test())).toEqual(idsOf(orders().slice(-10)));
		// Records are large, so that only as many are read as are shown.
		expect(queriesOf('WorkOrder')).toMatchObject([{ Count: 10 }]);
	});

	it('finds matching items among others', async () => {
		const { test, person } = await startOn('workOrderAction', { actionTypes: ['Note'] });
		const [wanted, other] = newOrders();
		person({ id: wanted.Id, members: { PoNumber: 'X' } });
		person({ id: wanted.Id, note: 'this one' });
		for (let count = 0; count < 30; count++) person({ id: other.Id, note: 'not this one' });
		expect((await test(where('PoNumber', 'X'))).at(-1)?.Comment).toBe('this one');
	});

	it('fails with a hint when there is no matching item', async () => {
		const { tryPoll } = await startOn('workOrderCreated', {}, { workOrders: 0 });
		expect((await tryPoll({ mode: 'manual' })).error).toMatchObject({
			message: 'No matching events found',
			description: expect.stringContaining('published workflow') as unknown,
		});
	});
});

describe('a poll', () => {
	// Promise: After a failed poll, the next one continues from the same place
	it('continues from its last state after a failed request', async () => {
		const { tryPoll, poll, sandbox } = await watch('workOrderAction');
		const ids = createOrders(20);
		for (const fault of [
			away('api', { status: 429 }),
			away('api', { status: 401 }),
			away('api', { kind: 'html', status: 500 }),
			rejection('WorkOrder', {}),
		]) {
			sandbox.fault(fault);
			const { error, items } = await tryPoll();
			sandbox.clearFaults();
			expect(items).toBeNull();
			expect(error).toMatchObject({ httpCode: String(fault.status) });
		}
		expect(idsOf(await poll(), 'WorkOrderId')).toEqual(ids);
	});

	// Older hosts allow five minutes, whatever the test sets.
	if (!OLD_HOST) {
		it('ends within its budget when an answer arrives byte by byte', async () => {
			const { tryPoll, sandbox } = await watch('workOrderCreated');
			sandbox.fault({ match: { server: 'api' }, kind: 'drip' });
			const { error } = await tryPoll({ budgetMs: 1000 });
			expect(error?.message).toBe('Corrigo did not answer in time');
		});

		const longPause = (status: number) => away('api', { status, headers: { 'retry-after': '25' } });

		it('looks names up within its budget', async () => {
			const filters = { customer: byName('Contoso') };
			const { tryPoll, sandbox, sent } = await startOn('workOrderCreated', { filters });
			sandbox.fault(longPause(429));
			const { error } = await tryPoll({ budgetMs: 20_000 });
			expect(error?.description).toContain('The names are looked up again the next time.');
			expect(sent()).toBe(1);
		});

		it.each([
			[429, 1],
			// A 503 may mean that the host has moved, so that discovery follows at once.
			[503, 2],
		])('waits and retries within its budget after a %i', async (status, times) => {
			const { tryPoll, sandbox, sent } = await watch('workOrderCreated');
			sandbox.fault(longPause(status));
			const { error } = await tryPoll({ budgetMs: 20_000 });
			expect(error?.message).toBe('Corrigo is not available right now');
			expect(error?.description).not.toContain('carried out');
			expect(sent()).toBe(times);
		});
	}

	it.each<[string, Partial<Fault>, string?]>([
		['refused', { status: 400, body: { ErrorCode: 'ERROR_CODE_1002', ErrorMessage: 'No' } }],
		['failing', { status: 500 }],
		['busy', { status: 429 }],
		['redirected', { status: 302 }],
		['unreadable', { kind: 'wrongShape', body: undefined }],
		[
			'answered with a row without a time',
			{ kind: 'wrongShape', body: { Entities: [{ Data: { Id: 1 } }] } },
			"Corrigo sent a row without 'CreatedDateUtc', so changes cannot be told apart",
		],
	])(
		'that is %s reports that the next poll continues, and names only fields that a trigger has',
		async (_, fault, message = expect.any(String) as string) => {
			const { tryPoll, sandbox } = await startOn('workOrderCreated');
			sandbox.fault(away('api', fault));
			const { error } = await tryPoll();
			expect(error).toMatchObject({ name: 'NodeApiError', message, description: GOES_ON });
			expect(error?.description).not.toMatch(/'Options'|'Timeout'|values of this node|Raise/);
		},
	);

	it('sends entities and properties that the catalogue does not have', async () => {
		const { tryPoll, sandbox } = await startOn('record');
		for (const and of [{ entity: byName('Gadget') }, { ...contacts, dateProperty: 'Rare' }]) {
			const { error } = await tryPoll({ and });
			expect(error).toMatchObject({ name: 'NodeApiError', description: GOES_ON });
			expect(sandbox.requestsTo('api')).toHaveLength(1);
		}
		expect(active.queriesOf('Contact')).toMatchObject([
			{ PropertySet: { Properties: ['Id', 'Rare'] } },
		]);
	});

	it('continues when an answer has no Date header', async () => {
		const { poll, person, sandbox } = await watch('workOrderCreated', { options: { lag: true } });
		const { Id } = person({});
		const { items } = await active.tryPoll({ settings: { name: 'Another Trigger' } });
		expect(idsOf(jsonOf(items ?? []))).toEqual([Id]);
		for (const { answer } of sandbox.requestsTo('api').slice(0, 2)) {
			sandbox.fault({
				match: { server: 'api' },
				kind: 'wrongShape',
				body: JSON.parse(String(answer)) as unknown,
				headers: { date: 'soon' },
			});
		}
		expect(await poll()).toMatchObject([{ Id, Lag: null }]);
		expect(await poll()).toEqual([]);
	});

	it('rejects wrong settings before any request, naming the field, or what to use', async () => {
		const { tryPoll } = await startOn('record');
		const wrong: Array<[object, RegExp, string?]> = [
			[{ event: 'workOrderEnteredStatus' }, /^'Statuses' is empty$/],
			[{ event: 'noteAdded', ...since('soon') }, /'Start Time'/],
			[{ ...contacts, dateProperty: 'LastName' }, /holds no date/],
			[
				{ ...contacts, ...since('2026-01-01') },
				/'Date Field'/,
				"Fill in 'Date Field', or start from now.",
			],
			[{ entity: byName('assetTree') }, /several records share an ID/],
			[
				{ entity: byName('Attachment') },
				/"Attachment", which Corrigo does not know/,
				'Use Document.',
			],
		];
		for (const [and, message, description] of wrong) {
			const { error } = await tryPoll({ and });
			expect(error).toMatchObject({
				name: 'NodeOperationError',
				...(description && { description }),
			});
			expect(error?.message).toMatch(message);
		}
		expect(active.sent()).toBe(0);
	});

	it.each<[string, () => Promise<IDataObject>]>([
		[
			'Company',
			async () => {
				await Promise.resolve(active.sandbox.set({ company: 'Another' }));
				return { companyName: 'Another' };
			},
		],
		[
			'environment with a Company of the same name',
			async () => (await openCompany({ workOrders: 5 })).sandbox.credentials,
		],
	])('starts over in another %s', async (_, changeCredential) => {
		const { poll, person, warnings, engine } = await watch('noteAdded');
		const change = await changeCredential();
		engine.store.put(CREDENTIAL, { ...engine.store.get(CREDENTIAL), ...change });
		person({ id: newOrders()[0].Id, note: 'before' });
		expect(await poll()).toEqual([]);
		expect(warnings).toEqual([expect.stringContaining('starts over')]);
		expect(await poll()).toEqual([]);
		expect(warnings).toHaveLength(1);
	});

	it('continues when the credential has another client, token server or spelling of the locator', async () => {
		const { poll, person, sandbox, engine } = await watch('workOrderCreated');
		const { Id } = person({});
		engine.store.put(CREDENTIAL, {
			...sandbox.credentials,
			companyName: ` ${String(sandbox.credentials.companyName)}`,
			locatorUrl: `${String(sandbox.credentials.locatorUrl)}/`,
			tokenUrl: `${String(sandbox.credentials.tokenUrl)}/OAuth/token`,
		});
		expect(idsOf(await poll())).toEqual([Id]);
	});

	it('names the missing field of the credential', async () => {
		const { tryPoll, engine, sandbox } = await startOn('workOrderCreated');
		engine.store.put(CREDENTIAL, { ...sandbox.credentials, locatorUrl: '' });
		expect((await tryPoll()).error).toMatchObject({
			message: "'Locator URL' is empty in the Corrigo credential",
			description: 'Open the Corrigo credential of this node and test it.',
		});
	});
});

describe('the first poll after n8n has started', () => {
	const denied = away('api', { status: 401, body: { ErrorCode: 'X', ErrorMessage: 'No' } });

	// Promise: A failure when n8n starts does not stop a trigger for good
	it.each<[string, WorkflowActivateMode, Fault]>([
		['busy', 'init', away('api', { status: 502 })],
		['failing while n8n repairs the activation', 'update', away('api', { status: 500 })],
		['failing', 'init', away('api', { status: 500 })],
		['behind a login page', 'leadershipChange', away('api', { status: 302 })],
		['without its token server', 'init', away('token', { status: 503 })],
		['without its locator', 'leadershipChange', away('locator', { kind: 'resetBefore' })],
		['denying the session', 'init', denied],
		['showing a page with 403', 'init', away('api', { kind: 'html', status: 403 })],
		['answering 404 with nothing', 'init', away('api', { status: 404, body: '' })],
		['refusing the query', 'leadershipChange', away('api', { status: 400 })],
		['refusing the session while n8n repairs the activation', 'update', denied],
		['refusing the client with 400', 'init', away('token', { status: 400 })],
		['refusing the client with 401', 'init', away('token', { status: 401 })],
		['refusing the client with 403', 'init', away('token', { status: 403 })],
		['refusing the Company', 'init', away('locator', { status: 400 })],
	])(
		'ignores that Corrigo is %s (%s), which the next poll reports',
		async (_, activation, fault) => {
			const { load, person, sandbox } = await watch('workOrderCreated');
			const { Id } = person({});
			// No session is open after a restart.
			sandbox.revokeTokens();
			const again = load({ activation });
			sandbox.fault(fault);
			expect(await withShortPauses(again)).toEqual([]);
			sandbox.clearFaults();
			sandbox.fault(fault);
			await expect(withShortPauses(again)).rejects.toThrow();
			sandbox.clearFaults();
			expect(idsOf(await again())).toEqual([Id]);
			expect(await again()).toEqual([]);
		},
	);

	it.each<[string, object]>([
		['no status is chosen', { event: 'workOrderEnteredStatus', statuses: [] }],
		['a filter names no customer', { filters: { customer: byName('Nobody') } }],
	])('ignores that %s, which the next poll reports', async (_, wrong) => {
		const poll = (await startOn('workOrderCreated', wrong)).load({ activation: 'init' });
		expect(await poll()).toEqual([]);
		await expect(poll()).rejects.toThrow();
	});

	it('ignores a wrong secret, and continues once the secret is corrected', async () => {
		const { tryPoll, poll, person, engine, sandbox } = await watch('workOrderCreated');
		const { Id } = person({});
		engine.store.put(CREDENTIAL, { ...sandbox.credentials, clientSecret: 'wrong' });

		const { items, error, warnings } = await tryPoll({ activation: 'init' });
		expect({ items, error }).toEqual({ items: null });
		expect(warnings).toEqual([expect.stringContaining("check 'Client ID' and 'Client Secret'")]);
		expect((await tryPoll()).error?.message).toContain("'Client Secret'");

		engine.store.put(CREDENTIAL, sandbox.credentials);
		expect(idsOf(await poll())).toEqual([Id]);
	});

	it('ignores a failure without a state as well, and starts with the next poll', async () => {
		const { sandbox, person, load } = await startOn('workOrderCreated');
		const poll = load({ activation: 'init' });
		sandbox.fault(away('api', { status: 503 }));
		expect(await poll()).toEqual([]);
		sandbox.clearFaults();
		expect(await poll()).toEqual([]);
		const { Id } = person({});
		expect(idsOf(await poll())).toEqual([Id]);
	});

	if (!OLD_HOST) {
		it("reports a failure to n8n's durable scheduler, whose polls are updates", async () => {
			const { tryPoll, state, sandbox } = await watch('workOrderCreated');
			expect(state()).toHaveProperty('feed');
			sandbox.fault(away('api', { status: 500 }));
			const { error } = await tryPoll(DURABLE);
			expect(error?.message).toBe('Corrigo could not carry out the request');
		});
	}

	it('reports a failure to a person who activates the workflow', async () => {
		for (const activation of ['activate', 'update', 'create'] as const) {
			const { sandbox, load } = await startOn('workOrderCreated');
			sandbox.fault(away('api', { status: 502 }));
			await expect(load({ activation })()).rejects.toThrow('not available');
		}
	});
});

describe('with delivery at least once', () => {
	const parameters = { event: 'workOrderAction', options: { delivery: 'atLeastOnce' } };

	/** The node as a new process of n8n loads it. */
	async function inNewProcess(and: object = {}) {
		const { CorrigoTrigger } = await loadNodes();
		return active.load({ activation: 'init', trigger: new CorrigoTrigger(), and });
	}

	it('shows keys in a manual test that no change will have', async () => {
		const { test, poll } = await start({ ...parameters, ...since('2001-01-01T00:00:00Z') });
		const shown = idsOf(await test(), 'ChangeKey');
		const handedOut = idsOf(await poll(), 'ChangeKey');

		expect(new Set(shown).size).toBe(10);
		expect(shown).toEqual(handedOut.slice(-10).map((key) => `Test ${String(key)}`));
	});

	it('returns no change from before a start time that was moved later', async () => {
		const { poll } = await start({ ...parameters, ...since('2001-01-01T00:00:00Z') });
		expect((await poll()).length).toBeGreaterThan(0);
		const moved = since('2031-01-01T00:00:00Z');
		expect(await poll(moved)).toEqual([]);
		expect(await (await inNewProcess(moved))()).toEqual([]);
	});

	it('returns no change again once the option is off', async () => {
		const { poll, person, state } = await start(parameters);
		await poll();
		person({});
		expect((await poll()).length).toBeGreaterThan(0);
		const once = { options: {} };
		expect(await (await inNewProcess(once))()).toEqual([]);
		expect(await poll(once)).toEqual([]);
		expect(state()).not.toHaveProperty('last');
	});

	if (!OLD_HOST) {
		it("starts with the activation, although n8n's durable scheduler does not store its state", async () => {
			for (const delivery of ['once', 'atLeastOnce']) {
				const options = { delivery };
				const { poll, tryPoll, person } = await startOn('workOrderCreated', { options });
				expect((await tryPoll()).items).toBeNull();
				const { Id } = person({});
				expect(idsOf(await poll({}, DURABLE.budgetMs))).toEqual([Id]);
				expect(await poll({}, DURABLE.budgetMs)).toEqual([]);
			}
		});

		it("returns changes again if n8n's durable scheduler has discarded them with the state", async () => {
			const { poll, tryPoll, person } = await watch('workOrderCreated', {
				options: { delivery: 'atLeastOnce' },
			});
			await poll({}, DURABLE.budgetMs);
			const { Id } = person({});
			const discarded = await tryPoll(DURABLE);
			expect(idsOf(jsonOf(discarded.items ?? []))).toEqual([Id]);
			expect(idsOf(await poll({}, DURABLE.budgetMs))).toEqual([Id]);
			expect(await poll({}, DURABLE.budgetMs)).toEqual([]);
		});
	}
});

it('a first poll that ends late does not discard changes made after the other first poll', async () => {
	const { sandbox, person, load } = await startOn('workOrderCreated');
	const poll = load();
	const headers = { 'retry-after': '0.3' };
	sandbox.fault({ match: { pathIncludes: 'query' }, kind: 'status', status: 502, headers });
	const both = [poll(), poll()];
	expect(await Promise.race(both)).toEqual([]);
	const { Id } = person({});
	expect(await Promise.all(both)).toEqual([[], []]);
	expect(idsOf(await poll())).toEqual([Id]);
});

// Promise: Each change starts the workflow once, even if it becomes readable late
describe('a change that does not match the filters', () => {
	const filters = where('PoNumber', 'X');
	const match = (id: unknown) => active.change('WorkOrder', id, { PoNumber: 'X' });

	it('comes if it matches before a later one is delivered', async () => {
		const { poll, person, pass } = await watch('workOrderCreated', filters);
		const { Id: first } = person({});
		pass(3 * 24 * 3_600_000);
		expect(await poll()).toEqual([]);
		match(first);
		expect(idsOf(await poll())).toEqual([first]);

		const { Id: passed } = person({});
		pass(600_000);
		const { Id: later } = person({});
		match(later);
		await expectOnce([later]);
		match(passed);
		expect(await poll()).toEqual([]);
	});

	it('stays left out if it is an action, also when the workflow is published again', async () => {
		const { person, load } = await startOn('workOrderAction', filters);
		const poll = load();
		await poll();
		// n8n stores the state of a poll with its items.
		const staticData = poll.state();
		const { Id } = person({});
		expect(await poll()).toEqual([]);
		match(Id);
		expect(await poll()).toEqual([]);
		expect(await load({ staticData, activation: 'update' })()).toEqual([]);
	});
});
