import { internalOf, INTERNAL_TYPES } from '../catalogue/audience';
import { fieldType } from '../catalogue/entities';
import { isObject, type JsonObject } from './checks';
import { isIn, type Condition } from './criteria';

const innerType = (owner: string, member: string): string =>
	(fieldType(owner, member) ?? '').replace('[]', '');

/** Internal members are for staff, so customers must not see them. */
export function isInternal(owner: string, member: string): boolean {
	const { members = [] } = internalOf(owner);
	return (
		INTERNAL_TYPES.includes(innerType(owner, member)) ||
		members.some((one) => one.toLowerCase() === member.toLowerCase())
	);
}

/** Removes internal members; returns undefined for a record that customers must not see at all. */
export function forCustomer(owner: string, record: JsonObject): JsonObject | undefined {
	const { rows } = internalOf(owner);
	if (rows !== undefined && !rows.values.some((value) => value === record[rows.by])) {
		return undefined;
	}
	return Object.fromEntries(
		Object.entries(record)
			.filter(([member]) => !isInternal(owner, member))
			.map(([member, value]) => [member, valueForCustomer(innerType(owner, member), value)]),
	);
}

function valueForCustomer(type: string, value: unknown): unknown {
	if (Array.isArray(value)) {
		return value
			.map((row: unknown) => valueForCustomer(type, row))
			.filter((row) => row !== undefined);
	}
	return isObject(value) ? forCustomer(type, value) : value;
}

/** A search has to read the property that decides whether customers may see a record. */
export const deciding = (entity: string): string[] => {
	const { rows } = internalOf(entity);
	return rows === undefined ? [] : [rows.by];
};

/** Returns undefined if customers may see all records of the entity. */
export function onlyForCustomers(entity: string): Condition | undefined {
	const { rows } = internalOf(entity);
	return rows && isIn(rows.by, [...rows.values]);
}
