import { getKeyProperties } from '../../catalogue/entities';
import { getEndMembers } from '../../catalogue/targets';
import { isSimplified, readOutputProperties } from '../../form/form';
import { ValidationError, type JsonObject } from '../../values/checks';
import {
	carriesCustomFields,
	CUSTOM_FIELD_PATHS,
	flattenCustomFields,
} from '../../compare/customFields';
import { omitSelected } from '../../wire/paging';
import { addEndNames } from '../../records/withNames';
import { loadReferenceNames } from '../../records/ends';
import type { ItemContext } from '../../run/context';
import { buildAudienceFilter, addDecidingProperties } from './audience';

export function readPropertyPaths(entity: string, context: ItemContext): string[] {
	const chosen = addDecidingProperties(context, entity, readOutputProperties(context, entity));
	return isFlat(entity, context) ? [...new Set([...chosen, ...CUSTOM_FIELD_PATHS])] : chosen;
}

/** Hides what the audience may not see, and adds names for some IDs to simplified records. */
export async function prepareRecords(
	context: ItemContext,
	entity: string,
	read: JsonObject[],
): Promise<JsonObject[]> {
	const records = read
		.map(buildAudienceFilter(context, entity))
		.filter((record) => record !== undefined);
	const ends = isSimplified(context) ? getEndMembers(entity) : [];
	if (ends.length === 0) return records;
	const getName = await loadReferenceNames(context, entity, records, ends);
	return records.map((record) => addEndNames(entity, record, ends, getName));
}

/**
 * Removes the key, which is always read, unless it was selected, and flattens custom fields on
 * request.
 */
export function createShaper(
	entity: string,
	context: ItemContext,
	properties: readonly string[],
): (record: JsonObject) => JsonObject {
	const flatten = isFlat(entity, context) ? flattenCustomFields : (record: JsonObject) => record;
	const added = new Set(omitSelected(['Id', ...(getKeyProperties(entity) ?? [])], properties));
	return added.size === 0 ? flatten : (record) => flatten(omit(added, record));
}

const omit = (names: ReadonlySet<string>, record: JsonObject): JsonObject =>
	Object.fromEntries(Object.entries(record).filter(([name]) => !names.has(name)));

function isFlat(entity: string, context: ItemContext): boolean {
	if (!context.isOn('flattenCustomFields')) return false;
	if (carriesCustomFields(entity)) return true;
	throw new ValidationError(
		`'Flatten Custom Fields' is on, but ${entity} records carry no custom fields`,
	);
}

/** Adds a property unless it is already selected. */
export const addProperty = (name: string, properties: string[]): string[] =>
	properties.some((path) => path === '*' || path === name) ? properties : [name, ...properties];
