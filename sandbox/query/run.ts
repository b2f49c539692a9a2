import type { EntityType, ScalarField } from '../schema';
import type { Row, Store } from '../store/store';
import { candidateIds } from './candidates';
import { Criteria, type Reader } from './criteria';
import type { Order, QueryExpression } from './shape';
import type { Comparable } from './values';

interface QuerySource {
	store: Store;
	settings: { mostRows: number; countZero: 'mostRows' | 'all' | 'none'; joinsRows: boolean };
}

function pageSize(count: number, { mostRows, countZero }: QuerySource['settings']): number {
	if (count > 0) return Math.min(count, mostRows);
	return { mostRows, all: Infinity, none: 0 }[countZero];
}

/** A page may contain a row more than once, see Criteria. */
export function runQuery(source: QuerySource, type: EntityType, query: QueryExpression): Row[] {
	const { store, settings } = source;
	const criteria = new Criteria(store, type, query.Criteria, settings);
	const orders = query.Orders.map((order) => ({
		order,
		reader: criteria.reader(order.PropertyName),
	}));
	const ids = candidateIds(store, type, query.Criteria);
	const first = query.FirstResultIndex;
	const end = first + pageSize(query.Count, settings);
	const direction = idDirection(type, query.Orders);
	if (direction === undefined) {
		return sorted(hits(store, type, criteria, ids, query.Distinct), orders).slice(first, end);
	}
	return page(hits(store, type, criteria, ID_ORDERS[direction](ids), query.Distinct), first, end);
}

/** A stable sort key for each row, unrelated to the order of Ids. */
const hashOfId = (id: number): number => Math.imul(id, 0x9e3779b1) >>> 0;

const ID_ORDERS = {
	Ascending: (ids: readonly number[]) => ids,
	Descending: (ids: readonly number[]) => [...ids].reverse(),
	/** Without an order, rows must not happen to come sorted by Id. */
	None: (ids: readonly number[]) => [...ids].sort((a, b) => hashOfId(a) - hashOfId(b)),
};

/** Rows are stored by Id: a query sorted by Id, or not at all, can stop early. */
function idDirection(
	type: EntityType,
	[first]: readonly Order[],
): keyof typeof ID_ORDERS | undefined {
	if (!first) return 'None';
	const { storedAs } = type.field('Id') as ScalarField;
	if (storedAs || first.PropertyName.toLowerCase() !== 'id') return undefined;
	return first.OrderType as 'Ascending' | 'Descending';
}

interface Hit {
	row: Row;
	binding: Array<Row | undefined>;
}

function* hits(
	store: Store,
	type: EntityType,
	criteria: Criteria,
	ids: readonly number[],
	distinct: boolean,
): Generator<Hit> {
	for (const id of ids) {
		const row = store.existing(type.name, id);
		for (const binding of criteria.matches(row, distinct)) yield { row, binding };
	}
}

function page(found: Iterable<Hit>, first: number, end: number): Row[] {
	const rows: Row[] = [];
	let index = 0;
	for (const { row } of found) {
		if (index >= end) break;
		if (index >= first) rows.push(row);
		index += 1;
	}
	return rows;
}

function sorted(found: Iterable<Hit>, orders: Array<{ order: Order; reader: Reader }>): Row[] {
	const keyed = Array.from(found, ({ row, binding }) => ({
		row,
		keys: orders.map(({ reader }) => reader.read(binding)),
	}));
	const signs = orders.map(({ order }) => (order.OrderType === 'Descending' ? -1 : 1));
	keyed.sort((a, b) => {
		for (const [at, sign] of signs.entries()) {
			const difference = compare(a.keys[at], b.keys[at]);
			if (difference !== 0) return sign * difference;
		}
		return hashOfId(a.row.Id) - hashOfId(b.row.Id);
	});
	return keyed.map(({ row }) => row);
}

/** Empty values come first, as in SQL Server. */
function compare(a: Comparable | undefined, b: Comparable | undefined): number {
	if (a === b) return 0;
	if (a === undefined) return -1;
	return b === undefined || a > b ? 1 : -1;
}
