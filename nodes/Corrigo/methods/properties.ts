import type {
	ILoadOptionsFunctions,
	INodeListSearchResult,
	INodePropertyOptions,
} from 'n8n-workflow';

import { getEntity } from '../catalogue/entities';
import { findResourceEntity } from '../form/subjects';
import type { Column } from '../columns/column';
import {
	carriesCustomFields,
	buildCustomColumns,
	buildDescriptorsRequest,
} from '../compare/customFields';
import { hasWords, listPropertyChoices, type PropertyUse } from './propertyChoices';
import { emptyIfForbidden } from '../transport/errors';
import { send } from '../transport/send';
import { readText } from './choices';

/** The user names the entity for these trigger events. */
const RECORD_EVENTS = ['record', 'recordEdited'];

/** Trigger events are about work orders unless the user names the entity. */
export function readEntity(form: ILoadOptionsFunctions): string {
	const event = readText(form, 'event');
	if (event !== undefined && !RECORD_EVENTS.includes(event)) return 'WorkOrder';
	const named = findResourceEntity(readText(form, 'resource')) ?? readText(form, 'entity') ?? '';
	return getEntity(named)?.name ?? named;
}

export const toChoice = (label: string, value: string) => ({
	name: label === value ? value : `${label} (${value})`,
	value,
});

const listProperties = (entity: string, use: PropertyUse, filter?: string) =>
	listPropertyChoices(entity, use, filter).map(({ path, label, clock }) => {
		const { name, value } = toChoice(label, path);
		return { name: clock === undefined ? name : `${name}, ${clock}`, value };
	});

const buildPropertySearch = (use: PropertyUse) =>
	async function (this: ILoadOptionsFunctions, filter?: string): Promise<INodeListSearchResult> {
		return { results: listProperties(readEntity(this), use, filter) };
	};

/** Custom fields are read only for a search, so that opening the list takes no request. */
async function searchCompared(this: ILoadOptionsFunctions, filter = '') {
	const entity = readEntity(this);
	const custom = filter.trim() === '' ? [] : await loadComparableColumns(this, entity);
	return {
		results: [
			...listProperties(entity, 'condition', filter),
			...custom
				.map(({ id, label }) => ({ name: `${label} (Custom Field)`, value: id }))
				.filter(({ name }) => hasWords(name, filter)),
		],
	};
}

/** Conditions can only compare custom fields that are members of the record. */
export const loadComparableColumns = async (form: ILoadOptionsFunctions, entity: string) =>
	carriesCustomFields(entity) ? await loadCustomColumns(form, entity) : [];

/** The other columns still work if the service user may not read custom fields. */
export async function loadCustomColumns(
	form: ILoadOptionsFunctions,
	entity: string,
): Promise<Column[]> {
	const request = buildDescriptorsRequest(entity);
	if (request === undefined) return [];
	return buildCustomColumns(entity, await send(form, request).catch(emptyIfForbidden));
}

/** n8n searches in multi-select lists itself, so all properties are returned. */
export async function getProperties(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	return [
		{ name: 'All Own Properties', value: '*' },
		...listProperties(readEntity(this), 'output'),
	];
}

export const propertySearches = {
	searchCompared,
	searchDates: buildPropertySearch('date'),
	searchGroups: buildPropertySearch('group'),
	searchSorted: buildPropertySearch('sort'),
};
