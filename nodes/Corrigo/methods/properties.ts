import type {
	ILoadOptionsFunctions,
	INodeListSearchResult,
	INodePropertyOptions,
} from 'n8n-workflow';

import { entityNamed } from '../catalogue/entities';
import { entityOfResource } from '../form/subjects';
import type { Column } from '../protocol/column';
import { carriesCustomFields, customColumns, descriptorsRequest } from '../protocol/customFields';
import { hasWords, propertyChoices, type PropertyUse } from '../protocol/propertyChoices';
import { emptyIfForbidden } from '../transport/errors';
import { send } from '../transport/send';
import { textIn } from './choices';

/** The user names the entity for these trigger events. */
const RECORD_EVENTS = ['record', 'recordEdited'];

/** Trigger events are about work orders unless the user names the entity. */
export function entityIn(form: ILoadOptionsFunctions): string {
	const event = textIn(form, 'event');
	if (event !== undefined && !RECORD_EVENTS.includes(event)) return 'WorkOrder';
	const named = entityOfResource(textIn(form, 'resource')) ?? textIn(form, 'entity') ?? '';
	return entityNamed(named)?.name ?? named;
}

export const labeled = (label: string, value: string) => ({
	name: label === value ? value : `${label} (${value})`,
	value,
});

const found = (entity: string, use: PropertyUse, filter?: string) =>
	propertyChoices(entity, use, filter).map(({ path, label, clock }) => {
		const { name, value } = labeled(label, path);
		return { name: clock === undefined ? name : `${name}, ${clock}`, value };
	});

const searchFor = (use: PropertyUse) =>
	async function (this: ILoadOptionsFunctions, filter?: string): Promise<INodeListSearchResult> {
		return { results: found(entityIn(this), use, filter) };
	};

/** Custom fields are read only for a search, so that opening the list takes no request. */
async function searchCompared(this: ILoadOptionsFunctions, filter = '') {
	const entity = entityIn(this);
	const custom = filter.trim() === '' ? [] : await customFieldColumns(this, entity);
	return {
		results: [
			...found(entity, 'condition', filter),
			...custom
				.map(({ id, label }) => ({ name: `${label} (Custom Field)`, value: id }))
				.filter(({ name }) => hasWords(name, filter)),
		],
	};
}

/** Conditions can only compare custom fields that are members of the record. */
export const customFieldColumns = async (form: ILoadOptionsFunctions, entity: string) =>
	carriesCustomFields(entity) ? await customColumnsOf(form, entity) : [];

/** The other columns still work if the service user may not read custom fields. */
export async function customColumnsOf(
	form: ILoadOptionsFunctions,
	entity: string,
): Promise<Column[]> {
	const request = descriptorsRequest(entity);
	if (request === undefined) return [];
	return customColumns(entity, await send(form, request).catch(emptyIfForbidden));
}

/** n8n searches in multi-select lists itself, so all properties are returned. */
export async function getProperties(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	return [{ name: 'All Own Properties', value: '*' }, ...found(entityIn(this), 'output')];
}

export const propertySearches = {
	searchCompared,
	searchDates: searchFor('date'),
	searchGroups: searchFor('group'),
	searchSorted: searchFor('sort'),
};
