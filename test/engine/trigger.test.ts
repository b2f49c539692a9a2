import type {
	IDataObject,
	INodeExecutionData,
	INodeParameters,
	WorkflowActivateMode,
} from 'n8n-workflow';

import type { Fault, Row, Sandbox, SandboxOptions } from '../../sandbox';
import { activate, CREDENTIAL, standing, type Active } from './activeTrigger';
import { byId, byName, jsonOf } from './desk';
import { HOST_VERSION } from './host';

const OLD_HOST = HOST_VERSION.startsWith('2.0.');
const MINUTE = 60_000;

let active: Active;

const start = async (parameters: INodeParameters, options?: SandboxOptions) => {
	active = await activate(parameters, options);
	return active;
};

afterEach(async () => await active.sandbox.close());

const idsOf = (items: IDataObject[], name = 'Id') => items.map((item) => item[name]);

/** What the queries of the last tick have asked an entity for. */
const queriesOf = ({ sandbox }: Active, entity: string) =>
	sandbox
		.requestsTo('api')
		.filter(({ path }) => path === `/api/v1/query/${entity}`)
		.map(({ body }) => (body as { QueryExpression: IDataObject }).QueryExpression);

const inStatus = ({ sandbox }: Active, status: string) =>
	sandbox.store.rows('WorkOrder').filter(({ StatusId }) => StatusId === status);

describe('work orders that were made', () => {
	it('are told of from the activation on, each once, with names', async () => {
		const { tick, person, sent, pass } = await start({ event: 'workOrderCreated' });
		expect(await tick()).toEqual([]);
		expect(sent()).toBe(1);
		expect(await tick()).toEqual([]);
		expect(sent()).toBe(1);

		const first = person({});
		pass(MINUTE);
		const second = person({});
		const items = await tick();
		expect(idsOf(items)).toEqual([first.Id, second.Id]);
		expect(items[0]).toMatchObject({
			Number: first.Number,
			StatusId: 'New',
			Customer: { DisplayAs: expect.any(String) as unknown },
			WorkZone: { DisplayAs: expect.any(String) as unknown },
		});
		expect(sent()).toBe(1);
		expect(await tick()).toEqual([]);
	});

	it('are told of from the first one on in an empty Company', async () => {
		const { tick, sandbox } = await start({ event: 'workOrderCreated' }, { workOrders: 0 });
		expect(await tick()).toEqual([]);
		sandbox.store.insert('WorkOrder', { Number: 'A1', CreatedDateUtc: '2019-02-03T04:05:06' });
		expect(await tick()).toMatchObject([{ Number: 'A1' }]);
	});

	it('are told of when they are committed late, out of order, or at the same time', async () => {
		const { tick, sandbox } = await start({ event: 'workOrderCreated' });
		const add = (CreatedDateUtc: string) =>
			sandbox.store.insert('WorkOrder', { Number: 'x', CreatedDateUtc }).Id;
		await tick();
		const a = add('2031-05-05T07:00:00.1234567Z');
		expect(idsOf(await tick())).toEqual([a]);
		const late = add('2031-05-05T06:58:00');
		const same = add('2031-05-05T07:00:00.1234567');
		const after = add('2031-05-05T07:00:00.1234568');
		expect(idsOf(await tick())).toEqual([late, same, after]);
		expect(await tick()).toEqual([]);
	});

	it('are told of behind one that is stamped years ahead', async () => {
		const { tick, sandbox, person } = await start({ event: 'workOrderCreated' });
		const ahead = (year: number) =>
			sandbox.store.insert('WorkOrder', { Number: 'x', CreatedDateUtc: `${year}-01-01T00:00:00` })
				.Id;
		ahead(2050);
		await tick();
		const a = person({}).Id;
		const b = ahead(2040);
		expect(idsOf(await tick())).toEqual([a, b]);
		for (let count = 0; count < 3; count++) {
			const { Id } = person({});
			expect(idsOf(await tick())).toEqual([Id]);
		}
		expect(await tick()).toEqual([]);
	});

	it('are told of from the activation on where filters are widened later', async () => {
		const [wide, narrow] = [{}, { filters: { customer: byId(7_777_777) } }] as INodeParameters[];
		const { tick, person } = await start({ event: 'workOrderCreated' });
		expect(await tick(undefined, narrow)).toEqual([]);
		const { Id } = person({});
		expect(await tick(undefined, narrow)).toEqual([]);
		expect(idsOf(await tick(undefined, wide))).toEqual([Id]);
		expect(await tick(undefined, wide)).toEqual([]);
	});

	it('are told of since a given time, and from there on', async () => {
		const { tick, orders } = await start({
			event: 'workOrderCreated',
			startFrom: 'time',
			startTime: '2025-06-20T12:00:00+02:00',
		});
		const since = orders()
			.filter(({ CreatedDateUtc }) => String(CreatedDateUtc) >= '2025-06-20T10:00:00')
			.map(({ Id }) => Id);
		expect(since.length).toBeGreaterThan(5);
		expect(idsOf(await tick())).toEqual(since);
		expect(await tick()).toEqual([]);
	});

	it('begin anew when the start time is edited', async () => {
		const since = (day: string) => ({ startFrom: 'time', startTime: day }) as INodeParameters;
		const { tick, orders } = await start({ event: 'workOrderCreated', ...since('2025-06-25') });
		const later = (await tick()).length;
		expect(await tick()).toEqual([]);
		const all = orders().filter(({ CreatedDateUtc }) => String(CreatedDateUtc) >= '2025-06-20');
		expect(all.length).toBeGreaterThan(later);
		expect(await tick(undefined, since('2025-06-20'))).toHaveLength(all.length);
	});

	it('do not begin anew when the start time is an expression', async () => {
		const { tick, person } = await start({
			event: 'workOrderCreated',
			startFrom: 'time',
			startTime: '={{ new Date(1750000000000 + 1000 * Math.random()).toISOString() }}',
		});
		expect((await tick()).length).toBeGreaterThan(5);
		expect(await tick()).toEqual([]);
		const { Id } = person({});
		expect(idsOf(await tick())).toEqual([Id]);
	});

	it('go through filters and own conditions on the server', async () => {
		const { tick, person, orders } = await start({
			event: 'workOrderCreated',
			filters: { customer: byId('=') },
		});
		const [{ Customer: customer, WorkZone: zone }] = orders() as unknown as Array<{
			Customer: { Id: number };
			WorkZone: { Id: number };
		}>;
		const and = {
			filters: { customer: byId(customer.Id), workZone: byId(zone.Id) },
			conditions: { values: [{ property: 'PoNumber', operator: 'Like', value: 'PO%' }] },
		} as unknown as INodeParameters;
		await tick(undefined, and);
		person({});
		const own = person({ members: { Customer: customer, PoNumber: 'PO-7' } });
		person({ members: { Customer: customer } });
		expect(idsOf(await tick(undefined, and))).toEqual([own.Id]);
	});

	it.each([
		['customer', 'Customer', 'Customer'],
		['priority', 'Priority', 'WoPriority'],
		['subType', 'SubType', 'WorkOrderType'],
		['workZone', 'WorkZone', 'WorkZone'],
	])('go through the filter %s by itself', async (name, member, entity) => {
		const { tick, person, orders, sandbox } = await start({ event: 'workOrderCreated' });
		const wanted = (orders()[0][member] as { Id: number }).Id;
		const filters = { filters: { [name]: byId(wanted) } } as unknown as INodeParameters;
		await tick(undefined, filters);
		const [{ Id: other }] = sandbox.store.rows(entity).filter(({ Id }) => Id !== wanted);
		const made = [wanted, other].map((id) => {
			const Id = Number(person({}).Id);
			sandbox.store.change('WorkOrder', Id, { [member]: { Id: id } });
			return Id;
		});
		expect(idsOf(await tick(undefined, filters))).toEqual([made[0]]);
	});

	it('go through the filter space, whose assets are read from the Company', async () => {
		const { tick, person, sandbox } = await start({ event: 'workOrderCreated' });
		type Space = { Id: number; Asset: { Id: number } };
		const spaces = sandbox.store.rows('Space') as unknown as Space[];
		const [space, other] = [spaces[0], spaces[spaces.length - 1]];
		const filters = { filters: { space: byId(space.Id) } } as unknown as INodeParameters;
		await tick(undefined, filters);
		const made = [space, other].map(({ Asset }) => {
			const Id = Number(person({}).Id);
			const [item] = sandbox.store.children('WoItem', 'WorkOrderId', Id);
			sandbox.store.change('WoItem', item.Id, { Asset: { Id: Asset.Id } });
			return Id;
		});
		expect(idsOf(await tick(undefined, filters))).toEqual([made[0]]);
	});

	it('come as many at a time as Batch Size says, in their order', async () => {
		const { tick, person, pass } = await start({
			event: 'workOrderCreated',
			options: { batchSize: 2 },
		});
		await tick();
		const ids = Array.from({ length: 5 }, () => {
			pass(1000);
			return person({}).Id;
		});
		expect(idsOf(await tick())).toEqual(ids.slice(0, 2));
		expect(idsOf(await tick())).toEqual(ids.slice(2, 4));
		expect(idsOf(await tick())).toEqual(ids.slice(4));
		expect(await tick()).toEqual([]);
	});

	it('are left out when the API made them', async () => {
		const { tick, person, api, orders, sandbox } = await start({
			event: 'workOrderCreated',
			ignoreApi: true,
		});
		await tick();
		const [{ Customer }] = orders();
		const [item] = sandbox.store.rows('WoItem');
		const order = { TypeCategory: 'Request', Customer, Items: [{ ...item, Id: undefined }] };
		const SubType = { Id: sandbox.store.rows('WorkOrderType').find(({ IsDefSR }) => IsDefSR)?.Id };
		api('WoCreateCommand', { WorkOrder: { ...order, SubType } } as unknown as IDataObject);
		const own = person({});
		expect(idsOf(await tick())).toEqual([own.Id]);
	});
});

describe('updates of work orders', () => {
	it('give the latest state once for each poll', async () => {
		const { tick, person, pass } = await start({ event: 'workOrderUpdated' });
		await tick();
		const [order] = inStatus(active, 'New');
		person({ id: order.Id, command: 'WoPickUpCommand' });
		pass(1000);
		person({ id: order.Id, command: 'WoStartCommand' });
		expect(await tick()).toMatchObject([{ Id: order.Id, StatusId: 'InProgress' }]);
		// What happens within the same hundredth of a second has the same time.
		pass(10);
		person({ id: order.Id, note: 'again' });
		expect(idsOf(await tick())).toEqual([order.Id]);
		expect(await tick()).toEqual([]);
	});

	it('give it once as well where one comes about while the poll reads', async () => {
		const { tick, person, sandbox, orders, pass } = await start(
			{ event: 'workOrderUpdated', propertySet: 'selected', properties: 'Id' },
			{ workOrders: 80, mostRows: 60 },
		);
		await tick();
		const ids = orders().map(({ Id }) => Id);
		for (const id of ids) {
			pass(1000);
			person({ id, note: 'x' });
		}
		const { journal } = sandbox.world;
		const arrived = journal.arrived.bind(journal);
		let requests = 0;
		const spy = jest.spyOn(journal, 'arrived').mockImplementation((request) => {
			arrived(request);
			if (request.server === 'api' && ++requests === 2) person({ id: ids[9], note: 'again' });
		});
		const found = idsOf(await tick());
		spy.mockRestore();
		found.push(...idsOf(await tick()));
		expect([...found].sort()).toEqual(ids);
	});

	it('do not start a workflow by what it did itself', async () => {
		const { tick, person, api, pass } = await start({ event: 'workOrderUpdated', ignoreApi: true });
		await tick();
		const [mine, both] = inStatus(active, 'New');
		api('WoPickUpCommand', { WorkOrderId: mine.Id });
		person({ id: both.Id, command: 'WoPickUpCommand' });
		pass(1000);
		person({ id: both.Id, note: 'and a note' });
		api('WoStartCommand', { WorkOrderId: both.Id });
		expect(await tick()).toMatchObject([{ Id: both.Id, StatusId: 'InProgress' }]);
		api('WoPauseCommand', { WorkOrderId: both.Id });
		expect(await tick()).toEqual([]);
	});
});

describe('actions', () => {
	it('of the chosen types are told of one by one, with their work order', async () => {
		const { tick, person, sent } = await start({
			event: 'workOrderAction',
			actionTypes: ['PickUp', 'Note'],
		});
		await tick();
		const [order] = inStatus(active, 'New');
		person({ id: order.Id, command: 'WoPickUpCommand' });
		person({ id: order.Id, command: 'WoStartCommand' });
		person({ id: order.Id, note: 'one' });
		person({ id: order.Id, note: 'two' });
		const items = await tick();
		expect(items.map(({ TypeId, Comment }) => [TypeId, Comment])).toEqual([
			['PickUp', undefined],
			['Note', 'one'],
			['Note', 'two'],
		]);
		expect(items[0]).toMatchObject({
			WorkOrderId: order.Id,
			Actor: { DisplayAs: 'Colleague at the desktop' },
			WorkOrder: { Id: order.Id, Number: order.Number, StatusId: 'InProgress' },
		});
		expect(sent()).toBe(2);
	});

	it.each([
		['event', 1, { TypeId: 'PickUp' }],
		['record', 2, { StatusId: 'Open' }],
	])('come as %s alone', async (output, requests, expected) => {
		const { tick, person, sent } = await start({
			event: 'workOrderAction',
			output,
			propertySet: 'selected',
			properties: 'StatusId',
		});
		await tick();
		person({ id: inStatus(active, 'New')[0].Id, command: 'WoPickUpCommand' });
		const items = await tick();
		expect(items).toMatchObject([expected]);
		expect(items[0]).not.toHaveProperty('WorkOrder');
		expect(sent()).toBe(requests);
	});

	it('of many work orders read these with one request for each 500', async () => {
		const { tick, orders, sandbox, sent } = await start(
			{ event: 'workOrderAction', startFrom: 'time', startTime: '2031-01-01' },
			{ workOrders: 501 },
		);
		for (const { Id: WorkOrderId } of orders()) {
			const SystemDateUtc = '2031-02-01T00:00:00';
			sandbox.store.insert('WoActionLog', { WorkOrderId, TypeId: 'Message', SystemDateUtc });
		}
		const items = await tick();
		expect(items.map(({ WorkOrder }) => (WorkOrder as IDataObject).Number)).toEqual(
			orders().map((order) => order.Number),
		);
		// The page, what is behind it, and the orders.
		expect(sent()).toBe(4);
		expect(queriesOf(active, 'WorkOrder')).toMatchObject([{ Count: 500 }, { Count: 1 }]);
	});

	it('of other work orders are passed over', async () => {
		const { tick, person } = await start({
			event: 'workOrderAction',
			criteriaJson:
				'{ "Conditions": [{ "PropertyName": "PoNumber", "Operator": "Equal", "Values": ["X"] }] }',
		});
		await tick();
		const [a, b] = inStatus(active, 'New');
		person({ id: b.Id, members: { PoNumber: 'X' } });
		person({ id: a.Id, command: 'WoPickUpCommand' });
		person({ id: b.Id, command: 'WoPickUpCommand' });
		expect(idsOf(await tick(), 'WorkOrderId')).toEqual([b.Id]);
		person({ id: a.Id, members: { PoNumber: 'X' } });
		expect(await tick()).toEqual([]);
	});

	it('of other work orders are passed over where the event alone is asked for, too', async () => {
		const { tick, person } = await start({
			event: 'workOrderAction',
			output: 'event',
			conditions: { values: [{ property: 'PoNumber', operator: 'Equal', value: 'X' }] },
		});
		await tick();
		const [a, b] = inStatus(active, 'New');
		person({ id: b.Id, members: { PoNumber: 'X' } });
		person({ id: a.Id, command: 'WoPickUpCommand' });
		person({ id: b.Id, command: 'WoPickUpCommand' });
		const items = await tick();
		expect(idsOf(items, 'WorkOrderId')).toEqual([b.Id]);
		expect(items[0]).not.toHaveProperty('WorkOrder');
	});

	it.each([
		['both', (Id: number) => ({ TypeId: 'Message', WorkOrder: { Id } })],
		['record', (Id: number) => ({ Id })],
		['event', (WorkOrderId: number) => ({ TypeId: 'Message', WorkOrderId })],
	])('of a work order that cannot be seen come as %s with its ID', async (output, expected) => {
		const { tick, orders, sandbox, sent } = await start({
			event: 'workOrderAction',
			actionTypes: ['Message'],
			output,
		});
		await tick();
		const unseen = 987_654_321;
		const [{ Id: seen }] = orders();
		const happen = () => {
			for (const WorkOrderId of [unseen, seen]) {
				const SystemDateUtc = '2031-06-01T00:00:00';
				sandbox.store.insert('WoActionLog', { WorkOrderId, TypeId: 'Message', SystemDateUtc });
			}
		};
		happen();
		expect(await tick()).toMatchObject([expected(unseen), expected(seen)]);
		// What is not there is not asked for again.
		expect(sent()).toBe(output === 'event' ? 1 : 2);
		happen();
		const customer = byId((orders()[0].Customer as { Id: number }).Id);
		expect(await tick(undefined, { filters: { customer } })).toMatchObject([expected(seen)]);
	});

	it('of one type may be chosen by an expression, and by its label', async () => {
		const { tick, person } = await start({
			event: 'workOrderAction',
			actionTypes: '={{ "Pick Up" }}',
		});
		await tick();
		const [{ Id: id }] = inStatus(active, 'New');
		person({ id, command: 'WoPickUpCommand' });
		person({ id, command: 'WoStartCommand' });
		expect(idsOf(await tick(), 'TypeId')).toEqual(['PickUp']);
		const entered = { event: 'workOrderEnteredStatus', statuses: '={{ "in progress" }}' };
		person({ id, command: 'WoPauseCommand' });
		person({ id, command: 'WoStartCommand' });
		await tick(undefined, entered);
		expect((await active.poll({ and: entered })).error).toBeUndefined();
	});

	it('that bring a work order into a status are told of each time, others never', async () => {
		const { tick, person } = await start({
			event: 'workOrderEnteredStatus',
			statuses: ['InProgress', 'Paused'],
		});
		await tick();
		const [order] = inStatus(active, 'Open');
		for (const command of ['WoStartCommand', 'WoPauseCommand', 'WoStartCommand']) {
			person({ id: order.Id, command });
		}
		person({ id: order.Id, note: 'not a status' });
		expect(idsOf(await tick(), 'TypeId')).toEqual(['Start', 'Stop', 'Start']);
		expect(await tick()).toEqual([]);
	});

	it('tell of AP statuses that vendor invoices enter', async () => {
		const { tick, person, orders } = await start({
			event: 'invoiceEnteredApStatus',
			apStatuses: { values: [{ status: byId(2) }] } as unknown as INodeParameters,
			output: 'record',
		});
		await tick();
		const [a, b] = orders();
		const change = (id: number, VendorInvoiceStatusId: number) =>
			person({ id, command: 'ApStatusChangeCommand', members: { VendorInvoiceStatusId } });
		change(a.Id, 2);
		change(b.Id, 2);
		change(b.Id, 3);
		expect(idsOf(await tick())).toEqual([a.Id]);
		change(b.Id, 2);
		change(b.Id, 3);
		change(b.Id, 2);
		expect(idsOf(await tick())).toEqual([b.Id]);
	});
});

describe('what is added', () => {
	it('notes, those of the API left out', async () => {
		const { tick, person, engine, sandbox } = await start({ event: 'noteAdded', ignoreApi: true });
		await tick();
		const [order] = inStatus(active, 'New');
		await engine.httpRequest({
			method: 'POST',
			url: '/api/v1/base/WoNote',
			body: { Entity: { WorkOrderId: order.Id, Body: 'by machine', NoteTypeId: 'Public' } },
		});
		person({ id: order.Id, note: 'by hand' });
		expect(await tick()).toMatchObject([{ Body: 'by hand', WorkOrder: { Number: order.Number } }]);
		expect(sandbox.store.count('WoNote')).toBeGreaterThan(2);
	});

	it('notes, since a given time', async () => {
		const { tick, sandbox, sent } = await start({
			event: 'noteAdded',
			startFrom: 'time',
			startTime: '2025-06-15',
			output: 'event',
		});
		const since = sandbox.store
			.rows('WoNote')
			.filter(({ CreatedDate }) => String(CreatedDate) >= '2025-06-15')
			.map(({ Id }) => Id);
		expect(since.length).toBeGreaterThan(0);
		expect(idsOf(await tick())).toEqual(since);
		expect(sent()).toBe(2);
	});

	it('notes of a person, which the API changed, and none of the API, which it changed often', async () => {
		const { tick, person, engine, sandbox } = await start({
			event: 'noteAdded',
			ignoreApi: true,
			output: 'event',
		});
		await tick();
		const [order] = inStatus(active, 'New');
		const note = async (body: IDataObject) =>
			(await engine.httpRequest({
				method: 'POST',
				url: '/api/v1/base/WoNote',
				body: { Entity: { WorkOrderId: order.Id, NoteTypeId: 'Public', ...body } },
				json: true,
			})) as { EntitySpecifier: { Id: number } };
		const logged = (ObjectId: number, UiTypeId = 'IntegrationWS') =>
			sandbox.store.insert('WoActionLog', {
				WorkOrderId: order.Id,
				TypeId: 'Note',
				UiTypeId,
				ObjectId,
				SystemDateUtc: '2031-05-05T06:07:08',
			});
		person({ id: order.Id, note: 'by hand' });
		const mine = sandbox.store.rows('WoNote').at(-1)?.Id as number;
		const first = (await note({ Body: 'one' })).EntitySpecifier.Id;
		for (let count = 0; count < 5; count++) logged(first);
		await note({ Body: 'two' });
		logged(mine, 'Corp');
		logged(mine);
		expect(idsOf(await tick())).toEqual([mine]);
	});

	it('notes of a person, whatever else in the log has their number', async () => {
		const { tick, person, sandbox } = await start({
			event: 'noteAdded',
			ignoreApi: true,
			output: 'event',
		});
		await tick();
		const [order] = inStatus(active, 'New');
		const Id = Number(sandbox.store.rows('WoNote').at(-1)?.Id) + 1;
		sandbox.store.insert('WoActionLog', {
			WorkOrderId: order.Id,
			TypeId: 'PickUp',
			UiTypeId: 'IntegrationWS',
			ObjectId: Id,
			SystemDateUtc: '2031-05-05T06:07:08',
		});
		person({ id: order.Id, note: 'by hand' });
		expect(idsOf(await tick())).toEqual([Id]);
	});

	it.each([60, 50])(
		'no notes of the API, however many actions tell of each, where a Company hands out %i',
		async (mostRows) => {
			const { tick, person, sandbox } = await start(
				{ event: 'noteAdded', ignoreApi: true, output: 'event' },
				{ mostRows },
			);
			await tick();
			const [{ Id: WorkOrderId }] = inStatus(active, 'New');
			for (let count = 0; count < 50; count++) {
				const { Id: ObjectId } = sandbox.store.insert('WoNote', { WorkOrderId, Body: 'x' });
				const note = { WorkOrderId, TypeId: 'Note', UiTypeId: 'IntegrationWS', ObjectId };
				for (let times = 0; times < 3; times++) {
					const SystemDateUtc = '2031-05-05T06:07:08';
					sandbox.store.insert('WoActionLog', { ...note, SystemDateUtc });
				}
			}
			expect(await tick()).toEqual([]);
			person({ id: WorkOrderId, note: 'by hand' });
			expect(await tick()).toMatchObject([{ Body: 'by hand' }]);
		},
	);

	it('notes, though Corrigo answers with actions that nobody has asked for', async () => {
		const { tick, person, sandbox, sent } = await start({
			event: 'noteAdded',
			ignoreApi: true,
			output: 'event',
		});
		await tick();
		person({ id: inStatus(active, 'New')[0].Id, note: 'by hand' });
		const Entities = Array.from({ length: 50 }, (_, Id) => ({ Data: { Id, ObjectId: -1 } }));
		sandbox.fault({
			match: { pathIncludes: 'WoActionLog' },
			kind: 'wrongShape',
			body: { Entities },
		});
		expect(await tick()).toMatchObject([{ Body: 'by hand' }]);
		expect(sent()).toBe(2);
	});

	it('notes that no action tells of, which are taken for those of a person', async () => {
		const { tick, sandbox } = await start({
			event: 'noteAdded',
			ignoreApi: true,
			output: 'event',
		});
		await tick();
		const [{ Id: WorkOrderId }] = inStatus(active, 'New');
		const { Id } = sandbox.store.insert('WoNote', { WorkOrderId, Body: 'x' });
		expect(idsOf(await tick())).toEqual([Id]);
	});

	it('documents since a time before the first one, which are all', async () => {
		const { tick, sandbox } = await start({
			event: 'documentAdded',
			startFrom: 'time',
			startTime: '2000-01-01',
			output: 'event',
		});
		const all = sandbox.store.rows('Document').map(({ Id }) => Id);
		expect(idsOf(await tick())).toEqual(all);
	});

	it('documents since a given time, not those that were changed since then', async () => {
		const { tick, sandbox, sent } = await start({
			event: 'documentAdded',
			startFrom: 'time',
			startTime: '2031-01-01',
			output: 'event',
		});
		const [old] = sandbox.store.rows('Document');
		sandbox.store.change('Document', old.Id, { UpdatedDate: '2031-03-01T00:00:00' });
		const add = () =>
			sandbox.store.insert('Document', { Title: 'x', UpdatedDate: '2031-02-01T00:00:00' }).Id;
		const ids = [add(), add()];
		expect(idsOf(await tick())).toEqual(ids);
		expect(sent()).toBe(2);
	});

	it('events by Id keep no more keys than the promise needs', async () => {
		const { tick, sandbox, sent, state } = await start({ event: 'documentAdded', output: 'event' });
		await tick();
		for (let count = 0; count < 1500; count++) {
			sandbox.store.insert('Document', { Title: String(count) });
		}
		expect(await tick()).toHaveLength(1500);
		sandbox.store.insert('Document', { Title: 'one more' });
		expect(await tick()).toHaveLength(1);
		expect((state().known as unknown[]).length).toBeLessThanOrEqual(110);
		expect(await tick()).toEqual([]);
		expect(sent()).toBe(2);
	});

	it('documents of any record', async () => {
		const { tick, sandbox } = await start({ event: 'documentAdded' });
		await tick();
		const [order] = inStatus(active, 'New');
		const add = (ActorTypeId: string, ActorId: number | string) =>
			sandbox.store.insert('Document', { Title: ActorTypeId, ActorTypeId, ActorId }).Id;
		const ids = [add('WO', order.Id), add('Asset', order.Id)];
		const items = await tick();
		expect(idsOf(items)).toEqual(ids);
		expect(items).toMatchObject([{ WorkOrder: { Id: order.Id } }, { WorkOrder: null }]);
		sandbox.store.change('Document', ids[0], {
			Title: 'Changed',
			UpdatedDate: '2031-06-01T00:00:00',
		});
		expect(await tick()).toEqual([]);
		// Nothing tells which work order it is.
		add('WO', 'unknown');
		expect(await tick()).toMatchObject([{ WorkOrder: null }]);
		expect(queriesOf(active, 'WorkOrder')).toEqual([]);
	});

	it('records of any entity, by rising Id or by a date', async () => {
		const { tick, sandbox } = await start({ event: 'record', entity: byName('contact') });
		await tick();
		const add = (more = {}) => sandbox.store.insert('Contact', { LastName: 'Miller', ...more }).Id;
		const id = add();
		add({ IsRemoved: true });
		expect(idsOf(await tick())).toEqual([id]);

		const byDate: INodeParameters = { entity: byName('Document'), dateProperty: 'updateddate' };
		expect(await tick(undefined, byDate)).toEqual([]);
		const [{ Id }] = sandbox.store.rows('Document');
		sandbox.store.change('Document', Id, { UpdatedDate: '2031-06-01T00:00:00.5' });
		expect(idsOf(await tick(undefined, byDate))).toEqual([Id]);
		expect(await tick(undefined, byDate)).toEqual([]);
	});

	it('records that were removed, for those who want them', async () => {
		const { tick, sandbox } = await start({
			event: 'record',
			entity: byName('Contact'),
			options: { includeRemoved: true },
		});
		await tick();
		const { Id } = sandbox.store.insert('Contact', { LastName: 'Miller', IsRemoved: true });
		expect(idsOf(await tick())).toEqual([Id]);
	});

	it('records, each asked for once where a condition fits several of its rows', async () => {
		const contacts = { event: 'record', entity: byName('Contact') };
		const { tick, sandbox, person } = await start(contacts);
		const conditions = { values: [{ property: 'LastName', operator: 'Equal', value: 'X' }] };
		await tick(undefined, { conditions } as unknown as INodeParameters);
		const { Id } = sandbox.store.insert('Contact', { LastName: 'X' });
		expect(idsOf(await tick(undefined, { conditions } as unknown as INodeParameters))).toEqual([
			Id,
		]);
		const distinct = (entity: string) =>
			new Set(queriesOf(active, entity).map(({ Distinct }) => Distinct));
		expect(distinct('Contact')).toEqual(new Set([true]));
		await tick();
		expect(distinct('Contact')).toEqual(new Set([undefined]));

		const orders = { event: 'workOrderAction' };
		await tick(undefined, orders);
		person({});
		await tick(undefined, orders);
		expect(distinct('WorkOrder')).toEqual(new Set([undefined]));
		for (const through of [
			{ filters: { assignee: byId(1) } },
			{ conditions: { values: [{ property: 'PoNumber', operator: 'Equal', value: 'X' }] } },
		] as unknown as INodeParameters[]) {
			person({});
			await tick(undefined, { ...orders, ...through });
			expect(distinct('WorkOrder')).toEqual(new Set([true]));
		}
	});

	it('records of another date begin anew', async () => {
		const byDate = (dateProperty: string): INodeParameters => ({ dateProperty });
		const { tick, sandbox, orders, person } = await start({
			event: 'record',
			entity: byName('WorkOrder'),
		});
		await tick(undefined, byDate('LastActionDateUtc'));
		const [{ Id }] = orders();
		sandbox.store.change('WorkOrder', Id, { CreatedDateUtc: '2032-01-01T00:00:00' });
		expect(await tick(undefined, byDate(' CreatedDateUtc '))).toEqual([]);
		const { Id: made } = person({});
		expect(idsOf(await tick(undefined, byDate('CreatedDateUtc')))).toEqual([made]);
	});

	it('records by their IDs where the date is left blank', async () => {
		const { tick, sandbox } = await start({
			event: 'record',
			entity: byName('Contact'),
			dateProperty: '  ',
		});
		await tick();
		const { Id } = sandbox.store.insert('Contact', { LastName: 'Miller' });
		expect(idsOf(await tick())).toEqual([Id]);
	});

	it('records with the properties that were asked for, and no others', async () => {
		const { tick, sandbox } = await start({
			event: 'record',
			entity: byName('Contact'),
			properties: 'LastName',
		});
		await tick();
		const { Id } = sandbox.store.insert('Contact', { LastName: 'Miller', FirstName: 'Ann' });
		expect(await tick()).toEqual([{ Id, LastName: 'Miller' }]);
	});

	it('records of a date since a given time, and none where the time is still to come', async () => {
		const byDate: INodeParameters = {
			event: 'record',
			entity: byName('Document'),
			dateProperty: 'UpdatedDate',
			startFrom: 'time',
		};
		const { tick, sandbox } = await start({ ...byDate, startTime: '2031-01-01' });
		const add = (UpdatedDate: string) =>
			sandbox.store.insert('Document', { Title: 'x', UpdatedDate }).Id;
		add('2030-12-31T23:59:59');
		const ids = [add('2031-01-01T00:00:00'), add('2031-01-02T00:00:00')];
		expect(idsOf(await tick())).toEqual(ids);
		expect(await tick()).toEqual([]);
		expect(await tick(undefined, { startTime: '2032-01-01' })).toEqual([]);
		expect(await tick(undefined, { startTime: '2032-01-01' })).toEqual([]);
	});

	it('of a date on the clock of a work zone go by the same date in UTC', async () => {
		const { tick, sandbox, orders } = await start({
			event: 'record',
			entity: byName('WorkOrder'),
			dateProperty: 'LastActionDate',
		});
		await tick();
		const [west, east] = orders();
		const change = ({ Id }: Row, LastActionDate: string, LastActionDateUtc: string) =>
			sandbox.store.change('WorkOrder', Id, { LastActionDate, LastActionDateUtc });
		change(east, '2031-06-01T02:00:00', '2031-06-01T00:00:00');
		expect(idsOf(await tick())).toEqual([east.Id]);
		change(west, '2031-05-31T20:00:01', '2031-06-01T00:00:01');
		expect(idsOf(await tick())).toEqual([west.Id]);
	});
});

describe('a test by hand', () => {
	it('shows recent items in order and moves nothing', async () => {
		const { poll, orders } = await start({ event: 'workOrderCreated' });
		const { items, staticData } = await poll({ mode: 'manual' });
		expect(idsOf(jsonOf(items as INodeExecutionData[]))).toEqual(
			orders()
				.slice(-10)
				.map(({ Id }) => Id),
		);
		expect(staticData).toEqual({});
		// Records are large, and no more of them are read than are shown.
		expect(queriesOf(active, 'WorkOrder')).toMatchObject([{ Count: 10 }]);
	});

	it('finds what fits among what does not', async () => {
		const { poll, person } = await start({ event: 'workOrderAction', actionTypes: ['Note'] });
		const [wanted, other] = inStatus(active, 'New');
		person({ id: wanted.Id, members: { PoNumber: 'X' } });
		person({ id: wanted.Id, note: 'this one' });
		for (let count = 0; count < 30; count++) person({ id: other.Id, note: 'not this one' });
		const conditions = { values: [{ property: 'PoNumber', operator: 'Equal', value: 'X' }] };
		const and = { conditions } as unknown as INodeParameters;
		const { items } = await poll({ mode: 'manual', and });
		expect(idsOf(jsonOf(items ?? []), 'Comment').at(-1)).toBe('this one');
	});

	it('says so when there is nothing yet', async () => {
		const { poll } = await start({ event: 'workOrderCreated' }, { workOrders: 0 });
		expect((await poll({ mode: 'manual' })).error).toMatchObject({
			message: 'Nothing fits yet',
			description: expect.stringContaining('active workflow') as unknown,
		});
	});
});

describe('a tick', () => {
	const twenty = ({ person, pass }: Active) =>
		Array.from({ length: 20 }, () => {
			pass(1000);
			return person({}).Id;
		});

	it('goes on from the same place when a request fails for good', async () => {
		const { poll, tick, sandbox } = await start({ event: 'workOrderAction' });
		await tick();
		const ids = twenty(active);
		for (const [kind, status, httpCode] of [
			['status', 429, '429'],
			['status', 401, '401'],
			['html', 500, '500'],
		] as const) {
			sandbox.fault({
				match: { server: 'api' },
				kind,
				status,
				times: 9,
				headers: { 'retry-after': '0' },
				body: {},
			});
			const { error, items } = await poll();
			sandbox.clearFaults();
			expect(items).toBeNull();
			expect(error).toMatchObject({ httpCode });
		}
		expect(idsOf(await tick(), 'WorkOrderId')).toEqual(ids);
	});

	it('says that it goes on where Corrigo sends a row without its time', async () => {
		const { poll, tick, sandbox } = await start({ event: 'workOrderCreated' });
		await tick();
		const body = { Entities: [{ Data: { Id: 1 } }] };
		sandbox.fault({ match: { server: 'api' }, kind: 'wrongShape', body });
		const { error } = await poll();
		expect(error).toMatchObject({
			name: 'NodeApiError',
			message: "Corrigo sent a row without 'CreatedDateUtc', so changes cannot be told apart",
			description: expect.stringContaining('The next poll goes on from the same place') as string,
		});
	});

	it('goes on from the same place when the records cannot be read', async () => {
		const { poll, tick, sandbox } = await start({ event: 'workOrderAction' });
		await tick();
		const ids = twenty(active);
		sandbox.fault({ match: { pathIncludes: 'WorkOrder' }, kind: 'status', status: 400, body: {} });
		expect((await poll()).error).toBeDefined();
		expect(idsOf(await tick(), 'WorkOrderId')).toEqual(ids);
	});

	it.each([
		['expired', (sandbox: Sandbox) => sandbox.set({ clockOffsetSeconds: 3600 })],
		['revoked', (sandbox: Sandbox) => sandbox.revokeTokens()],
		['at a moved host', async (sandbox: Sandbox) => await sandbox.moveHost()],
	])('heals a session that is %s', async (_, spoil) => {
		const { tick, sandbox } = await start({ event: 'workOrderCreated' });
		await tick();
		const ids = twenty(active);
		await spoil(sandbox);
		expect(idsOf(await tick())).toEqual(ids);
	});

	it('reads page after page while its time lasts', async () => {
		const { tick } = await start(
			{ event: 'workOrderCreated', startFrom: 'time', startTime: '2020-01-01' },
			{ workOrders: 150, mostRows: 60 },
		);
		// What was before the poll does not count: its time is as long as this process has lived.
		expect(await tick(performance.now())).toHaveLength(150);
	});

	it('that runs out of time hands out what it has, and the next one goes on', async () => {
		const { tick, sent } = await start(
			{ event: 'workOrderCreated', startFrom: 'time', startTime: '2020-01-01' },
			// A page is given a second at least, which few rows never take.
			{ workOrders: 150, mostRows: 60 },
		);
		const found: unknown[] = [];
		// Old hosts grant five minutes, which is enough for all of them.
		const ticks = OLD_HOST ? 1 : 3;
		for (let count = 0; count < ticks; count++) {
			const items = await tick(1);
			found.push(...idsOf(items));
			if (OLD_HOST) continue;
			expect(items.length).toBeLessThan(150);
			expect(sent()).toBeLessThanOrEqual(2);
		}
		expect(new Set(found).size).toBe(found.length);
		expect(found).toHaveLength(150);
	});

	// Older hosts grant five minutes, whatever they are told.
	if (!OLD_HOST) {
		it('whose answer drips ends with its budget', async () => {
			const { tick, poll, sandbox } = await start({ event: 'workOrderCreated' });
			await tick();
			sandbox.fault({ match: { server: 'api' }, kind: 'drip' });
			const { error } = await poll({ budgetMs: 1000 });
			expect(error?.message).toBe('Corrigo did not answer in time');
		});

		const longPause = (status: number): Fault => ({
			match: { server: 'api' },
			kind: 'status',
			status,
			times: 9,
			headers: { 'retry-after': '25' },
		});

		it('looks names up within its budget', async () => {
			const { poll, sandbox, sent } = await start({
				event: 'workOrderCreated',
				filters: { customer: byName('Contoso') },
			} as unknown as INodeParameters);
			sandbox.fault(longPause(429));
			const { error } = await poll({ budgetMs: 20_000 });
			expect(error?.description).toContain('The names are looked up again the next time.');
			expect(sent()).toBe(1);
		});

		it.each([
			[429, 1],
			// The host may have moved, so it is looked for at once.
			[503, 2],
		])('pauses and repeats within its budget after a %i', async (status, times) => {
			const { tick, poll, sandbox, sent } = await start({ event: 'workOrderCreated' });
			await tick();
			sandbox.fault(longPause(status));
			const { error } = await poll({ budgetMs: 20_000 });
			expect(error?.message).toBe('Corrigo is not available right now');
			expect(error?.description).not.toContain('carried out');
			expect(sent()).toBe(times);
		});
	}

	it.each<[string, Omit<Fault, 'match'>]>([
		[
			'refused',
			{ kind: 'status', status: 400, body: { ErrorCode: 'ERROR_CODE_1002', ErrorMessage: 'No' } },
		],
		['failing', { kind: 'status', status: 500 }],
		['busy', { kind: 'status', status: 429, headers: { 'retry-after': '0' } }],
		['redirected', { kind: 'status', status: 302 }],
		['unreadable', { kind: 'wrongShape' }],
	])(
		'that is %s says that the next one goes on, and not to change what is not there',
		async (_, fault) => {
			const { poll, sandbox } = await start({ event: 'workOrderCreated' });
			sandbox.fault({
				match: { server: 'api' },
				times: 4,
				headers: { 'retry-after': '0' },
				...fault,
			});
			const { error } = await poll();
			expect(error?.description).toContain('The next poll goes on from the same place.');
			expect(error?.description).not.toMatch(
				/'Options'|'Timeout'|values of this node|Raise|fields/,
			);
		},
	);

	it('says what to write where something else is meant', async () => {
		const { poll } = await start({ event: 'record' });
		const refusal = async (and: INodeParameters) => (await poll({ and })).error;
		const contact: INodeParameters = { entity: byName('Contact') };
		expect(await refusal({ entity: byName('Attachment') })).toMatchObject({
			message: expect.stringContaining('"Attachment", which Corrigo does not know') as unknown,
			description: 'Use Document.',
		});
		expect(await refusal({ ...contact, startFrom: 'time', startTime: '2026-01-01' })).toMatchObject(
			{
				name: 'NodeOperationError',
				description: "Fill in 'Date Property', or start from now.",
			},
		);
		expect(active.sent()).toBe(0);
	});

	it('leaves to Corrigo what the node does not know', async () => {
		const { poll, sandbox } = await start({ event: 'record' });
		for (const and of [
			{ entity: byName('Gadget') },
			{ entity: byName('Contact'), dateProperty: 'Seldom' },
		] as INodeParameters[]) {
			const { error } = await poll({ and });
			expect(error?.name).toBe('NodeApiError');
			expect(error?.description).toContain('The next poll goes on from the same place.');
			expect(sandbox.requestsTo('api')).toHaveLength(1);
		}
		expect(queriesOf(active, 'Contact')).toMatchObject([
			{ PropertySet: { Properties: ['Id', 'Seldom'] } },
		]);
	});

	it('goes on where an answer does not tell the time', async () => {
		const { tick, person, sandbox } = await start({
			event: 'workOrderCreated',
			options: { lag: true },
		});
		await tick();
		const { Id } = person({});
		expect(idsOf((await active.poll()).items?.map(({ json }) => json) ?? [])).toEqual([Id]);
		const { answer } = sandbox.requestsTo('api')[0];
		sandbox.fault({
			match: { server: 'api' },
			kind: 'wrongShape',
			body: JSON.parse(String(answer)) as unknown,
			headers: { date: 'soon' },
		});
		expect(await tick()).toMatchObject([{ Id, Lag: null }]);
		expect(await tick()).toEqual([]);
	});

	it('refuses what cannot be asked for, naming the field', async () => {
		const { poll } = await start({ event: 'workOrderEnteredStatus' });
		const refusal = async (and: INodeParameters) => (await poll({ and })).error?.message;
		expect(await refusal({})).toBe("'Statuses' is empty");
		expect(
			await refusal({
				event: 'record',
				entity: byName('Contact'),
				startFrom: 'time',
				startTime: '2026-01-01',
			}),
		).toContain("'Date Property'");
		expect(
			await refusal({ event: 'record', entity: byName('Contact'), dateProperty: 'LastName' }),
		).toContain('holds no date');
		expect(await refusal({ event: 'record', entity: byName('assetTree') })).toContain(
			'several records share an ID',
		);
		expect(await refusal({ event: 'noteAdded', startFrom: 'time', startTime: 'soon' })).toContain(
			"'Start Time'",
		);
		expect(active.sent()).toBe(0);
	});

	it('takes switches from expressions, and refuses what says neither', async () => {
		const { tick, poll, api, person } = await start({ event: 'workOrderUpdated' });
		const ignoring = (ignoreApi: string) => ({ ignoreApi }) as INodeParameters;
		await tick(undefined, ignoring('={{ "true" }}'));
		const [mine, other] = inStatus(active, 'New');
		api('WoPickUpCommand', { WorkOrderId: mine.Id });
		person({ id: other.Id, command: 'WoPickUpCommand' });
		expect(idsOf(await tick(undefined, ignoring('={{ "true" }}')))).toEqual([other.Id]);
		const { error } = await poll({ and: ignoring('={{ "yes" }}') });
		expect(error?.message).toContain("'Ignore API Changes'");
		const options = { includeRemoved: '={{ "yes" }}' };
		const record = { event: 'record', entity: byName('Contact'), options };
		expect((await poll({ and: record })).error?.message).toContain("'Include Removed'");
	});

	it('begins anew in another Company', async () => {
		const { tick, person, sandbox, engine } = await start({ event: 'noteAdded' });
		await tick();
		sandbox.set({ company: 'Another' });
		engine.store.put(CREDENTIAL, { ...engine.store.get(CREDENTIAL), companyName: 'Another' });
		person({ id: inStatus(active, 'New')[0].Id, note: 'before' });
		expect(await tick()).toEqual([]);
	});
});

it.each([
	'searchCustomers',
	'searchPriorities',
	'searchSubTypes',
	'searchWorkZones',
	'searchApStatuses',
])('the form finds records by %s', async (method) => {
	const { engine } = await start({});
	const { results } = await engine.listSearch(method, {
		parameters: { event: 'workOrderCreated' },
	});
	expect(results.length).toBeGreaterThan(0);
});

describe('the first poll after n8n has started', () => {
	const away = (server: 'api' | 'token' | 'locator', fault: Partial<Fault>): Fault => ({
		match: { server },
		kind: 'status',
		times: 9,
		headers: { 'retry-after': '0' },
		body: {},
		...fault,
	});

	/** A workflow that was active before, when n8n starts anew: it has no session yet. */
	async function restarted(activation: WorkflowActivateMode) {
		const { tick, state, person, sandbox } = await start({ event: 'workOrderCreated' });
		await tick();
		const { Id } = person({});
		sandbox.revokeTokens();
		return {
			Id,
			sandbox,
			again: standing(sandbox, { event: 'workOrderCreated' }, activation, state()),
		};
	}

	it.each<[string, WorkflowActivateMode, Fault]>([
		['busy', 'init', away('api', { status: 502 })],
		['failing while n8n mends itself', 'update', away('api', { status: 500 })],
		['failing', 'init', away('api', { status: 500 })],
		['behind a login page', 'leadershipChange', away('api', { status: 302 })],
		['without its token server', 'init', away('token', { status: 503 })],
		['without its locator', 'leadershipChange', away('locator', { kind: 'resetBefore' })],
	])(
		'passes over a Corrigo that is %s (%s), and the next one reports it',
		async (_, mode, fault) => {
			const { Id, sandbox, again } = await restarted(mode);
			sandbox.fault(fault);
			expect(await again()).toEqual([]);
			sandbox.clearFaults();
			sandbox.fault(fault);
			await expect(again()).rejects.toThrow();
			sandbox.clearFaults();
			expect(idsOf(await again())).toEqual([Id]);
			expect(await again()).toEqual([]);
		},
	);

	it.each<[string, Fault]>([
		['a client that is refused', away('token', { status: 401 })],
		['a query that is refused', away('api', { status: 400 })],
	])('reports %s', async (_, fault) => {
		const { sandbox, again } = await restarted('init');
		sandbox.fault(fault);
		await expect(again()).rejects.toThrow();
	});

	it('begins with what is there then, where there has been no other', async () => {
		const { sandbox, person } = await start({});
		const tick = standing(sandbox, { event: 'workOrderCreated' }, 'init');
		sandbox.fault(away('api', { status: 503 }));
		expect(await tick()).toEqual([]);
		sandbox.clearFaults();
		expect(await tick()).toEqual([]);
		const { Id } = person({});
		expect(idsOf(await tick())).toEqual([Id]);
	});

	// Older hosts have no such scheduler.
	if (!OLD_HOST) {
		it('reports what fails in a poll of the durable scheduler, an update each time', async () => {
			const { tick, poll, state, sandbox } = await start({ event: 'workOrderCreated' });
			await tick();
			expect(state()).toHaveProperty('feed');
			sandbox.fault(away('api', { status: 500 }));
			const { error } = await poll({ activation: 'update', budgetMs: 36_000 });
			expect(error?.message).toBe('Corrigo could not carry out the request');
		});
	}

	it('says at once what is wrong to somebody who activates the workflow', async () => {
		for (const activation of ['activate', 'update', 'create'] as const) {
			const { sandbox } = await start({});
			sandbox.fault(away('api', { status: 502 }));
			const tick = standing(sandbox, { event: 'workOrderCreated' }, activation);
			await expect(tick()).rejects.toThrow('not available');
			await sandbox.close();
		}
	});
});

describe('with delivery at least once', () => {
	const parameters: INodeParameters = {
		event: 'workOrderAction',
		options: { delivery: 'atLeastOnce' },
	};

	/** The node as a new process of n8n loads it. */
	async function inNewProcess(state: IDataObject, and: INodeParameters = {}) {
		let tick!: () => Promise<IDataObject[]>;
		await jest.isolateModulesAsync(async () => {
			const fresh = await import('../../nodes/Corrigo/CorrigoTrigger.node');
			const node = new fresh.CorrigoTrigger();
			tick = standing(active.sandbox, { ...parameters, ...and }, 'init', state, node);
		});
		return tick;
	}

	it('shows keys in a test by hand, which are those of no change that is handed out', async () => {
		const startTime = '2001-01-01T00:00:00Z';
		const { poll, tick } = await start({ ...parameters, startFrom: 'time', startTime });
		const { items } = await poll({ mode: 'manual' });
		const shown = idsOf(jsonOf(items ?? []), 'ChangeKey');
		const handedOut = idsOf(await tick(), 'ChangeKey');

		expect(new Set(shown).size).toBe(10);
		expect(shown).toEqual(handedOut.slice(-10).map((key) => `Test ${String(key)}`));
	});

	it('hands the changes of the last poll out again in a new process, with the same keys', async () => {
		const { tick, person, state } = await start(parameters);
		await tick();
		person({});
		const early = await tick();
		expect(early.length).toBeGreaterThan(0);
		person({});
		const last = await tick();
		const keys = idsOf(last, 'ChangeKey');
		expect(new Set(keys).size).toBe(last.length);
		expect(keys).not.toContain(early[0].ChangeKey);
		expect(await tick()).toEqual([]);

		const again = await inNewProcess(state());
		const { Id } = person({});
		const items = await again();
		expect(idsOf(items, 'ChangeKey').slice(0, keys.length)).toEqual(keys);
		expect(idsOf(items, 'WorkOrderId').slice(keys.length)).toEqual(
			items.slice(keys.length).map(() => Id),
		);
		expect(items.length).toBeGreaterThan(keys.length);
		expect(await again()).toEqual([]);
	});

	it('hands out nothing twice while the process lives, and nothing from before the activation', async () => {
		const { tick, person, state } = await start(parameters);
		expect(await tick()).toEqual([]);
		expect(await (await inNewProcess(state()))()).toEqual([]);
		person({});
		expect((await tick()).length).toBeGreaterThan(0);
		expect(await tick()).toEqual([]);
	});

	it('hands out nothing from before a start time that has been moved on', async () => {
		const since = (startTime: string): INodeParameters => ({ startFrom: 'time', startTime });
		const { tick, state } = await start({ ...parameters, ...since('2001-01-01T00:00:00Z') });
		expect((await tick()).length).toBeGreaterThan(0);
		const moved = since('2031-01-01T00:00:00Z');
		expect(await tick(undefined, moved)).toEqual([]);
		expect(await (await inNewProcess(state(), moved))()).toEqual([]);
	});

	it('hands out nothing again once it is given up', async () => {
		const { tick, person, state } = await start(parameters);
		await tick();
		person({});
		expect((await tick()).length).toBeGreaterThan(0);
		const once: INodeParameters = { options: {} };
		expect(await (await inNewProcess(state(), once))()).toEqual([]);
		expect(await tick(undefined, once)).toEqual([]);
		expect(state()).not.toHaveProperty('before');
		expect(state()).not.toHaveProperty('process');
	});

	it('is for those who want it', async () => {
		const { tick, person, state } = await start({ event: 'workOrderAction' });
		await tick();
		person({});
		const [item] = await tick();
		expect(item).not.toHaveProperty('ChangeKey');
		expect(state()).not.toHaveProperty('before');
	});
});

it('a first poll that ends late takes nothing for old that came after the other one', async () => {
	const { sandbox, person } = await start({});
	const tick = standing(sandbox, { event: 'workOrderCreated' });
	const headers = { 'retry-after': '0.3' };
	sandbox.fault({ match: { pathIncludes: 'query' }, kind: 'status', status: 502, headers });
	const both = [tick(), tick()];
	expect(await Promise.race(both)).toEqual([]);
	const { Id } = person({});
	expect(await Promise.all(both)).toEqual([[], []]);
	expect(idsOf(await tick())).toEqual([Id]);
});

it('ticks that overlap share the changes, and none of them twice', async () => {
	const { sandbox, person } = await start({});
	const tick = standing(sandbox, { event: 'workOrderAction' });
	await tick();
	const made: unknown[] = [];
	const found: unknown[] = [];
	for (let round = 0; round < 5; round++) {
		made.push(...Array.from({ length: 30 }, () => person({}).Id));
		const ticks = [tick(), tick(), tick()];
		made.push(person({}).Id);
		for (const items of await Promise.all(ticks)) found.push(...idsOf(items, 'WorkOrderId'));
	}
	found.push(...idsOf(await tick(), 'WorkOrderId'));
	expect(new Set(found).size).toBe(found.length);
	expect([...found].sort()).toEqual([...made].sort());
});

it('a backlog of 50,000 changes drains over ten ticks, page by page', async () => {
	const { tick, sandbox, sent, state } = await start(
		{
			event: 'workOrderAction',
			actionTypes: ['Message'],
			output: 'event',
			startFrom: 'time',
			startTime: '2031-01-01',
		},
		{ workOrders: 0 },
	);
	const BACKLOG = 50_000;
	let time = Date.UTC(2031, 0, 1);
	for (let index = 0; index < BACKLOG; index++) {
		// Ten at a time have the same time, and of the last ones a few thousand share a second.
		if (index % 10 === 0) time += index < 30_000 ? 1000 : 2;
		sandbox.store.insert('WoActionLog', {
			WorkOrderId: 1,
			TypeId: 'Message',
			SystemDateUtc: new Date(time).toISOString(),
		});
	}
	const seen = new Set<unknown>();
	let last = 0;
	let ticks = 0;
	let pages = 0;
	for (let items = await tick(); items.length > 0; items = await tick()) {
		ticks += 1;
		pages += sent();
		expect(sent()).toBeLessThanOrEqual(5);
		expect(items.length).toBeLessThanOrEqual(5000);
		expect(JSON.stringify(state()).length).toBeLessThan(50_000);
		for (const { Id } of items) seen.add(Id);
		expect(idsOf(items).every((id) => Number(id) > last)).toBe(true);
		last = Number(items.at(-1)?.Id);
	}
	expect(seen.size).toBe(BACKLOG);
	expect(ticks).toBe(10);
	// 25 full pages, one look at the keys per tick, and what a tick leaves of its last page.
	expect(pages).toBeLessThanOrEqual(45);
	// The thousand keys that are kept, and what may be behind them, of one and the same second.
	expect(sent()).toBe(3);
});
