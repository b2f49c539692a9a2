import { keyPropertiesOf } from '../../catalogue/entities';
import { endsOf } from '../../catalogue/targets';
import { isSimplified, outputProperties } from '../../form/output';
import { ValidationError, type JsonObject } from '../../protocol/checks';
import {
	carriesCustomFields,
	CUSTOM_FIELD_PATHS,
	flatCustomFields,
} from '../../protocol/customFields';
import { unselected } from '../../protocol/paging';
import { withEnds } from '../../protocol/withNames';
import { namesAtEnds } from '../../records/ends';
import type { ItemContext } from '../../run/context';
import { shownIn, withDeciding } from './audience';

export function propertyPaths(entity: string, context: ItemContext): string[] {
	const chosen = withDeciding(context, entity, outputProperties(context, entity));
	return isFlat(entity, context) ? [...new Set([...chosen, ...CUSTOM_FIELD_PATHS])] : chosen;
}

/** Hides what the audience may not see, and adds names for some IDs to simplified records. */
export async function shownRecords(
	context: ItemContext,
	entity: string,
	read: JsonObject[],
): Promise<JsonObject[]> {
	const records = read.map(shownIn(context, entity)).filter((record) => record !== undefined);
	const ends = isSimplified(context) ? endsOf(entity) : [];
	if (ends.length === 0) return records;
	const nameOf = await namesAtEnds(context, entity, records, ends);
	return records.map((record) => withEnds(entity, record, ends, nameOf));
}

/**
 * Removes the key, which is always read, unless it was selected, and flattens custom fields on
 * request.
 */
export function shaperOf(
	entity: string,
	context: ItemContext,
	properties: readonly string[],
): (record: JsonObject) => JsonObject {
	const flat = isFlat(entity, context) ? flatCustomFields : (record: JsonObject) => record;
	const added = new Set(unselected(['Id', ...(keyPropertiesOf(entity) ?? [])], properties));
	return added.size === 0 ? flat : (record) => flat(without(added, record));
}

const without = (names: ReadonlySet<string>, record: JsonObject): JsonObject =>
	Object.fromEntries(Object.entries(record).filter(([name]) => !names.has(name)));

function isFlat(entity: string, context: ItemContext): boolean {
	if (!context.isOn('flattenCustomFields')) return false;
	if (carriesCustomFields(entity)) return true;
	throw new ValidationError(
		`'Flatten Custom Fields' is on, but ${entity} records carry no custom fields`,
	);
}

/** Adds a property unless it is already selected. */
export const withProperty = (name: string, properties: string[]): string[] =>
	properties.some((path) => path === '*' || path === name) ? properties : [name, ...properties];
