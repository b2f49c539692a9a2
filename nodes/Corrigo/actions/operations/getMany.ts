import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { keyPropertiesOf } from '../../catalogue/entities';
import { conditionFields, returnAllFields, sortField } from '../../form/fields';
import { filterFields } from '../../form/filters';
import { optionsOn } from '../../form/options';
import { propertyFields } from '../../form/properties';
import { Compact, USUAL_CHARACTERS } from '../../protocol/compact';
import { propertyPath, Refusal } from '../../protocol/checks';
import { oneOf, wholeNumber } from '../../protocol/values';
import type { Query } from '../../protocol/paging';
import type { Order } from '../../protocol/requests';
import type { Call } from '../../run/context';
import type { EachOperation, Operation } from '../../run/operation';
import { propertyPaths, shaperOf } from './properties';
import {
	criteriaOf,
	hintOfRemoved,
	pageSizeOf,
	rowsOfSearch,
	searchFor,
	type Search,
	type Variant,
} from './search';
import type { Subject } from '../../form/subjects';
import { entityFields, entityOf } from './subject';

export const getManyOperation = (
	subject: Subject,
	variant: Variant = {},
): Operation & EachOperation => ({
	name: 'Get Many',
	value: 'getMany',
	action: `Get many ${subject.many}`,
	description: `Search ${subject.many} by conditions (POST /query)`,
	fields: [
		...(variant.fields ?? []),
		...entityFields(subject),
		...returnAllFields,
		...filterFields(subject.entity),
		...conditionFields,
		...propertyFields(subject.entity, 'selected'),
		optionsOn(
			subject.entity,
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
		),
		sortField,
	],
	reads: true,
	each: async (call) =>
		await found(call, await searchFor(call, variant, (one) => searchOf(subject, one))),
});

async function found(call: Call, search: Search): Promise<INodeExecutionData[]> {
	const { entity, query, shaped } = search;
	const compact = compactOf(call);
	const items: INodeExecutionData[] = [];
	let count = 0;
	// Whole from the start: a member that is added to an item later takes twice the room.
	const pairedItem = { item: call.item };
	for await (const rows of rowsOfSearch(call, search)) {
		count += rows.length;
		for (const row of rows) {
			const json = shaped(row) as IDataObject;
			if (compact) compact.add(json);
			else items.push({ json, pairedItem });
		}
	}
	if (count === query.limit) {
		call.run.hint(
			`Stopped at the limit of ${query.limit}. Raise 'Limit' or switch on 'Return All' for more.`,
		);
	}
	hintOfRemoved(entity, call);
	return compact ? [{ json: compact.output(query.limit) as IDataObject, pairedItem }] : items;
}

function compactOf(call: Call): Compact | undefined {
	if (!call.isOn('compactOutput')) return undefined;
	const { compactLimit = USUAL_CHARACTERS } = call.options;
	return new Compact(wholeNumber('Compact Limit', compactLimit, 100, MOST));
}

function searchOf(subject: Subject, call: Call): Search {
	const entity = entityOf(subject, call);
	return { entity, query: queryOf(subject, entity, call), shaped: shaperOf(entity, call) };
}

const MOST = Number.MAX_SAFE_INTEGER;

function queryOf(subject: Subject, entity: string, call: Call): Query {
	const { distinct, firstResultIndex, pagingMethod } = call.options;
	const key = keyPropertiesOf(entity);
	const query: Query = {
		...(key === undefined ? {} : { key }),
		properties: propertyPaths(subject, entity, call),
		criteria: criteriaOf(entity, call),
		orders: call.choices('sort').map(orderOf),
		limit: call.flag('Return All', 'returnAll')
			? Infinity
			: wholeNumber('Limit', call.param('limit', 50), 1, MOST),
		...pageSizeOf(call),
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

const orderOf = ({ property, direction = 'Ascending' }: Record<string, unknown>): Order => ({
	PropertyName: propertyPath('Sort > Sort By', property),
	OrderType: oneOf('Sort > Direction', direction, ['Ascending', 'Descending']),
});
