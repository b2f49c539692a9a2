import type { INodeExecutionData, INodeProperties } from 'n8n-workflow';

import { decidesRemoved, filterCriteria, repeatRows } from '../../form/filters';
import { criteriaIn } from '../../form/search';
import type { JsonObject } from '../../protocol/checks';
import {
	allOf,
	and,
	equal,
	isIn,
	notRemoved,
	type Condition,
	type Criteria,
} from '../../protocol/criteria';
import { MAX_PAGE, type Query } from '../../protocol/paging';
import { oneOf, wholeNumber } from '../../protocol/values';
import { parallelPages } from '../../records/query';
import { DEFAULT_READS, type ItemContext } from '../../run/context';
import { filterTime } from '../../run/filterTime';
import type { Outcome } from '../../run/outcome';
import { readTogether, type Wanted } from '../../run/readTogether';
import { idOfIn, named, namesIn } from '../../run/resolve';
import { onlyShownIn } from './audience';
import { withProperty } from './properties';

export interface Search {
	entity: string;
	query: Query;
	shaped: (row: JsonObject) => JsonObject;
	owner?: Owner;
	/** Returns new criteria if the first answer shows that n8n's clock is wrong. */
	corrected?: () => Promise<Criteria | undefined>;
}

/** Record whose rows are searched. */
interface Owner {
	/** Property of the rows that holds the record's ID. */
	property: string;
	id: number;
	/** Conditions that exclude records of other types with the same ID. */
	also?: Condition[];
}

/** Some resources search by fields of their own. */
export interface Variant {
	fields?: INodeProperties[];
	/** Reads the record that one of these fields names; undefined if it is empty. */
	owner?: (context: ItemContext) => Promise<Owner | undefined>;
	/** Applies these fields to the search. */
	adapt?: (context: ItemContext, search: Search) => Promise<Search>;
}

/** Looks up names, then narrows the search by filters and by fields of the resource. */
export async function searchFor(
	context: ItemContext,
	variant: Variant,
	read: (context: ItemContext) => Search,
): Promise<Search> {
	const { owner, adapt = async (_, one) => one } = variant;
	const time = filterTime(context);
	const search = await adapt(context, await filtered(context, await named(context, read)));
	const corrected = async () => {
		if (filterTime(context) === time) return undefined;
		const { criteria } = (await searchFor(context, variant, read)).query;
		const [now, before] = [criteria, search.query.criteria].map((one) => JSON.stringify(one));
		return now === before ? undefined : criteria;
	};
	return { ...search, owner: await owner?.(context), corrected };
}

/** Adds the filters of the form to the search. */
async function filtered(context: ItemContext, search: Search): Promise<Search> {
	const { entity, query } = search;
	const criteria = await named(context, (one) =>
		filterCriteria(entity, one.collection('filters'), {
			...namesIn(one),
			now: () => filterTime(one),
		}),
	);
	if (criteria === undefined) return search;
	return {
		...search,
		query: {
			...query,
			criteria: allOf(query.criteria, criteria),
			...(repeatRows(entity, context.collection('filters')) ? eachOnce(query) : {}),
		},
	};
}

/** Without the Id, `distinct` would also merge different records with equal columns. */
const eachOnce = ({ distinct = true, properties }: Query): Partial<Query> => ({
	distinct,
	properties: withProperty('Id', properties),
});

/** Rows are read again if the first answer shows that n8n's clock is wrong. */
export async function* rowsOfSearch(
	context: ItemContext,
	search: Search,
	owners = search.owner ? [search.owner.id] : [],
): AsyncGenerator<JsonObject[]> {
	// An answer to another item may already have shown the time.
	let criteria = await search.corrected?.();
	if (criteria === undefined) {
		const pages = pagesOf(context, search, owners);
		try {
			const first = await pages.next();
			criteria = await search.corrected?.();
			if (criteria === undefined) {
				if (first.done !== true) yield first.value;
				yield* pages;
				return;
			}
		} finally {
			await pages.return(undefined);
		}
	}
	yield* pagesOf(context, { ...search, query: { ...search.query, criteria } }, owners);
}

/** A single item reads its rows in parallel streams. */
function pagesOf(
	context: ItemContext,
	{ entity, query, owner }: Search,
	owners: number[],
): AsyncGenerator<JsonObject[]> {
	const options = { ...context.sendOptions, isolationLevel: isolationLevelOf(context) };
	// Several items are already read in parallel.
	const count = context.run.contexts.length === 1 ? context.concurrency(DEFAULT_READS) : 1;
	const criteria = allOf(query.criteria, owner && ownedBy(owner, owners));
	return parallelPages(context.caller, entity, { ...query, criteria }, count, options);
}

const ownedBy = ({ property, also = [] }: Owner, ids: number[]): Criteria =>
	and(...also, ids.length === 1 ? equal(property, ids[0]) : isIn(property, ids));

/** Pages of rows, which may still be loading. */
export type Pages = AsyncIterable<JsonObject[]> | Iterable<JsonObject[]>;

interface WantedRows extends Wanted {
	search: Search;
}

/** Items that search for rows of different owners share requests. */
export const readSearches = async (
	contexts: ItemContext[],
	searchOf: (context: ItemContext) => Promise<Search>,
	itemsOf: (context: ItemContext, search: Search, pages: Pages) => Promise<INodeExecutionData[]>,
): Promise<Outcome[]> =>
	await readTogether<WantedRows, () => Pages>(contexts, {
		wanted: async (context) => {
			const search = await searchOf(context);
			return { context, search, id: search.owner?.id ?? 0 };
		},
		key: keyOf,
		together: rowsByOwner,
		alone:
			async ({ context, search }) =>
			() =>
				rowsOfSearch(context, search),
		same: (wanted) => wanted,
		items: async (pages, { context, search }) => await itemsOf(context, search, pages()),
	});

/** Searches that differ only in the owner of the rows share a request. */
function keyOf({ context, search: { entity, query, owner } }: WantedRows): string | undefined {
	if (owner === undefined || query.firstResultIndex !== undefined) return undefined;
	return JSON.stringify([entity, query, { ...owner, id: 0 }, context.options]);
}

/** The limit applies to each owner, so all rows are read and then cut. */
async function rowsByOwner(
	owners: number[],
	[{ context, search }]: WantedRows[],
): Promise<Map<number, () => Pages>> {
	const { query, owner } = search;
	const property = owner?.property ?? '';
	const properties = withProperty(property, query.properties);
	const all = { ...search, query: { ...query, properties, limit: Infinity } };
	const found = new Map(owners.map((id): [number, JsonObject[]] => [id, []]));
	for await (const page of rowsOfSearch(context, all, owners)) {
		for (const row of page) {
			const rows = found.get(Number(row[property]));
			if (properties !== query.properties) delete row[property];
			rows?.push(row);
		}
	}
	const pagesOf = (rows: JsonObject[]) => [rows.slice(0, query.limit).map((row) => ({ ...row }))];
	return new Map([...found].map(([id, rows]) => [id, () => pagesOf(rows)]));
}

/** Deleted records are left out unless the user includes them. */
export const criteriaOf = (entity: string, context: ItemContext): Criteria | undefined =>
	allOf(
		criteriaIn(context, entity, idOfIn(context)),
		leavesOutRemoved(entity, context) ? notRemoved(entity) : undefined,
		onlyShownIn(context, entity),
	);

const leavesOutRemoved = (entity: string, context: ItemContext) =>
	!context.isOn('includeRemoved') &&
	!decidesRemoved(entity, context.collection('filters')) &&
	notRemoved(entity) !== undefined;

export function hintOfRemoved(entity: string, context: ItemContext): void {
	if (!leavesOutRemoved(entity, context)) return;
	context.run.hint("Deleted records are left out. Switch on 'Include Removed' to see them, too.");
}

export const pageSizeOf = ({ options: { pageSize } }: ItemContext): Pick<Query, 'pageSize'> =>
	pageSize === undefined ? {} : { pageSize: wholeNumber('Page Size', pageSize, 1, MAX_PAGE) };

const ISOLATION_LEVELS = ['Default', 'ReadUncommitted', 'ReadCommitted', 'Snapshot'];

function isolationLevelOf({ options: { isolationLevel } }: ItemContext): string | undefined {
	if (isolationLevel === undefined) return undefined;
	return oneOf('Isolation Level', isolationLevel, ISOLATION_LEVELS);
}
