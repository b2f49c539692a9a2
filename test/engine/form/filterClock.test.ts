/** Filters that compare with the current time go by the clock of Corrigo, however wrong that of n8n is. */
import type { Row } from '../../../sandbox';
import { activate } from '../../support/activeTrigger';
import { byName, eachId, itemsOf, jsonOf, shareCompany } from '../../support/company';

const HOUR = 3_600_000;
const DAY_HOURS = 24;

const company = shareCompany({ workOrders: 8 });

const rows = () => company.records.rows('WorkOrder');
const utc = (instant: number) => new Date(instant).toISOString().slice(0, 19);

const within = (date: string, when: string, days: unknown) => ({
	dates: { values: { date, when, days } },
});

/** The filter, and the hours from now at which a time just fits, and just does not. */
const cases: Array<[filter: object, property: string, fits: number, not: number]> = [
	[within('due', 'nextDays', 2), 'DueDateUtc', 2 * DAY_HOURS - 1, 2 * DAY_HOURS + 1],
	[within('scheduled', 'nextDays', 2), 'ScheduledStartUtc', 1, -1],
	[within('created', 'lastDays', 3), 'CreatedDateUtc', 1 - 3 * DAY_HOURS, -1 - 3 * DAY_HOURS],
	[within('changed', 'lastDays', 1), 'LastActionDateUtc', -1, 1],
	[{ overdue: true }, 'DueDateUtc', -1, 1],
	[{ overdue: false }, 'DueDateUtc', 1, -1],
];

/** Only the first order has a time that fits. */
function arrange(property: string, fits: number, not: number, now: number) {
	rows().forEach(({ Id }, index) => {
		const time = utc(now + (index === 0 ? fits : not) * HOUR);
		company.records.change('WorkOrder', Id, { StatusId: 'New', [property]: time });
	});
	return rows()[0].Id;
}

const getMany = async (filters: object, more: object = {}, items?: unknown[]) =>
	await company.n8n.run(
		'workOrder:getMany',
		{ properties: 'Id', filters, ...more },
		{ items: items && itemsOf(...items) },
	);

describe.each([
	['36 hours behind', 36],
	['36 hours ahead of', -36],
	['a quarter of an hour behind', 0.25],
])('where the clock of n8n is %s that of Corrigo', (_, hours) => {
	const now = () => Date.now() + hours * HOUR;

	beforeEach(async () => {
		company.sandbox.set({ clockOffsetSeconds: hours * 3600 });
		// The session is renewed, as by the new clock it has expired.
		await company.n8n.run('company:discover');
		await getMany({});
		company.sandbox.forgetRequests();
	});

	// Promise: A search uses only the fields that its form shows
	it.each(cases)('%j finds and counts by the clock of Corrigo', async (filters, ...more) => {
		const id = arrange(...more, now());
		const found = await getMany(filters);
		expect(jsonOf(found.items)).toEqual([{ Id: id }]);
		expect(company.requests.sent()).toHaveLength(2);
		const counted = await getMany(filters, { return: 'count' });
		expect(jsonOf(counted.items)).toEqual([{ Count: 1 }]);
	});

	it('takes no further request once an answer has told the time', async () => {
		const [{ Customer }] = rows();
		const { DisplayAs } = company.records.get('Customer', (Customer as Row).Id);
		const id = arrange('DueDateUtc', 47, 49, now());
		const found = await getMany({ ...within('due', 'nextDays', 2), customer: byName(DisplayAs) });
		expect(jsonOf(found.items)).toEqual([{ Id: id }]);
		expect(company.requests.queries()).toEqual(['Customer', 'WorkOrder']);
	});

	it('compares all items with one time', async () => {
		const id = arrange('DueDateUtc', 47, 49, now());
		const options = { options: { advanced: { parallelRequests: 1 } } };
		const found = await getMany(within('due', 'nextDays', '={{ $json.x }}'), options, [2, 2, 2]);
		expect(jsonOf(found.items)).toEqual([{ Id: id }, { Id: id }, { Id: id }]);
		expect(company.requests.sent()).toHaveLength(4);
	});

	it('finds the notes of each order that were written today', async () => {
		const orders = company.records.ids('WorkOrder', 2);
		for (const WorkOrderId of orders) {
			const note = { WorkOrderId, Body: `Of ${WorkOrderId}`, CreatedDate: utc(now() - HOUR) };
			company.records.insert('WoNote', note);
		}
		const filters = within('created', 'lastDays', 1);
		const form = { workOrder: eachId, properties: 'Body', filters };
		const { items } = await company.n8n.run('note:getMany', form, { items: itemsOf(...orders) });
		expect(jsonOf(items)).toEqual(orders.map((id) => ({ Body: `Of ${id}` })));
	});

	it('sends a search without the current time once', async () => {
		await getMany({ open: true });
		expect(company.requests.sent()).toHaveLength(1);
	});
});

it.each([0, 30, -30])(
	'a filter that compares with now takes one request where the clocks differ by %d seconds',
	async (offset) => {
		company.sandbox.set({ clockOffsetSeconds: offset });
		const id = arrange('DueDateUtc', 47, 49, Date.now());
		const found = await getMany(within('due', 'nextDays', 2));
		expect(jsonOf(found.items)).toEqual([{ Id: id }]);
		expect(company.requests.sent()).toHaveLength(1);
	},
);

describe('a trigger with a filter that compares with now', () => {
	it.each<[string, object, number, number, number[]]>([
		['workOrderCreated', within('due', 'nextDays', 2), 47, 49, [2, 1]],
		['workOrderAction', { overdue: true }, -1, 1, [3, 2]],
	])(
		'goes by the clock of Corrigo, which it asks for once: %s, %j',
		async (event, filters, fits, not, requests) => {
			const active = await activate({ event, filters, returns: 'record' });
			await active.poll();
			const first = active.sent();
			active.pass(1000);
			const made = [fits, not].map((hours) => {
				const { Id } = active.person({});
				const DueDateUtc = utc(active.now() + hours * HOUR);
				active.sandbox.store.change('WorkOrder', Number(Id), { DueDateUtc });
				return Id;
			});
			const found = await active.poll();
			expect([...new Set(found.map(({ Id }) => Id))]).toEqual([made[0]]);
			expect([first, active.sent()]).toEqual(requests);
		},
	);
});
