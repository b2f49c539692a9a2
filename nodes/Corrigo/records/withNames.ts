import { getEntity, toRowType } from '../catalogue/entities';
import { isEnumerationName } from '../catalogue/enumerations';
import { getMemberLabel } from '../catalogue/enumerations/labels';
import { findMemberType, findActorEntity, findTypeMember, isIdentity } from '../catalogue/members';
import { isReferenceId, findMemberTarget, getEntityTarget } from '../catalogue/targets';
import type { Specifier } from '../wire/answers';
import { isBlank, isObject, type JsonObject, getMember } from '../values/checks';
import type { NameLookup } from './knownNames';

/** Undefined if records have no name, or take it from another record. */
export function getNameProperty(entity: string): string | undefined {
	const [name] = getEntityTarget(entity).by;
	return name?.includes('.') ? undefined : name;
}

/**
 * Adds the known names to the IDs of a record. A reference gets its name as a member, `CustomerId`
 * gets the customer next to it, and `StatusId` the label of the status.
 */
export function addNames(entity: string, record: JsonObject, getName: NameLookup): JsonObject {
	const named: JsonObject = {};
	for (const [member, value] of Object.entries(record)) {
		named[member] = addNamesToValue(findMemberType(entity, member) ?? '', value, getName);
		Object.assign(named, buildSibling(entity, member, record, getName));
	}
	return named;
}

/** Names only the records that say what the record is about, next to their IDs. */
export const addEndNames = (
	entity: string,
	record: JsonObject,
	ends: readonly string[],
	getName: NameLookup,
): JsonObject =>
	Object.fromEntries(
		Object.entries(record).flatMap(([member, value]) => [
			[member, value],
			...(ends.includes(member)
				? Object.entries(buildSibling(entity, member, record, getName))
				: []),
		]),
	);

/** Explains a code or an ID in a member of its own, unless the record already has that member. */
function buildSibling(
	entity: string,
	member: string,
	record: JsonObject,
	getName: NameLookup,
): JsonObject {
	const sibling = findSibling(entity, member, record);
	if (sibling === undefined || sibling.name in record) return {};
	const name = getSiblingValue(sibling, record[member], getName);
	return name === undefined ? {} : { [sibling.name]: name };
}

function addNamesToValue(type: string, value: unknown, getName: NameLookup): unknown {
	if (Array.isArray(value)) {
		return value.map((row) => addNamesToValue(toRowType(type), row, getName));
	}
	const entity = getEntity(type)?.name;
	if (entity === undefined || !isObject(value)) return value;
	const own = addNames(entity, value, getName);
	const property = getNameProperty(entity);
	const name = getName(entity, value.Id);
	return property === undefined || name === undefined || !isBlank(value[property])
		? own
		: { ...own, [property]: name };
}

type Sibling = { name: string } & ({ enumeration: string } | { target: string; property: string });

/** `Status` explains `StatusId`, and `Customer` explains `CustomerId`. */
export function findSibling(
	entity: string,
	member: string,
	record: JsonObject = {},
): Sibling | undefined {
	const name = member.replace(/Id$/, '');
	if (name === '') return undefined;
	const enumeration = findMemberType(entity, member) ?? '';
	if (isEnumerationName(enumeration)) return { name, enumeration };
	const target = getReferencedEntity(entity, member, record);
	const property = target && getNameProperty(target);
	return target && property ? { name, target, property } : undefined;
}

/** If a member can hold Ids of several entities, another member of the record says which one. */
export function getReferencedEntity(
	entity: string,
	member: string,
	record: JsonObject,
): string | undefined {
	const typeMember = findTypeMember(entity, member);
	return typeMember === undefined
		? findMemberTarget(entity, member)?.entity
		: findActorEntity(String(getMember(record, typeMember) ?? ''));
}

function getSiblingValue(sibling: Sibling, value: unknown, getName: NameLookup): unknown {
	if (isBlank(value) || isObject(value)) return undefined;
	if ('enumeration' in sibling) return getMemberLabel(sibling.enumeration, String(value));
	const name = getName(sibling.target, value);
	return name ? { Id: Number(value), [sibling.property]: name } : undefined;
}

/**
 * Corrigo answers a write with the Id only, so the references and codes that were set are added.
 */
export const buildWrittenRecord = (
	entity: string,
	specifier: Specifier,
	written: JsonObject,
	getName: NameLookup,
): JsonObject => {
	const property = getNameProperty(entity);
	const name = property && (written[property] ?? getName(entity, specifier.Id));
	const ids = Object.entries(written).flatMap(([member, value]) =>
		getIdEntries(entity, member, value),
	);
	return {
		...specifier,
		...(property && !isBlank(name) ? { [property]: name } : {}),
		...addNames(entity, Object.fromEntries(ids), getName),
	};
};

function getIdEntries(entity: string, member: string, value: unknown): Array<[string, unknown]> {
	if (isBlank(value) || isIdentity(member)) return [];
	if (isObject(value)) {
		const isReference = getEntity(findMemberType(entity, member) ?? '') !== undefined;
		return isReference && !isBlank(value.Id) ? [[member, { Id: value.Id }]] : [];
	}
	return isIdMember(entity, member) ? [[member, value]] : [];
}

/** Matches codes and IDs of other records, but not the ID of the record itself. */
export const isIdMember = (entity: string, member: string): boolean =>
	/.Id$/.test(member) &&
	(isEnumerationName(findMemberType(entity, member) ?? '') || isReferenceId(entity, member));
