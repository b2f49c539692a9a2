/** The figures of orders are those of a plain computation on what happened to them. */
import fc from 'fast-check';
import { DateTime } from 'luxon';

import { timeZones } from '../../../../nodes/Corrigo/catalogue/times';
import {
	Performance,
	getMonth,
	getWeek,
} from '../../../../nodes/Corrigo/actions/workOrder/performance/groups';
import {
	summarizeOrder,
	type Grouping,
	type Period,
} from '../../../../nodes/Corrigo/actions/workOrder/performance/summary';
import { cases } from '../../../cases';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const NOW = Date.parse('2026-12-20T12:00:00Z');

interface Action {
	type: string;
	logged: number;
	/** Set if the action is back-dated to this time. */
	said?: number;
}

interface Order {
	zone: number;
	created: number;
	status: string;
	due?: number;
	acknowledgeBy?: number;
	actions: Action[];
	visits: number[];
	customer: number;
	assignee?: number;
	cost?: [string, number];
	invoice?: [string, number];
	nte?: [string, number];
	ratings: string[];
}

const ZONES = [35, 4, 110, 190, 265, 60];

const local = (time: number, zone: number) =>
	DateTime.fromMillis(time, { zone: timeZones[zone] }).toFormat("yyyy-MM-dd'T'HH:mm:ss");
const utc = (time: number) => new Date(time).toISOString().slice(0, 19);

/** A clock that is set back shows some times twice. */
const isShownOnce = (time: number, zone: number) =>
	DateTime.fromMillis(time, { zone: timeZones[zone] }).getPossibleOffsets().length === 1;

const money = (amount?: [string, number]) =>
	amount && { CurrencyTypeId: amount[0], Value: amount[1] };

const toRow = ({ zone, due, acknowledgeBy, ...order }: Order, NEVER?: string) => ({
	Id: 1,
	StatusId: order.status,
	TimeZone: zone,
	CreatedDateUtc: utc(order.created),
	DtCreated: local(order.created, zone),
	DueDateUtc: due === undefined ? NEVER : utc(due),
	DtDue: due === undefined ? NEVER : local(due, zone),
	AcknowledgeByUtc: acknowledgeBy === undefined ? NEVER : utc(acknowledgeBy),
	VendorNte: money(order.nte),
	WorkOrderCost: { CostsTotal: money(order.cost), VendorInvoiceTotal: money(order.invoice) },
	Customer: { Id: order.customer, DisplayAs: `Customer ${order.customer}` },
	...(order.assignee && { Employee: { Id: order.assignee, DisplayAs: 'Ann' } }),
	ActionLogRecords: order.actions
		.map(({ type, logged, said }, Id) => ({
			Id,
			TypeId: type,
			SystemDateUtc: utc(logged),
			ActionDate: local(said ?? logged, zone),
			IsBackDate: said !== undefined,
			TimeZone: zone,
		}))
		.reverse(),
	CheckInOuts: order.visits.map((time) => ({ DtCheckIn: local(time, zone), TimeZone: zone })),
	Verifications: order.ratings.map((WoRatingId) => ({ WoRatingId })),
});

const minutes = (from: string, to: string) =>
	fc
		.integer({ min: 0, max: (Date.parse(to) - Date.parse(from)) / MINUTE })
		.map((more) => Date.parse(from) + more * MINUTE);
/** Days around the ends of months, weeks and summer times among them. */
const instants = fc.oneof(
	minutes('2026-01-01T00:00Z', '2026-12-01T00:00Z'),
	minutes('2026-03-06T00:00Z', '2026-04-06T00:00Z'),
	minutes('2026-10-24T00:00Z', '2026-11-03T00:00Z'),
);
/** Some are equal, so that things happen exactly when they are due. */
const later = fc
	.oneof(fc.integer({ min: 0, max: 9000 }), fc.constantFrom(0, 90, 6000))
	.map((more) => more * MINUTE);
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const amounts = fc.tuple(
	fc.constantFrom('USD', 'EUR', 'JPY'),
	fc.integer({ min: -100, max: 50_000 }).map((cents) => cents / 100),
);
const TYPES = ['PickUp', 'Start', 'Stop', 'OnHold', 'Complete', 'Cancel', 'Reopen', 'Note'];

const orders = fc
	.record({
		zone: fc.constantFrom(...ZONES),
		created: instants,
		status: fc.constantFrom('Completed', 'Completed', 'Cancelled', 'OnHold', 'InProgress', 'New'),
		dueAfter: maybe(later),
		acknowledgeAfter: maybe(later),
		done: fc.array(fc.tuple(fc.constantFrom(...TYPES), later, maybe(later)), { maxLength: 9 }),
		visits: fc.array(later, { maxLength: 2 }),
		customer: fc.integer({ min: 1, max: 3 }),
		assignee: maybe(fc.integer({ min: 1, max: 2 })),
		cost: maybe(amounts),
		invoice: maybe(amounts),
		nte: maybe(amounts),
		ratings: fc.array(fc.constantFrom('Positive', 'Neutral', 'Negative', 'NotVerified'), {
			maxLength: 2,
		}),
	})
	.map(({ dueAfter, acknowledgeAfter, done, ...order }): Order => {
		const { created, zone } = order;
		const after = (more?: number) => (more === undefined ? undefined : created + more);
		const drawStated = (logged: number, more?: number) =>
			// Back-dated by as much as several days, also to before the order was created.
			more === undefined || !isShownOnce(logged - more, zone) ? undefined : logged - more;
		return {
			...order,
			due: after(dueAfter),
			acknowledgeBy: after(acknowledgeAfter),
			visits: order.visits.map((more) => created + more).filter((at) => isShownOnce(at, zone)),
			actions: [
				{ type: 'Create', logged: created },
				...done.map(([type, more, back]) => {
					const logged = created + more;
					return { type, logged, said: drawStated(logged, back) };
				}),
			],
		};
	});

/** Lists what happened, in the order in which Corrigo logged it. */
const logged = ({ actions, created }: Order) =>
	actions
		.map(({ type, logged, said = logged }, id) => ({
			...{ type, logged, id },
			at: Math.max(said, created),
		}))
		.sort((a, b) => a.logged - b.logged || a.id - b.id);

const getCompletion = (order: Order) =>
	order.status === 'Completed'
		? logged(order)
				.filter(({ type }) => type === 'Complete')
				.at(-1)?.at
		: undefined;

const PAUSES = ['Stop', 'OnHold'];
const ENDS = ['Create', 'Reopen', 'PickUp', 'Start', 'Complete', 'Cancel', ...PAUSES];

const listSteps = (order: Order) => logged(order).filter(({ type }) => ENDS.includes(type));

/** A clock that never runs back shows when each step began. */
function timeOnHold(order: Order): number | undefined {
	let clock = 0;
	let paused = 0;
	let isPaused = false;
	for (const { type, at } of [...listSteps(order), { type: 'Now', at: NOW }]) {
		const next = Math.max(clock, at);
		if (isPaused) paused += next - clock;
		clock = next;
		isPaused = PAUSES.includes(type);
	}
	return listSteps(order).some(({ type }) => PAUSES.includes(type)) ? paused : undefined;
}

const defined = <T>(values: Array<T | undefined>) => values.filter((one) => one !== undefined);
const oneDecimal = (value: number) => Math.round(value * 10) / 10;

/** The smallest value that at least this share of all values does not exceed. */
function hours(durations: Array<number | undefined>, share: number) {
	const all = defined(durations);
	const reached = all.filter(
		(one) => all.filter((other) => other <= one).length >= share * all.length,
	);
	return reached.length === 0 ? null : oneDecimal(Math.min(...reached) / HOUR);
}

const percent = (facts: Array<boolean | undefined>) => {
	const all = defined(facts);
	return all.length === 0 ? null : oneDecimal((100 * all.filter(Boolean).length) / all.length);
};

function sums(all: Array<[string, number] | undefined>) {
	const currencies = [...new Set(defined(all).map(([currency]) => currency))].sort();
	const cents = (currency: string) =>
		defined(all)
			.filter(([one]) => one === currency)
			.reduce((total, [, value]) => total + Math.round(value * 100), 0);
	return Object.fromEntries(currencies.map((currency) => [currency, cents(currency) / 100]));
}

function plainFigures(list: Order[]) {
	const count = (test: (order: Order) => unknown) => list.filter(test).length;
	const first = (order: Order, type: string) =>
		logged(order)
			.filter((action) => action.type === type)
			.map(({ at }) => at)
			.sort((a, b) => a - b)[0] as number | undefined;
	const since = (find: (order: Order) => number | undefined) =>
		list.map((order) => {
			const at = find(order);
			return at === undefined ? undefined : at - order.created;
		});
	const isOpen = ({ status }: Order) => !['Completed', 'Cancelled'].includes(status);
	const onTime = list.map((order) => {
		const at = getCompletion(order);
		return at === undefined || order.due === undefined ? undefined : at <= order.due;
	});
	const pickUps = since((order) => first(order, 'PickUp'));
	const arrivals = since((order) =>
		order.visits.length > 0 ? Math.min(...order.visits) : first(order, 'Start'),
	);
	const completions = since(getCompletion);
	return {
		Created: list.length,
		Completed: count(({ status }) => status === 'Completed'),
		Cancelled: count(({ status }) => status === 'Cancelled'),
		OpenNow: count(isOpen),
		OverdueNow: count((order) => isOpen(order) && order.due !== undefined && order.due < NOW),
		// A Reopen also ends a hold, which makes no order new again.
		Reopened: count((order) =>
			/(Complete|Cancel),(?!Complete|Cancel)\w/.test(
				listSteps(order)
					.map(({ type }) => type)
					.join(),
			),
		),
		CompletedOnTime: onTime.filter(Boolean).length,
		CompletedOnTimePercent: percent(onTime),
		PickedUpOnTimePercent: percent(
			list.map((order) => {
				const at = first(order, 'PickUp');
				return at === undefined || order.acknowledgeBy === undefined
					? undefined
					: at <= order.acknowledgeBy;
			}),
		),
		MedianHoursToPickUp: hours(pickUps, 0.5),
		P90HoursToPickUp: hours(pickUps, 0.9),
		MedianHoursToArrive: hours(arrivals, 0.5),
		P90HoursToArrive: hours(arrivals, 0.9),
		MedianHoursToComplete: hours(completions, 0.5),
		P90HoursToComplete: hours(completions, 0.9),
		MedianHoursOnHold: hours(list.map(timeOnHold), 0.5),
		CostTotal: sums(list.map(({ cost }) => cost)),
		VendorInvoiceTotal: sums(list.map(({ invoice }) => invoice)),
		OverNte: count(
			({ invoice, nte }) =>
				invoice && nte && nte[0] === invoice[0] && nte[1] > 0 && invoice[1] > nte[1],
		),
		Ratings: Object.fromEntries(
			['Negative', 'Neutral', 'NotCompleted', 'Positive'].map((rating) => [
				rating,
				list.flatMap(({ ratings }) => ratings).filter((one) => one === rating).length,
			]),
		),
	};
}

const periodDate = (order: Order, by: Period['by']) =>
	({ created: order.created, due: order.due, completed: getCompletion(order) })[by];

/** Each way to group, with what a plain computation calls the group of an order. */
const GROUPINGS: Array<[Grouping, (order: Order, at: number) => unknown]> = [
	[{ name: 'Customer' }, ({ customer }) => ({ Id: customer, DisplayAs: `Customer ${customer}` })],
	[
		{ name: 'Employee' },
		({ assignee }) => (assignee === undefined ? null : { Id: assignee, DisplayAs: 'Ann' }),
	],
	[{ name: 'Month', readDate: getMonth }, ({ zone }, at) => local(at, zone).slice(0, 7)],
	[
		{ name: 'Week', readDate: getWeek },
		({ zone }, at) =>
			DateTime.fromMillis(at, { zone: timeZones[zone] }).startOf('week').toISODate(),
	],
];

const periods = fc.record({
	by: fc.constantFrom('created', 'completed', 'due' as const),
	isZoned: fc.boolean(),
	from: fc.nat(),
	until: maybe(fc.nat()),
});

/** People read this in place of the value of a group. */
const toLabel = (value: unknown) => {
	if (value === null) return 'None';
	return typeof value === 'string' ? value : (value as { DisplayAs: string }).DisplayAs;
};

const groupings = fc.uniqueArray(fc.constantFrom(...GROUPINGS), { maxLength: 2 });

it('has the figures of a plain computation', () => {
	const property = fc.property(
		fc.array(orders, { maxLength: 25 }),
		periods,
		groupings,
		maybe(fc.constant('1753-01-01T00:00:00')),
		(all, { by, isZoned, ...bounds }, chosen, never) => {
			const dated = all.filter((order) => periodDate(order, by) !== undefined);
			// A bound is often exactly the time of an order.
			const pickBound = (index: number) => {
				const order = dated[index % dated.length];
				const at = order === undefined ? NOW : Number(periodDate(order, by));
				return isZoned ? `${utc(at)}Z` : local(at, order?.zone ?? 35);
			};
			const from = pickBound(bounds.from);
			const until = bounds.until === undefined ? undefined : pickBound(bounds.until);
			const isDated = (order: Order) => {
				if (by !== 'completed') return true;
				const at = Number(periodDate(order, by));
				const shown = isZoned ? `${utc(at)}Z` : local(at, order.zone);
				return shown >= from && (until === undefined || shown < until);
			};
			const counted = dated.filter(isDated);

			const groupBy = chosen.map(([grouping]) => grouping);
			const performance = new Performance(groupBy);
			for (const order of by === 'completed' ? all : dated) {
				performance.add(summarizeOrder(toRow(order, never), { by, from, until }, groupBy, NOW));
			}
			const rows = performance.toRows();

			const labels = chosen.map(([{ name }]) => name);
			const total = rows.at(-1);
			expect(total).toEqual({
				Group: 'Total',
				IsTotal: true,
				...Object.fromEntries(labels.map((name) => [name, null])),
				...plainFigures(counted),
			});
			const expected = new Map<string, Order[]>();
			for (const order of chosen.length > 0 ? counted : []) {
				const at = Number(periodDate(order, by));
				const group = JSON.stringify(chosen.map(([, find]) => find(order, at)));
				expected.set(group, [...(expected.get(group) ?? []), order]);
			}
			const groups = rows.slice(0, -1);
			const found = groups.map(({ Group, IsTotal, ...row }) => {
				const values = labels.map((name) => row[name]);
				expect([Group, IsTotal]).toEqual([values.map(toLabel).join(', '), false]);
				const figures = Object.entries(row).filter(([name]) => !labels.includes(name));
				return [JSON.stringify(values), Object.fromEntries(figures)];
			});
			expect(new Map(found as Array<[string, object]>)).toEqual(
				new Map([...expected].map(([group, list]) => [group, plainFigures(list)])),
			);
			const sizes = groups.map(({ Created }) => Number(Created));
			expect(sizes).toEqual([...sizes].sort((a, b) => b - a));
		},
	);
	fc.assert(property, { numRuns: cases(150, 3000) });
});
