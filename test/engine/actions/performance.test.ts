/** The figures of Get Performance, from the node to the service and back. */
import type { IDataObject } from 'n8n-workflow';

import { actAsColleague } from '../../../sandbox/desktop';
import { byName, getId, idsOf, jsonOf, shareCompany } from '../../support/company';

const company = shareCompany({ workOrders: 300 });
const { n8n, records, requests } = company;

const LONG_AGO = '2000-01-01T00:00:00';
const SINCE = { when: 'after', time: LONG_AGO };

const figures = async (parameters: object = {}) =>
	jsonOf((await n8n.succeed('workOrder:getPerformance', { ...SINCE, ...parameters })).items);
const total = async (parameters: object) => (await figures(parameters)).at(-1) as IDataObject;

const count = async (filters: object) => {
	const { items } = await n8n.succeed('workOrder:getMany', { return: 'count', filters });
	return items[0].json.Count;
};

const orders = () => records.rows('WorkOrder');
const workZone = () => String(records.rows('WorkZone')[1].DisplayAs);

describe('the sums agree with Get Many', () => {
	it.each([
		['created', '2025-05-20T06:00:00'],
		['created', '2025-05-20T06:00:00Z'],
		['due', '2025-05-25T06:00:00'],
		['due', '2025-05-25T06:00:00-05:00'],
	])('of orders %s from %s', async (date, time) => {
		await compare({ date, when: 'between', time, until: time.replace('-05-', '-06-') });
	});

	it.each(['lastDays', 'lastMonth', 'lastWeek', 'thisMonth', 'thisWeek', 'today'])(
		'of orders created %s',
		async (when) => {
			const days = [0, 1, 3, 7, 8, 14, 20, 31, 45];
			for (const [index, { Id }] of orders().slice(0, 60).entries()) {
				const created = Date.now() - (days[index % days.length] * 24 + 1) * 3_600_000;
				const time = new Date(created).toISOString().slice(0, 19);
				records.change('WorkOrder', Id, { DtCreated: time, CreatedDateUtc: time });
			}
			await compare({ date: 'created', when, days: 10 }, {});
		},
	);

	async function compare(values: IDataObject, own: object = { workZone: byName(workZone()) }) {
		const dates = { dates: { values } };

		const row = await total({ ...values, filters: own });

		const all = await count({ ...own, ...dates });
		expect(all).toBeGreaterThan(0);
		expect(row.Created).toBe(all);
		for (const [figure, filter] of Object.entries({
			Completed: { status: ['Completed'] },
			Cancelled: { status: ['Cancelled'] },
			OpenNow: { open: true },
			OverdueNow: { overdue: true },
		})) {
			expect([figure, row[figure]]).toEqual([figure, await count({ ...own, ...dates, ...filter })]);
		}
	}

	it('in every group, the largest first, and the total is that of all groups', async () => {
		const rows = await figures({ groupedBy: ['customer', 'typeCategory'] });

		const groups = rows.slice(0, -1);
		const { items } = await n8n.succeed('workOrder:getMany', {
			return: 'groups',
			groupBy: byName('Customer'),
		});
		expect(
			new Set(
				groups.map(({ Customer, TypeCategory, Created }) => [Customer, TypeCategory, Created]),
			),
		).toEqual(new Set(jsonOf(items).map(({ Customer, Count }) => [Customer, 'Request', Count])));
		expect(idsOf(groups, 'Created')).toEqual(idsOf(jsonOf(items), 'Count'));
		const sum = groups.reduce((all, { Created }) => all + Number(Created), 0);
		expect(rows.at(-1)).toMatchObject({
			...{ Group: 'Total', IsTotal: true, Created: sum },
			...{ Customer: null, TypeCategory: null },
		});
		expect(sum).toBe(orders().length);
	});
});

it('reads what happened from the log', async () => {
	const { Id: id, Number: number } = records.orderIn('New');
	const act = (command: string, members: IDataObject = {}) =>
		actAsColleague(company.sandbox.world, { id, command, members });
	const hour = 3_600_000;
	const start = Date.now();
	const utc = (ms: number) => new Date(start + ms).toISOString().slice(0, 19);
	records.change('WorkOrder', id, {
		...{ CreatedDateUtc: utc(0), DueDateUtc: utc(30 * hour), AcknowledgeByUtc: utc(hour) },
		VendorNte: { CurrencyTypeId: 'EUR', Value: 100 },
	});
	records.change('WorkOrderCost', id, {
		CostsTotal: { CurrencyTypeId: 'EUR', Value: 120.5 },
		VendorInvoiceTotal: { CurrencyTypeId: 'EUR', Value: 100.01 },
	});
	const steps: Array<[number, string]> = [
		[2, 'WoPickUpCommand'],
		[4, 'WoStartCommand'],
		[5, 'WoOnHoldCommand'],
		[9, 'WoReopenCommand'],
		[9, 'WoPickUpCommand'],
		[9, 'WoStartCommand'],
		[10, 'WoCompleteCommand'],
		[20, 'WoReopenCommand'],
		[21, 'WoPickUpCommand'],
		[22, 'WoStartCommand'],
		[24, 'WoCompleteCommand'],
	];
	for (const [, command] of steps) {
		const action = { WoOnHoldCommand: 'OnHold', WoReopenCommand: 'Reopen' }[command];
		const [reason] = records.children('WoActionReasonLookup', 'ActionId', action);
		act(command, reason && { ActionReasonId: reason.Id });
	}
	const log = records.children('WoActionLog', 'WorkOrderId', id).slice(-steps.length);
	for (const [index, { Id, TimeZone }] of log.entries()) {
		const SystemDateUtc = utc(steps[index][0] * hour);
		records.change('WoActionLog', Number(Id), { SystemDateUtc, TimeZone });
	}
	for (const { Id } of records.children('WoOnSite', 'WorkOrderId', id)) {
		records.change('WoOnSite', Number(Id), { DtCheckIn: '1753-01-01T00:00:00' });
	}
	records.insert('WoVerification', { WorkOrderId: id, Idx: 1, WoRatingId: 'Negative' });
	records.insert('WoVerification', { WorkOrderId: id, Idx: 2, WoRatingId: 'Positive' });

	const row = await total({ filters: { number } });

	expect(row).toMatchObject({
		...{ Created: 1, Completed: 1, Reopened: 1, OpenNow: 0, OverdueNow: 0 },
		...{ CompletedOnTime: 1, CompletedOnTimePercent: 100, PickedUpOnTimePercent: 0 },
		...{ MedianHoursToPickUp: 2, MedianHoursToArrive: 4, P90HoursToComplete: 24 },
		...{ MedianHoursOnHold: 4, CostTotal: { EUR: 120.5 }, VendorInvoiceTotal: { EUR: 100.01 } },
		...{ OverNte: 1, Ratings: { Positive: 1, Neutral: 0, Negative: 1, NotCompleted: 0 } },
	});
});

it('counts completed orders by the day on which they were completed', async () => {
	const days = await figures({ date: 'completed', groupedBy: ['month'] });
	const [{ Month }] = days;
	const [year, month] = String(Month).split('-').map(Number);
	const next = new Date(Date.UTC(year, month)).toISOString().slice(0, 10);

	const row = await total({
		...{ date: 'completed', when: 'between' },
		...{ time: `${String(Month)}-01`, until: next },
	});

	expect(row.Created).toBe(days[0].Created);
	expect(row).toMatchObject({ Completed: row.Created, OpenNow: 0 });
	expect(days.at(-1)?.Created).toBe(
		orders().filter(({ StatusId }) => StatusId === 'Completed').length,
	);
});

it('groups by vendor, apart from employees, and by quarter and year', async () => {
	const vendors = new Map(
		records
			.rows('Employee')
			.filter(({ ActorTypeId }) => ActorTypeId === 'Provider')
			.map(({ Id, DisplayAs }) => [Id, String(DisplayAs)]),
	);
	const counts = new Map<string, number>();
	for (const { Employee, DtCreated } of orders()) {
		const [year, month] = String(DtCreated).split('-').map(Number);
		const vendor = (Employee ? vendors.get(getId(Employee)) : undefined) ?? 'None';
		const group = `${vendor}, ${year}-Q${Math.floor((month - 1) / 3) + 1}`;
		counts.set(group, (counts.get(group) ?? 0) + 1);
	}
	const rows = (await figures({ groupedBy: ['vendor', 'quarter'] })).slice(0, -1);
	expect(new Map(rows.map(({ Group, Created }) => [Group, Created]))).toEqual(counts);
	expect([...counts.keys()].filter((group) => !group.startsWith('None')).length).toBeGreaterThan(0);

	const years = await figures({ groupedBy: ['year'] });
	expect(years.every(({ Group }) => /^(\d{4}|Total)$/.test(String(Group)))).toBe(true);
});

// Promise: *Get Performance* reads orders and their log together
it('in one request reads orders and their log, and looks a name up in another', async () => {
	await figures({ filters: { customer: byName('Contoso Pharmacy') }, groupedBy: ['week'] });
	expect(requests.paths()).toEqual(['POST query/Customer', 'POST query/WorkOrder']);
});

it.each([
	['no time', { time: '' }, "'Created After' is empty"],
	['an end before its start', { when: 'between', until: '1999-12-31' }, 'is not after'],
	['three ways to group', { groupedBy: ['month', 'week', 'customer'] }, 'two are the most'],
	[
		'a condition that would hide a part of the log',
		{
			criteriaJson: {
				Conditions: [{ PropertyName: 'ActionLogRecords.TypeId', Operator: 'NotNull' }],
			},
		},
		'whole history',
	],
])('refuses %s', async (_, parameters, text) => {
	const form = { ...SINCE, ...parameters };
	const { message, description } = await n8n.refuse('workOrder:getPerformance', form);
	expect(`${message} ${description}`).toContain(text);
});

describe('of many orders', () => {
	const [ORDERS, PAGE] = [2250, 1000];
	const many = shareCompany({ workOrders: ORDERS, mostRows: PAGE });

	// Promise: *Get Performance* reads orders and their log together
	it('are read in few requests', async () => {
		await many.n8n.succeed('workOrder:getPerformance', SINCE);

		const pages = Math.ceil(ORDERS / PAGE);
		expect(many.requests.sent()).toHaveLength(pages + 1);
	});
});
