import type { Row } from '../../../sandbox';
import {
	byId,
	byName,
	eachId,
	idsOf,
	itemsOf,
	jsonOf,
	rejection,
	shareCompany,
	some,
} from '../../support/company';

const { n8n, records, requests } = shareCompany();

const sent = () => requests.sent().map(({ path }) => path.split('/').at(-1));
const idOf = (reference: unknown) => (reference as Row).Id;

/** An answer in place of the next one to the command. */
const answerCommand = (command: string, CommandResult: object) =>
	requests.fault(rejection(command, { CommandResult }, { status: 200 }));

describe('suggestions of assignees', () => {
	const ROUTINE = 'GetPreferredAssigneesRoutine';
	const suggest = async (parameters: object, more = {}) =>
		await n8n.run('workOrder:suggestAssignees', parameters, more);

	it('for several work orders are paired with them, which are read together', async () => {
		const [first, second] = records.rows('WorkOrder').filter(({ StatusId }) => StatusId === 'New');
		const { items, error } = await suggest(
			{ workOrder: eachId, maxSuggestions: 2 },
			{ items: itemsOf(first.Id, second.Id) },
		);
		expect(error).toBeUndefined();
		expect(items.map(({ pairedItem, json }) => [pairedItem, json.Rank, json.WorkOrder])).toEqual(
			[first, second].flatMap(({ Id, Number: number }, item) =>
				[1, 2].map((rank) => [{ item }, rank, { Id, Number: number }]),
			),
		);
		expect(sent().sort()).toEqual([ROUTINE, ROUTINE, 'WorkOrder']);
		expect(idsOf(requests.commands(), 'SpecialtyId')).toEqual(
			[first, second].map(({ Specialty }) => idOf(Specialty)),
		);
	});

	it('take the address of the work order, unless the form has another one', async () => {
		const [order] = records.rows('WorkOrder');
		const { Id } = records.insert('Address2', { Zip: '10001', Country: 'USA' });
		records.change('WorkOrder', order.Id, { Address: { Id } });
		const form = { workOrder: byId(order.Id) };
		await suggest(form);
		await suggest({ ...form, postalCode: '94103' });
		expect(requests.commands()).toMatchObject([
			{ PostalCode: '10001', Country: 'USA' },
			{ PostalCode: '94103', Country: 'USA' },
		]);
	});

	it('for a planned order take names', async () => {
		const [specialty] = records.rows('Specialty');
		const [zone] = records.rows('WorkZone');
		const form = { specialty: byName(specialty.DisplayAs), workZone: byName(zone.DisplayAs) };
		const { items } = await suggest(form);
		expect(requests.commands()).toEqual([
			{ SpecialtyId: specialty.Id, WorkZoneId: zone.Id, RecordCount: 10, UpdateRoundRobin: false },
		]);
		expect(items.length).toBeGreaterThan(2);
		expect(jsonOf(items)).toEqual(
			items.map((_, index) => some({ Rank: index + 1, DisplayAs: expect.any(String) as string })),
		);
		expect(items[0].json).not.toHaveProperty('WorkOrder');
	});

	it('have names where Corrigo answers with IDs', async () => {
		const [employee] = records.rows('Employee');
		answerCommand(ROUTINE, { Employees: [{ Id: employee.Id }] });
		const { items } = await suggest({ workZone: byId(11) });
		expect(jsonOf(items)).toEqual([{ Rank: 1, Id: employee.Id, DisplayAs: employee.DisplayAs }]);
	});

	it('are returned as they are where Corrigo answers otherwise', async () => {
		answerCommand(ROUTINE, { People: 2 });
		expect(jsonOf((await suggest({ workZone: byId(11) })).items)).toEqual([{ People: 2 }]);
		const raw = await suggest({ workZone: byId(11), output: 'raw' });
		expect(jsonOf(raw.items)).toMatchObject([{ CommandResult: { Employees: expect.any(Array) } }]);
	});

	it('are not asked for without any choice', async () => {
		expect(await n8n.refusal(suggest({}))).toBe(
			"'Work Order', 'Specialty', 'Work Zone' and 'Customer' are empty",
		);
	});

	it('are not asked for where the work order does not exist', async () => {
		const { error } = await suggest({ workOrder: byId(7_777_777) });
		expect(error?.message).toBe('There is no work order with the ID 7777777');
		expect(requests.commands()).toEqual([]);
	});
});

describe('the preview of a schedule', () => {
	const ROUTINE = 'WoScheduleRoutine';
	const orderForm = () => {
		const [{ Asset, Task }] = records.rows('WoItem');
		const items = { values: [{ asset: byId(idOf(Asset)), task: byId(idOf(Task)) }] };
		return { typeCategory: 'Request', subType: byId(24), customer: byId(101), items };
	};
	const preview = async (form: object = {}, more = {}) =>
		await n8n.run('workOrder:previewSchedule', { ...orderForm(), ...form }, more);

	it('creates nothing, also when it is repeated after a lost connection', async () => {
		const before = records.rows('WorkOrder').length;
		requests.fault({ kind: 'resetAfter', match: { pathIncludes: ROUTINE } });
		const { items, error } = await preview();
		expect(error).toBeUndefined();
		expect(items).toHaveLength(1);
		expect(requests.commands()).toHaveLength(2);
		expect(records.rows('WorkOrder')).toHaveLength(before);
	});

	it('has the times of the order that is created after it', async () => {
		const [{ json }] = (await preview()).items;
		await n8n.succeed('workOrder:create', { computeSchedule: true, ...orderForm() });
		const made = records.rows('WorkOrder').at(-1) as Row;
		const minutes = (time: unknown) => String(time).slice(0, 16);
		expect(minutes(json.Due)).toBe(minutes(made.DtDue));
		expect(minutes(json.AcknowledgeByUtc)).toBe(minutes(made.AcknowledgeByUtc));
	});

	it('shows names for IDs, which are read once for all items', async () => {
		const { items } = await preview({}, { items: itemsOf(1, 2, 3) });
		const { Priority, WorkZone } = items[2].json as Record<string, Row>;
		expect(Priority.DisplayAs).toBe(records.get('WoPriority', Priority.Id).DisplayAs);
		expect(WorkZone.DisplayAs).toBe(records.get('WorkZone', 11).DisplayAs);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([0, 1, 2].map((item) => ({ item })));
		expect(sent().filter((name) => name !== ROUTINE)).toHaveLength(3);
	});

	it('takes a time with a zone on the clock of the work zone', async () => {
		await preview({ additionalFields: { scheduledStart: '2031-02-03T12:00:00Z' } });
		expect(requests.commands()).toMatchObject([
			{ WorkOrder: { DtScheduledStart: '2031-02-03T07:00:00' } },
		]);
	});

	it('is the answer as it is where Corrigo answers otherwise', async () => {
		answerCommand(ROUTINE, { Schedule: 'later' });
		expect(jsonOf((await preview()).items)).toEqual([{ Schedule: 'later' }]);
	});

	it('has each time of the answer under its own name', async () => {
		const names = {
			DtAcknowledgeBy: 'AcknowledgeBy',
			DtOnSiteBy: 'OnSiteBy',
			DtScheduledStart: 'ScheduledStart',
			DtDue: 'Due',
			AcknowledgeByUtc: 'AcknowledgeByUtc',
			DtUtcOnSiteBy: 'OnSiteByUtc',
			ScheduledStartUtc: 'ScheduledStartUtc',
			DueDateUtc: 'DueUtc',
		};
		answerCommand(ROUTINE, { Wo: names });
		expect((await preview()).items[0].json).toMatchObject(
			Object.fromEntries(Object.values(names).map((name) => [name, name])),
		);
	});

	it('has nothing where Corrigo leaves it out', async () => {
		answerCommand(ROUTINE, { Wo: { DtDue: '2031-02-03T04:05:06', Priority: { Id: 999 } } });
		const [{ json }] = (await preview()).items;
		expect(json).toMatchObject({ Due: '2031-02-03T04:05:06', OnSiteBy: null, WorkZone: null });
		expect(json.Priority).toEqual({ Id: 999 });
	});
});
