import { belongsToOne, getEntity } from '../catalogue/entities';
import { enumerations, isEnumerationName, type EnumerationName } from '../catalogue/enumerations';
import { findTypeMember, getInnerType } from '../catalogue/members';
import {
	findMemberTarget,
	findActorTarget,
	getEntityTarget,
	type Target,
} from '../catalogue/targets';
import { getNoun } from '../catalogue/views';
import { ValidationError, quote } from './errors';
import { isName, toRecordId } from './ids';
import { type JsonObject, getMember, isObject, mapMembers, readPath } from './objects';
import { isBlank, parseMember } from './scalars';
import { parseDateTime } from './times';

/** Finds the ID of the record that a value names; throws if there is none, or more than one. */
export type IdResolver = (field: string, value: unknown, target: Target) => number;

export type RecordValue = string | number | boolean;

/** Finds the records with this value in the property that the target names. */
export type RecordFinder = (target: Target, value: RecordValue) => JsonObject[];

export interface RecordNames {
	resolveId: IdResolver;
	findRows: RecordFinder;
}

export interface FilterContext extends RecordNames {
	/** Current time on the clock of Corrigo. */
	now: () => number;
	/** Time zone of the workflow. */
	timeZone: string;
}

const isId = (value: unknown): boolean =>
	typeof value === 'number'
		? value > 0
		: typeof value === 'string' && /^\s*[1-9]\d*\s*$/.test(value);

/** A record or reference may hold a name in place of its Id. */
export const isNamed = (value: unknown): boolean => isName(toRecordId(value));

/** A member of an entity or command, with access to the input next to it. */
export interface MemberContext {
	owner: string;
	path: string;
	fieldLabel: string;
	/** Returns the input at another path. */
	getSibling: (path: string) => unknown;
}

/** Some members can refer to records of several types; another member says which type is meant. */
export function resolveTarget(
	{ owner, path, fieldLabel, getSibling }: MemberContext,
	value: unknown,
): Target | undefined {
	const typeMember = findTypeMember(owner, path);
	if (typeMember === undefined) return findMemberTarget(owner, path);
	const type = getSibling(typeMember);
	const target = isName(type)
		? findActorTarget(parseMember(`${fieldLabel} (${typeMember})`, type, 'ActorType'))
		: findMemberTarget(owner, path);
	if (target === undefined && isNamed(value)) {
		throw new ValidationError(
			`'${fieldLabel}' is ${quote(toRecordId(value))}, which cannot be looked up`,
			isBlank(type)
				? `Give '${typeMember}' as well, such as Property for a work zone, or give the ID.`
				: 'Give the ID.',
		);
	}
	return target;
}

/** Replaces names with Ids, and labels with enumeration members. Unknown members are kept. */
export const resolveIds = (
	owner: string,
	field: string,
	input: JsonObject,
	resolveId: IdResolver,
): JsonObject =>
	mapMembers(input, (path, value) => {
		const getSibling = (sibling: string) => getMember(input, sibling);
		const inside = { owner, path, fieldLabel: `${field} > ${path}`, getSibling };
		const resolveOne = (each: unknown) => resolveValue(inside, each, resolveId);
		return Array.isArray(value) ? value.map(resolveOne) : resolveOne(reduceToName(inside, value));
	});

/** A reference may be given as a record without its Id; a command may contain a whole new record. */
function reduceToName({ owner, path, fieldLabel }: MemberContext, value: unknown): unknown {
	const entity = getEntity(getInnerType(owner, path))?.name ?? '';
	const isReference = entity !== '' && getEntity(owner) !== undefined && !belongsToOne(entity);
	if (!isReference || !isObject(value) || !isBlank(getMember(value, 'Id'))) return value;
	const names = getEntityTarget(entity).by.map((name) => readPath(value, name));
	const name = names.find(isName);
	if (name !== undefined) return name;
	throw new ValidationError(
		`'${fieldLabel}' has no Id, so it is not known which ${getNoun(entity)} is meant`,
		'Give its Id or name.',
	);
}

function resolveValue(member: MemberContext, value: unknown, resolveId: IdResolver): unknown {
	const { owner, path, fieldLabel } = member;
	const type = getInnerType(owner, path);
	if (isEnumerationName(type)) return resolveMember(fieldLabel, value, type);
	if (type === 'datetime') return isBlank(value) ? value : parseDateTime(fieldLabel, value);
	const entity = getEntity(type)?.name;
	const target = entity === undefined ? resolveTarget(member, value) : getEntityTarget(entity);
	if (target !== undefined && (isId(value) || (target.by.length > 0 && isNamed(value)))) {
		const Id = resolveId(fieldLabel, value, target);
		if (entity !== undefined) return isObject(value) ? { ...value, Id } : { Id };
		// The service expects some Ids as text.
		return type === 'string' ? String(Id) : Id;
	}
	return isObject(value) ? resolveIds(type, fieldLabel, value, resolveId) : value;
}

/** Members of these types may be combined, so their numbers are sums. */
const FLAGS: readonly EnumerationName[] = ['BillStatus', 'WoScheduleOptions'];

/** Members are numbered in their order. */
function resolveMember(fieldLabel: string, value: unknown, type: EnumerationName): unknown {
	const isNumbered =
		Number.isInteger(value) && (FLAGS.includes(type) || Number(value) in enumerations[type]);
	return isBlank(value) || isNumbered ? value : parseMember(fieldLabel, value, type);
}
