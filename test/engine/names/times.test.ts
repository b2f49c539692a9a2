/** Local times with a time zone: the value that is sent, and how the service interprets it. */
import type { IDataObject } from 'n8n-workflow';

import type { Row } from '../../../sandbox';
import {
	byId,
	byName,
	eachId,
	errorsOf,
	filledIn,
	getId,
	hintsOf,
	idsOf,
	itemsOf,
	jsonOf,
	mappedByName,
	rejection,
	shareCompany,
	DENIED,
} from '../../support/company';

const company = shareCompany();
const { n8n, records, requests } = company;

const NOON = { winter: '2026-01-15T12:00:00Z', summer: '2026-07-15T12:00:00Z' };

/** Clock time in a zone at noon UTC, by the zone's index. */
const CLOCKS = [
	[35, '2026-01-15T07:00:00', '2026-07-15T08:00:00'],
	[85, '2026-01-15T12:00:00', '2026-07-15T13:00:00'],
	[110, '2026-01-15T13:00:00', '2026-07-15T14:00:00'],
] as const;

/** A new order in this zone. */
function orderInZone(TimeZone: number): Row {
	const order = records.orderIn('New');
	setZone(TimeZone, [order]);
	return order;
}

function setZone(TimeZone: number, orders: Row[]): void {
	for (const { Id } of orders) records.change('WorkOrder', Id, { TimeZone });
}

/** The fields, as columns of the form and as JSON. */
const inBothModes = (fields: IDataObject) => [{ fields: filledIn(fields) }, { fieldsJson: fields }];

describe('an instant in a field for local times', () => {
	it.each(CLOCKS)(
		'in zone %i becomes the local time of an order that is updated',
		async (zone, ...at) => {
			const order = orderInZone(zone);
			for (const [index, DtDue] of Object.values(NOON).entries()) {
				company.sandbox.forgetRequests();
				for (const form of [...inBothModes({ DtDue }), { fieldsJson: { DueDateUtc: DtDue } }]) {
					records.change('WorkOrder', order.Id, { DtDue: null, DueDateUtc: null });
					const run = await n8n.succeed('workOrder:update', { id: byId(order.Id), ...form });
					expect(jsonOf(run.items)).toMatchObject([{ DtDue: at[index] }]);
				}
				expect(
					idsOf(
						requests.bodies().map(({ Entity }) => Entity),
						'DtDue',
					),
				).toEqual(Array(3).fill(at[index]));
				const { DueDateUtc } = records.get('WorkOrder', order.Id);
				expect(Date.parse(String(DueDateUtc))).toBe(Date.parse(DtDue));
			}
		},
	);

	it.each(CLOCKS)(
		'in zone %i becomes the local time of an order that is created',
		async (zone, ...at) => {
			records.change('WorkZone', getId(records.rows('Customer')[0].WorkZone), { TimeZone: zone });
			const additionalFields = {
				due: NOON.summer,
				scheduledStart: NOON.winter,
				actionDate: '2026-01-15T14:00:00+02:00',
				acknowledgeBy: '2026-01-15T12:00:00',
				otherProperties: { DtOnSiteBy: NOON.summer },
			};
			const run = await n8n.succeed('workOrder:create', records.newOrder({ additionalFields }));
			expect(requests.commands()).toMatchObject([
				{
					ActionDate: at[0],
					WorkOrder: {
						DtDue: at[1],
						DtOnSiteBy: at[1],
						DtScheduledStart: at[0],
						DtAcknowledgeBy: '2026-01-15T12:00:00',
					},
				},
			]);
			const [{ Id }] = jsonOf(run.items);
			expect(records.get('WorkOrder', Number(Id))).toMatchObject({
				DtDue: at[1],
				DueDateUtc: expect.stringContaining('2026-07-15T12:00:00') as unknown,
			});
		},
	);

	// Promise: Times with a zone become local times of the work zone
	it.each(CLOCKS)('in zone %i becomes the local time of an action', async (zone, winter) => {
		const order = orderInZone(zone);
		const additionalFields = { actionDate: NOON.winter };
		await n8n.succeed('workOrder:pickUp', { id: byId(order.Id), additionalFields });
		expect(requests.commands()).toMatchObject([{ ActionDate: winter }]);
		expect(records.rows('WoActionLog').at(-1)).toMatchObject({ ActionDate: winter });
	});

	it('becomes the local time of the customer of a new space', async () => {
		const customer = records.rows('Customer')[0];
		records.change('WorkZone', getId(customer.WorkZone), { TimeZone: 110 });
		await n8n.succeed('space:create', {
			customer: byId(customer.Id),
			unit: 'new',
			unitName: 'Suite 7',
			startDate: NOON.summer,
			additionalFields: { moveInDate: NOON.winter, endDate: '2027-01-01' },
		});
		expect(requests.commands()).toMatchObject([
			{
				StartDate: '2026-07-15T14:00:00',
				MoveInDate: '2026-01-15T13:00:00',
				EndDate: '2027-01-01T00:00:00',
			},
		]);
	});

	it('becomes a local time in the body of any command', async () => {
		const order = records.orderIn('New');
		const customer = records.rows('Customer')[0];
		setZone(110, [order]);
		records.change('WorkZone', getId(customer.WorkZone), { TimeZone: 35 });
		const execute = async (commandName: string, commandBody: IDataObject) => {
			await n8n.succeed('command:execute', { commandName: byName(commandName), commandBody });
			return requests.commands().at(-1);
		};
		const action = { WorkOrderId: order.Id, ActionDate: NOON.summer, Comment: NOON.summer };
		expect(await execute('wopickupcommand', action)).toEqual({
			...action,
			ActionDate: '2026-07-15T14:00:00',
		});
		const WorkOrder = {
			TypeCategory: 'Request',
			SubType: { Id: 24 },
			Customer: { Id: customer.Id },
			Items: [
				{ Asset: { Id: records.rows('Location')[0].Id }, Task: { Id: records.rows('Task')[0].Id } },
			],
			DtDue: NOON.summer,
		};
		const sent = await execute('WoCreateCommand', { WorkOrder, ComputeSchedule: true });
		expect(sent).toMatchObject({ WorkOrder: { DtDue: '2026-07-15T08:00:00' } });
	});

	it.each([
		['a basic order', { typeCategory: 'Basic', subType: byId(21), customer: byId('') }],
		['a request, not of its customer', {}],
	])('becomes the local time of the work zone that is chosen for %s', async (_, form) => {
		const [{ WorkZone }] = records.rows('Customer');
		const Id = records.ids('WorkZone').find((one) => one !== getId(WorkZone)) as number;
		records.change('WorkZone', getId(WorkZone), { TimeZone: 35 });
		records.change('WorkZone', Id, { TimeZone: 110 });
		const additionalFields = { due: NOON.summer, workZone: byId(Id) };
		await n8n.succeed('workOrder:create', records.newOrder({ ...form, additionalFields }));
		expect(requests.commands()).toMatchObject([
			{ WorkOrder: { WorkZone: { Id }, DtDue: '2026-07-15T14:00:00' } },
		]);
	});

	it('becomes the local time of the work zone of a space that is updated', async () => {
		const space = records.rows('Space')[0];
		const customer = records.get('Customer', Number(space.CustomerId));
		for (const at of [space.WorkZone, customer.WorkZone]) {
			records.change('WorkZone', getId(at), { TimeZone: 85 });
		}
		const form = { id: byId(space.Id), fields: filledIn({ EndDate: NOON.summer }) };
		await n8n.succeed('space:update', form);
		expect(requests.bodies()).toMatchObject([{ Entity: { EndDate: '2026-07-15T13:00:00' } }]);
	});
});

describe('an instant is written on the clock of the work zone to which the record moves', () => {
	const rome = () => {
		const [, zone] = records.rows('WorkZone');
		records.change('WorkZone', zone.Id, { TimeZone: 110 });
		return zone.Id;
	};

	it('by an update', async () => {
		const to = rome();
		const order = orderInZone(35);
		records.change('WorkOrder', order.Id, { WorkZone: { Id: records.ids('WorkZone')[0] } });
		const fieldsJson = { WorkZone: { Id: to }, DtDue: NOON.winter };
		await n8n.succeed('workOrder:update', { id: byId(order.Id), fieldsJson });
		expect(requests.bodies()[0].Entity.DtDue).toBe('2026-01-15T13:00:00');
	});

	it('by Create or Update', async () => {
		const to = rome();
		const [from] = records.ids('WorkZone');
		records.change('WorkZone', from, { TimeZone: 35 });
		const [employee, card] = [records.ids('Employee')[0], records.ids('TimeCard')[0]];
		const write = async (zone: number, StartDate: string) => {
			const item = { TypeId: 'Manual', Duration: 61, WorkZone: { Id: zone }, StartDate };
			await n8n.succeed('record:upsert', {
				...{ entity: byName('TimeCardItem'), matchOn: 'Employee.Id,Duration' },
				fieldsJson: { ...item, Employee: { Id: employee }, TimeCard: { Id: card } },
			});
			return requests.bodies().at(-1)?.Entity.StartDate;
		};
		expect(await write(from, NOON.winter)).toBe('2026-01-15T07:00:00');
		expect(await write(to, NOON.winter)).toBe('2026-01-15T13:00:00');
	});
});

describe('an instant for a record that an earlier item of a dry run creates', () => {
	const [NEW_YORK, OTHER] = [35, 110];
	const [first, second] = ['2026-01-15T12:00:00Z', '2026-01-15T13:00:00Z'];
	const zones = () => records.ids('WorkZone').slice(0, 2);

	beforeEach(() => {
		for (const [index, id] of zones().entries()) {
			records.change('WorkZone', id, { TimeZone: [NEW_YORK, OTHER][index] });
		}
	});

	/** Both items have one key. */
	const planAndWrite = async (operation: string, form: object, jsons: object[]) => {
		const items = jsons.map((json) => ({ json: json as IDataObject }));
		const dry = await n8n.succeed(operation, { ...form, options: { dryRun: 'always' } }, { items });
		const real = await n8n.succeed(operation, form, { items });
		return [dry, real].map((run) => jsonOf(run.items)[1]);
	};

	it.each([
		['of its work zone', {}, '2026-01-15T08:00:00'],
		['of the work zone that is given again', { zone: 0 }, '2026-01-15T08:00:00'],
		['of the work zone to which it moves', { zone: 1 }, '2026-01-15T14:00:00'],
	])('is on the clock %s', async (_, { zone }: { zone?: number }, StartDate) => {
		const card = { Comment: 'key', TimeCard: { Id: records.ids('TimeCard')[0] } };
		const at = (index: number) => ({ WorkZone: { Id: zones()[index] } });
		const form = { matchOn: 'Comment', fieldsJson: '={{ $json }}' };
		const [dry, real] = await planAndWrite('timeCard:upsert', form, [
			{ ...card, ...at(0), StartDate: first },
			{ ...card, ...(zone === undefined ? {} : at(zone)), StartDate: second },
		]);
		expect([dry, real]).toMatchObject([
			{ Outcome: 'wouldUpdate', WouldChange: { 'Start Date': { To: StartDate } } },
			{ Outcome: 'updated', StartDate },
		]);
	});

	it.each([
		['of the customer of an order', {}, '2026-01-15T08:00:00'],
		['of the work zone of an order', { workZone: '={{ $json.zone }}' }, '2026-01-15T14:00:00'],
	])('is on the clock %s', async (_, more, DtDue) => {
		const customer = records.rows('Customer')[0].Id;
		records.change('Customer', customer, { WorkZone: { Id: zones()[0] } });
		const form = records.newOrder({
			...{ externalNumber: 'N-1', customer: byId(customer), computeSchedule: false },
			additionalFields: { due: '={{ $json.x }}', ...more },
		});
		const [dry, real] = await planAndWrite(
			'workOrder:upsert',
			form,
			[first, second].map((x) => ({ x, zone: zones()[1] })),
		);
		expect([dry, real]).toMatchObject([
			{ Outcome: 'wouldUpdate', WouldChange: { Due: { To: DtDue } } },
			{ Outcome: 'updated', DtDue },
		]);
	});

	it('takes no request where no time needs the clock', async () => {
		const form = records.newOrder({
			...{ externalNumber: 'N-1', additionalFields: { due: '={{ $json.x }}' } },
			options: { dryRun: 'always' },
		});
		const items = itemsOf('2026-01-15T12:00:00', '2026-01-15T13:00:00');
		await n8n.succeed('workOrder:upsert', form, { items });
		expect(JSON.stringify(requests.lookUps())).not.toContain('WorkZone.TimeZone');
	});
});

describe('an instant in another record', () => {
	it.each(CLOCKS)('in zone %i becomes the local time of a time card', async (zone, ...at) => {
		const [{ Id }] = records.rows('WorkZone');
		records.change('WorkZone', Id, { TimeZone: zone });
		const times = { StartDate: NOON.winter, EndDate: '2026-07-15T14:00:00+02:00' };
		for (const WorkZone of [{ Id }, Id]) {
			const fieldsJson = { ...times, WorkZone };
			await n8n.run('record:create', { entity: byName('TimeCardItem'), fieldsJson });
		}
		expect(requests.bodies().map(({ Entity }) => [Entity.StartDate, Entity.EndDate])).toEqual([
			at,
			at,
		]);
	});

	it.each(CLOCKS)('in zone %i becomes the local time of a check-in', async (zone, ...at) => {
		const visit = { WorkOrderId: records.orderIn('New').Id, EmployeeId: 301, TimeZone: zone };
		const times = { DtCheckIn: NOON.winter, DtCheckOut: '2026-07-15T14:00:00+02:00' };
		const { Id } = records.insert('WoOnSite', visit);
		const entity = byName('WoOnSite');
		await n8n.succeed('record:create', { entity, fieldsJson: { ...visit, ...times } });
		for (const form of inBothModes(times)) {
			await n8n.succeed('record:update', { entity, id: byId(Id), ...form });
		}
		const sent = requests.bodies().map(({ Entity }) => [Entity.DtCheckIn, Entity.DtCheckOut]);
		expect(sent).toEqual([at, at, at]);
	});

	it('in a check-in without a time zone is refused', async () => {
		const fields = { WorkOrderId: records.orderIn('New').Id, DtCheckIn: NOON.winter };
		const { Id } = records.insert('WoOnSite', { WorkOrderId: fields.WorkOrderId, TimeZone: 9999 });
		const entity = byName('WoOnSite');
		for (const [operation, form] of [
			['record:create', { fieldsJson: fields }],
			['record:update', { id: byId(Id), fields: filledIn(fields) }],
		] as const) {
			const { error } = await n8n.run(operation, { entity, ...form });
			expect(error?.message).toMatch(/^'.*' is "2026-01-15T12:00:00Z", but the time zone of/);
		}
		expect(requests.writes()).toEqual([]);
	});

	it('of a document, which has no work zone, is refused', async () => {
		const fieldsJson = { EndDate: '2026-01-15T14:00:00+02:00' };
		const run = await n8n.run('record:update', {
			entity: byName('Document'),
			id: byId(1),
			fieldsJson,
		});
		expect(run.error?.message).toBe(
			`'EndDate' is "${NOON.winter}", but the time zone of its work zone is not known`,
		);
		expect(run.error?.description).toContain('without a zone, such as 2026-01-31T17:30:00');
		expect(requests.writes()).toEqual([]);
	});

	it.each(CLOCKS)('in zone %i becomes the local time in a command', async (zone, ...at) => {
		const visit = { WorkOrderId: records.orderIn('New').Id, EmployeeId: 301, TimeZone: zone };
		const times = { DtCheckIn: NOON.winter, DtCheckOut: '2026-07-15T14:00:00+02:00' };
		const { Id } = records.insert('WoOnSite', visit);
		const PropertySet = { Properties: Object.keys(times) };
		for (const [name, commandBody] of [
			['UpdateCommand', { Entity: { EntityType: 'woOnSite', Id, ...times }, PropertySet }],
			['CreateCommand', { Entity: { EntityType: 'WoOnSite', ...visit, ...times } }],
		] as const) {
			await n8n.succeed('command:execute', { commandName: byName(name), commandBody });
		}
		const sent = requests.commands().map(({ Entity }) => Entity as IDataObject);
		expect(sent.map((one) => [one.DtCheckIn, one.DtCheckOut])).toEqual([at, at]);
	});

	it.each(CLOCKS)(
		'in zone %i becomes the local time of an order in a command, also in a UTC field',
		async (zone, at) => {
			const { Id, DueDateUtc: stored } = orderInZone(zone);
			const [, other] = records.ids('WorkZone');
			records.change('WorkZone', other, { TimeZone: zone });
			const execute = async (name: string, commandBody: IDataObject) => {
				await n8n.run('command:execute', { commandName: byName(name), commandBody });
				return requests.commands().at(-1) ?? {};
			};
			const order = { EntityType: 'WorkOrder', Id, PoNumber: 'P' };
			// A time that the order has already is left out.
			const { PropertySet: kept } = await execute('UpdateCommand', {
				Entity: { ...order, DueDateUtc: stored },
				PropertySet: { Properties: ['PoNumber', 'DueDateUtc'] },
			});
			expect(kept).toEqual({ Properties: ['PoNumber'] });
			const DueDateUtc = NOON.winter.replace('Z', '');
			for (const [named, sent] of [
				['PoNumber,DtDue', 'PoNumber,DtDue'],
				['PoNumber,duedateutc', 'PoNumber,DtDue'],
				['DueDateUtc', 'DtDue'],
				['*', 'PoNumber,DtDue'],
			]) {
				const time = named.includes('PoNumber,DtDue') ? { DtDue: NOON.winter } : { DueDateUtc };
				const { Entity, PropertySet } = await execute('UpdateCommand', {
					Entity: { ...order, ...time },
					PropertySet: { Properties: named.split(',') },
				});
				const { PoNumber, ...unnamed } = order;
				const isNamed = sent.includes('PoNumber');
				expect(Entity).toEqual({ ...unnamed, ...(isNamed ? { PoNumber } : {}), DtDue: at });
				expect(PropertySet).toEqual({ Properties: sent.split(',') });
				records.change('WorkOrder', Id, { DtDue: '2026-03-01T00:00:00', DueDateUtc: stored });
			}
			const place = { Customer: { Id: records.ids('Customer')[0] }, WorkZone: { Id: other } };
			const made = await execute('WoCreateCommand', { WorkOrder: { ...place, DueDateUtc } });
			expect(made.WorkOrder).toEqual({ ...place, DtDue: at });
		},
	);

	it.each(CLOCKS)('in zone %i becomes the local time in Other Fields', async (zone, at) => {
		const [, other] = records.ids('WorkZone');
		records.change('WorkZone', other, { TimeZone: zone });
		for (const times of [{ DtDue: NOON.winter }, { DueDateUtc: NOON.winter.replace('Z', '') }]) {
			for (const place of [{ WorkZone: { Id: other } }, { 'WorkZone.Id': other }]) {
				const additionalFields = { otherProperties: { ...times, ...place } };
				await n8n.succeed('workOrder:create', records.newOrder({ additionalFields }));
				const sent = requests.commands().at(-1)?.WorkOrder as IDataObject;
				expect([sent.DtDue, sent.DueDateUtc]).toEqual([at, undefined]);
			}
		}
	});

	it.each([
		[{ DtDue: NOON.winter }, "'DtDue' is"],
		[{ DueDateUtc: NOON.winter }, "'Commands' has DueDateUtc, which Corrigo does not write"],
		[
			{ DtDue: '2026-03-01T14:00:00', DueDateUtc: NOON.winter },
			"'Commands' has DueDateUtc, which Corrigo does not write",
		],
	])('in a command for any entity among several is refused: %j', async (times, message) => {
		for (const type of [{ EntityType: 'workorder' }, { $type: 'WorkOrder' }]) {
			const body = { Entity: { ...type, Id: 1, ...times }, PropertySet: { Properties: ['*'] } };
			const commandBody = { Commands: [{ $type: 'UpdateCommand', ...body }] };
			const form = { commandName: byName('CompositeCommand'), commandBody };
			expect((await n8n.run('command:execute', form)).error?.message).toContain(message);
		}
		expect(requests.sent()).toEqual([]);
	});

	it('is a day for a member that holds one, in a record and in a command', async () => {
		const { Id } = records.orderIn('New');
		const given = '2026-01-15T23:30:00-05:00';
		const CheckCutDate = '2026-01-15T00:00:00';
		const commandName = byName('ApSubmitPaymentCommand');
		const PaymentAmount = { Value: 5, CurrencyTypeId: 'USD' };
		const commandBody = { WorkOrderId: Id, PaymentAmount, checkcutdate: given };
		await n8n.run('command:execute', { commandName, commandBody });
		expect(requests.commands()).toEqual([{ WorkOrderId: Id, PaymentAmount, CheckCutDate }]);
		for (const form of inBothModes({ CheckCutDate: given })) {
			await n8n.run('record:update', { entity: byName('WorkOrderCost'), id: byId(Id), ...form });
			expect(requests.bodies().at(-1)?.Entity).toEqual({ Id, CheckCutDate });
		}
	});
});

describe('a date that cannot be written', () => {
	it.each([
		'tomorrow',
		'01/31/2026',
		'2026-02-30',
		'2026-01-31T17:30:00+5',
		'2026-01-31T24:00:00',
		'0001-01-01T00:00:00+01:00',
		'9999-12-31T23:59:59-05:00',
		'0001-01-01T00:00:00Z',
	])('such as %s is refused', async (DtDue) => {
		const order = orderInZone(35);
		for (const form of inBothModes({ DtDue })) {
			const run = await n8n.run('workOrder:update', { id: byId(order.Id), ...form });
			expect(run.error?.message).toMatch(/DtDue|Due/);
		}
		const commandName = byName('WoPickUpCommand');
		const commandBody = { WorkOrderId: order.Id, ActionDate: DtDue };
		const run = await n8n.run('command:execute', { commandName, commandBody });
		expect(run.error?.message).toContain("ActionDate' must be a date and time");
		expect(requests.writes()).toEqual([]);
	});

	it('is not the last one without a zone', async () => {
		const DtDue = '9999-12-31T23:59:59';
		const order = records.orderIn('New');
		const form = { id: byId(order.Id), fields: filledIn({ DtDue }) };
		await n8n.succeed('workOrder:update', form);
		expect(requests.bodies()[0].Entity.DtDue).toBe(DtDue);
	});
});

describe('a time in UTC in Fields (JSON)', () => {
	const update = async (id: number, fieldsJson: IDataObject) =>
		await n8n.run('workOrder:update', { id: byId(id), fieldsJson });
	const upsert = async (Id: number, fields: IDataObject) => {
		records.change('WorkOrder', Id, { PoNumber: 'PO-OWN' });
		return await n8n.run('record:upsert', {
			entity: byName('WorkOrder'),
			matchOn: 'PoNumber',
			fieldsJson: { ...fields, PoNumber: 'PO-OWN' },
			options: { updateOnly: 'error' },
		});
	};

	it.each(CLOCKS)('in zone %i is written as the local time of the order', async (zone, ...at) => {
		const order = orderInZone(zone);
		const fields = { ScheduledStartUtc: NOON.winter, DtUtcOnSiteBy: '2026-07-15T12:00:00' };
		const run = await update(order.Id, { ...fields, PoNumber: 'x' });
		expect(run.error).toBeUndefined();
		expect(run.hints).toEqual([]);
		const [DtScheduledStart, DtOnSiteBy] = at;
		const [{ Properties, Entity }] = requests.bodies() as IDataObject[];
		expect(Properties).toEqual(
			expect.arrayContaining(['PoNumber', 'DtScheduledStart', 'DtOnSiteBy']),
		);
		expect(Entity).toEqual({ Id: order.Id, PoNumber: 'x', DtScheduledStart, DtOnSiteBy });
		const stored = records.get('WorkOrder', order.Id);
		expect(Date.parse(String(stored.ScheduledStartUtc))).toBe(Date.parse(NOON.winter));
	});

	it.each(['simplified', 'raw'])(
		'is left out with a hint where it was pasted from a Get of %s properties',
		async (output) => {
			const order = orderInZone(110);
			const visit = { DtScheduledStart: NOON.summer, DtOnSiteBy: '2026-07-01T08:00:00' };
			await update(order.Id, { DtDue: NOON.winter, ...visit });
			const form = { id: byId(order.Id), output };
			const [{ json: read }] = (await n8n.run('workOrder:get', form)).items;
			for (const write of [update, upsert]) {
				company.sandbox.forgetRequests();
				const edited = { ...read, ContactName: write.name, ConcurrencyId: undefined };
				const run = await write(order.Id, edited);
				expect(run.error).toBeUndefined();
				expect(hintsOf(run).join()).toMatch(
					/Left out of 'Fields \(JSON\)', as .*: (\w+, )*DueDateUtc/,
				);
				const [{ Entity }] = requests.bodies();
				expect(Entity.DtDue).toBe(output === 'raw' && write === update ? read.DtDue : undefined);
			}
		},
	);

	it('of all items takes one look-up, and an item with another local time fails alone', async () => {
		const [first, second] = records.rows('WorkOrder');
		setZone(35, [first, second]);
		const run = await n8n.run(
			'workOrder:update',
			{
				id: byId('={{ $json.x.Id }}'),
				fieldsJson: `={{ ({ DueDateUtc: '${NOON.winter}', DtDue: $json.x.DtDue }) }}`,
			},
			{
				items: itemsOf(
					{ Id: first.Id, DtDue: '2026-01-15T08:00:00' },
					{ Id: second.Id, DtDue: '2026-01-15T07:00:00' },
				),
				onError: 'continueErrorOutput',
			},
		);
		expect(errorsOf(run)).toEqual([
			`'Fields (JSON)' changes 'DueDateUtc' to "${NOON.winter}", but 'DtDue' to "2026-01-15T08:00:00", which is another time`,
		]);
		expect(requests.queries()).toHaveLength(1);
		expect(requests.bodies()).toMatchObject([
			{ Entity: { Id: second.Id, DtDue: '2026-01-15T07:00:00' } },
		]);
	});

	it('sends nothing if the order already has this time', async () => {
		const { Id } = orderInZone(35);
		const given = { DueDateUtc: NOON.winter };
		await update(Id, given);
		for (const item of [given, { Id, ...given }]) {
			for (const way of [{ fieldsJson: item }, mappedByName([])]) {
				company.sandbox.forgetRequests();
				const form = { id: byId(Id), ...way };
				const run = await n8n.succeed('workOrder:update', form, { items: [{ json: item }] });
				expect(jsonOf(run.items)).toMatchObject([{ Id, Outcome: 'unchanged' }]);
				expect(requests.writes()).toEqual([]);
			}
		}
	});

	it('is returned by Create or Update as Corrigo stores it', async () => {
		records.change('WorkZone', getId(records.rows('Customer')[0].WorkZone), { TimeZone: 35 });
		const additionalFields = { due: NOON.summer };
		const form = records.newOrder({ externalNumber: 'T-1', additionalFields });
		for (const Outcome of ['created', 'unchanged']) {
			const run = await n8n.succeed('workOrder:upsert', form);
			expect(jsonOf(run.items)).toMatchObject([{ Outcome, DtDue: CLOCKS[0][2] }]);
		}
	});

	it('is written by Create or Update only where it differs', async () => {
		const order = orderInZone(110);
		const made = await upsert(order.Id, { ScheduledStartUtc: NOON.summer });
		expect(jsonOf(made.items)).toMatchObject([
			{ Outcome: 'updated', Changed: ['DtScheduledStart'] },
		]);
		expect(requests.bodies()[0].Entity).toMatchObject({ DtScheduledStart: '2026-07-15T14:00:00' });
		const again = await upsert(order.Id, { ScheduledStartUtc: NOON.summer });
		expect(jsonOf(again.items)).toMatchObject([{ Outcome: 'unchanged' }]);
	});
});

describe('the time zones of the work zones', () => {
	it('are read once for all items of a run', async () => {
		const orders = records.rows('WorkOrder').slice(0, 12);
		setZone(35, orders.slice(0, 6));
		setZone(110, orders.slice(6));
		await n8n.succeed(
			'workOrder:update',
			{
				id: eachId,
				fields: filledIn({ DtDue: NOON.winter }),
				options: { advanced: { parallelRequests: 4 } },
			},
			{ items: itemsOf(...orders.map(({ Id }) => Id)) },
		);
		const fieldsJson = { StartDate: NOON.winter, WorkZone: { Id: records.ids('WorkZone')[0] } };
		const form = { entity: byName('TimeCardItem'), fieldsJson };
		await n8n.run('record:create', form, { items: itemsOf(1, 2) });
		expect(requests.queries()).toEqual(['WorkOrder', 'WorkZone']);
		expect(orders.map(({ Id }) => records.get('WorkOrder', Id).DtDue)).toEqual([
			...Array<string>(6).fill('2026-01-15T07:00:00'),
			...Array<string>(6).fill('2026-01-15T13:00:00'),
		]);
	});

	it('are not read where no time needs them', async () => {
		const { Id } = records.orderIn('New');
		const fields = filledIn({ DtDue: '2026-01-15T07:00:00', PoNumber: NOON.winter });
		await n8n.run('workOrder:update', { id: byId(Id), fields });
		await n8n.run(
			'workOrder:create',
			records.newOrder({ additionalFields: { due: '2026-01-15' } }),
		);
		expect(requests.queries()).toEqual([]);
		expect(requests.writes()).toHaveLength(2);
	});

	it('that cannot be read stop the item before it is sent, with a way out in the message', async () => {
		const [known, unknown] = records.rows('WorkOrder');
		setZone(35, [known]);
		setZone(7, [unknown]);
		const run = await n8n.run(
			'workOrder:update',
			{ id: eachId, fields: filledIn({ DtDue: NOON.winter }) },
			{ items: itemsOf(unknown.Id, 999_999, known.Id), onError: 'continueErrorOutput' },
		);
		expect(run.items).toHaveLength(1);
		expect(errorsOf(run)).toEqual([
			expect.stringContaining("'DtDue' is"),
			'There is no work order with the ID 999999',
		]);
		expect(requests.writes()).toHaveLength(1);

		company.sandbox.forgetRequests();
		requests.fault(rejection('/query/WorkOrder', DENIED));
		const fields = filledIn({ DtDue: NOON.winter });
		const unread = await n8n.run('workOrder:update', { id: byId(known.Id), fields });
		expect(unread.error?.message).toContain('the time zone of its work zone is not known');
		expect(requests.writes()).toEqual([]);

		company.sandbox.forgetRequests();
		const additionalFields = { due: NOON.winter };
		const form = { typeCategory: 'Basic', subType: byId(21), customer: byId(''), additionalFields };
		const basic = await n8n.run('workOrder:create', records.newOrder(form));
		expect(basic.error?.message).toBe(
			`'DtDue' is "${NOON.winter}", but the time zone of its work zone is not known`,
		);
		expect(basic.error?.description).toContain('without a zone, such as 2026-01-31T17:30:00');
		expect(requests.sent()).toEqual([]);
	});
});

it('a search by a local time finds the orders of all zones by the instant', async () => {
	const orders = records.rows('WorkOrder').slice(0, 3);
	for (const [index, [zone]] of CLOCKS.entries()) {
		setZone(zone, [orders[index]]);
		const form = { id: byId(orders[index].Id), fields: filledIn({ DtDue: NOON.summer }) };
		await n8n.run('workOrder:update', form);
	}
	const search = async (value: string) => {
		const conditions = { values: [{ property: 'DtDue', operator: 'Equal', value }] };
		const run = await n8n.succeed('workOrder:getMany', { returnAll: true, conditions });
		return idsOf(jsonOf(run.items));
	};
	expect(await search('2026-07-15T14:00:00+02:00')).toEqual(idsOf(orders));
	expect(await search('2026-07-15T14:00:00')).toEqual([orders[2].Id]);
});
