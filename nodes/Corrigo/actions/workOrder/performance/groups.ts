import { type JsonObject, isObject } from '../../../values/objects';
import { DAY_MS, HOUR_MS } from '../../../values/times';
import type { Grouping, Money, OrderSummary } from './summary';
import { createTable } from '../../../catalogue/table';

/** Ratings that somebody has given. */
const RATINGS = ['Negative', 'Neutral', 'NotCompleted', 'Positive'] as const;

const round = (value: number, digits: number) => Math.round(value * 10 ** digits) / 10 ** digits;

export const getMonth = (date: string): string => date.slice(0, 7);

/** Returns a text such as 2026-Q1. */
export const getQuarter = (date: string): string =>
	`${date.slice(0, 4)}-Q${Math.ceil(Number(date.slice(5, 7)) / 3)}`;

export const getYear = (date: string): string => date.slice(0, 4);

/** A week begins on Monday, which is its name. */
export function getWeek(date: string): string {
	const day = Date.parse(date.slice(0, 10));
	const sinceMonday = (new Date(day).getUTCDay() + 6) % 7;
	return new Date(day - sinceMonday * DAY_MS).toISOString().slice(0, 10);
}

/** Collects what one figure takes of the orders of a group. */
interface Figure {
	add: (order: OrderSummary) => void;
	read: () => unknown;
}

/** Orders without a value do not count. */
type Select<Value> = (order: OrderSummary) => Value | undefined;

const count = (select: Select<boolean>) => (): Figure => {
	let hits = 0;
	return { add: (order) => (hits += Number(select(order) === true)), read: () => hits };
};

const percentage = (select: Select<boolean>) => (): Figure => {
	let [all, hits] = [0, 0];
	const add = (order: OrderSummary) => {
		all += Number(select(order) !== undefined);
		hits += Number(select(order) === true);
	};
	return { add, read: () => (all === 0 ? null : round((100 * hits) / all, 1)) };
};

/** Hours at the nearest rank. */
const percentile = (percent: number, select: Select<number>) => (): Figure => {
	const durations: number[] = [];
	const add = (order: OrderSummary) => {
		const duration = select(order);
		if (duration !== undefined) durations.push(duration);
	};
	const read = () => {
		const sorted = Float64Array.from(durations).sort();
		const rank = Math.ceil((percent * sorted.length) / 100);
		return rank === 0 ? null : round(sorted[rank - 1] / HOUR_MS, 1);
	};
	return { add, read };
};

/** Sums are kept in whole units of the fourth digit, so that they do not drift. */
const sumByCurrency = (select: Select<Money>) => (): Figure => {
	const units = new Map<string, number>();
	const add = (order: OrderSummary) => {
		const money = select(order);
		if (money === undefined) return;
		const { currency, value } = money;
		units.set(currency, (units.get(currency) ?? 0) + Math.round(value * 10_000));
	};
	const read = () => Object.fromEntries([...units].sort().map(([one, all]) => [one, all / 10_000]));
	return { add, read };
};

const countRatings = (): Figure => {
	const counts = new Map<string, number>(RATINGS.map((rating) => [rating, 0]));
	const add = ({ ratings }: OrderSummary) => {
		for (const rating of ratings.filter((one) => counts.has(one))) {
			counts.set(rating, (counts.get(rating) ?? 0) + 1);
		}
	};
	return { add, read: () => Object.fromEntries(counts) };
};

const FIGURES = createTable<() => Figure>({
	Created: count(() => true),
	Completed: count(({ status }) => status === 'completed'),
	Cancelled: count(({ status }) => status === 'cancelled'),
	OpenNow: count(({ status }) => status === 'open'),
	OverdueNow: count(({ isOverdue }) => isOverdue),
	Reopened: count(({ wasReopened }) => wasReopened),
	CompletedOnTime: count(({ isOnTime }) => isOnTime),
	CompletedOnTimePercent: percentage(({ isOnTime }) => isOnTime),
	PickedUpOnTimePercent: percentage(({ isPickedUpOnTime }) => isPickedUpOnTime),
	MedianHoursToPickUp: percentile(50, ({ toPickUp }) => toPickUp),
	P90HoursToPickUp: percentile(90, ({ toPickUp }) => toPickUp),
	MedianHoursToArrive: percentile(50, ({ toArrive }) => toArrive),
	P90HoursToArrive: percentile(90, ({ toArrive }) => toArrive),
	MedianHoursToComplete: percentile(50, ({ toComplete }) => toComplete),
	P90HoursToComplete: percentile(90, ({ toComplete }) => toComplete),
	MedianHoursOnHold: percentile(50, ({ onHold }) => onHold),
	CostTotal: sumByCurrency(({ cost }) => cost),
	VendorInvoiceTotal: sumByCurrency(({ invoice }) => invoice),
	OverNte: count(({ isOverNte }) => isOverNte),
	Ratings: countRatings,
});

const createGroup = (label: string, values: unknown[]) => ({
	label,
	values,
	size: 0,
	figures: Object.entries(FIGURES).map(([name, create]) => ({ name, ...create() })),
});

type Group = ReturnType<typeof createGroup>;

function addToGroup(group: Group, order: OrderSummary): void {
	group.size += 1;
	for (const { add } of group.figures) add(order);
}

const collator = new Intl.Collator('en', { numeric: true });

/** Figures by group and for all orders together; memory grows with the orders, not with their log. */
export class Performance {
	private readonly groups = new Map<string, Group>();
	private readonly total: Group;

	constructor(private readonly groupings: readonly Grouping[]) {
		this.total = createGroup(
			'Total',
			groupings.map(() => null),
		);
	}

	add(order: OrderSummary): void {
		if (!order.isInPeriod) return;
		addToGroup(this.total, order);
		if (this.groupings.length > 0) addToGroup(this.getGroup(order), order);
	}

	/** Returns the largest group first, and the total last. */
	toRows(): JsonObject[] {
		const groups = [...this.groups.values()].sort(
			(one, other) => other.size - one.size || collator.compare(one.label, other.label),
		);
		return [...groups, this.total].map((group) => ({
			Group: group.label,
			IsTotal: group === this.total,
			...Object.fromEntries(this.groupings.map(({ name }, index) => [name, group.values[index]])),
			...Object.fromEntries(group.figures.map(({ name, read }) => [name, read()])),
		}));
	}

	private getGroup({ date, groups: properties }: OrderSummary): Group {
		const values = this.groupings.map(({ readDate }, index) =>
			readDate ? readDate(date) : properties[index],
		);
		const key = JSON.stringify(values.map((value) => (isObject(value) ? value.Id : value)));
		const group = this.groups.get(key) ?? createGroup(values.map(buildLabel).join(', '), values);
		this.groups.set(key, group);
		return group;
	}
}

function buildLabel(value: unknown): string {
	const shown = isObject(value) ? (value.DisplayAs ?? value.Id) : value;
	return String(shown ?? 'None');
}
