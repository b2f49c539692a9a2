import { getCommand } from '../catalogue/commands';
import {
	findEntity,
	getEntity,
	getMemberTypes,
	isCollection,
	isReference,
	toRowType,
} from '../catalogue/entities';
import { findFileLink, findRowKinds, getWrittenType, getSiblingName } from '../catalogue/members';
import { findMemberTarget } from '../catalogue/targets';
import { extendLabel, fail, ValidationError, quote } from './errors';
import { findRecordName, isId, toRecordId } from './references';
import { requireName } from './json';
import { append, type JsonObject, getMember, isObject, mapMembers, replaceMember } from './objects';
import { isBlank, normalize } from './input';
import { refuseDeletion, isDefined } from './rows';

const CARRIED = 'CorrigoEntity';

/** Commands for any entity carry records that name their own. */
function findCarriedEntity(record: JsonObject): string | undefined {
	const named = ['EntityType', '$type'].map((name) => getMember(record, name));
	return named.map((one) => getEntity(String(one))?.name).find((entity) => entity !== undefined);
}

/** A record, or a command among several, that says itself what it is; others are of the given type. */
export function findCarriedOwner(type: string, value: JsonObject): string {
	const carried =
		type === CARRIED
			? findCarriedEntity(value)
			: type === 'CommandRequest'
				? getCommand(String(value.$type ?? ''))?.name
				: undefined;
	return carried ?? type;
}

/**
 * Brings the names of members to the contract's spelling: the service ignores their case. A path means
 * the same as objects: `{ "Address.Street": "x" }` is read as `{ "Address": { "Street": "x" } }`.
 */
export function spellNames(field: string, owner: string, input: JsonObject): JsonObject {
	return mapMembers(joinTwins(field, owner, nestPaths(field, owner, input)), (name, value) => {
		checkName(field, owner, name, value);
		const type = getWrittenType(owner, name);
		const rowType = toRowType(type);
		const isByKind = isCollection(type) && isObject(value) && findRowKinds(rowType) !== undefined;
		const label = extendLabel(field, name);
		if (!isByKind) return spellInner(label, rowType, value);
		// Kinds have their labels, and what the Company defines has names of its own.
		if (isDefined(rowType)) return value;
		return mapMembers(value, (_, row) => spellInner(label, rowType, row));
	});
}

/** Readers of JSON may take another type from such a member. */
const NAMES_TYPE = /^(?:\$type|EntityType)$/i;

/** An object is what its place says it is. What has no known place may say it itself. */
function checkName(field: string, owner: string, name: string, value: unknown): void {
	if (!NAMES_TYPE.test(name)) return requireName(field, name);
	const declared = getSpellings(owner);
	if (declared.size === 0 || declared.has(name.toLowerCase())) return;
	const named = findEntity(String(value))?.name ?? getCommand(String(value))?.name;
	if (isBlank(value) || (named ?? value) === owner) return;
	fail(extendLabel(field, name), value, owner, 'Leave it out: its place says what it is.');
}

/** A path ends in the name of what a Company has defined, which may have any characters, or in its ID. */
const DEFINED_END = /^((?:.*?\.)?(Attributes|CustomFields))\.(.*)$/is;

/** An ID stays a path, because a definition may be named by digits. */
function splitNames(field: string, owner: string, path: string): string[] {
	const [, list = '', last = '', name = ''] = DEFINED_END.exec(path) ?? [];
	const type = list.includes('.') ? undefined : getWrittenType(owner, spellName(owner, list));
	if (name.trim() !== '' && (type === undefined || isDefined(toRowType(type)))) {
		requireName(field, list);
		const member = /^a/i.test(last) ? 'Attributes' : 'CustomFields';
		return [...list.split('.'), /^\d+$/.test(name) ? `${member}.${name}` : name];
	}
	const names = path.split('.');
	if (names.length > 1) requireName(field, path);
	return names;
}

/** A value, and the names that lead to it. */
type Part = readonly [path: readonly string[], value: unknown];

type PartsByName = Map<string, Part[]>;

function nestPaths(field: string, owner: string, input: JsonObject): JsonObject {
	const byName: PartsByName = new Map();
	const whole = new Set<string>();
	for (const [path, value] of Object.entries(input)) {
		const [head, ...rest] = splitNames(field, owner, path);
		const name = spellName(owner, head);
		if (rest.length === 0 && whole.size === whole.add(name).size) {
			throw new ValidationError(
				`'${field}' has ${quote(name)} more than once`,
				'Remove all but one of them.',
			);
		}
		append(byName, name, [rest, value]);
	}
	return joinNames(field, byName);
}

const joinNames = (field: string, byName: PartsByName): JsonObject =>
	Object.fromEntries([...byName].map(([name, parts]) => [name, joinParts(field, name, parts)]));

function joinParts(field: string, name: string, parts: readonly Part[]): unknown {
	const [[path, first]] = parts;
	if (parts.length === 1) {
		return path.reduceRight<unknown>((inner, part) => ({ [part]: inner }), first);
	}
	const byName: PartsByName = new Map();
	for (const [[head, ...rest], value] of parts) {
		if (head !== undefined) append(byName, head, [rest, value]);
		else if (isObject(value)) {
			for (const [inner, one] of Object.entries(value)) append(byName, inner, [[], one]);
		} else {
			throw new ValidationError(
				`'${field}' sets ${quote(name)} twice, or both it and a field of it`,
				'Remove all but one of them.',
			);
		}
	}
	return joinNames(extendLabel(field, name), byName);
}

/** A member with the ID of a record, and the one with the record itself. Most owners have one of both. */
interface Twins {
	id: string;
	record: string;
}

const twinsByOwner = new Map<string, ReadonlyMap<string, Twins>>();

/** Returns the twins of an owner by both of their names, in lower case. */
function getTwins(owner: string): ReadonlyMap<string, Twins> {
	const known = twinsByOwner.get(owner);
	if (known !== undefined) return known;
	const own = new Map<string, Twins>();
	const add = (twins: Twins) => {
		for (const name of Object.values(twins)) own.set(name.toLowerCase(), twins);
	};
	for (const name of getSpellings(owner).values()) {
		const sibling = getSiblingName(name);
		const isLone = sibling !== name && getWrittenType(owner, sibling) === '';
		if (isReference(getWrittenType(owner, name))) add({ id: `${name}Id`, record: name });
		else if (isLone && findMemberTarget(owner, name)) add({ id: name, record: sibling });
	}
	twinsByOwner.set(owner, own);
	return own;
}

/** A record may be given where its owner has its ID alone, and an ID where its owner has the record. */
function joinTwins(field: string, owner: string, input: JsonObject): JsonObject {
	const names = Object.keys(input).map((name) => name.toLowerCase());
	const found = new Set(names.flatMap((name) => getTwins(owner).get(name) ?? []));
	return [...found].reduce((members, twins) => joinTwin(field, owner, members, twins), input);
}

function joinTwin(
	field: string,
	owner: string,
	members: JsonObject,
	{ id: idName, record: recordName }: Twins,
): JsonObject {
	const written = getWrittenType(owner, recordName);
	const type = written || findMemberTarget(owner, idName)?.entity;
	const hasIdAlone = written === '';
	// A record is checked here if its owner has the ID alone, because only the ID is kept.
	const read = hasIdAlone ? spellNames : nestPaths;
	const [given, record] = [idName, recordName].map((name) => {
		const value = members[name];
		return isObject(value) ? read(extendLabel(field, name), type ?? '', value) : value;
	});
	const [one, other] = [given, record].map(toRecordId);
	const [meant, alsoMeant] = [one, other].map((value) =>
		isObject(value) ? findRecordName(type ?? '', value) : value,
	);
	if (areDifferent(meant, alsoMeant)) {
		throw new ValidationError(
			`'${field}' has ${String(meant)} as '${idName}', but ${String(alsoMeant)} as '${recordName}'`,
			'Remove one of them.',
		);
	}
	const isWhole = isObject(record);
	if (hasIdAlone) {
		if (isWhole) refuseDeletion(extendLabel(field, recordName), record);
		const others = replaceMember(members, recordName, undefined);
		if (isBlank(one)) return { ...others, [idName]: other };
		const isSaid = isWhole || isBlank(record) || isId(record);
		return { ...(isSaid ? others : members), [idName]: given };
	}
	if (getWrittenType(owner, idName) !== '') return members;
	const others = replaceMember(members, idName, undefined);
	return isBlank(one) || isId(other)
		? others
		: { ...others, [recordName]: isWhole ? { ...record, Id: one } : { Id: one } };
}

/** A name next to an ID explains it in a record that was read. */
function areDifferent(given: unknown, record: unknown): boolean {
	if (isBlank(given) || isBlank(record)) return false;
	if (isId(given)) return isId(record) && Number(given) !== Number(record);
	return normalize(given) !== normalize(record);
}

export function spellInner(field: string, type: string, value: unknown): unknown {
	if (Array.isArray(value)) return value.map((one) => spellInner(field, type, one));
	if (!isObject(value)) return value;
	return spellNames(field, findCarriedOwner(type, value), value);
}

const spellings = new Map<string, ReadonlyMap<string, string>>();

function getSpellings(owner: string): ReadonlyMap<string, string> {
	const known = spellings.get(owner);
	if (known !== undefined) return known;
	const names = Object.keys({ ...getMemberTypes(owner), ...getCommand(owner)?.fields });
	if (getWrittenType(owner, 'CustomFields') !== '') names.push('CustomFields');
	const own = new Map(names.map((name) => [name.toLowerCase(), name]));
	spellings.set(owner, own);
	return own;
}

/** Any owner may have a link to a file. */
function spellName(owner: string, name: string): string {
	const letters = name.toLowerCase();
	const known = getSpellings(owner).get(letters) ?? findFileLink(name);
	if (known !== undefined) return known;
	const twins = Object.values(getTwins(owner).get(letters) ?? {});
	return twins.find((one) => one.toLowerCase() === letters) ?? name;
}

/** Finds a name that the catalogue lacks, at any depth of members that it has. */
export function findUnknownName(
	owner: string,
	spelled: JsonObject,
	prefix = '',
): { owner: string; name: string; path: string } | undefined {
	const known = getMemberTypes(owner);
	for (const [name, value] of Object.entries(spelled)) {
		const path = prefix + name;
		if (!Object.hasOwn(known, name)) return { owner, name, path };
		const type = toRowType(known[name]);
		const rows =
			Object.keys(getMemberTypes(type)).length > 0 ? [value].flat().filter(isObject) : [];
		for (const row of rows) {
			// A collection may be given by its kinds.
			const isByKind = !Array.isArray(value) && isCollection(known[name]);
			const unknown = isByKind ? undefined : findUnknownName(type, row, `${path}.`);
			if (unknown !== undefined) return unknown;
		}
	}
	return undefined;
}

/**
 * Spells each part of a dotted path as the contract does: `PriorityId` of an order is `Priority.Id`. A part
 * that it lacks stays as it is.
 */
export function spellPath(owner: string, path: string): string {
	// Anybody may give a path of any length, and only at the end of a list is it quick to take a part away.
	const left = path.split('.').reverse();
	const spelled: string[] = [];
	let type = owner;
	while (left.length > 0) {
		const name = takeHead(type, left);
		spelled.push(name);
		type = toRowType(getWrittenType(type, name));
	}
	return spelled.join('.');
}

/** Takes the first part away from a path in reverse, and spells it. */
function takeHead(owner: string, left: string[]): string {
	const name = spellName(owner, left.pop() ?? '');
	const twins =
		getWrittenType(owner, name) === '' ? getTwins(owner).get(name.toLowerCase()) : undefined;
	if (twins?.id === name && left.length === 0) {
		left.push('Id');
		return twins.record;
	}
	const isIdOnly = twins?.record === name && left.length === 1 && /^id$/i.test(left[0]);
	if (!isIdOnly) return name;
	left.pop();
	return twins.id;
}
