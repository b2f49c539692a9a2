import {
	updateDisplayOptions,
	type IDataObject,
	type INodeExecutionData,
	type INodeProperties,
} from 'n8n-workflow';

import { getKeyProperties } from '../../catalogue/entities';
import { getNoun } from '../../catalogue/views';
import {
	directionField,
	limitField,
	returnAllField,
	sortByField,
	sortField,
} from '../../form/fields';
import {
	comparesProperty,
	buildFilterChecks,
	buildFilterCriteria,
	mayRepeatRows,
	buildSearchFields,
	readConditionChecks,
	readConditions,
	readFilters,
} from '../../form/filters';
import { type OperationForm, buildOptions, optionFields } from '../../form/options';
import { outputFields, type Form } from '../../form/form';
import type { Subject } from '../../form/subjects';
import { showLabels } from '../../records/names';
import { loadPagesInParallel } from '../../records/query';
import {
	DEFAULT_READS,
	toItem,
	type ItemContext,
	resolveForm,
	type ItemForm,
	type ResolvingForm,
	type FormResolver,
} from '../../run/context';
import type { Operation } from '../../run/operation';
import { loadTogether, type PendingRead } from '../../run/loadTogether';
import { ValidationError } from '../../values/errors';
import type { JsonObject } from '../../values/objects';
import { parsePropertyPath } from '../../values/input';
import {
	joinCriteria,
	and,
	equal,
	isIn,
	excludeRemoved,
	type Condition,
	type Criteria,
} from '../../wire/criteria';
import type { Query } from '../../wire/paging';
import { NEWEST_FIRST, type SortOrder } from '../../wire/requests';
import { getEntityFields } from '../subject';
import {
	countRows,
	FOR_RECORDS,
	listCountedPaths,
	listGroupPaths,
	readCount,
	returnFields,
	type Count,
} from './count';
import {
	buildAudienceCriteria,
	createShaper,
	loadShownNames,
	prepareRecords,
	readPropertyPaths,
	refuseHiddenPaths,
} from '../output';
import { showFound } from '../specimens';

export interface Search {
	/** The entity that is queried. */
	entity: string;
	/** The entity of the records that are returned. */
	shown: string;
	query: Query;
	/** Set if the rows are counted. */
	count?: Count;
	shapeRow: (row: JsonObject) => JsonObject;
	/** Makes each row smaller as soon as it is read. */
	foldRow?: (row: JsonObject) => JsonObject;
	owner?: Owner;
	/** Time that filters compare with, if there are such filters. */
	time?: number;
	/** Builds the search again, after that time turned out to be wrong. */
	rebuild?: () => Promise<Search>;
}

/** Record whose rows are searched. */
interface Owner {
	/** Property of the rows that holds the record's ID. */
	property: string;
	id: number;
	/** Conditions that exclude records of other types with the same ID. */
	also?: Condition[];
}

/** Records that nobody expects in a search, such as orders without an invoice among invoices. */
interface Exclusion {
	property: string;
	/** Condition of the records that remain. */
	condition: Condition;
	notice: string;
	advice: string;
}

/** Some resources search by fields of their own. */
export interface SearchVariant {
	fields?: INodeProperties[];
	/** Reads the record that one of these fields names; undefined if it is empty. */
	resolveOwner?: FormResolver<Owner | undefined>;
	/** Left out of each search that is not about its property. */
	exclusion?: Exclusion;
	/** Applies these fields to the search. */
	adapt?: (context: ItemContext, search: Search) => Promise<Search>;
}

/** Looks up names, then narrows the search by filters and by fields of the resource. */
export async function buildSearch(
	context: ItemContext,
	variant: SearchVariant,
	read: (form: ResolvingForm) => Search,
): Promise<Search> {
	const search = await resolveForm(context, (one) =>
		addFilters(one, excludeRecords(one, read(one), variant)),
	);
	return {
		...search,
		...(await variant.adapt?.(context, search)),
		owner: await variant.resolveOwner?.(context),
		rebuild: async () => await buildSearch(context, variant, read),
	};
}

function excludeRecords(form: ResolvingForm, search: Search, { exclusion }: SearchVariant): Search {
	const { entity, query } = search;
	if (exclusion === undefined) return search;
	const { property, condition, notice, advice } = exclusion;
	if (comparesProperty(form, entity, property)) return search;
	form.run.addNotice(notice, [], advice);
	return { ...search, query: { ...query, criteria: joinCriteria(query.criteria, and(condition)) } };
}

/** Adds the filters of the form to the search. */
function addFilters(form: ResolvingForm, search: Search): Search {
	const { entity, query } = search;
	const filters = readFilters(form, entity);
	let { time } = search;
	const { resolveId, findRows } = form.run.resolver;
	const filterContext = {
		resolveId,
		findRows,
		now: () => (time = form.run.time.now()),
		timeZone: form.run.caller.getTimezone(),
	};
	const criteria = buildFilterCriteria(filters, filterContext);
	const checks = [
		...buildFilterChecks(entity, filters, filterContext),
		...readConditionChecks(form, entity, form.run.resolver),
	];
	const own = { ...query, checks, criteria: joinCriteria(query.criteria, criteria) };
	if (checks.length > 0 || mayRepeatRows(entity, filters)) {
		own.distinct ??= true;
		// Without the Id, `distinct` would also merge different records with equal columns.
		own.properties = addProperty('Id', own.properties);
	}
	return { ...search, query: own, time };
}

/** Adds a property unless it is already selected. */
const addProperty = (name: string, properties: string[]): string[] =>
	properties.some((path) => path === '*' || path === name) ? properties : [name, ...properties];

/** Rows are read again if the first answer shows that n8n's clock is wrong. */
export async function* loadRows(
	context: ItemContext,
	search: Search,
	owners = search.owner ? [search.owner.id] : [],
): AsyncGenerator<JsonObject[]> {
	const { query, time, rebuild } = search;
	const isOutdated = () => time !== undefined && time !== context.run.time.now();
	// An answer to another item may already have shown the time.
	if (!isOutdated()) {
		const pages = loadPages(context, search, owners);
		try {
			const first = await pages.next();
			if (!isOutdated()) {
				if (first.done !== true) yield first.value;
				yield* pages;
				return;
			}
		} finally {
			await pages.return(undefined);
		}
	}
	const rebuilt = (await rebuild?.()) ?? search;
	const { criteria } = rebuilt.query;
	yield* loadPages(context, { ...rebuilt, query: { ...query, criteria } }, owners);
}

/** A single item reads its rows in parallel streams. */
function loadPages(
	context: ItemContext,
	{ entity, query, owner, foldRow }: Search,
	owners: number[],
): AsyncGenerator<JsonObject[]> {
	const options = { isolationLevel: context.option('isolationLevel'), foldRow };
	// Several items are already read in parallel.
	const count = context.run.contexts.length === 1 ? context.getConcurrency(DEFAULT_READS) : 1;
	const criteria = joinCriteria(query.criteria, owner && buildOwnerCriteria(owner, owners));
	return loadPagesInParallel(context, entity, { ...query, criteria }, count, options);
}

const buildOwnerCriteria = ({ property, also = [] }: Owner, ids: number[]): Criteria =>
	and(...also, ids.length === 1 ? equal(property, ids[0]) : isIn(property, ids));

/** Pages of rows, which may still be loading. */
type Pages = AsyncIterable<JsonObject[]> | Iterable<JsonObject[]>;

interface PendingSearch extends PendingRead {
	search: Search;
}

/** Searches that differ only in the owner of the rows share a request. */
function getBatchKey({ context, search }: PendingSearch): string | undefined {
	const { entity, query, owner } = search;
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
		if (search.count === undefined) await loadShownNames(context, search.shown, page);
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
export const buildCriteria = (entity: string, form: ResolvingForm): Criteria | undefined =>
	joinCriteria(
		readConditions(form, entity, form.run.resolver),
		excludesRemoved(entity, form) ? excludeRemoved(entity) : undefined,
		buildAudienceCriteria(form, entity),
	);

const excludesRemoved = (entity: string, form: OperationForm) =>
	!form.isOn('includeRemoved') &&
	excludeRemoved(entity) !== undefined &&
	!comparesProperty(form, entity, 'IsRemoved');

function addRemovedNotice(entity: string, form: ItemForm): void {
	if (!excludesRemoved(entity, form)) return;
	form.run.addNotice(
		'Deleted records are left out.',
		[],
		"Switch on 'Include Removed' to see them, too.",
	);
}

export const buildGetManyOperation = (
	subject: Subject,
	variant: SearchVariant = {},
): Operation => ({
	value: 'getMany',
	action: `Get many ${subject.many}`,
	description: `Retrieve a list of ${subject.many} that match filters or conditions, or count them`,
	address: 'POST /query',
	output: () => showFound(subject.entity),
	fields: [
		...(variant.fields ?? []),
		...getEntityFields(subject),
		...returnFields,
		...updateDisplayOptions(FOR_RECORDS, [returnAllField, limitField]),
		...buildSearchFields(subject.entity),
		...outputFields,
		buildOptions(
			[
				'audience',
				'compactLimit',
				'compactOutput',
				'distinct',
				'firstResultIndex',
				'flattenCustomFields',
				'includeRemoved',
				'isolationLevel',
				'pageSize',
				'pagingMethod',
				'parallelRequests',
				'timeout',
			],
			subject.entity,
		),
		...updateDisplayOptions(FOR_RECORDS, [sortField]),
	],
	/** Items that search for rows of different owners share requests. */
	reads: true,
	all: async (contexts) =>
		await loadTogether<PendingSearch, () => Pages>(contexts, {
			prepare: async (context) => {
				const search = await buildSearch(context, variant, (one) => readSearch(subject, one));
				return { context, search, id: search.owner?.id ?? 0 };
			},
			key: getBatchKey,
			loadMany: loadRowsByOwner,
			loadOne:
				async ({ context, search }) =>
				() =>
					loadRows(context, search),
			toItems: async (pages, { context, search }) => await toItems(context, search, pages()),
		}),
});

async function toItems(
	context: ItemContext,
	{ entity, shown, query, count: counting, shapeRow }: Search,
	pages: Pages,
): Promise<INodeExecutionData[]> {
	if (counting) {
		addRemovedNotice(entity, context);
		return (await countRows(pages, counting)).map((row) => toItem(showLabels(entity, row)));
	}
	const { default: maxCharacters } = optionFields.compactLimit;
	const compact = context.isOn('compactOutput')
		? new Compact(context.option('compactLimit') ?? maxCharacters)
		: undefined;
	const items: INodeExecutionData[] = [];
	let count = 0;
	// Items are built complete: adding a member later doubles the memory.
	const pairedItem = { item: context.index };
	for await (const rows of pages) {
		count += rows.length;
		for (const record of await prepareRecords(context, shown, rows)) {
			const json = shapeRow(record) as IDataObject;
			if (compact) compact.add(json);
			else items.push({ json, pairedItem });
		}
	}
	if (count === query.limit) {
		context.run.addNotice(
			"Stopped at 'Limit': there may be more.",
			[],
			"Raise it, or switch on 'Return All'.",
		);
	}
	addRemovedNotice(entity, context);
	const { orders: [order] = [] } = query;
	const by = order === undefined ? 'oldest first' : order === NEWEST_FIRST[0] ? 'newest first' : '';
	return compact ? [{ json: compact.toItem(query.limit, by) as IDataObject, pairedItem }] : items;
}

/** Collects many records into one item: the total, and the first records that fit. */
export class Compact {
	private readonly records: JsonObject[] = [];
	private total = 0;
	private characters = 0;

	constructor(private readonly maxCharacters: number) {}

	/** The list ends at the first record that does not fit, so that none is missing in between. */
	add(record: JsonObject): void {
		if (this.records.length === this.total) {
			this.characters += JSON.stringify(record).length + 1;
			if (this.characters <= this.maxCharacters) this.records.push(record);
		}
		this.total += 1;
	}

	/** The note says what is missing, so that a language model can decide what to ask next. */
	toItem(limit: number, order = ''): JsonObject {
		const { records, total, maxCharacters } = this;
		const notes: string[] = [];
		if (records.length < total) {
			notes.push(
				`Only the first ${records.length} of ${total} records are here: more would be over ${maxCharacters} characters. Ask for fewer fields, or narrow the search.`,
			);
		}
		if (total === limit) notes.push(`Stopped at the limit of ${limit}: there may be more.`);
		return {
			records,
			total,
			...(order && { order }),
			complete: notes.length === 0,
			...(notes.length > 0 ? { note: notes.join(' ') } : {}),
		};
	}
}

function readSearch(subject: Subject, form: ResolvingForm): Search {
	const entity = form.entity(subject);
	const key = getKeyProperties(entity);
	const count = readCount(form, entity);
	const orders = count ? [] : form.readRows(sortField).map(readSortOrder);
	const sorted = orders.map(({ PropertyName }): [string, string] => ['Sort', PropertyName]);
	refuseHiddenPaths(form, entity, count ? listGroupPaths(count) : sorted);
	const properties = count ? listCountedPaths(entity, count) : readPropertyPaths(entity, form);
	const criteria = buildCriteria(entity, form);
	const common = { key, properties, criteria, pageSize: form.option('pageSize') };
	if (count) {
		const all = { ...common, limit: Infinity };
		return { entity, shown: entity, query: all, count, shapeRow: (row) => row };
	}
	const query: Query = {
		...common,
		orders: startsWithNewest(form, key, orders) ? NEWEST_FIRST : orders,
		limit: form.read(returnAllField) ? Infinity : form.read(limitField),
		distinct: form.option('distinct'),
		firstResultIndex: form.option('firstResultIndex'),
		pagingMethod: form.option('pagingMethod'),
	};
	if (query.pagingMethod === 'byId' && (orders.length || query.firstResultIndex)) {
		throw new ValidationError(
			"'Paging Method' is By ID, which cannot go with 'Sort' or 'First Result Index'",
			undefined,
			{ forAuthor: "Choose By Offset, or remove the option 'Paging Method'." },
		);
	}
	if (query.pagingMethod === 'byId' && key !== undefined && !key.includes('Id')) {
		throw new ValidationError(
			`'Paging Method' is By ID, but several ${getNoun(entity)} records share an ID`,
			undefined,
			{ forAuthor: `Remove the option: their ${key.join(' and ')} tell them apart.` },
		);
	}
	return { entity, shown: entity, query, shapeRow: createShaper(entity, form, properties) };
}

/**
 * Who asks for some records means the newest, and the first ones of a Company are its oldest. All
 * records are read in pages that follow IDs, which loses nothing while others write.
 */
const startsWithNewest = (
	form: ResolvingForm,
	key: readonly string[] | undefined,
	orders: readonly SortOrder[],
): boolean =>
	orders.length === 0 &&
	!form.read(returnAllField) &&
	form.option('pagingMethod') !== 'byId' &&
	(key === undefined || key.includes('Id'));

const readSortOrder = (row: Form): SortOrder => ({
	PropertyName: parsePropertyPath(row.getLabel(sortByField), row.read(sortByField)),
	OrderType: row.read(directionField),
});
