import { PART_NAMES } from '../../../nodes/Corrigo/actions/workOrder/read/getDetails.operation';
import { getMemberLabel } from '../../../nodes/Corrigo/catalogue/enumerations/labels';
import type { Row } from '../../../sandbox';
import {
	byNumber,
	eachId,
	itemsOf,
	rejection,
	shareCompany,
	some,
	DENIED,
} from '../../support/company';

const company = shareCompany({ workOrders: 501 });
const { n8n, records, requests } = company;

const details = async (ids: unknown[], options: object = {}, more = {}) =>
	await n8n.run(
		'workOrder:getDetails',
		{ id: eachId, options },
		{ items: itemsOf(...ids), ...more },
	);
const denied = (entity: string, more = {}) =>
	rejection(`/query/${entity}`, DENIED, { status: 403, ...more });
const TOO_DEEP = rejection('/query/WorkOrder', {
	ErrorCode: 'ERROR_CODE_1002',
	ErrorMessage: 'Too deep',
});
const list = () => requests.sent().map(({ path }) => path.split('/').pop() ?? '');
/** Names of custom fields and attributes come from their definitions, which a run reads once. */
const asked = () => list().filter((name) => !name.endsWith('Descriptor'));
const definitions = () => list().filter((name) => name.endsWith('Descriptor'));

/** A name, whatever it is. */
const NAME = { DisplayAs: expect.any(String) as string };

const one = async (id: number, options: object = {}) => {
	const run = await details([id], options);
	expect(run.error).toBeUndefined();
	return run.items[0].json;
};

it('Get Details returns everything about an order', async () => {
	const order = records.orderIn('OnHold');
	const { Id } = order;
	const employee = records.children('WoAssignment', 'WorkOrderId', Id)[0].EmployeeId;
	const { DisplayAs } = records.get('Employee', Number(employee));
	const contact = (order.RequestorContact as Row).Id;
	const money = (Value: number) => ({ CurrencyTypeId: 'USD', Value });
	const quote = records.insert('WoQuote', { WoId: Id, Amount: money(80), StatusId: 'Approved' });
	const estimate = records.insert('WoEstimate', { WorkOrderId: Id, Amount: money(70) });
	const address = records.insert('Address2', { ActorTypeId: 'WO', ActorId: Id, City: 'Austin' });
	records.change('WorkOrder', Id, {
		Quote: { Id: quote.Id },
		Estimate: { Id: estimate.Id },
		Address: { Id: address.Id },
		DueDateUtc: '2001-01-01T00:00:00',
	});
	records.insert('WoVerification', { WorkOrderId: Id, WoRatingId: 'Positive', Comment: 'fine' });
	records.insert('WoOnSite', { WorkOrderId: Id, EmployeeId: employee, InLatitude: 1.5 });
	records.insert('WoNote', { WorkOrderId: Id, Body: 'a note', NoteTypeId: 'Public' });
	records.insert('WoFlag', { WoId: Id, FlagId: 50, Comment: 'look' });
	const document = records.insert('Document', { ActorTypeId: 'WO', ActorId: Id, Title: 'Plan' });
	records.insert('CustomField2', {
		Descriptor: { Id: records.rows('CustomFieldDescriptor')[0].Id },
		ObjectId: Id,
		ObjectTypeId: 'WO',
		Value: 'CC-1',
	});
	const email = records
		.children('ContactInfo', 'ActorId', contact)
		.find(({ Address }) => String(Address).includes('@'))?.Address;
	const [item] = records.children('WoItem', 'WorkOrderId', Id);
	const asset = (item.Asset as Row).Id;

	const found = await one(Id, { include: [...PART_NAMES] });
	expect(found).toMatchObject({
		Id,
		Number: order.Number,
		Url: records.pageOf(Id),
		Status: 'On Hold',
		IsOpen: true,
		IsOverdue: true,
		CurrentReason: NAME,
		Priority: { ...NAME, IsEmergency: expect.any(Boolean) },
		Specialty: NAME,
		WorkZone: NAME,
		VendorNte: money(250),
		Address: { City: 'Austin' },
		Assignments: [{ Employee: { Id: employee, DisplayAs }, IsPrimary: true }],
		CheckIns: [{ Employee: { Id: employee }, InLatitude: 1.5 }],
		Contact: { Id: contact, Email: email },
		Costs: {
			CustomerNte: money(500),
			ApStatus: { Id: 1, DisplayAs: 'None' },
			CostStatus: { Id: 1, DisplayAs: 'Pending' },
		},
		Customer: { ...NAME, TenantCode: expect.any(String) },
		Documents: expect.arrayContaining([some({ Id: document.Id, Title: 'Plan' })]),
		Estimate: { Amount: money(70) },
		Flags: expect.arrayContaining([some({ Id: 50, ...NAME, Comment: 'look' })]),
		Items: [
			{
				Asset: {
					Id: asset,
					SerialNumber: `SN-${asset}`,
					TagId: `TAG${asset}`,
					Attributes: { Manufacturer: `Maker ${asset % 5}` },
				},
				Task: NAME,
			},
		],
		Notes: expect.arrayContaining([some({ Body: 'a note' })]),
		Quote: { Amount: money(80), Status: 'Approved' },
		Verifications: [{ WoRatingId: 'Positive', Comment: 'fine' }],
	});
	expect(Object.values(found.CustomFields as object)).toContain('CC-1');
	const history = found.History as Row[];
	expect(history.map(({ TypeId }) => TypeId)).toEqual(['Create', 'Assign', 'PickUp', 'OnHold']);
	expect(history[3]).toMatchObject({ Actor: { DisplayAs: 'Dispatcher' }, Reason: NAME });
	// No order contains the name of the flag.
	expect(asked().sort()).toEqual(['WoActionReasonLookup', 'WpTree', ...STATUSES_TOO].sort());
});

const STATUSES_TOO = ['WorkOrder', 'ApInvoiceStatus', 'InternalCostStatus'];

// The orders themselves contain the names of actors and reasons.
it.each([
	[250, 1],
	[251, 2],
])('Get Details of %d orders takes %d requests, and one for their links', async (count, most) => {
	const ids = records.ids('WorkOrder', count);
	const { items, error } = await details(ids);
	expect(error).toBeUndefined();
	expect(items.map(({ json, pairedItem }) => [json.Id, pairedItem])).toEqual(
		ids.map((Id, item) => [Id, { item }]),
	);
	expect(asked()).toEqual([...Array<string>(most).fill('WorkOrder'), 'WpTree']);
	expect(definitions().sort()).toEqual(['AttributeDescriptor', 'CustomFieldDescriptor']);
});

it.each([
	[1, 4],
	[500, 5],
	[501, 9],
])('Get Details of %d orders without names in them takes %d requests', async (count, most) => {
	const ids = records.ids('WorkOrder', count);
	for (const Id of ids) {
		records.insert('WoAssignment', { WorkOrderId: Id, EmployeeId: 330 });
		records.insert('WoFlag', { WoId: Id, FlagId: 52 });
	}
	const { items } = await details(ids);
	expect(items.map(({ json }) => (json.Flags as Row[]).at(-1))).toEqual(
		ids.map(() => some({ Id: 52, ...NAME })),
	);
	expect(items.map(({ json }) => (json.Assignments as Row[]).at(-1))).toEqual(
		ids.map(() => ({ Employee: { Id: 330, DisplayAs: 'Web Services User' }, IsPrimary: false })),
	);
	expect(asked()).toHaveLength(most);
});

it('Get Details uses the clock of Corrigo', async () => {
	const { Id } = records.orderIn('Open');
	company.sandbox.set({ clockOffsetSeconds: 5 * 3600 });
	const due = Math.floor(Date.now() / 1000) * 1000 + 3 * 3_600_000;
	records.change('WorkOrder', Id, { DueDateUtc: new Date(due).toISOString().slice(0, 19) });
	const { HoursLeft, IsOverdue } = await one(Id);
	expect(IsOverdue).toBe(true);
	expect(Number(HoursLeft)).toBeCloseTo(-2, 1);
});

it('Get Details reads only the chosen parts', async () => {
	const { Id } = records.orderIn('Open');
	const found = await one(Id, { include: ['notes', 'costs'] });
	expect(found).toHaveProperty('Notes');
	expect(found).toHaveProperty('Costs');
	for (const name of ['Items', 'History', 'Assignments', 'Customer', 'Quote']) {
		expect(found).not.toHaveProperty(name);
	}
	expect(asked()).toEqual(['WorkOrder']);
	expect(Object.keys(await one(Id, { include: '={{ " notes ,, Costs, " }}' })).sort()).toEqual(
		Object.keys(found).sort(),
	);
});

it('Get Details reads the names of statuses once for all orders, where they are requested', async () => {
	const ids = records.ids('WorkOrder', 501);
	const { items } = await details(ids, { include: ['costs', 'costStatuses'] });
	const { ApStatusId, CostStatusId } = records.rows('WorkOrderCost')[0];
	expect(items[0].json.Costs).toMatchObject({
		ApStatusId,
		ApStatus: { Id: ApStatusId, DisplayAs: 'None' },
		CostStatusId,
		CostStatus: { Id: CostStatusId, DisplayAs: 'Pending' },
	});
	expect(asked().sort()).toEqual([...STATUSES_TOO, 'WorkOrder'].sort());
	const [{ json }] = (await details(ids.slice(0, 1), { include: ['costs'] })).items;
	expect(json.Costs).toMatchObject({ ApStatusId, CostStatusId });
	expect(json.Costs).not.toHaveProperty('ApStatus');
});

it('Get Details reads attributes and procedures separately where the service rejects deep properties', async () => {
	const Id = Number(records.rows('WoProcedure')[0].WorkOrderId);
	records.insert('WoItem', { WorkOrderId: Id, Comment: 'no asset', Asset: null });
	const expected = await one(Id);
	expect(expected.Items).toHaveLength(2);
	expect(expected.Procedures).toHaveLength(1);
	company.sandbox.forgetRequests();
	requests.fault(TOO_DEEP);
	const found = await one(Id);
	expect({ ...found, HoursLeft: expected.HoursLeft }).toEqual(expected);
	const apart = ['AssetAttribute', 'WoProcedure', 'WoProcedureStep', 'WpTree'];
	expect(asked().slice(0, 2)).toEqual(['WorkOrder', 'WorkOrder']);
	expect(asked().slice(2).sort()).toEqual(apart);
	expect(requests.sent()[2].rawBody).not.toMatch(/"Values":\[[^\]]*(null|undefined)/);
});

it('Get Details takes numbers, and fails where the service rejects the query', async () => {
	const order = records.orderIn('New');
	const run = await n8n.run('workOrder:getDetails', { id: byNumber(order.Number) });
	expect(run.items[0].json.Id).toBe(order.Id);

	requests.fault(denied('WorkOrder', { times: 2 }));
	const { error } = await details([order.Id]);
	expect(error?.message).toContain('No rights');
	expect(error?.description).toContain("'Options > Include'");
});

it('Get Details omits names that may not be read', async () => {
	const { Id } = records.orderIn('OnHold');
	records.insert('WoAssignment', { WorkOrderId: Id, EmployeeId: 330 });
	records.insert('WoFlag', { WoId: Id, FlagId: 52 });
	const unreadable = [
		...['Employee', 'WoActionReasonLookup', 'ApInvoiceStatus', 'InternalCostStatus'],
		'WpTree',
	];
	for (const entity of unreadable) requests.fault(denied(entity));
	const found = await one(Id, { include: [...PART_NAMES] });
	expect((found.Assignments as Row[]).at(-1)).toEqual({ Employee: { Id: 330 }, IsPrimary: false });
	expect((found.Flags as Row[]).at(-1)).toMatchObject({ Id: 52 });
	expect(found.Costs).toMatchObject({ ApStatus: { Id: 1 }, CostStatus: { Id: 1 } });
	expect(found.LinkedOrders).toBeNull();
	expect(asked().sort()).toEqual(['WorkOrder', ...unreadable].sort());
});

describe('Get Details shows linked orders with their status', () => {
	const order = ({ Id, Number: number, StatusId }: Row) => ({
		Number: number,
		Id,
		Status: getMemberLabel('WorkOrderStatus', String(StatusId)),
	});

	it('above it, below it, and before it', async () => {
		const [parent, middle, child, main, other] = records.rows('WorkOrder');
		const link = (ChildWoId: number, more: object) =>
			records.insert('WpTree', { ChildWoId, Level: 1, ...more });
		link(middle.Id, { ParentWorkOrder: { Id: parent.Id }, DependOnWorkOrder: { Id: main.Id } });
		link(child.Id, { ParentWorkOrder: { Id: middle.Id } });
		const { items } = await details([parent, middle, child, other].map(({ Id }) => Id));
		expect(items.map(({ json }) => json.LinkedOrders)).toEqual([
			{ Parent: null, Children: [order(middle)], WaitsFor: [] },
			{ Parent: order(parent), Children: [order(child)], WaitsFor: [order(main)] },
			{ Parent: order(middle), Children: [], WaitsFor: [] },
			{ Parent: null, Children: [], WaitsFor: [] },
		]);
		// The links, and the numbers of the children, each for all orders.
		expect(asked()).toEqual(['WorkOrder', 'WpTree', 'WorkOrder']);
	});

	it('unless customers read the output', async () => {
		const [{ Id }] = records.rows('WorkOrder');
		expect(await one(Id, { audience: 'customer' })).not.toHaveProperty('LinkedOrders');
		expect(asked()).toEqual(['WorkOrder']);
	});
});
