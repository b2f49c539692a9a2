import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { getKeyProperties } from '../../catalogue/entities';
import { returnAllFields, sortField } from '../../form/fields';
import { buildEntityOptions } from '../../form/options';
import { outputFields } from '../../form/form';
import { buildSearchFields } from '../../form/filters';
import { parsePropertyPath, ValidationError, parseChoice, parseInteger } from '../../values/checks';
import { Compact, DEFAULT_MAX_CHARACTERS } from '../../form/compact';
import type { Query } from '../../wire/paging';
import type { SortOrder } from '../../wire/requests';
import type { ItemContext } from '../../run/context';
import type { Operation } from '../../run/operation';
import { readPropertyPaths, createShaper, prepareRecords } from './properties';
import {
	buildCriteria,
	addRemovedNotice,
	readPageSize,
	readSearches,
	buildSearch,
	type Pages,
	type Search,
	type SearchVariant,
} from './search';
import type { Subject } from '../../form/subjects';
import { getEntityFields, readEntity } from '../subject';

export const buildGetManyOperation = (
	subject: Subject,
	variant: SearchVariant = {},
): Operation => ({
	name: 'Get Many',
	value: 'getMany',
	action: `Get many ${subject.many}`,
	description: `Retrieve the ${subject.many} that match filters or conditions`,
	address: 'POST /query',
	fields: [
		...(variant.fields ?? []),
		...getEntityFields(subject),
		...returnAllFields,
		...buildSearchFields(subject.entity),
		sortField,
		...outputFields,
		buildEntityOptions(
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
			async (context) => await buildSearch(context, variant, (one) => readSearch(subject, one)),
			toItems,
		),
});

async function toItems(
	context: ItemContext,
	{ entity, query, shapeRow }: Search,
	pages: Pages,
): Promise<INodeExecutionData[]> {
	const compact = createCompact(context);
	const items: INodeExecutionData[] = [];
	let count = 0;
	// Items are built complete: adding a member later doubles the memory.
	const pairedItem = { item: context.index };
	for await (const rows of pages) {
		count += rows.length;
		for (const record of await prepareRecords(context, entity, rows)) {
			const json = shapeRow(record) as IDataObject;
			if (compact) compact.add(json);
			else items.push({ json, pairedItem });
		}
	}
	if (count === query.limit) {
		context.run.addNotice(
			`Stopped at the limit of ${query.limit}. Raise 'Limit' or switch on 'Return All' for more.`,
		);
	}
	addRemovedNotice(entity, context);
	return compact ? [{ json: compact.toItem(query.limit) as IDataObject, pairedItem }] : items;
}

function createCompact(context: ItemContext): Compact | undefined {
	if (!context.isOn('compactOutput')) return undefined;
	const { compactLimit = DEFAULT_MAX_CHARACTERS } = context.options;
	return new Compact(parseInteger('Compact Limit', compactLimit, 100, MAX_NUMBER));
}

function readSearch(subject: Subject, context: ItemContext): Search {
	const entity = readEntity(subject, context);
	const query = readQuery(subject, entity, context);
	return { entity, query, shapeRow: createShaper(entity, context, query.properties) };
}

const MAX_NUMBER = Number.MAX_SAFE_INTEGER;

function readQuery(subject: Subject, entity: string, context: ItemContext): Query {
	const { distinct, firstResultIndex, pagingMethod } = context.options;
	const key = getKeyProperties(entity);
	const query: Query = {
		key,
		properties: readPropertyPaths(entity, context),
		criteria: buildCriteria(entity, context),
		orders: context.choices('sort').map(toSortOrder),
		limit: context.flag('Return All', 'returnAll')
			? Infinity
			: parseInteger('Limit', context.param('limit', 50), 1, MAX_NUMBER),
		...readPageSize(context),
	};
	if (distinct !== undefined) query.distinct = context.isOn('distinct');
	if (firstResultIndex !== undefined) {
		query.firstResultIndex = parseInteger('First Result Index', firstResultIndex, 0, MAX_NUMBER);
	}
	if (pagingMethod !== undefined) {
		query.pagingMethod = parseChoice('Paging Method', pagingMethod, ['byId', 'byOffset'] as const);
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

const toSortOrder = ({
	property,
	direction = 'Ascending',
}: Record<string, unknown>): SortOrder => ({
	PropertyName: parsePropertyPath('Sort > Sort By', property),
	OrderType: parseChoice('Sort > Direction', direction, ['Ascending', 'Descending']),
});
