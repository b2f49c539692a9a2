import type { INodeProperties } from 'n8n-workflow';

import { decidesRemoved } from '../../form/filters';
import type { JsonObject } from '../../protocol/checks';
import { allOf, criteriaFromForm, keptOnly, type Criteria } from '../../protocol/criteria';
import { LARGEST_PAGE, type Query } from '../../protocol/paging';
import { oneOf, wholeNumber } from '../../protocol/values';
import { streams } from '../../records/query';
import { USUAL_READS, type Call } from '../../run/context';
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
	adapt?: (call: Call, search: Search) => Promise<Search>;
}

const asItIs: NonNullable<Variant['adapt']> = async (_, search) => search;

/** A search that is narrowed down by fields of its own, beside the conditions of the user. */
export const narrowedBy =
	(narrow: (call: Call) => Promise<Criteria | undefined>): Variant['adapt'] =>
	async (call, { query, ...search }) => ({
		...search,
		query: { ...query, criteria: allOf(query.criteria, await narrow(call)) },
	});

/** The search of an item: names in it are looked up, then filters and fields of the resource narrow it down. */
export const searchFor = async (
	call: Call,
	{ adapt = asItIs }: Variant,
	read: (call: Call) => Search,
): Promise<Search> => await adapt(call, await filtered(call, await named(call, read)));

/** The rows as they come: one item alone may read them in several streams. */
export function rowsOfSearch(call: Call, { entity, query }: Search): AsyncGenerator<JsonObject[]> {
	const options = { ...call.sendOptions, isolationLevel: isolationLevelOf(call) };
	// Several items are read at the same time already.
	const count = call.run.calls.length === 1 ? call.lanes(USUAL_READS) : 1;
	return streams(call.caller, entity, query, count, options);
}

/** What the user looks for, and nothing that was deleted unless it is asked for. */
export const criteriaOf = (entity: string, call: Call): Criteria | undefined =>
	allOf(
		criteriaFromForm(
			entity,
			{
				json: call.param('criteriaJson', ''),
				match: call.param('match', 'all'),
				rows: call.choices('conditions'),
			},
			idOfIn(call),
		),
		leavesOutRemoved(entity, call) ? keptOnly(entity) : undefined,
	);

const leavesOutRemoved = (entity: string, call: Call) =>
	!call.isOn('includeRemoved') &&
	!decidesRemoved(entity, call.collection('filters')) &&
	keptOnly(entity) !== undefined;

export function hintOfRemoved(entity: string, call: Call): void {
	if (!leavesOutRemoved(entity, call)) return;
	call.run.hint("Deleted records are left out. Switch on 'Include Removed' to see them, too.");
}

export const pageSizeOf = ({ options: { pageSize } }: Call): Pick<Query, 'pageSize'> =>
	pageSize === undefined ? {} : { pageSize: wholeNumber('Page Size', pageSize, 1, LARGEST_PAGE) };

const ISOLATION_LEVELS = ['Default', 'ReadUncommitted', 'ReadCommitted', 'Snapshot'];

function isolationLevelOf({ options: { isolationLevel } }: Call): string | undefined {
	if (isolationLevel === undefined) return undefined;
	return oneOf('Isolation Level', isolationLevel, ISOLATION_LEVELS);
}
