import type {
	ILoadOptionsFunctions,
	INodeListSearchResult,
	INodeListSearchItems,
	INodePropertyOptions,
} from 'n8n-workflow';

import { commands } from '../catalogue/commands';
import { entities, findEntityMemberType } from '../catalogue/entities';
import { summaries } from '../catalogue/summaries';
import { getRecordPicker, type Picker, findPicker } from '../catalogue/targets';
import { recordTypes } from '../catalogue/views';
import { getListMethod } from '../form/subjects';
import { search, searchRecords } from './pickers';
import {
	toChoice,
	loadComparableColumns,
	readEntity,
	getClearable,
	getProperties,
	propertySearches,
} from './properties';
import { isEnumerationName } from '../catalogue/enumerations';
import { conditionsField, listChoices } from '../form/fields';
import { Form } from '../form/form';
import { readText } from './choices';
import { returnPlainTexts } from './plainTexts';
import { isCustomField } from '../wire/criteria';
import { resolveTarget } from '../values/kinds';
import { getInnerType } from '../catalogue/members';
import { isObject } from '../values/objects';
import { createTable } from '../catalogue/table';
import { listEntityWords } from '../catalogue/words';

type ListSearch = (
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
) => Promise<INodeListSearchResult>;

const hasText = (text: string, filter: string) =>
	text.toLowerCase().includes(filter.trim().toLowerCase());

const buildCatalogueSearch = (
	all: ReadonlyArray<{ name: string; label: string }>,
	listWords: (name: string) => string = () => '',
): ListSearch =>
	async function (filter = '') {
		const isFound = ({ name, label }: (typeof all)[number]) =>
			hasText(`${label} ${name} ${listWords(name)}`, filter);
		return { results: all.filter(isFound).map(({ name, label }) => toChoice(label, name)) };
	};

/** Entities with a summary are those that people use, so they come first. */
const usedEntities = [...entities].sort(
	(a, b) => Number(b.name in summaries) - Number(a.name in summaries),
);

const buildPickerSearch = (picker: Picker): ListSearch =>
	async function (filter, paginationToken) {
		return await search(this, picker, filter, paginationToken);
	};

const YES_NO: INodeListSearchItems[] = [
	{ name: 'Yes', value: 'true' },
	{ name: 'No', value: 'false' },
];

/** Expressions are evaluated in each execution, so the times move with it. */
const TIMES: INodeListSearchItems[] = [
	{ name: 'Now', value: '={{ $now }}' },
	{ name: 'Start of Today', value: '={{ $today }}' },
	{ name: '24 Hours Ago', value: '={{ $now.minus({ hours: 24 }) }}' },
	{ name: '7 Days Ago', value: '={{ $now.minus({ days: 7 }) }}' },
	{ name: '30 Days Ago', value: '={{ $now.minus({ days: 30 }) }}' },
	{ name: 'In 24 Hours', value: '={{ $now.plus({ hours: 24 }) }}' },
	{ name: 'In 7 Days', value: '={{ $now.plus({ days: 7 }) }}' },
	{ name: 'Start of This Month', value: "={{ $now.startOf('month') }}" },
	{ name: 'End of This Month', value: "={{ $now.endOf('month') }}" },
	{ name: 'Start of Last Month', value: "={{ $now.minus({ months: 1 }).startOf('month') }}" },
	{ name: 'End of Last Month', value: "={{ $now.minus({ months: 1 }).endOf('month') }}" },
];

/** Values of these types are known without a request. */
function listKnownValues(type: string): INodeListSearchItems[] | undefined {
	if (isEnumerationName(type)) return listChoices(type);
	return type === 'boolean' ? YES_NO : type === 'datetime' ? TIMES : undefined;
}

/** Another condition may set the type of the record that this property refers to. */
const createSiblingReader = (form: ILoadOptionsFunctions) => (property: string) =>
	new Form((name, fallback) => form.getCurrentNodeParameter(name) ?? fallback)
		.readRowValues(conditionsField)
		.find((row) => row.property === property && row.operator === 'Equal')?.value;

/** The list depends on the property in the same row. */
async function searchValues(
	this: ILoadOptionsFunctions,
	filter = '',
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const property = readText(this, 'property');
	if (property === undefined) return buildMessage("Choose a 'Field' first");
	const entity = readEntity(this);
	const listed = isCustomField(property)
		? (await loadComparableColumns(this, entity)).find(({ id }) => id === property)?.options
		: listKnownValues(findEntityMemberType(entity, property) ?? '');
	if (listed !== undefined) return { results: listed.filter(({ name }) => hasText(name, filter)) };
	const getSibling = createSiblingReader(this);
	const member = { owner: entity, path: property, fieldLabel: 'Value', getSibling };
	const target = resolveTarget(member, undefined);
	// A part of a record that has no name is chosen by its Id.
	const [, part = ''] = /^(.+)\.Id$/.exec(property) ?? [];
	const picker = findPicker(target?.entity ?? getInnerType(entity, part));
	if (!picker) return buildMessage(`No list for ${property}: choose 'By Value' and type it`);
	return await search(this, { ...picker, where: target?.where }, filter, paginationToken);
}

const buildMessage = (name: string): INodeListSearchResult => ({ results: [{ name, value: '' }] });

/** Messages are left out, because users could select them as values. */
async function getValues(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	const { results } = await searchValues.call(this);
	return results
		.filter(({ value }) => value !== '')
		.map(({ name, value }) => ({ name, value: String(value) }));
}

const isTime = (item: unknown): boolean =>
	TIMES.some((time) => isObject(item) && time.name === item.name && time.value === item.value);

const searches = createTable<ListSearch>({
	...Object.fromEntries(
		recordTypes.map((type) => [getListMethod(type), buildPickerSearch(getRecordPicker(type))]),
	),
	...propertySearches,
	searchValues,
	searchCommands: buildCatalogueSearch(commands),
	searchEntities: buildCatalogueSearch(usedEntities, listEntityWords),
	searchRecords,
});

export const listSearch: Record<string, ListSearch> = Object.fromEntries(
	Object.entries(searches).map(([name, method]) => [name, returnPlainTexts(method, isTime)]),
);

export const loadOptions = {
	getClearable: returnPlainTexts(getClearable),
	getProperties: returnPlainTexts(getProperties),
	getValues: returnPlainTexts(getValues, isTime),
};
