import { normalizeTime } from '../runtime/times';
import { typeOf } from '../schema';

export interface Row {
	Id: number;
	[member: string]: unknown;
}

export type Values = Record<string, unknown>;

class Table {
	readonly rows = new Map<number, Row>();
	private sortedIds: number[] = [];
	private isSorted = true;
	private maxId = 0;
	private readonly indexes = new Map<string, Map<unknown, Set<number>>>();
	private readonly timeIndexes = new Map<string, Row[]>();

	/** The rows are copied; what is inside their members is shared. */
	copy(): Table {
		const copy = new Table();
		for (const [id, row] of this.rows) copy.rows.set(id, { ...row });
		copy.sortedIds = [...this.sortedIds];
		copy.isSorted = this.isSorted;
		copy.maxId = this.maxId;
		return copy;
	}

	get nextId(): number {
		return this.maxId + 1;
	}

	/** All Ids in ascending order. */
	get ids(): readonly number[] {
		if (!this.isSorted) {
			this.sortedIds.sort((a, b) => a - b);
			this.isSorted = true;
		}
		return this.sortedIds;
	}

	add(row: Row): void {
		if (row.Id <= this.maxId) this.isSorted = false;
		else this.maxId = row.Id;
		this.rows.set(row.Id, row);
		this.sortedIds.push(row.Id);
		for (const [member, index] of this.indexes) addToIndex(index, row[member], row.Id);
		this.timeIndexes.clear();
	}

	delete(row: Row): void {
		this.rows.delete(row.Id);
		this.sortedIds = this.sortedIds.filter((id) => id !== row.Id);
		for (const [member, index] of this.indexes) index.get(row[member])?.delete(row.Id);
		this.timeIndexes.clear();
	}

	change(row: Row, values: Values): void {
		for (const [member, index] of this.indexes) {
			if (!(member in values)) continue;
			index.get(row[member])?.delete(row.Id);
			addToIndex(index, values[member], row.Id);
		}
		for (const member of Object.keys(values)) this.timeIndexes.delete(member);
		Object.assign(row, values);
	}

	/** The sorted rows are rebuilt only after a change of such a time, because pollers repeat the question. */
	rowsSince(member: string, time: string): readonly Row[] {
		let rows = this.timeIndexes.get(member);
		if (!rows) {
			rows = [...this.rows.values()].filter((row) => typeof row[member] === 'string');
			rows.sort((a, b) => (String(a[member]) < String(b[member]) ? -1 : 1));
			this.timeIndexes.set(member, rows);
		}
		return rows.slice(lowerBound(rows.length, (at) => String(rows[at][member]) >= time));
	}

	/** The index is built on first use and kept up to date from then on. */
	idsWhere(member: string, value: unknown): Iterable<number> {
		let index = this.indexes.get(member);
		if (!index) {
			index = new Map();
			for (const row of this.rows.values()) addToIndex(index, row[member], row.Id);
			this.indexes.set(member, index);
		}
		return index.get(value) ?? [];
	}
}

/** Binary search for the first position at which `holds` is true. */
export function lowerBound(count: number, holds: (position: number) => boolean): number {
	let low = 0;
	let high = count;
	while (low < high) {
		const middle = (low + high) >> 1;
		if (holds(middle)) high = middle;
		else low = middle + 1;
	}
	return low;
}

function addToIndex(index: Map<unknown, Set<number>>, value: unknown, id: number): void {
	const ids = index.get(value);
	if (ids) ids.add(id);
	else index.set(value, new Set([id]));
}

function deepFreeze(value: unknown): void {
	if (typeof value !== 'object' || value === null) return;
	Object.freeze(value);
	Object.values(value).forEach(deepFreeze);
}

const isEqual = (a: unknown, b: unknown): boolean =>
	a === b || (typeof a === 'object' && JSON.stringify(a) === JSON.stringify(b));

/** Rows by entity and Id. Rows are returned without copying: change them through the store only. */
export class Store {
	private readonly tables = new Map<string, Table>();
	/** Steps that undo the writes of the current operation. */
	private undoSteps: Array<() => void> | undefined;
	/** Times as the current operation has set them, with all digits and their zone. */
	private exactTimes = new Map<Row, Values>();

	/** The tables of the original are copied on first use. The original must be frozen. */
	constructor(private readonly original?: Store) {}

	/** Undoes all writes of an operation that throws. */
	atomic<Result>(operation: () => Result): Result {
		const undo: Array<() => void> = [];
		this.undoSteps = undo;
		try {
			return operation();
		} catch (error) {
			for (const step of undo.reverse()) step();
			throw error;
		} finally {
			this.undoSteps = undefined;
			this.exactTimes.clear();
		}
	}

	/** Protects what is inside the members of rows, because copies of this store share it. */
	freeze(): this {
		for (const { rows } of this.tables.values()) {
			for (const row of rows.values()) Object.values(row).forEach(deepFreeze);
		}
		return this;
	}

	private table(entity: string): Table {
		let table = this.tables.get(entity);
		if (!table) {
			table = this.original?.table(entity).copy() ?? new Table();
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

	idsWhere(entity: string, member: string, value: unknown): number[] {
		return [...this.table(entity).idsWhere(member, value)];
	}

	/** Ids of the rows whose member holds this time or a later one. */
	idsSince(entity: string, member: string, time: string): number[] {
		return this.table(entity)
			.rowsSince(member, time)
			.map(({ Id }) => Id);
	}

	children(entity: string, member: string, value: unknown): Row[] {
		return this.idsWhere(entity, member, value)
			.sort((a, b) => a - b)
			.map((id) => this.existing(entity, id));
	}

	/** The answer to an operation shows the times it has set in full, not as they are stored. */
	displayed(row: Row, member: string): unknown {
		return this.exactTimes.get(row)?.[member] ?? row[member];
	}

	/** The database stores times to the hundredth of a second and without a zone. */
	private normalizeTimes(entity: string, row: Row, values: Values): void {
		for (const member of typeOf(entity).timeMembers) {
			const set = values[member];
			if (typeof set !== 'string') continue;
			values[member] = normalizeTime(set, 2) ?? set;
			if (!this.undoSteps) continue;
			const exact = member.includes('Utc') ? set : normalizeTime(set, 7);
			this.exactTimes.set(row, { ...this.exactTimes.get(row), [member]: exact });
		}
	}

	/** The object itself becomes the row: do not pass a shared one. */
	insert(entity: string, values: Values): Row {
		const table = this.table(entity);
		values.Id ??= table.nextId;
		const row = values as Row;
		this.normalizeTimes(entity, row, row);
		if (table.rows.has(row.Id)) throw new Error(`The store already has ${entity} ${row.Id}`);
		if (typeOf(entity).lock) row.ConcurrencyId ??= 1;
		table.add(row);
		this.undoSteps?.push(() => table.delete(row));
		return row;
	}

	/** Increments the version only when a value really changes. */
	change(entity: string, id: number, values: Values): Row {
		const row = this.existing(entity, id);
		const wanted = { ...values };
		this.normalizeTimes(entity, row, wanted);
		const changed = Object.fromEntries(
			Object.entries(wanted).filter(([member, value]) => !isEqual(row[member], value)),
		);
		const names = Object.keys(changed);
		if (names.length > 0) {
			const before = Object.fromEntries(names.map((name) => [name, row[name]]));
			this.undoSteps?.push(() => this.table(entity).change(row, before));
			this.table(entity).change(row, changed);
			this.touch(entity, id);
		}
		return row;
	}

	/** A change of its children also increments the version of a record. */
	touch(entity: string, id: number): void {
		if (!typeOf(entity).lock) return;
		const row = this.existing(entity, id);
		const version = Number(row.ConcurrencyId ?? 0);
		this.undoSteps?.push(() => (row.ConcurrencyId = version));
		row.ConcurrencyId = version + 1;
	}

	remove(entity: string, id: number): void {
		const row = this.get(entity, id);
		if (!row) return;
		this.table(entity).delete(row);
		this.undoSteps?.push(() => this.table(entity).add(row));
	}
}
