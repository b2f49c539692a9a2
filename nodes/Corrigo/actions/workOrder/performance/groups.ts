import { isObject, type JsonObject } from '../../../values/checks';
import type { Money, OrderSummary } from './summary';

/** Ratings that somebody has given. */
export const RATINGS = ['Negative', 'Neutral', 'NotCompleted', 'Positive'] as const;

/** A choice of *Group By*. */
export interface Grouping {
	/** Name in the output, and of the property unless it is a part of the date. */
	name: string;
	readDate?: (date: string) => string;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const round = (value: number, digits: number) => Math.round(value * 10 ** digits) / 10 ** digits;

export const getMonth = (date: string): string => date.slice(0, 7);

/** A week begins on Monday, which is its name. */
export function getWeek(date: string): string {
	const day = Date.parse(date.slice(0, 10));
	const sinceMonday = (new Date(day).getUTCDay() + 6) % 7;
	return new Date(day - sinceMonday * DAY_MS).toISOString().slice(0, 10);
}

/** Counts how many of the orders that could be on time were. */
class Share {
	private all = 0;
	hits = 0;

	add(hit: boolean | undefined): void {
		if (hit !== undefined) this.all += 1;
		if (hit === true) this.hits += 1;
	}

	get percent(): number | null {
		return this.all === 0 ? null : round((100 * this.hits) / this.all, 1);
	}
}

class Durations {
	private readonly list: number[] = [];

	add(duration: number | undefined): void {
		if (duration !== undefined) this.list.push(duration);
	}

	/** Hours at the nearest rank. */
	getPercentiles(...percents: number[]): Array<number | null> {
		const sorted = Float64Array.from(this.list).sort();
		return percents.map((percent) =>
			sorted.length === 0
				? null
				: round(sorted[Math.ceil((percent * sorted.length) / 100) - 1] / HOUR_MS, 1),
		);
	}
}

/** Sums are kept in whole units of the fourth digit, so that they do not drift. */
class Amounts {
	private readonly byCurrency = new Map<string, number>();

	add(money: Money | undefined): void {
		if (money === undefined) return;
		const { currency, value } = money;
		const units = (this.byCurrency.get(currency) ?? 0) + Math.round(value * 10_000);
		this.byCurrency.set(currency, units);
	}

	toRow(): JsonObject {
		return Object.fromEntries(
			[...this.byCurrency].sort().map(([currency, units]) => [currency, units / 10_000]),
		);
	}
}

/** The figures of a group of orders. */
class Figures {
	created = 0;
	private readonly counts = { completed: 0, cancelled: 0, open: 0 };
	private overdue = 0;
	private reopened = 0;
	private overNte = 0;
	private readonly onTime = new Share();
	private readonly pickedUpOnTime = new Share();
	private readonly to = {
		PickUp: new Durations(),
		Arrive: new Durations(),
		Complete: new Durations(),
	};
	private readonly onHold = new Durations();
	private readonly costs = new Amounts();
	private readonly invoices = new Amounts();
	private readonly ratings = new Map<string, number>(RATINGS.map((rating) => [rating, 0]));

	add(order: OrderSummary): void {
		this.created += 1;
		this.counts[order.status] += 1;
		this.overdue += Number(order.isOverdue);
		this.reopened += Number(order.wasReopened);
		this.overNte += Number(order.isOverNte);
		this.onTime.add(order.isOnTime);
		this.pickedUpOnTime.add(order.isPickedUpOnTime);
		this.to.PickUp.add(order.toPickUp);
		this.to.Arrive.add(order.toArrive);
		this.to.Complete.add(order.toComplete);
		this.onHold.add(order.onHold);
		this.costs.add(order.cost);
		this.invoices.add(order.invoice);
		for (const rating of order.ratings) {
			const count = this.ratings.get(rating);
			if (count !== undefined) this.ratings.set(rating, count + 1);
		}
	}

	toRow(): JsonObject {
		const steps = Object.entries(this.to).flatMap(([step, durations]) => {
			const [median, p90] = durations.getPercentiles(50, 90);
			return [
				[`MedianHoursTo${step}`, median],
				[`P90HoursTo${step}`, p90],
			];
		});
		return {
			Created: this.created,
			Completed: this.counts.completed,
			Cancelled: this.counts.cancelled,
			OpenNow: this.counts.open,
			OverdueNow: this.overdue,
			Reopened: this.reopened,
			CompletedOnTime: this.onTime.hits,
			CompletedOnTimePercent: this.onTime.percent,
			PickedUpOnTimePercent: this.pickedUpOnTime.percent,
			...Object.fromEntries(steps),
			MedianHoursOnHold: this.onHold.getPercentiles(50)[0],
			CostTotal: this.costs.toRow(),
			VendorInvoiceTotal: this.invoices.toRow(),
			OverNte: this.overNte,
			Ratings: Object.fromEntries(this.ratings),
		};
	}
}

interface Group {
	label: string;
	values: unknown[];
	figures: Figures;
}

const collator = new Intl.Collator('en', { numeric: true });

/** Figures by group and for all orders together; memory grows with the orders, not with their log. */
export class Performance {
	private readonly groups = new Map<string, Group>();
	private readonly total = new Figures();

	constructor(private readonly groupings: readonly Grouping[]) {}

	add(order: OrderSummary): void {
		if (!order.isInPeriod) return;
		this.total.add(order);
		if (this.groupings.length > 0) this.getGroup(order).figures.add(order);
	}

	/** Returns the largest group first, and the total last. */
	toRows(): JsonObject[] {
		const groups = [...this.groups.values()].sort(
			(one, other) =>
				other.figures.created - one.figures.created || collator.compare(one.label, other.label),
		);
		const nothing = this.groupings.map(() => null);
		const total = { label: 'Total', values: nothing, figures: this.total };
		return [...groups, total].map((group) => ({
			Group: group.label,
			IsTotal: group === total,
			...Object.fromEntries(this.groupings.map(({ name }, index) => [name, group.values[index]])),
			...group.figures.toRow(),
		}));
	}

	private getGroup({ date, groups: properties }: OrderSummary): Group {
		const values = this.groupings.map(({ readDate }, index) =>
			readDate ? readDate(date) : properties[index],
		);
		const key = JSON.stringify(values.map((value) => (isObject(value) ? value.Id : value)));
		const group = this.groups.get(key) ?? {
			label: values.map(buildLabel).join(', '),
			values,
			figures: new Figures(),
		};
		this.groups.set(key, group);
		return group;
	}
}

function buildLabel(value: unknown): string {
	const shown = isObject(value) ? (value.DisplayAs ?? value.Id) : value;
	return String(shown ?? 'None');
}
