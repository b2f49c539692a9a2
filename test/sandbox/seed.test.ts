import type { Row } from '../../sandbox';
import contract from '../../contract/contract.json';
import { isObject, typeOf } from '../../sandbox/schema';
import { ACTOR_KINDS, FOREIGN_KEYS } from '../../sandbox/schema/relations';
import { seed } from '../../sandbox/seed';

const ref = (row: Row, name: string): number => (row[name] as Row | undefined)?.Id ?? 0;

const store = seed({});

it('the seeded Company has 2000 orders with unique numbers, and 60 customers, by default', () => {
	const numbers = store.rows('WorkOrder').map((order) => order.Number);
	expect([numbers.length, new Set(numbers).size]).toEqual([2000, 2000]);
	expect(store.count('Customer')).toBe(60);
});

it('seeded records refer to each other consistently', () => {
	const someOrders = store.rows('WorkOrder').filter(({ Id }) => Id % 7 === 0);
	expect(someOrders.length).toBeGreaterThan(200);
	for (const order of someOrders) {
		const customer = store.existing('Customer', ref(order, 'Customer'));
		const zone = store.existing('WorkZone', ref(order, 'WorkZone'));
		const contact = store.existing('Contact', ref(order, 'RequestorContact'));
		const [item] = store.children('WoItem', 'WorkOrderId', order.Id);
		const asset = store.existing('Location', ref(item, 'Asset'));
		const task = store.existing('Task', ref(item, 'Task'));
		expect([ref(customer, 'WorkZone'), contact.CustomerId, task.ModelId]).toEqual([
			zone.Id,
			customer.Id,
			asset.ModelId,
		]);
		expect(String(order.Number)).toMatch(new RegExp(`^${String(zone.WoNumberPrefix)}\\d{7}$`));
		expect(store.existing('WorkOrderCost', order.Id).ChargeCode).toEqual({ Id: 1 });
		const log = store.children('WoActionLog', 'WorkOrderId', order.Id);
		const last = store.existing('WoLastAction', order.Id);
		expect(ref(last, 'LastAction')).toBe(log.at(-1)?.Id);
		expect(log.at(-1)?.SystemDateUtc).toBe(order.LastActionDateUtc);
		const assigned = store.children('WoAssignment', 'WorkOrderId', order.Id)[0]?.EmployeeId ?? 0;
		expect(ref(order, 'Employee')).toBe(assigned);
	}
});

it('every reference, foreign key and pair of kind and Id leads to a record', () => {
	const kinds = Object.entries({ ...ACTOR_KINDS, 'Employee ': 'Provider' });
	const findEntity = (kind: unknown) => kinds.find(([, one]) => one === kind)?.[0].trim();
	const lost = Object.keys(contract.entities).flatMap((entity) =>
		store.rows(entity).flatMap((row) =>
			typeOf(entity).fields.flatMap((field) => {
				const { name } = field;
				const kind = row[name.replace(/Id$/, 'TypeId')];
				const [target, id] =
					isObject(field) && field.kind === 'reference' && !field.sharesId
						? [field.entity, ref(row, name)]
						: [
								FOREIGN_KEYS[name] ?? (/.Id$/.test(name) ? findEntity(kind) : undefined),
								Number(row[name] ?? 0),
							];
				const isThere = !target || id === 0 || store.get(target, id) !== undefined;
				return isThere ? [] : [`${entity} ${row.Id}: ${name} ${id}`];
			}),
		),
	);
	expect(lost).toEqual([]);
});

it('entities that perhaps nobody can create have seeded rows', () => {
	const empty = Object.entries(contract.entities)
		.filter(([entity, model]) => 'writes' in model && store.count(entity) === 0)
		.map(([entity]) => entity);
	// Nothing is published that a row of these could contain.
	expect(empty).toEqual(['PmItem', 'PmSchedule']);
});

describe.each([
	['a Monday', '2026-11-23T05:00:00Z'],
	['the first day of a year', '2027-01-01T00:30:00Z'],
	['a leap day', '2028-02-29T23:59:59Z'],
	['a day on which clocks change', '2031-03-09T09:59:00Z'],
])('the Company on %s', (_case, day) => {
	const until = Date.parse(day);
	const HOUR = 3_600_000;
	const company = seed({ until });
	const orders = company.rows('WorkOrder');
	const open = orders.filter(({ StatusId }) => !/^(Completed|Cancelled)$/.test(String(StatusId)));
	const time = (row: Row, name: string) => Date.parse(`${String(row[name])}Z`);
	const within = (name: string, from: number, to: number) => (row: Row) =>
		time(row, name) >= until + from * HOUR && time(row, name) < until + to * HOUR;

	it('has done nothing yet that lies ahead', () => {
		const past = {
			WorkOrder: 'CreatedDateUtc',
			WoActionLog: 'SystemDateUtc',
			Document: 'UpdatedDate',
		};
		for (const [entity, name] of Object.entries(past)) {
			expect(company.rows(entity).filter((row) => time(row, name) > until)).toEqual([]);
		}
		expect(orders.slice(-1).filter(within('CreatedDateUtc', -24, 0))).toHaveLength(1);
	});

	it('has a few overdue orders, and visits and quotes that wait', () => {
		const overdue = open.filter((row) => time(row, 'DueDateUtc') < until);
		expect(overdue.some(({ Priority }) => (Priority as Row).Id === 1)).toBe(true);
		expect(overdue.length).toBeLessThan(open.length / 4);
		expect(open.filter(within('ScheduledStartUtc', 0, 48)).length).toBeGreaterThan(2);
		expect(company.children('WoQuote', 'StatusId', 'WaitingForApproval').length).toBeGreaterThan(2);
	});

	it('has completed most orders of the last weeks, and most of them in time', () => {
		for (const week of [1, 2, 3, 4, 5, 6, 7, 8]) {
			const happened = (name: string) =>
				orders.filter(within(name, -168 * week, -168 * (week - 1)));
			const completed = happened('LastActionDateUtc').filter((row) => row.StatusId === 'Completed');
			const inTime = completed.filter(
				(row) => time(row, 'LastActionDateUtc') <= time(row, 'DueDateUtc'),
			);
			expect(completed.length / happened('CreatedDateUtc').length).toBeGreaterThan(0.5);
			expect(inTime.length / completed.length).toBeGreaterThan(0.6);
			expect(inTime.length).toBeLessThan(completed.length);
		}
	});

	it('has vendor invoices of last month, with numbers, and some that wait', () => {
		const first = new Date(until);
		const lastMonth = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() - 1, 1));
		const month = lastMonth.toISOString().slice(0, 7);
		const invoices = company.rows('WorkOrderCost');
		const ofMonth = invoices.filter((row) => String(row.VendorInvoiceDate).startsWith(month));
		expect(ofMonth.length).toBeGreaterThan(20);
		expect(ofMonth.every(({ Id, Number }) => Number === `INV-${Id}`)).toBe(true);
		for (const state of ['Received', 'Authorized']) {
			expect(company.children('WorkOrderCost', 'ApStateId', state)).not.toEqual([]);
		}
	});

	it('has insurance that expires soon', () => {
		const ends = company.rows('ProviderCoi').filter(within('EndDate', 0, 30 * 24));
		expect(ends.map(({ StatusId }) => StatusId)).toEqual(['ExpiringSoon', 'ExpiringSoon']);
	});
});

it('changes of one sandbox do not show in another with the same options', () => {
	const [one, other] = [seed({ workOrders: 5 }), seed({ workOrders: 5 })];
	const { Id } = one.insert('Customer', { DisplayAs: 'New' });
	const [order] = one.rows('WorkOrder');
	one.change('WorkOrder', order.Id, { PoNumber: 'changed' });
	one.remove('WoItem', one.rows('WoItem')[0].Id);

	expect(other.get('Customer', Id)).toBeUndefined();
	expect(other.existing('WorkOrder', order.Id)).not.toMatchObject({ PoNumber: 'changed' });
	expect(other.count('WoItem')).toBe(one.count('WoItem') + 1);
	expect(() => Object.assign(order.Customer as object, { Id: 0 })).toThrow(TypeError);
});

it('seeded names contain characters that break careless code', () => {
	const names = store.rows('Customer').map(({ DisplayAs }) => DisplayAs);
	const text = names.join('');
	for (const piece of ["'", '"', '%', '&', '<', 'ü', '東', '🌞', '_', '[']) {
		expect(text).toContain(piece);
	}
});

it('seeded data is the same for equal seeds, and differs for others', () => {
	// The data of the first is not kept until it is asked for again.
	const [one, other, , , again] = [1, 2, 3, 4, 1].map((start) =>
		seed({ workOrders: 20, seed: start }).rows('WorkOrder'),
	);
	expect(again).toEqual(one);
	expect(other).not.toEqual(one);
});
