import type {
	ILoadOptionsFunctions,
	INodeListSearchItems,
	INodeListSearchResult,
	INodePropertyOptions,
} from 'n8n-workflow';

import { fieldType } from '../catalogue/entities';
import { isEnumerationName } from '../catalogue/enumerations';
import { pickerOf } from '../catalogue/pickers';
import { choices } from '../form/fields';
import { Form } from '../form/form';
import { textIn } from './choices';
import { search } from './pickers';
import { isCustomField } from '../protocol/criteria';
import { targetAt } from '../protocol/names';
import { customFieldColumns, entityIn, getProperties } from './properties';

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
];

/** Values of these types are known without a request. */
function known(type: string): INodeListSearchItems[] | undefined {
	if (isEnumerationName(type)) return choices(type);
	return type === 'boolean' ? YES_NO : type === 'datetime' ? TIMES : undefined;
}

/** A part of a record that has no name is chosen by its Id. */
function partIn(entity: string, path: string): string {
	const [, owner = ''] = /^(.+)\.Id$/.exec(path) ?? [];
	return fieldType(entity, owner)?.replace('[]', '') ?? '';
}

/** Another condition may set the type of the record that this property refers to. */
const valueIn = (form: ILoadOptionsFunctions) => (property: string) =>
	new Form((name, fallback) => form.getCurrentNodeParameter(name) ?? fallback)
		.choices('conditions')
		.find((row) => row.property === property && row.operator === 'Equal')?.value;

/** The list depends on the property in the same row. */
async function searchValues(
	this: ILoadOptionsFunctions,
	filter = '',
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const property = textIn(this, 'property');
	if (property === undefined) return message("Choose a 'Property' first");
	const entity = entityIn(this);
	const listed = isCustomField(property)
		? (await customFieldColumns(this, entity)).find(({ id }) => id === property)?.options
		: known(fieldType(entity, property) ?? '');
	if (listed !== undefined) {
		const wanted = filter.trim().toLowerCase();
		return { results: listed.filter(({ name }) => name.toLowerCase().includes(wanted)) };
	}
	const place = { owner: entity, path: property, fieldLabel: 'Value', siblingAt: valueIn(this) };
	const target = targetAt(place, undefined);
	const picker = pickerOf(target?.entity ?? partIn(entity, property));
	if (!picker) return message(`No list for ${property}: choose 'By Value' and type it`);
	return await search(this, { ...picker, where: target?.where }, filter, paginationToken);
}

const message = (name: string): INodeListSearchResult => ({ results: [{ name, value: '' }] });

export const valueSearches = { searchValues };

/** Messages are left out, because users could select them as values. */
async function getValues(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	const { results } = await searchValues.call(this);
	return results
		.filter(({ value }) => value !== '')
		.map(({ name, value }) => ({ name, value: String(value) }));
}

export const loadOptions = { getProperties, getValues };
