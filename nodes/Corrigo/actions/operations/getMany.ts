import type { IDataObject, INodeExecutionData, INodeProperties } from 'n8n-workflow';

import { keyOf } from '../../catalogue/entities';
import { conditionFields, returnAllFields, sortField } from '../../descriptions/fields';
import { optionsField } from '../../descriptions/options';
import { propertyFields } from '../../descriptions/properties';
import { propertyPath, Refusal, type JsonObject } from '../../protocol/checks';
import { oneOf, wholeNumber } from '../../protocol/values';
import { allOf, criteriaFromForm, keptOnly, type Criteria } from '../../protocol/criteria';
import { LARGEST_PAGE, type Query } from '../../protocol/paging';
import type { Order } from '../../protocol/requests';
import { streams } from '../../transport/query';
import type { Call } from '../call';
import type { EachOperation, Operation } from './operation';
import { propertyPaths, shaperOf } from './properties';
import type { Subject } from '../../descriptions/subjects';
import { entityFields, entityOf } from './subject';

/** One search: what is asked for, and what is made of each row. */
export interface Search {
	entity: string;
	query: Query;
	shaped: (row: JsonObject) => JsonObject;
}

export interface Variant {
	/** Fields of its own, in front of the others. */
	fields?: INodeProperties[];
	/** What they make of the search. */
	adapt?: (call: Call, search: Search) => Promise<Search>;
}

export const getManyOperation = (
	subject: Subject,
	{ fields = [], adapt = async (_, search) => search }: Variant = {},
): Operation & EachOperation => ({
	name: 'Get Many',
	value: 'getMany',
	action: `Get many ${subject.many}`,
	description: `Search ${subject.many} by conditions (POST /query)`,
	fields: [
		...fields,
		...entityFields(subject),
		...returnAllFields,
		...conditionFields,
		...propertyFields(subject.entity, 'selected'),
		optionsField(
			'distinct',
			'firstResultIndex',
			'flattenCustomFields',
			'includeRemoved',
			'isolationLevel',
			'pageSize',
			'pagingMethod',
			'parallelRequests',
			'timeout',
		),
		sortField,
	],
	reads: true,
	each: async (call) => await found(call, await adapt(call, searchOf(subject, call))),
});

/** A search that is narrowed down by fields of its own, beside the conditions of the user. */
export const narrowedBy =
	(narrow: (call: Call) => Promise<Criteria | undefined>): Variant['adapt'] =>
	async (call, { query, ...search }) => ({
		...search,
		query: { ...query, criteria: allOf(query.criteria, await narrow(call)) },
	});

async function found(call: Call, { entity, query, shaped }: Search): Promise<INodeExecutionData[]> {
	const options = { ...call.sendOptions, isolationLevel: isolationLevelOf(call) };
	// Several items are read at the same time already.
	const count = call.run.calls.length === 1 ? call.lanes(1) : 1;
	const items: INodeExecutionData[] = [];
	// Whole from the start: a member that is added to an item later takes twice the room.
	const pairedItem = { item: call.item };
	for await (const rows of streams(call.caller, entity, query, count, options)) {
		for (const row of rows) items.push({ json: shaped(row) as IDataObject, pairedItem });
	}
	if (items.length === query.limit) {
		call.run.hint(
			`Stopped at the limit of ${query.limit}. Raise 'Limit' or switch on 'Return All' for more.`,
		);
	}
	if (leavesOutRemoved(entity, call)) {
		call.run.hint("Deleted records are left out. Switch on 'Include Removed' to see them, too.");
	}
	return items;
}

const leavesOutRemoved = (entity: string, call: Call) =>
	!call.isOn('includeRemoved') && keptOnly(entity) !== undefined;

function searchOf(subject: Subject, call: Call): Search {
	const entity = entityOf(subject, call);
	return { entity, query: queryOf(subject, entity, call), shaped: shaperOf(entity, call) };
}

const ISOLATION_LEVELS = ['Default', 'ReadUncommitted', 'ReadCommitted', 'Snapshot'];

function isolationLevelOf({ options: { isolationLevel } }: Call): string | undefined {
	if (isolationLevel === undefined) return undefined;
	return oneOf('Isolation Level', isolationLevel, ISOLATION_LEVELS);
}

const MOST = Number.MAX_SAFE_INTEGER;

function queryOf(subject: Subject, entity: string, call: Call): Query {
	const { distinct, firstResultIndex, pageSize, pagingMethod } = call.options;
	const key = keyOf(entity);
	const query: Query = {
		...(key === undefined ? {} : { key }),
		properties: propertyPaths(subject, entity, call),
		criteria: allOf(
			criteriaOf(entity, call),
			leavesOutRemoved(entity, call) ? keptOnly(entity) : undefined,
		),
		orders: call.rows('sort').map(orderOf),
		limit: call.flag('Return All', 'returnAll')
			? Infinity
			: wholeNumber('Limit', call.param('limit', 50), 1, MOST),
		...(pageSize === undefined
			? {}
			: { pageSize: wholeNumber('Page Size', pageSize, 1, LARGEST_PAGE) }),
		...(distinct === undefined ? {} : { distinct: call.isOn('distinct') }),
		...(firstResultIndex === undefined
			? {}
			: { firstResultIndex: wholeNumber('First Result Index', firstResultIndex, 0, MOST) }),
		...(pagingMethod === undefined
			? {}
			: { pagingMethod: oneOf('Paging Method', pagingMethod, ['byId', 'byOffset'] as const) }),
	};
	if (query.pagingMethod === 'byId' && (query.orders?.length || query.firstResultIndex)) {
		throw new Refusal(
			"'Paging Method' is By ID, which cannot go with 'Sort' or 'First Result Index'",
			"Choose By Offset, or remove the option 'Paging Method'.",
		);
	}
	if (query.pagingMethod === 'byId' && key !== undefined && !key.includes('Id')) {
		throw new Refusal(
			`'Paging Method' is By ID, but several ${entity} records share an ID`,
			`Remove the option: their ${key.join(' and ')} tell them apart.`,
		);
	}
	return query;
}

const criteriaOf = (entity: string, call: Call) =>
	criteriaFromForm(entity, {
		json: call.param('criteriaJson', ''),
		match: call.param('match', 'all'),
		rows: call.rows('conditions'),
	});

const orderOf = ({ property, direction = 'Ascending' }: Record<string, unknown>): Order => ({
	PropertyName: propertyPath('Sort > Property', property),
	OrderType: oneOf('Sort > Direction', direction, ['Ascending', 'Descending']),
});
