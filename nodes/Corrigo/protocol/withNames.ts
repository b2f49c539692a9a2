import { entityNamed } from '../catalogue/entities';
import { isEnumerationName } from '../catalogue/enumerations';
import { memberLabel } from '../catalogue/enumerations/labels';
import { memberType } from '../catalogue/members';
import { entityOfType, typeMemberOf } from '../catalogue/actors';
import { isReferenceId, targetOf, targetOn } from '../catalogue/targets';
import type { Specifier } from './answers';
import { isBlank, isObject, type JsonObject } from './checks';
import { isIdentity } from './differences';
import { memberNamed } from './kinds';
import type { NameOf } from './knownNames';

/** Undefined if records have no name, or take it from another record. */
export function nameProperty(entity: string): string | undefined {
	const [name] = targetOn(entity).by;
	return name?.includes('.') ? undefined : name;
}

/**
 * Adds the known names to the IDs of a record. A reference gets its name as a member, `CustomerId`
 * gets the customer next to it, and `StatusId` the label of the status.
 */
export function withNames(entity: string, record: JsonObject, nameOf: NameOf): JsonObject {
	const named: JsonObject = {};
	for (const [member, value] of Object.entries(record)) {
		named[member] = valueWithNames(memberType(entity, member) ?? '', value, nameOf);
		Object.assign(named, namedSibling(entity, member, record, nameOf));
	}
	return named;
}

/** Names only the records that say what the record is about, next to their IDs. */
export const withEnds = (
	entity: string,
	record: JsonObject,
	ends: readonly string[],
	nameOf: NameOf,
): JsonObject =>
	Object.fromEntries(
		Object.entries(record).flatMap(([member, value]) => [
			[member, value],
			...(ends.includes(member)
				? Object.entries(namedSibling(entity, member, record, nameOf))
				: []),
		]),
	);

/** Explains a code or an ID in a member of its own, unless the record already has that member. */
function namedSibling(
	entity: string,
	member: string,
	record: JsonObject,
	nameOf: NameOf,
): JsonObject {
	const sibling = siblingOf(entity, member, record);
	if (sibling === undefined || sibling.name in record) return {};
	const name = siblingValue(sibling, record[member], nameOf);
	return name === undefined ? {} : { [sibling.name]: name };
}

function valueWithNames(type: string, value: unknown, nameOf: NameOf): unknown {
	if (Array.isArray(value)) {
		return value.map((row) => valueWithNames(type.replace('[]', ''), row, nameOf));
	}
	const entity = entityNamed(type)?.name;
	if (entity === undefined || !isObject(value)) return value;
	const own = withNames(entity, value, nameOf);
	const property = nameProperty(entity);
	const name = nameOf(entity, value.Id);
	return property === undefined || name === undefined || !isBlank(value[property])
		? own
		: { ...own, [property]: name };
}

type Sibling = { name: string } & ({ enumeration: string } | { target: string; property: string });

/** `Status` explains `StatusId`, and `Customer` explains `CustomerId`. */
export function siblingOf(
	entity: string,
	member: string,
	record: JsonObject = {},
): Sibling | undefined {
	const name = member.replace(/Id$/, '');
	if (name === '') return undefined;
	const enumeration = memberType(entity, member) ?? '';
	if (isEnumerationName(enumeration)) return { name, enumeration };
	const target = entityBehind(entity, member, record);
	const property = target && nameProperty(target);
	return target && property ? { name, target, property } : undefined;
}

/** If a member can hold Ids of several entities, another member of the record says which one. */
export function entityBehind(
	entity: string,
	member: string,
	record: JsonObject,
): string | undefined {
	const typeMember = typeMemberOf(entity, member);
	return typeMember === undefined
		? targetOf(entity, member)?.entity
		: entityOfType(String(memberNamed(record, typeMember) ?? ''));
}

function siblingValue(sibling: Sibling, value: unknown, nameOf: NameOf): unknown {
	if (isBlank(value) || isObject(value)) return undefined;
	if ('enumeration' in sibling) return memberLabel(sibling.enumeration, String(value));
	const name = nameOf(sibling.target, value);
	return name ? { Id: Number(value), [sibling.property]: name } : undefined;
}

/**
 * Corrigo answers a write with the Id only, so the references and codes that were set are added.
 */
export const writtenRecord = (
	entity: string,
	specifier: Specifier,
	written: JsonObject,
	nameOf: NameOf,
): JsonObject => {
	const property = nameProperty(entity);
	const name = property && (written[property] ?? nameOf(entity, specifier.Id));
	const ids = Object.entries(written).flatMap(([member, value]) => idIn(entity, member, value));
	return {
		...specifier,
		...(property && !isBlank(name) ? { [property]: name } : {}),
		...withNames(entity, Object.fromEntries(ids), nameOf),
	};
};

function idIn(entity: string, member: string, value: unknown): Array<[string, unknown]> {
	if (isBlank(value) || isIdentity(member)) return [];
	if (isObject(value)) {
		const isReference = entityNamed(memberType(entity, member) ?? '') !== undefined;
		return isReference && !isBlank(value.Id) ? [[member, { Id: value.Id }]] : [];
	}
	return holdsId(entity, member) ? [[member, value]] : [];
}

/** Matches codes and IDs of other records, but not the ID of the record itself. */
export const holdsId = (entity: string, member: string): boolean =>
	/.Id$/.test(member) &&
	(isEnumerationName(memberType(entity, member) ?? '') || isReferenceId(entity, member));
