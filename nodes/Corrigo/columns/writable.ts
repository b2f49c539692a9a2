import {
	belongsToOne,
	getEntity,
	findEntityMemberType,
	getMemberTypes,
	isCollection,
	isReadOnlyMember,
} from '../catalogue/entities';
import { enumerations, isEnumerationName, isUnset } from '../catalogue/enumerations';
import { isBlank } from '../values/input';
import { spellPath } from '../values/memberNames';
import { type JsonObject, filterMembers, getMember, isObject } from '../values/objects';
import { findRecordName } from '../values/references';
import type { Verb } from './columns';
import {
	getInnerType,
	getSiblingName,
	getWrittenType,
	isIdentity,
	isSecret,
} from '../catalogue/members';

interface Level {
	type: string;
	verb: 'create' | 'update';
	path: string;
	/** Collects the paths of input values that are not written. */
	omitted: string[];
	/** Collects the paths of amounts that have no value or no currency. */
	incomplete: string[];
}

/**
 * Reduces a record that was read before, or copied from an example, to the members that can be
 * written: references become Ids, and read-only members are removed. Unknown members are kept.
 */
export function toWritable(entity: string, verb: Verb, fields: JsonObject) {
	const left = { omitted: [] as string[], incomplete: [] as string[] };
	const rule = verb === 'create' ? verb : 'update';
	const members = reduceMembers({ type: entity, verb: rule, path: '', ...left }, fields);
	// The service assigns these to a new record; a record that is matched by other columns has them.
	const written = verb === 'update' ? members : filterMembers(members, (name) => !isIdentity(name));
	return { members: written, ...left };
}

function reduceMembers(level: Level, input: JsonObject): JsonObject {
	const members = Object.entries(input)
		.filter(
			([name, value]) => !isOmittable(level, name, value) && !isIncomplete(level, name, value),
		)
		.map(([name, value]) => [name, reduceMember(level, name, value)] as const);
	for (const [name, value] of members) {
		if (value === undefined) level.omitted.push(`${level.path}${name}`);
	}
	return Object.fromEntries(members.filter(([, value]) => value !== undefined));
}

/** An amount may lack its value, which would empty it, or have no currency. */
function isIncomplete({ type, path, incomplete }: Level, name: string, value: unknown): boolean {
	if (getInnerType(type, name) !== 'MoneyValue' || !isObject(value)) return false;
	const hasNoValue = isBlank(getMember(value, 'Value'));
	const currency = getMember(value, 'CurrencyTypeId');
	const isPart = isUnset(currency) ? !hasNoValue : hasNoValue && !isBlank(currency);
	if (isPart) incomplete.push(`${path}${name}`);
	return isPart || (hasNoValue && isUnset(currency));
}

/** Answers contain these values even where they mean nothing, so they are not sent back. */
function isOmittable({ type, verb }: Level, name: string, value: unknown): boolean {
	if (/^IsNew$/i.test(name) || isBarePart(type, name, value)) return true;
	if (/^PerformDeletion$/i.test(name) || isRemoval(name)) return value === false;
	if (isHiddenSecret(name, value)) return true;
	if (verb === 'update' && isMissingValue(type, name, value)) return isRequired(type, name);
	// An empty list says nothing of rows, and is wrong where a single value belongs.
	const isList = isCollection(findEntityMemberType(type, name) ?? '[]');
	return isList && Array.isArray(value) && value.length === 0;
}

/** Answers never show the password. */
const isHiddenSecret = (name: string, value: unknown): boolean => isSecret(name) && value === '';

/** A record that was deleted says so. Corrigo deletes and restores records by requests of their own. */
const isRemoval = (name: string): boolean => /^IsRemoved$/i.test(name);

const isRequired = (entity: string, name: string): boolean =>
	getEntity(entity)?.required?.includes(name) === true;

/** Leaves out of an item that is mapped by name what `toWritable` takes for nothing in JSON. */
export function omitEmptyParts(owner: string, verb: Verb, item: JsonObject) {
	const incomplete: string[] = [];
	const level: Level = { type: owner, verb: 'update', path: '', omitted: [], incomplete };
	const members = filterMembers(item, (given, value) => {
		if (!isZero(value) && !isUnset(value) && !isObject(value) && value !== '') return true;
		const name = spellPath(owner, given.trim());
		if (isHiddenSecret(name, value)) return false;
		const isNothing =
			verb !== 'create' && isMissingValue(owner, name, value) && isRequired(owner, name);
		return !isNothing && !isIncomplete(level, name, value);
	});
	return { members, incomplete };
}

/** A part of a record, such as what is known of an asset, says nothing by its Id alone. */
const isBarePart = (owner: string, name: string, value: unknown): boolean =>
	belongsToOne(getInnerType(owner, name)) &&
	isObject(value) &&
	Object.keys(value).length > 0 &&
	Object.keys(value).every(isIdentity);

/** Answers use these for missing values, and for an asset's parent, which only AssetTree has. */
function isMissingValue(owner: string, name: string, value: unknown): boolean {
	const type = findEntityMemberType(owner, name) ?? '';
	if (isEnumerationName(type)) return isUnset(isZero(value) ? enumerations[type][0] : value);
	return isZero(value) && name.endsWith('Id');
}

/** A sheet has numbers as texts. */
const isZero = (value: unknown): boolean =>
	value === 0 || (typeof value === 'string' && value.trim() === '0');

function reduceMember(level: Level, name: string, value: unknown): unknown {
	const owner = level.type;
	const type = getInnerType(owner, name);
	const inside = { ...level, type, path: `${level.path}${name}.` };
	if (isExplanation(owner, name)) return undefined;
	// A single link, or values by the names that the Company defines, are no record.
	const isList = isCollection(getWrittenType(owner, name));
	if (isObject(value) && isList && !belongsToOne(type)) return value;
	if (Array.isArray(value)) return value.map((child: unknown) => reduceRow(inside, child));
	const isPart = isObject(value) && belongsToOne(type);
	// An embedded record without an Id is a new one; an amount has no Id at all.
	const isNew = isPart && type !== 'MoneyValue' && !hasId(value);
	if ((isReadOnlyMember(owner, name) && !isNew) || isRemoval(name)) return undefined;
	if (!isObject(value) || Object.keys(value).length === 0) return value;
	if (!isPart && getEntity(type) !== undefined) return reduceReference(inside, value);
	const members = filterMembers(
		reduceMembers(inside, value),
		(one) => !/^ConcurrencyId$/i.test(one),
	);
	return Object.keys(members).length === 0 ? undefined : members;
}

/** Items of this package say more about a record than Corrigo does. */
const ADDED_MEMBERS = [
	...['AlreadyExisted', 'AlreadySo', 'Before', 'Changed', 'ConfirmationKey', 'DoneAt', 'DoneBy'],
	...['ChangedSince', 'Depth', 'FilesLeftOut', 'Hints', 'NotRestored', 'Now', 'Outcome', 'Url'],
	...['Change', 'ChangeKey', 'ChangedFields', 'Deadline', 'Event', 'Lag'],
	...['Vendor', 'VendorNte', 'WorkOrderNumber'],
];

/** Finds the member that a name or a label explains, such as StatusId for Status. */
export const findExplained = (owner: string, name: string): string | undefined =>
	findEntityMemberType(owner, name) === undefined
		? Object.keys(getMemberTypes(owner)).find(
				(member) =>
					/Id$/.test(member) && getSiblingName(member).toLowerCase() === name.toLowerCase(),
			)
		: undefined;

/** Corrigo does not have the names and labels that simplified records add. */
export const isExplanation = (owner: string, name: string): boolean =>
	findExplained(owner, name) !== undefined ||
	(findEntityMemberType(owner, name) === undefined && ADDED_MEMBERS.includes(name));

/** A row without an Id is new. */
const reduceRow = (level: Level, child: unknown): unknown =>
	isObject(child)
		? reduceMembers({ ...level, verb: hasId(child) ? 'update' : 'create' }, child)
		: child;

/** The other members belong to the other record, so only the Id is sent. Without one, its name counts. */
function reduceReference({ type, verb }: Level, value: JsonObject): JsonObject | undefined {
	if (isBlank(getMember(value, 'Id'))) {
		const isNamed = findRecordName(type, value) !== undefined;
		const isNothing = Object.values(value).every(isBlank);
		return verb === 'create' || isNamed || isNothing ? value : undefined;
	}
	const isActor = getEntity(type)?.key?.includes('TypeId');
	return filterMembers(
		value,
		(name, one) =>
			/^Id$/i.test(name) ||
			(isActor && name === 'TypeId') ||
			(/^PerformDeletion$/i.test(name) && one !== false),
	);
}

const hasId = (value: JsonObject) => Object.keys(value).some((name) => /^Id$/i.test(name));
