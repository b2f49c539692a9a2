import type { INodeExecutionData, INodeProperties } from 'n8n-workflow';

import {
	hasRemovedFilter,
	buildFilterCriteria,
	mayRepeatRows,
	readConditions,
} from '../../form/filters';
import { type JsonObject, parseChoice, parseInteger } from '../../values/checks';
import {
	joinCriteria,
	and,
	equal,
	isIn,
	excludeRemoved,
	type Condition,
	type Criteria,
} from '../../wire/criteria';
import { MAX_PAGE_SIZE, type Query } from '../../wire/paging';
import { loadPagesInParallel } from '../../records/query';
import { DEFAULT_READS, type ItemContext } from '../../run/context';
import { getFilterTime } from '../../run/filterTime';
import type { Outcome } from '../../run/outcome';
import { readTogether, type PendingRead } from '../../run/readTogether';
import { getIdResolver, resolveForm, getRecordNames } from '../../run/resolve';
import { buildAudienceCriteria } from './audience';
import { addProperty } from './properties';

export interface Search {
	entity: string;
	query: Query;
	shapeRow: (row: JsonObject) => JsonObject;
	owner?: Owner;
	/** Returns new criteria if the first answer shows that n8n's clock is wrong. */
	findCorrection?: () => Promise<Criteria | undefined>;
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
export interface SearchVariant {
	fields?: INodeProperties[];
	/** Reads the record that one of these fields names; undefined if it is empty. */
	readOwner?: (context: ItemContext) => Promise<Owner | undefined>;
	/** Applies these fields to the search. */
	adapt?: (context: ItemContext, search: Search) => Promise<Search>;
}

/** Looks up names, then narrows the search by filters and by fields of the resource. */
export async function buildSearch(
	context: ItemContext,
	variant: SearchVariant,
	read: (context: ItemContext) => Search,
): Promise<Search> {
	const { readOwner, adapt = async (_, one) => one } = variant;
	const time = getFilterTime(context);
	const search = await adapt(context, await addFilters(context, await resolveForm(context, read)));
	const findCorrection = async () => {
		if (getFilterTime(context) === time) return undefined;
		const { criteria } = (await buildSearch(context, variant, read)).query;
		const [now, before] = [criteria, search.query.criteria].map((one) => JSON.stringify(one));
		return now === before ? undefined : criteria;
	};
	return { ...search, owner: await readOwner?.(context), findCorrection };
}

/** Adds the filters of the form to the search. */
async function addFilters(context: ItemContext, search: Search): Promise<Search> {
	const { entity, query } = search;
	const criteria = await resolveForm(context, (one) =>
		buildFilterCriteria(entity, one.collection('filters'), {
			...getRecordNames(one),
			now: () => getFilterTime(one),
		}),
	);
	if (criteria === undefined) return search;
	return {
		...search,
		query: {
			...query,
			criteria: joinCriteria(query.criteria, criteria),
			...(mayRepeatRows(entity, context.collection('filters')) ? buildDistinctQuery(query) : {}),
		},
	};
}

/** Without the Id, `distinct` would also merge different records with equal columns. */
const buildDistinctQuery = ({ distinct = true, properties }: Query): Partial<Query> => ({
	distinct,
	properties: addProperty('Id', properties),
});

/** Rows are read again if the first answer shows that n8n's clock is wrong. */
export async function* loadRows(
	context: ItemContext,
	search: Search,
	owners = search.owner ? [search.owner.id] : [],
): AsyncGenerator<JsonObject[]> {
	// An answer to another item may already have shown the time.
	let criteria = await search.findCorrection?.();
	if (criteria === undefined) {
		const pages = loadPages(context, search, owners);
		try {
			const first = await pages.next();
			criteria = await search.findCorrection?.();
			if (criteria === undefined) {
				if (first.done !== true) yield first.value;
				yield* pages;
				return;
			}
		} finally {
			await pages.return(undefined);
		}
	}
	yield* loadPages(context, { ...search, query: { ...search.query, criteria } }, owners);
}

/** A single item reads its rows in parallel streams. */
function loadPages(
	context: ItemContext,
	{ entity, query, owner }: Search,
	owners: number[],
): AsyncGenerator<JsonObject[]> {
	const options = { ...context.sendOptions, isolationLevel: readIsolationLevel(context) };
	// Several items are already read in parallel.
	const count = context.run.contexts.length === 1 ? context.getConcurrency(DEFAULT_READS) : 1;
	const criteria = joinCriteria(query.criteria, owner && buildOwnerCriteria(owner, owners));
	return loadPagesInParallel(context.caller, entity, { ...query, criteria }, count, options);
}

const buildOwnerCriteria = ({ property, also = [] }: Owner, ids: number[]): Criteria =>
	and(...also, ids.length === 1 ? equal(property, ids[0]) : isIn(property, ids));

/** Pages of rows, which may still be loading. */
export type Pages = AsyncIterable<JsonObject[]> | Iterable<JsonObject[]>;

interface PendingSearch extends PendingRead {
	search: Search;
}

/** Items that search for rows of different owners share requests. */
export const readSearches = async (
	contexts: ItemContext[],
	readSearch: (context: ItemContext) => Promise<Search>,
	toItems: (context: ItemContext, search: Search, pages: Pages) => Promise<INodeExecutionData[]>,
): Promise<Outcome[]> =>
	await readTogether<PendingSearch, () => Pages>(contexts, {
		prepare: async (context) => {
			const search = await readSearch(context);
			return { context, search, id: search.owner?.id ?? 0 };
		},
		key: getBatchKey,
		readMany: loadRowsByOwner,
		readOne:
			async ({ context, search }) =>
			() =>
				loadRows(context, search),
		getIdentity: (wanted) => wanted,
		toItems: async (pages, { context, search }) => await toItems(context, search, pages()),
	});

/** Searches that differ only in the owner of the rows share a request. */
function getBatchKey({
	context,
	search: { entity, query, owner },
}: PendingSearch): string | undefined {
	if (owner === undefined || query.firstResultIndex !== undefined) return undefined;
	return JSON.stringify([entity, query, { ...owner, id: 0 }, context.options]);
}

/** The limit applies to each owner, so all rows are read and then cut. */
async function loadRowsByOwner(
	owners: number[],
	[{ context, search }]: PendingSearch[],
): Promise<Map<number, () => Pages>> {
	const { query, owner } = search;
	const property = owner?.property ?? '';
	const properties = addProperty(property, query.properties);
	const all = { ...search, query: { ...query, properties, limit: Infinity } };
	const found = new Map(owners.map((id): [number, JsonObject[]] => [id, []]));
	for await (const page of loadRows(context, all, owners)) {
		for (const row of page) {
			const rows = found.get(Number(row[property]));
			if (properties !== query.properties) delete row[property];
			rows?.push(row);
		}
	}
	const toPages = (rows: JsonObject[]) => [rows.slice(0, query.limit).map((row) => ({ ...row }))];
	return new Map([...found].map(([id, rows]) => [id, () => toPages(rows)]));
}

/** Deleted records are left out unless the user includes them. */
export const buildCriteria = (entity: string, context: ItemContext): Criteria | undefined =>
	joinCriteria(
		readConditions(context, entity, getIdResolver(context)),
		excludesRemoved(entity, context) ? excludeRemoved(entity) : undefined,
		buildAudienceCriteria(context, entity),
	);

const excludesRemoved = (entity: string, context: ItemContext) =>
	!context.isOn('includeRemoved') &&
	!hasRemovedFilter(entity, context.collection('filters')) &&
	excludeRemoved(entity) !== undefined;

export function addRemovedNotice(entity: string, context: ItemContext): void {
	if (!excludesRemoved(entity, context)) return;
	context.run.addNotice(
		"Deleted records are left out. Switch on 'Include Removed' to see them, too.",
	);
}

export const readPageSize = ({ options: { pageSize } }: ItemContext): Pick<Query, 'pageSize'> =>
	pageSize === undefined ? {} : { pageSize: parseInteger('Page Size', pageSize, 1, MAX_PAGE_SIZE) };

const ISOLATION_LEVELS = ['Default', 'ReadUncommitted', 'ReadCommitted', 'Snapshot'];

function readIsolationLevel({ options: { isolationLevel } }: ItemContext): string | undefined {
	if (isolationLevel === undefined) return undefined;
	return parseChoice('Isolation Level', isolationLevel, ISOLATION_LEVELS);
}
