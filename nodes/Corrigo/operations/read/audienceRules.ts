import { getInternalParts, INTERNAL_TYPES } from '../../catalogue/audience';
import { findEntityMemberType } from '../../catalogue/entities';
import { isObject, type JsonObject } from '../../values/checks';
import { isIn, type Condition } from '../../wire/criteria';

const getInnerType = (owner: string, member: string): string =>
	(findEntityMemberType(owner, member) ?? '').replace('[]', '');

/** Internal members are for staff, so customers must not see them. */
export function isInternal(owner: string, member: string): boolean {
	const { members = [] } = getInternalParts(owner);
	return (
		INTERNAL_TYPES.includes(getInnerType(owner, member)) ||
		members.some((one) => one.toLowerCase() === member.toLowerCase())
	);
}

/** Removes internal members; returns undefined for a record that customers must not see at all. */
export function toCustomerView(owner: string, record: JsonObject): JsonObject | undefined {
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

/** A search has to read the property that decides whether customers may see a record. */
export const listDecidingProperties = (entity: string): string[] => {
	const { rows } = getInternalParts(entity);
	return rows === undefined ? [] : [rows.by];
};

/** Returns undefined if customers may see all records of the entity. */
export function buildCustomerCondition(entity: string): Condition | undefined {
	const { rows } = getInternalParts(entity);
	return rows && isIn(rows.by, [...rows.values]);
}
