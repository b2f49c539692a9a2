import type { PageLength } from '../../nodes/Corrigo/wire/paging';
import type { Condition, Criteria } from '../../nodes/Corrigo/wire/criteria';
import type { QueryExpression } from '../../nodes/Corrigo/wire/requests';
import { compareTimes, toKeyText, type Key } from '../../nodes/Corrigo/feed/cursor';

const EPOCH = Date.UTC(2026, 0, 31, 17, 30);

/** The time so many ten-millionths of a second after the beginning of a history. */
export function timeText(units: number): string {
	const seconds = Math.floor(units / 10_000_000);
	const fraction = String(units % 10_000_000).padStart(7, '0');
	return `${new Date(EPOCH + seconds * 1000).toISOString().slice(0, 19)}.${fraction}`;
}

/** The whole second of such a time, in the same unit. */
export const unitsOf = (time: string) =>
	((Date.parse(`${time.slice(0, 19)}Z`) - EPOCH) / 1000) * 10_000_000;

export type Row = { Id: number; At: string; Version?: number };

/** A change that was readable at some time. */
interface Seen {
	key: Key;
	readableAt: number;
	replacedAt: number;
	/** The number of rows that were stamped after it and before it could be read. */
	behind: number;
}

/**
 * A service that answers the queries of the trigger as a database would: it knows nothing of
 * cursors, only of conditions, orders and counts.
 */
export class Service {
	/** Ten-millionths of a second since the beginning of this history. */
	now = 0;
	private readonly rows = new Map<number, Row>();
	private pending: Array<{ due: number; row: Row }> = [];
	private lastId = 0;
	/** Whether fractions in conditions are rounded up to a hundredth, as columns of less precision do. */
	rounds = false;
	/** The digits of a fraction that answers show; conditions compare all that are stored. */
	digits = 7;
	/** Rows may have versions, and change again without another time. */
	hasVersions = false;
	/** All changes that were readable at some time, by key, with the time of their end. */
	readonly changes = new Map<string, Seen>();
	/** The oldest one of the rows that a replica lacks which answers now, by ID. */
	private hiddenFrom = Infinity;
	private skew = 0;
	/** How far the clock of the service is ahead, in answers and in the times of new rows. */
	private ahead = 0;
	/** Says whether a clock that has become right stays right until a poll has seen it. */
	staysRight = false;
	private isUnseen = false;

	private show(text: string): string {
		const [seconds, fraction] = plain(text).split('.');
		return plain(`${seconds}.${fraction.slice(0, this.digits)}`);
	}

	private getKey = ({ Id, At }: Row): Key => ({ time: this.show(At), id: Id });

	/** Rows carry Z or not, and as many digits as they need, as those of the service do. */
	private stamp(): string {
		const text = timeText(this.now + this.ahead);
		const short = text.replace(/\.?0+$/, '');
		return this.lastId % 2 === 0 ? `${short}Z` : text;
	}

	/** A row that is stamped now and can be read after `delay`. */
	add(delay = 0): void {
		this.lastId += 1;
		this.commit({ Id: this.lastId, At: this.stamp() }, delay);
	}

	burst(count: number): void {
		for (let index = 0; index < count; index++) this.add();
	}

	/** A row that is stamped in the future. */
	addAhead(units: number): void {
		this.lastId += 1;
		this.commit({ Id: this.lastId, At: timeText(this.now + units) }, 0);
	}

	/** The `Date` of an answer. */
	clock = () => timeText(Math.floor((this.now + this.ahead + this.skew) / 10_000_000) * 10_000_000);

	/** From now on, the clock of the service is this far ahead. */
	setAhead(units: number): void {
		if (this.staysRight && this.isUnseen) return;
		this.isUnseen = this.ahead > 0 && units === 0;
		this.ahead = units;
	}

	isRight = () => this.ahead === 0;

	/** A poll has seen that the clock is right. */
	noteSeen(): void {
		this.isUnseen = false;
	}

	/** From now on, answers have another `Date`, and lack the newest rows. */
	answerOddly({ skew, hidden }: { skew: number; hidden: number }): void {
		this.skew = skew;
		this.hiddenFrom = hidden === 0 ? Infinity : this.lastId + 1 - hidden;
	}

	/** One of the rows gets a new time stamp. */
	touch(which: number, delay = 0): void {
		const ids = [...this.rows.keys()];
		if (ids.length === 0) return;
		const Id = ids[which % ids.length];
		const At = this.stamp();
		// A stamp as before is a change only if rows have versions.
		const { At: last = '', Version = 0 } = this.rows.get(Id) ?? {};
		if (!this.hasVersions && this.show(At) === this.show(last)) return;
		if (this.pending.some(({ row }) => row.Id === Id)) return;
		this.commit({ Id, At, ...(this.hasVersions && { Version: Version + 1 }) }, delay);
	}

	remove(which: number): void {
		const ids = [...this.rows.keys()];
		if (ids.length === 0) return;
		const id = ids[which % ids.length];
		this.pending = this.pending.filter(({ row }) => row.Id !== id);
		this.drop(id);
	}

	private drop(id: number): void {
		const row = this.rows.get(id);
		const change = row && this.changes.get(toKeyText(this.getKey(row)));
		if (change !== undefined) change.replacedAt = Math.min(change.replacedAt, this.now);
		this.rows.delete(id);
	}

	private commit(row: Row, delay: number): void {
		if (delay > 0) {
			this.pending.push({ due: this.now + delay, row });
			return;
		}
		this.drop(row.Id);
		this.rows.set(row.Id, row);
		const key = this.getKey(row);
		const behind = this.lastId - row.Id;
		this.changes.set(toKeyText(key), { key, readableAt: this.now, replacedAt: Infinity, behind });
	}

	pass(units: number): void {
		const end = this.now + units;
		const due = this.pending.filter((one) => one.due <= end).sort((a, b) => a.due - b.due);
		this.pending = this.pending.filter((one) => one.due > end);
		for (const { due: at, row } of due) {
			this.now = at;
			this.commit(row, 0);
		}
		this.now = end;
	}

	answer(expression: QueryExpression): Row[] {
		const shown = [...this.rows.values()].filter(({ Id }) => Id < this.hiddenFrom);
		const rows = answerTo(shown, expression, this.rounds);
		return rows.map((row) => ({ ...row, At: this.digits === 7 ? row.At : this.show(row.At) }));
	}

	/** The rows that can be read now. */
	list = (): Row[] => [...this.rows.values()];
}

/** A shorter page than any that the Company cuts off has all rows. */
export const endsBelow = (min: number) => ({
	isLastPage: async ({ length, count }: PageLength) => length < Math.min(min, count),
});

/** The answer of a database that holds these rows. */
export function answerTo(
	rows: Row[],
	{ Criteria: criteria, Orders = [], Count, FirstResultIndex = 0 }: QueryExpression,
	rounds = false,
): Row[] {
	const sign = Orders[0].OrderType === 'Descending' ? -1 : 1;
	if (FirstResultIndex !== 0 && sign > 0) throw new Error('Offsets lose rows that move');
	const found = criteria ? rows.filter(toPredicate(criteria, rounds)) : [];
	const byTime = Orders.some(({ PropertyName }) => PropertyName === 'At');
	found.sort((a, b) => sign * (byTime ? compareTimes(getKey(a), getKey(b)) : a.Id - b.Id));
	return found.slice(FirstResultIndex, FirstResultIndex + Count);
}

const plain = (text: string) => {
	const [seconds, fraction = ''] = text.replace(/Z$/, '').split('.');
	return `${seconds}.${fraction.padEnd(7, '0')}`;
};

function roundedUp(text: string): string {
	const [seconds, fraction] = text.split('.');
	const hundredths = Math.min(99, Math.ceil(Number(fraction) / 100_000));
	return `${seconds}.${String(hundredths).padStart(2, '0')}00000`;
}

const times = new WeakMap<Row, string>();

/** The time of a row, which many queries look at. */
function getTime(row: Row): string {
	const time = times.get(row) ?? plain(row.At);
	times.set(row, time);
	return time;
}

const getKey = (row: Row): Key => ({ time: getTime(row), id: row.Id });

type Predicate = (row: Row) => boolean;

function toPredicate(
	{ FilterOperator, Conditions = [], Filters = [] }: Criteria,
	rounds: boolean,
): Predicate {
	const all = [
		...Conditions.map((one) => toComparison(one, rounds)),
		...Filters.map((one) => toPredicate(one, rounds)),
	];
	return FilterOperator === 'Or'
		? (row) => all.some((holds) => holds(row))
		: (row) => all.every((holds) => holds(row));
}

type Compared = number | string;

const COMPARISONS: Record<string, ((a: Compared, b: Compared) => boolean) | undefined> = {
	Equal: (a, b) => a === b,
	GreaterThan: (a, b) => a > b,
	GreaterOrEqual: (a, b) => a >= b,
	LessThan: (a, b) => a < b,
};

function toComparison(
	{ PropertyName, Operator, Values: [value] }: Condition,
	rounds: boolean,
): Predicate {
	const compare = COMPARISONS[Operator];
	if (compare === undefined) throw new Error(`The trigger asks with ${Operator}`);
	if (PropertyName === 'Id') return ({ Id }) => compare(Id, Number(value));
	const time = plain(String(value));
	const bound = rounds ? roundedUp(time) : time;
	return (row) => compare(getTime(row), bound);
}
