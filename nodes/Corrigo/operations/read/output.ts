import { getInternalParts, INTERNAL_TYPES } from '../../catalogue/audience';
import { getKeyProperties } from '../../catalogue/entities';
import { getEndMembers } from '../../catalogue/targets';
import {
	carriesCustomFields,
	CUSTOM_FIELD_PATHS,
	flattenCustomFields,
} from '../../compare/customFields';
import { isSimplified, readOutputProperties } from '../../form/form';
import { loadReferenceNames, addEndNames } from '../../records/names';
import type { ItemContext } from '../../run/context';
import { isObject, ValidationError, type JsonObject } from '../../values/checks';
import { and, isIn, type Criteria } from '../../wire/criteria';
import { omitSelected } from '../../wire/paging';
import { getInnerType } from '../../catalogue/members';

/** Customers see fewer records, and fewer members of each. */
export const isForCustomers = (context: ItemContext): boolean =>
	context.option('audience') === 'customer';

/** Internal members are for staff, so customers must not see them. */
export function isInternal(owner: string, member: string): boolean {
	const { members = [] } = getInternalParts(owner);
	return (
		INTERNAL_TYPES.includes(getInnerType(owner, member)) ||
		members.some((one) => one.toLowerCase() === member.toLowerCase())
	);
}

/** Removes internal members; returns undefined for a record that customers must not see at all. */
function toCustomerView(owner: string, record: JsonObject): JsonObject | undefined {
	const { rows } = getInternalParts(owner);
	if (rows !== undefined && !rows.values.some((value) => value === record[rows.by])) {
		return undefined;
	}
	return Object.fromEntries(
		Object.entries(record)
			.filter(([member]) => !isInternal(owner, member))
			.map(([member, value]) => [member, toCustomerValue(getInnerType(owner, member), value)]),
	);
}

function toCustomerValue(type: string, value: unknown): unknown {
	if (Array.isArray(value)) {
		return value
			.map((row: unknown) => toCustomerValue(type, row))
			.filter((row) => row !== undefined);
	}
	return isObject(value) ? toCustomerView(type, value) : value;
}

/** Keeps the records that the audience may see, and of each the members that it may see. */
export const keepVisible = (
	context: ItemContext,
	entity: string,
	records: JsonObject[],
): JsonObject[] =>
	isForCustomers(context)
		? records.map((one) => toCustomerView(entity, one)).filter((one) => one !== undefined)
		: records;

/** Limits a search to the records that the audience may see; undefined means all of them. */
export function buildAudienceCriteria(context: ItemContext, entity: string): Criteria | undefined {
	const { rows } = getInternalParts(entity);
	return isForCustomers(context) && rows ? and(isIn(rows.by, [...rows.values])) : undefined;
}

export function readPropertyPaths(entity: string, context: ItemContext): string[] {
	const chosen = readOutputProperties(context, entity);
	const { rows } = getInternalParts(entity);
	// Without this property, nothing shows whether the audience may see a record.
	const deciding = isForCustomers(context) && rows ? omitSelected([rows.by], chosen) : [];
	const custom = isFlat(entity, context) ? CUSTOM_FIELD_PATHS : [];
	return [...new Set([...deciding, ...chosen, ...custom])];
}

/** Hides what the audience may not see, and adds names for some IDs to simplified records. */
export async function prepareRecords(
	context: ItemContext,
	entity: string,
	read: JsonObject[],
): Promise<JsonObject[]> {
	const records = keepVisible(context, entity, read);
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
	if (added.size === 0) return flatten;
	return (record) =>
		flatten(Object.fromEntries(Object.entries(record).filter(([name]) => !added.has(name))));
}

function isFlat(entity: string, context: ItemContext): boolean {
	if (!context.isOn('flattenCustomFields')) return false;
	if (carriesCustomFields(entity)) return true;
	throw new ValidationError(
		`'Flatten Custom Fields' is on, but ${entity} records carry no custom fields`,
	);
}
