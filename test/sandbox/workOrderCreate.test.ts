import { TestClock, type Json, getRefusal, sharedClient } from './client';

const clock = new TestClock();
const client = sharedClient({ now: clock.now });

const order = (members: object = {}): object => ({
	TypeCategory: 'Request',
	SubType: { Id: 24 },
	Customer: { Id: 101 },
	Items: [{ Asset: client.store.rows('Space')[0].Asset, Task: { Id: 501 }, Comment: 'too hot' }],
	...members,
});

const create = async (members: object = {}, switches: object = {}): Promise<Json> => {
	const command = { WorkOrder: order(members), ...switches };
	const { status, data } = await client.command('WoCreateCommand', command, 'w1');
	expect([status, data.RequestId]).toEqual([200, 'w1']);
	return data.CommandResult.Wo;
};

it('WoCreateCommand creates a minimal order, numbered by its work zone, and another one for an equal RequestId', async () => {
	const first = await create();
	const second = await create();
	expect(first).toMatchObject({
		Id: expect.any(Number),
		Number: expect.stringMatching(/^MTM\d{7}$/),
		TypeCategory: 'Request',
		StatusId: 'New',
		Customer: { Id: 101 },
		WorkZone: { Id: 11 },
		WorkOrderCost: { Id: first.Id },
		LastAction: { Id: first.Id },
		ConcurrencyId: expect.any(Number),
		CreatedDateUtc: expect.stringMatching(/^2026-01-31T12:00:00\.\d{7}Z$/),
		DtCreated: expect.stringMatching(/^2026-01-31T07:00:00\.\d{7}$/),
		TimeZone: 35,
	});
	expect(first).not.toHaveProperty('Employee');
	expect(Number(String(second.Number).slice(3))).toBe(Number(String(first.Number).slice(3)) + 1);
});

it('WoCreateCommand reads the contact from RequestorContact and ignores Contactid', async () => {
	const linked = await create({ RequestorContact: { Id: 2001 } });
	expect(linked).toMatchObject({
		RequestorContact: { Id: 2001 },
		ContactName: client.store.get('Contact', 2001)?.DisplayAs,
	});
	expect(await create({ Contactid: 2001 })).not.toHaveProperty('RequestorContact');
});

it('WoCreateCommand takes priority and specialty from the task', async () => {
	const task = client.store.get('Task', 501);
	expect(await create({ Priority: { Id: 4 } })).toMatchObject({
		Priority: task?.Priority,
		Specialty: task?.Specialty,
	});
});

it('WoCreateCommand writes the members that the caller sends', async () => {
	const texts = {
		PoNumber: 'PO-7',
		ContactName: 'Front desk',
		DtScheduledStart: '2026-02-01T08:00:00',
	};
	const others = {
		Duration: 45,
		IsWarranty: true,
		VendorNte: { Value: 12.5, CurrencyTypeId: 'EUR' },
	};
	const { Id } = await create(
		{
			...texts,
			...others,
			Notes: [{ Body: 'note', NoteTypeId: 'Private' }],
			CustomFields: [{ Descriptor: { Id: 701 }, Value: 'CC-9' }],
			ContactAddress: { Address: '555', AddrTypeId: 'Contact' },
		},
		{ ExternalNumber: 'EXT-ONCE', Comment: 'made by a test' },
	);
	const paths =
		'PoNumber,ContactName,DtScheduledStart,Duration,IsWarranty,VendorNte,Notes.Body,CustomFields.Value,' +
		'ContactAddress.Address,LastAction.XNumber,Items.Comment,Items.SortOrderIdx';
	expect(await client.read('WorkOrder', Number(Id), paths)).toEqual({
		...texts,
		...others,
		Notes: [{ Body: 'note' }],
		CustomFields: [{ Value: 'CC-9' }],
		ContactAddress: { Address: '555' },
		LastAction: { XNumber: 'EXT-ONCE' },
		Items: [{ Comment: 'too hot', SortOrderIdx: 1 }],
	});
	const found = await client.queryWhere('WorkOrder', ['LastAction.XNumber', 'Equal', 'EXT-ONCE']);
	expect(found.data.Entities).toHaveLength(1);
});

it('WoCreateCommand assigns by ComputeAssignment, EmployeeId and KeepUnassigned', async () => {
	const links = client.store.children('LinkUserAndWorkZone', 'WorkZoneId', 11);
	const computed = await create({}, { ComputeAssignment: true, EmployeeId: 302 });
	expect(links.map(({ UserId }) => UserId)).toContain(computed.Employee.Id);
	expect((await create({}, { EmployeeId: 302 })).Employee).toEqual({ Id: 302 });
	const unassigned = await create({}, { ComputeAssignment: true, KeepUnassigned: true });
	expect(unassigned).not.toHaveProperty('Employee');
});

it('WoCreateCommand creates a Basic order of a work zone without a customer', async () => {
	const basic = { TypeCategory: 'Basic', Customer: undefined, WorkZone: { Id: 12 } };
	expect((await create(basic)).Number).toMatch(/^CHL/);
});

it('WoCreateCommand logs the creation and the assignment', async () => {
	const { Id } = await create({}, { EmployeeId: 302, ActionDate: '2026-01-30T00:00:00Z' });
	const log = client.store.children('WoActionLog', 'WorkOrderId', Id);
	expect(log).toEqual([
		expect.objectContaining({
			TypeId: 'Create',
			UiTypeId: 'IntegrationWS',
			IsBackDate: true,
			ActionDate: '2026-01-30T00:00:00',
		}),
		expect.objectContaining({ TypeId: 'Assign', ObjectId: 302 }),
	]);
});

it.each<[string, object, string?]>([
	['a missing sub type', { SubType: undefined }],
	['an empty list of items', { Items: [] }],
	['an item without an asset', { Items: [{ Task: { Id: 501 } }] }],
	['an item without a task', { Items: [{ Asset: { Id: 10001 } }] }],
	['a missing customer', { Customer: undefined }],
	['a missing category', { TypeCategory: undefined }],
	['a removed sub type', { SubType: { Id: 25 } }],
	['an unknown customer', { Customer: { Id: 999 } }],
	['too long a name', { ContactName: 'x'.repeat(257) }],
	[
		'the field of a customer',
		{ CustomFields: [{ Descriptor: { Id: 708 }, Value: 'x' }] },
		'ERROR_CODE_6',
	],
])('%s is rejected, and nothing is written', async (_, members, code = 'BUSINESS_LOGIC_ERROR') => {
	const counts = () => ['WorkOrder', 'WoItem'].map((entity) => client.store.count(entity));
	const before = counts();
	const call = client.command('WoCreateCommand', { WorkOrder: order(members) });
	expect(await getRefusal(call)).toBe(code);
	expect(counts()).toEqual(before);
});

it('WorkOrder/Create is a short path of WoCreateCommand', async () => {
	const { status } = await client.command('WorkOrder/Create', { WorkOrder: order() });
	expect(status).toBe(200);
});
