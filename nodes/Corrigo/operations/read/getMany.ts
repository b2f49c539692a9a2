import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { getKeyProperties } from '../../catalogue/entities';
import { returnAllFields, sortField } from '../../form/fields';
import { buildOptions, optionFields } from '../../form/options';
import { outputFields } from '../../form/form';
import { buildSearchFields } from '../../form/filters';
import {
	parsePropertyPath,
	ValidationError,
	parseChoice,
	parseInteger,
	type JsonObject,
} from '../../values/checks';
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
	toItem(limit: number): JsonObject {
		const { records, total, maxCharacters } = this;
		const notes: string[] = [];
		if (records.length < total) {
			notes.push(
				`Only the first ${records.length} of ${total} records are here: more would be over ${maxCharacters} characters. Ask for fewer properties, or narrow the search.`,
			);
		}
		if (total === limit) notes.push(`Stopped at the limit of ${limit}: there may be more.`);
		return {
			records,
			total,
			complete: notes.length === 0,
			...(notes.length > 0 ? { note: notes.join(' ') } : {}),
		};
	}
}

function createCompact(context: ItemContext): Compact | undefined {
	if (!context.isOn('compactOutput')) return undefined;
	const { compactLimit = optionFields.compactLimit.default } = context.options;
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
