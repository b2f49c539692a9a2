import { clockText } from '../runtime/times';
import { typeOf } from '../schema';

export interface Row {
	Id: number;
	[member: string]: unknown;
}

export type Values = Record<string, unknown>;

class Table {
	readonly rows = new Map<number, Row>();
	private sorted: number[] = [];
	private inOrder = true;
	private highest = 0;
	private readonly indexes = new Map<string, Map<unknown, Set<number>>>();
	private readonly timelines = new Map<string, Row[]>();

	get nextId(): number {
		return this.highest + 1;
	}

	/** Ids in ascending order. */
	get ids(): readonly number[] {
		if (!this.inOrder) {
			this.sorted.sort((a, b) => a - b);
			this.inOrder = true;
		}
		return this.sorted;
	}

	add(row: Row): void {
		if (row.Id <= this.highest) this.inOrder = false;
		else this.highest = row.Id;
		this.rows.set(row.Id, row);
		this.sorted.push(row.Id);
		for (const [member, index] of this.indexes) put(index, row[member], row.Id);
		this.timelines.clear();
	}

	drop(row: Row): void {
		this.rows.delete(row.Id);
		this.sorted = this.sorted.filter((id) => id !== row.Id);
		for (const [member, index] of this.indexes) index.get(row[member])?.delete(row.Id);
		this.timelines.clear();
	}

	change(row: Row, values: Values): void {
		for (const [member, index] of this.indexes) {
			if (!(member in values)) continue;
			index.get(row[member])?.delete(row.Id);
			put(index, values[member], row.Id);
		}
		for (const member of Object.keys(values)) this.timelines.delete(member);
		Object.assign(row, values);
	}

	/** Built anew after each change of such a time: whoever asks for many asks again and again. */
	from(member: string, time: string): readonly Row[] {
		let timeline = this.timelines.get(member);
		if (!timeline) {
			timeline = [...this.rows.values()].filter((row) => typeof row[member] === 'string');
			timeline.sort((a, b) => (String(a[member]) < String(b[member]) ? -1 : 1));
			this.timelines.set(member, timeline);
		}
		return timeline.slice(lowest(timeline.length, (at) => String(timeline[at][member]) >= time));
	}

	/** Built when first asked for and kept up to date from then on. */
	having(member: string, value: unknown): Iterable<number> {
		let index = this.indexes.get(member);
		if (!index) {
			index = new Map();
			for (const row of this.rows.values()) put(index, row[member], row.Id);
			this.indexes.set(member, index);
		}
		return index.get(value) ?? [];
	}
}

/** The first position from which on something holds. */
export function lowest(count: number, holds: (position: number) => boolean): number {
	let low = 0;
	let high = count;
	while (low < high) {
		const middle = (low + high) >> 1;
		if (holds(middle)) high = middle;
		else low = middle + 1;
	}
	return low;
}

function put(index: Map<unknown, Set<number>>, value: unknown, id: number): void {
	const ids = index.get(value);
	if (ids) ids.add(id);
	else index.set(value, new Set([id]));
}

const same = (a: unknown, b: unknown): boolean =>
	a === b || (typeof a === 'object' && JSON.stringify(a) === JSON.stringify(b));

/** Rows by entity and id. Rows are handed out as they are: change them through the store only. */
export class Store {
	private readonly tables = new Map<string, Table>();
	/** How to take back what was written since the operation began. */
	private undo: Array<() => void> | undefined;
	/** Times as the operation that goes on has set them, to the last digit and with their zone. */
	private fresh = new Map<Row, Values>();

	/** All of an operation is written or nothing of it. */
	atomic<Result>(operation: () => Result): Result {
		const undo: Array<() => void> = [];
		this.undo = undo;
		try {
			return operation();
		} catch (error) {
			for (const step of undo.reverse()) step();
			throw error;
		} finally {
			this.undo = undefined;
			this.fresh.clear();
		}
	}

	private table(entity: string): Table {
		let table = this.tables.get(entity);
		if (!table) {
			table = new Table();
			this.tables.set(typeOf(entity).name, table);
		}
		return table;
	}

	rows(entity: string): Row[] {
		return this.ids(entity).map((id) => this.existing(entity, id));
	}

	ids(entity: string): readonly number[] {
		return this.table(entity).ids;
	}

	count(entity: string): number {
		return this.table(entity).rows.size;
	}

	get(entity: string, id: number): Row | undefined {
		return this.table(entity).rows.get(id);
	}

	existing(entity: string, id: number): Row {
		const row = this.get(entity, id);
		if (!row) throw new Error(`The store has no ${entity} ${id}`);
		return row;
	}

	/** Ids of the rows whose member has the value. */
	having(entity: string, member: string, value: unknown): number[] {
		return [...this.table(entity).having(member, value)];
	}

	/** Ids of the rows whose member is such a time, or a later one. */
	from(entity: string, member: string, time: string): number[] {
		return this.table(entity)
			.from(member, time)
			.map(({ Id }) => Id);
	}

	children(entity: string, member: string, value: unknown): Row[] {
		return this.having(entity, member, value)
			.sort((a, b) => a - b)
			.map((id) => this.existing(entity, id));
	}

	/** A member as an answer has it: what the operation itself has just set is not read back. */
	shown(row: Row, member: string): unknown {
		return this.fresh.get(row)?.[member] ?? row[member];
	}

	/** Times as the database keeps them: to the hundredth of a second, and without a zone. */
	private keepTimes(entity: string, row: Row, values: Values): void {
		for (const member of typeOf(entity).times) {
			const set = values[member];
			if (typeof set !== 'string') continue;
			values[member] = clockText(set, 2) ?? set;
			if (!this.undo) continue;
			const exact = member.includes('Utc') ? set : clockText(set, 7);
			this.fresh.set(row, { ...this.fresh.get(row), [member]: exact });
		}
	}

	/** Takes the values over as the row: hand in an object of your own. */
	insert(entity: string, values: Values): Row {
		const table = this.table(entity);
		values.Id ??= table.nextId;
		const row = values as Row;
		this.keepTimes(entity, row, row);
		if (table.rows.has(row.Id)) throw new Error(`The store already has ${entity} ${row.Id}`);
		if (typeOf(entity).lock) row.ConcurrencyId ??= 1;
		table.add(row);
		this.undo?.push(() => table.drop(row));
		return row;
	}

	/** Counts the version up when something really is another value than before. */
	change(entity: string, id: number, values: Values): Row {
		const row = this.existing(entity, id);
		const wanted = { ...values };
		this.keepTimes(entity, row, wanted);
		const changed = Object.fromEntries(
			Object.entries(wanted).filter(([member, value]) => !same(row[member], value)),
		);
		const names = Object.keys(changed);
		if (names.length > 0) {
			const before = Object.fromEntries(names.map((name) => [name, row[name]]));
			this.undo?.push(() => this.table(entity).change(row, before));
			this.table(entity).change(row, changed);
			this.touch(entity, id);
		}
		return row;
	}

	/** A change in the children of a record is a change of the record. */
	touch(entity: string, id: number): void {
		if (!typeOf(entity).lock) return;
		const row = this.existing(entity, id);
		const version = Number(row.ConcurrencyId ?? 0);
		this.undo?.push(() => (row.ConcurrencyId = version));
		row.ConcurrencyId = version + 1;
	}

	remove(entity: string, id: number): void {
		const row = this.get(entity, id);
		if (!row) return;
		this.table(entity).drop(row);
		this.undo?.push(() => this.table(entity).add(row));
	}
}
