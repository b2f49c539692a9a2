import type { INodeProperties } from 'n8n-workflow';

import { decidesRemoved } from '../../form/filters';
import type { JsonObject } from '../../protocol/checks';
import { allOf, criteriaFromForm, keptOnly, type Criteria } from '../../protocol/criteria';
import { MAX_PAGE, type Query } from '../../protocol/paging';
import { oneOf, wholeNumber } from '../../protocol/values';
import { streams } from '../../records/query';
import { DEFAULT_READS, type ItemContext } from '../../run/context';
import { idOfIn, named } from '../../run/resolve';
import { filtered } from './filtered';

/** One search: what is asked for, and what is made of each row. */
export interface Search {
	entity: string;
	query: Query;
	shaped: (row: JsonObject) => JsonObject;
}

/** How the searches of a resource differ from those of others. */
export interface Variant {
	/** Fields of its own, in front of the others. */
	fields?: INodeProperties[];
	/** What they make of the search. */
	adapt?: (context: ItemContext, search: Search) => Promise<Search>;
}

const asItIs: NonNullable<Variant['adapt']> = async (_, search) => search;

/** A search that is narrowed down by fields of its own, beside the conditions of the user. */
export const narrowedBy =
	(narrow: (context: ItemContext) => Promise<Criteria | undefined>): Variant['adapt'] =>
	async (context, { query, ...search }) => ({
		...search,
		query: { ...query, criteria: allOf(query.criteria, await narrow(context)) },
	});

/** The search of an item: names in it are looked up, then filters and fields of the resource narrow it down. */
export const searchFor = async (
	context: ItemContext,
	{ adapt = asItIs }: Variant,
	read: (context: ItemContext) => Search,
): Promise<Search> => await adapt(context, await filtered(context, await named(context, read)));

/** The rows as they come: one item alone may read them in several streams. */
export function rowsOfSearch(
	context: ItemContext,
	{ entity, query }: Search,
): AsyncGenerator<JsonObject[]> {
	const options = { ...context.sendOptions, isolationLevel: isolationLevelOf(context) };
	// Several items are read at the same time already.
	const count = context.run.contexts.length === 1 ? context.concurrency(DEFAULT_READS) : 1;
	return streams(context.caller, entity, query, count, options);
}

/** What the user looks for, and nothing that was deleted unless it is asked for. */
export const criteriaOf = (entity: string, context: ItemContext): Criteria | undefined =>
	allOf(
		criteriaFromForm(
			entity,
			{
				json: context.param('criteriaJson', ''),
				match: context.param('match', 'all'),
				rows: context.choices('conditions'),
			},
			idOfIn(context),
		),
		leavesOutRemoved(entity, context) ? keptOnly(entity) : undefined,
	);

const leavesOutRemoved = (entity: string, context: ItemContext) =>
	!context.isOn('includeRemoved') &&
	!decidesRemoved(entity, context.collection('filters')) &&
	keptOnly(entity) !== undefined;

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
