import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { keyPropertiesOf } from '../../catalogue/entities';
import { returnAllFields, sortField } from '../../form/fields';
import { optionsOn } from '../../form/options';
import { outputFields } from '../../form/output';
import { searchFields } from '../../form/search';
import { Compact, DEFAULT_MAX_CHARACTERS } from '../../protocol/compact';
import { propertyPath, ValidationError } from '../../protocol/checks';
import { oneOf, wholeNumber } from '../../protocol/values';
import type { Query } from '../../protocol/paging';
import type { Order } from '../../protocol/requests';
import type { ItemContext } from '../../run/context';
import type { Operation } from '../../run/operation';
import { propertyPaths, shaperOf, shownRecords } from './properties';
import {
	criteriaOf,
	hintOfRemoved,
	pageSizeOf,
	readSearches,
	searchFor,
	type Pages,
	type Search,
	type Variant,
} from './search';
import type { Subject } from '../../form/subjects';
import { entityFields, entityOf } from './subject';

export const getManyOperation = (subject: Subject, variant: Variant = {}): Operation => ({
	name: 'Get Many',
	value: 'getMany',
	action: `Get many ${subject.many}`,
	description: `Retrieve the ${subject.many} that match filters or conditions`,
	address: 'POST /query',
	fields: [
		...(variant.fields ?? []),
		...entityFields(subject),
		...returnAllFields,
		...searchFields(subject.entity),
		sortField,
		...outputFields,
		optionsOn(
			subject.entity,
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
		),
	],
	all: async (contexts) =>
		await readSearches(
			contexts,
			async (context) => await searchFor(context, variant, (one) => searchOf(subject, one)),
			itemsOf,
		),
});

async function itemsOf(
	context: ItemContext,
	{ entity, query, shaped }: Search,
	pages: Pages,
): Promise<INodeExecutionData[]> {
	const compact = compactOf(context);
	const items: INodeExecutionData[] = [];
	let count = 0;
	// Items are built complete: adding a member later doubles the memory.
	const pairedItem = { item: context.index };
	for await (const rows of pages) {
		count += rows.length;
		for (const record of await shownRecords(context, entity, rows)) {
			const json = shaped(record) as IDataObject;
			if (compact) compact.add(json);
			else items.push({ json, pairedItem });
		}
	}
	if (count === query.limit) {
		context.run.hint(
			`Stopped at the limit of ${query.limit}. Raise 'Limit' or switch on 'Return All' for more.`,
		);
	}
	hintOfRemoved(entity, context);
	return compact ? [{ json: compact.output(query.limit) as IDataObject, pairedItem }] : items;
}

function compactOf(context: ItemContext): Compact | undefined {
	if (!context.isOn('compactOutput')) return undefined;
	const { compactLimit = DEFAULT_MAX_CHARACTERS } = context.options;
	return new Compact(wholeNumber('Compact Limit', compactLimit, 100, MOST));
}

function searchOf(subject: Subject, context: ItemContext): Search {
	const entity = entityOf(subject, context);
	const query = queryOf(subject, entity, context);
	return { entity, query, shaped: shaperOf(entity, context, query.properties) };
}

const MOST = Number.MAX_SAFE_INTEGER;

function queryOf(subject: Subject, entity: string, context: ItemContext): Query {
	const { distinct, firstResultIndex, pagingMethod } = context.options;
	const key = keyPropertiesOf(entity);
	const query: Query = {
		key,
		properties: propertyPaths(entity, context),
		criteria: criteriaOf(entity, context),
		orders: context.choices('sort').map(orderOf),
		limit: context.flag('Return All', 'returnAll')
			? Infinity
			: wholeNumber('Limit', context.param('limit', 50), 1, MOST),
		...pageSizeOf(context),
	};
	if (distinct !== undefined) query.distinct = context.isOn('distinct');
	if (firstResultIndex !== undefined) {
		query.firstResultIndex = wholeNumber('First Result Index', firstResultIndex, 0, MOST);
	}
	if (pagingMethod !== undefined) {
		query.pagingMethod = oneOf('Paging Method', pagingMethod, ['byId', 'byOffset'] as const);
	}
	if (query.pagingMethod === 'byId' && (query.orders?.length || query.firstResultIndex)) {
		throw new ValidationError(
			"'Paging Method' is By ID, which cannot go with 'Sort' or 'First Result Index'",
			"Choose By Offset, or remove the option 'Paging Method'.",
		);
	}
	if (query.pagingMethod === 'byId' && key !== undefined && !key.includes('Id')) {
		throw new ValidationError(
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
