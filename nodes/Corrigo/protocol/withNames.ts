import { entityNamed } from '../catalogue/entities';
import { isEnumerationName } from '../catalogue/enumerations';
import { memberLabel } from '../catalogue/enumerations/labels';
import { memberType } from '../catalogue/members';
import { targetOf, targetOn } from '../catalogue/targets';
import type { Specifier } from './answers';
import { isBlank, isObject, type JsonObject } from './checks';
import type { NameOf } from './knownNames';

/** The property with the name of a record; undefined where it has none of its own. */
export function nameProperty(entity: string): string | undefined {
	const [name] = targetOn(entity).by;
	return name?.includes('.') ? undefined : name;
}

/**
 * A record with the names that are known next to the IDs in it. A reference gets its name as a member;
 * `CustomerId` gets the customer next to it, and `StatusId` the label of the status.
 */
export function withNames(entity: string, record: JsonObject, nameOf: NameOf): JsonObject {
	const named: JsonObject = {};
	for (const [member, value] of Object.entries(record)) {
		named[member] = valueWithNames(memberType(entity, member) ?? '', value, nameOf);
		const sibling = member.replace(/Id$/, '');
		// What the service says itself stays.
		if (sibling === '' || sibling in record) continue;
		const name = siblingName(entity, member, value, nameOf);
		if (name !== undefined) named[sibling] = name;
	}
	return named;
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

function siblingName(entity: string, member: string, value: unknown, nameOf: NameOf): unknown {
	if (isBlank(value) || isObject(value)) return undefined;
	const type = memberType(entity, member) ?? '';
	if (isEnumerationName(type)) return memberLabel(type, String(value));
	const target = targetOf(entity, member)?.entity;
	const name = target && nameOf(target, value);
	const property = target && nameProperty(target);
	return name && property ? { Id: Number(value), [property]: name } : undefined;
}

/** What a write says of a record: which it is, and the references and codes that were set in it. */
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
	if (isBlank(value) || /^(Concurrency)?Id$/i.test(member)) return [];
	const type = memberType(entity, member) ?? '';
	if (isObject(value)) {
		return entityNamed(type) && !isBlank(value.Id) ? [[member, { Id: value.Id }]] : [];
	}
	const isId = member.endsWith('Id') && (isEnumerationName(type) || targetOf(entity, member));
	return isId ? [[member, value]] : [];
}
