import { getCommand } from '../catalogue/commands';
import {
	belongsToOne,
	findEntity,
	getEntity,
	getMemberTypes,
	isCollection,
	isReference,
	toRowType,
} from '../catalogue/entities';
import { isEnumerationName, isUnset, type EnumerationName } from '../catalogue/enumerations';
import {
	findFileLink,
	findDescriptorEntity,
	findMemberType,
	findRowKinds,
	getWrittenType,
	isIdentity,
	findTypeMember,
	getSiblingName,
} from '../catalogue/members';
import {
	findMemberTarget,
	getEntityTarget,
	findLink,
	findActorTarget,
	type Target,
} from '../catalogue/targets';
import { isDay, isTimeZone, timeZones } from '../catalogue/times';
import { extendLabel, fail, ValidationError, quote } from './errors';
import { type IdResolver, isId, isName, toRecordId, isNamed } from './references';
import { parseJson, parseJsonArray, parseJsonObject, parseList, requireName } from './json';
import {
	append,
	type JsonObject,
	unwrapLocator,
	filterMembers,
	createMemberReader,
	getMember,
	isLocator,
	isObject,
	mapMembers,
	readPath,
	replaceMember,
} from './objects';
import {
	findMember,
	isBlank,
	normalize,
	parseBoolean,
	parseInteger,
	parseMember,
	parseNumber,
	parseText,
} from './input';
import { parseDateTime, parseDay, parseTimeOfDay } from './times';
import { createTable } from '../catalogue/table';

/** Reads the single value that a person has written; the other kinds hold more than one. */
type Parse = (field: string, value: unknown, type: string) => unknown;

interface Kind {
	/** Inputs that a person may write, in the words of the guide. */
	takes: string;
	/** Description of the sent value, in the words of the guide. */
	sends: string;
	parse: Parse;
}

const zonesByName = new Map(
	Object.entries(timeZones).map(([index, name]) => [normalize(name), Number(index)]),
);

const parseAnyInteger: Parse = (field, value) =>
	parseInteger(field, value, Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);

/** Members of this enumeration may be combined, so their numbers are sums. */
const SUMS: EnumerationName = 'WoScheduleOptions';

/** Every single value of a member is of one of these kinds, whichever way it comes in. */
export const kinds = {
	text: {
		takes: 'A text, a number, `true` and `false`, or a time, which becomes ISO 8601',
		sends: 'The text; an empty one clears the field',
		parse: parseText,
	},
	wholeNumber: {
		takes: 'A whole number, also as text: `12`, `"12"`, `"12.0"`',
		sends: 'The number',
		parse: parseAnyInteger,
	},
	number: {
		takes: 'A number, also as text: `12.5`, `"12.50"`',
		sends: 'The number',
		parse: parseNumber,
	},
	switch: {
		takes: '`true` or `false`, also as text, in any case',
		sends: '`true` or `false`',
		parse: parseBoolean,
	},
	choice: {
		takes:
			'The name, the label or the number of a choice, in any case: `InProgress`, `in progress`, `6`',
		sends: 'The name',
		parse: (field, value, type) =>
			type === SUMS && Number.isInteger(value)
				? value
				: parseMember(field, value, type as EnumerationName),
	},
	time: {
		takes: 'A time in ISO 8601, with or without a time zone, or a date, which means midnight',
		sends: 'The time on the clock of the work zone',
		parse: parseDateTime,
	},
	day: {
		takes:
			'A date in ISO 8601, or a time, which means the day that it shows, whatever its time zone',
		sends: 'Midnight of the day',
		parse: parseDay,
	},
	timeOfDay: {
		takes:
			'A time such as `7:30`, `07:30:00` or `7:30 PM`, or a date with a time, which means the time that it shows',
		sends: 'The time: `07:30`, `19:30`',
		parse: parseTimeOfDay,
	},
	timeZone: {
		takes: 'A time zone such as `America/New_York`, or its number in Corrigo',
		sends: 'The number',
		parse: (field, value) => parseAnyInteger(field, toZoneIndex(field, value), ''),
	},
	entity: {
		takes: 'The name or label of an entity, in any case: `WoNote`, `work order note`',
		sends: 'The name',
		parse: (field, value) => findEntity(String(value))?.name ?? parseText(field, value),
	},
} as const satisfies Record<string, Kind>;

/** Members that refer to records, or hold several values, take these. */
export const otherKinds = {
	record: {
		takes: 'The ID, number or name of a record, or a record that has its `Id` or name',
		sends: 'The ID',
	},
	listOfRecords: {
		takes: 'IDs or names, as an array or separated by commas',
		sends: 'The IDs',
	},
	rowsOfKinds: {
		takes: 'An array of rows, or values by kind: `{ "PrimEmail": "a@example.org" }`',
		sends: 'The rows; an update replaces the rows of the same kind',
	},
} as const satisfies Record<string, Omit<Kind, 'parse'>>;

export type KindName = keyof typeof kinds;

export const kindsByType = createTable<KindName | undefined>({
	boolean: 'switch',
	datetime: 'time',
	integer: 'wholeNumber',
	number: 'number',
	string: 'text',
});

/** Returns undefined for references, objects and members that the catalogue lacks. */
export function findKind(owner: string, path: string, type: string): KindName | undefined {
	if (isEnumerationName(type)) return 'choice';
	if (isTimeZone(path, type)) return 'timeZone';
	if (type === 'string' && /(^|\.)EntityType$/.test(path)) return 'entity';
	if (type === 'datetime' && isDay(owner, path)) return 'day';
	return kindsByType[type];
}

export function parseKind(kind: KindName, field: string, value: unknown, type = ''): unknown {
	const { parse }: Kind = kinds[kind];
	return parse(field, value, type);
}

/** Accepts the number of a zone or its IANA name. */
function toZoneIndex(field: string, value: unknown): unknown {
	if (!isName(value) && !isBlank(value)) return value;
	return (
		zonesByName.get(normalize(value)) ?? fail(field, value, 'a time zone such as America/New_York')
	);
}

/**
 * Reads a single value: a name becomes an ID where the member refers to a record. Values whose kind
 * is not known stay as they are.
 */
export function parseSingle(
	member: MemberContext,
	type: string,
	value: unknown,
	resolveId: IdResolver,
): unknown {
	const { owner, path, fieldLabel } = member;
	const kind = findKind(owner, path, type);
	const input = unwrapLocator(value);
	// A record that was read has 0 where it refers to no other.
	const isNone = typeof input !== 'object' && Number(input) <= 0;
	if ((kind === 'text' || kind === 'wholeNumber') && !isNone) {
		const target = member.target ?? resolveTarget(member, input);
		if (target !== undefined) {
			const id = resolveId(fieldLabel, value, target);
			// The service expects some Ids as text.
			return kind === 'text' ? String(id) : id;
		}
	}
	return kind === undefined ? value : parseKind(kind, fieldLabel, input, type);
}

/** A collection of a record, in what a person has written. */
export interface RowsPlace {
	owner: string;
	list: string;
	type: string;
	label: string;
}

/** A record, in what a person has written. */
export interface RecordPlace {
	owner: string;
	label: string;
	/** ID of the record, as it was given with its members. */
	id: unknown;
	/** The command creates the record, whatever its ID is. */
	isNew: boolean;
	/** A part of a record that the command creates, but does not carry, such as a unit. */
	isLone?: boolean;
}

/** What reading a value needs from outside: the records and the definitions of the Company. */
export interface ValueReader {
	resolveId: IdResolver;
	/** Judges rows by what the Company and the record have; custom fields may also be given by name. */
	readRows: (place: RowsPlace, given: JsonObject | unknown[]) => unknown[];
	/** Completes the members of a record, and judges its parts, by what Corrigo has. */
	settle?: (place: RecordPlace, members: JsonObject) => JsonObject;
}

/** Reads what a person has written for the members of one entity, command or object. */
export interface MemberReader extends ValueReader {
	/** Names a member in messages by its path from the outermost record. */
	getLabel: (path: string) => string;
	/** Path of the object that is being read, with a dot at its end. */
	prefix?: string;
	/** Set inside a command that creates what it carries. */
	isNew?: boolean;
	/** ID of the record, if its members do not include it. */
	id?: unknown;
	/** A part is judged with its record. */
	isPart?: boolean;
	/** A part of a record that is not given. */
	isLone?: boolean;
}

/**
 * Converts what a person has written to what is sent, in the contract's spelling. `null` changes
 * nothing, in any member and at any depth; an empty text clears a text, and changes nothing else.
 */
export function readMembers(owner: string, input: JsonObject, reader: MemberReader): JsonObject {
	const { prefix = '', getLabel } = reader;
	const isNew = getCommand(owner)?.creates ?? reader.isNew;
	const isEntity = getEntity(owner) !== undefined;
	const { Id: id = reader.id } = input;
	const members: JsonObject = {};
	const readInput = createMemberReader(input);
	const getSibling = (sibling: string) => (sibling === 'Id' ? id : readInput(sibling));
	for (const [name, value] of Object.entries(input)) {
		const place = { owner, path: name, fieldLabel: getLabel(prefix + name) };
		const inner = {
			...reader,
			isNew,
			id: undefined,
			isPart: isEntity,
			isLone: false,
			prefix: `${prefix}${name}.`,
		};
		const read = readMember({ ...place, getSibling }, value, inner);
		if (read !== undefined) members[name] = read;
	}
	requireWholeAmount(owner, members, reader);
	if (!isEntity || reader.isPart || reader.settle === undefined) return members;
	const place = { owner, label: getLabel(prefix.slice(0, -1)), id };
	const { isLone } = reader;
	if (!isLone) requireDeletable(place.label, { ...members, Id: id });
	return reader.settle({ ...place, isNew: isNew === true || isBlank(id), isLone }, members);
}

/** Returns undefined for a value that changes nothing. */
function readMember(member: MemberContext, value: unknown, reader: MemberReader): unknown {
	const { owner, path } = member;
	const type = getWrittenType(owner, path);
	if (isNothing(owner, path, type, value)) return undefined;
	// The definition judges the text of a custom field or an attribute.
	const isDefined = path === 'Value' && findDescriptorEntity(owner) !== undefined;
	if (isDefined && reader.isPart && typeof value === 'string') return value;
	if (isCollection(type)) return readList(member, toRowType(type), value, reader);
	if (type === '' || findKind(owner, path, type) !== undefined) {
		return parseSingle(member, type, value, reader.resolveId);
	}
	return isReference(type)
		? readReference(member, type, value, reader)
		: readObject(member, type, value, reader);
}

function isNothing(owner: string, path: string, type: string, value: unknown): boolean {
	// A command arrives with whatever the catalogue does not know about it.
	if (type === '' && getCommand(owner) !== undefined) return value === undefined;
	if (isNull(value)) return true;
	if (isObject(value)) return holdsOnly(value, isReference(type) ? isBlank : isNull);
	const kind = findKind(owner, path, type);
	// A text that refers to a record has no empty form.
	const isText = type === '' || (kind === 'text' && findMemberTarget(owner, path) === undefined);
	return !isText && isBlank(value);
}

const isNull = (value: unknown) => value === undefined || value === null;

/** An object without members is none that is empty. */
function holdsOnly(value: JsonObject, isNone: (one: unknown) => boolean): boolean {
	const inner = Object.values(value);
	const isEmpty = (one: unknown) => (isObject(one) ? holdsOnly(one, isNone) : isNone(one));
	return inner.length > 0 && inner.every(isEmpty);
}

const parseObject = (field: string, type: string, value: unknown): JsonObject =>
	isObject(value) ? value : spellNames(field, type, parseJsonObject(field, value));

function readObject(
	{ fieldLabel }: MemberContext,
	type: string,
	input: unknown,
	reader: MemberReader,
): unknown {
	const value = parseObject(fieldLabel, type, input);
	refuseDeletion(fieldLabel, value);
	const isLone = belongsToOne(type);
	const members = readMembers(findCarriedOwner(type, value), value, { ...reader, isLone });
	// A part without members says nothing. Other objects of a command may be empty.
	const isEmptied = isLone || Object.keys(value).length > 0;
	return isEmptied && Object.keys(members).length === 0 ? undefined : members;
}

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

/** A custom field or an attribute may be an amount as well. */
const isAmount = (owner: string): boolean =>
	owner === 'MoneyValue' || findDescriptorEntity(owner) !== undefined;

/**
 * The service needs an amount together with its currency, and takes a currency alone for an empty
 * amount, or for the same amount in another currency.
 */
function requireWholeAmount(owner: string, members: JsonObject, reader: MemberReader): void {
	if (!isAmount(owner)) return;
	// This is Corrigo's word for none. A row that was read has it if its value is no amount.
	if (owner === 'MoneyValue' && isUnset(members.CurrencyTypeId)) delete members.CurrencyTypeId;
	const { CurrencyTypeId: currency } = members;
	const hasValue = 'Value' in members;
	const hasCurrency = currency !== undefined && !isUnset(currency);
	const { prefix = '', getLabel } = reader;
	const getPart = (name: string) => `'${getLabel(prefix + name)}'`;
	if (hasValue && !hasCurrency && owner === 'MoneyValue') {
		throw new ValidationError(
			`${getPart('Value')} has no currency`,
			`An amount is written together with its currency: set ${getPart('CurrencyTypeId')} as well.`,
		);
	}
	if (hasCurrency && !hasValue && !isDeletion(members)) {
		throw new ValidationError(
			`${getPart('CurrencyTypeId')} has no amount`,
			`A currency is written together with its amount: set ${getPart('Value')} as well, or leave both out.`,
		);
	}
}

function readReference(
	member: MemberContext,
	entity: string,
	input: unknown,
	reader: MemberReader,
): unknown {
	const { prefix = '', getLabel, resolveId } = reader;
	const isJson = typeof input === 'string' && /^\s*\{/.test(input);
	const value = isJson ? parseObject(member.fieldLabel, entity, input) : input;
	const resolve = () => resolveId(getLabel(`${prefix}Id`), value, getEntityTarget(entity));
	if (!isObject(value) || isLocator(value)) return { Id: resolve() };
	refuseDeletion(member.fieldLabel, value);
	const outer = { ...reader, isPart: false };
	const isNewRecord = getCommand(member.owner)?.creates === true;
	if (!isNewRecord && !isBlank(getMember(value, 'Id'))) {
		const id = resolve();
		const known = { ...outer, id, isNew: false };
		return { ...readMembers(entity, { ...value, Id: undefined }, known), Id: id };
	}
	// A command may contain a whole new record.
	return getEntity(member.owner) === undefined
		? readObject(member, entity, value, outer)
		: { Id: resolve() };
}

function readList(
	member: MemberContext,
	type: string,
	value: unknown,
	reader: MemberReader,
): unknown {
	const { owner, path, fieldLabel } = member;
	const { resolveId } = reader;
	if (findKind(owner, path, type) !== undefined) {
		return parseList(fieldLabel, value).map((one) => parseSingle(member, type, one, resolveId));
	}
	const link = findLink(owner, type);
	const isText = typeof value === 'string';
	const json = isText && link === undefined ? parseJson(fieldLabel, value) : value;
	const place = { owner, list: path, type, label: fieldLabel };
	const judge = (given: JsonObject | unknown[]) => reader.readRows(place, given);
	if (isObject(json) && isDefined(type)) return omitNoRows(judge(json));
	if (isObject(json) && hasNamedKinds(type)) {
		return omitNoRows(judge(readKinds(type, json, reader)));
	}
	const parseRows = link === undefined ? parseJsonArray : parseList;
	const rows = parseRows(fieldLabel, json).map((row) =>
		isText ? spellInner(fieldLabel, type, row) : row,
	);
	const isOnly = rows.length === 1;
	const target = link?.target ?? (getEntity(type) && getEntityTarget(type));
	const named = new Set<unknown>();
	const read = rows.flatMap((row, index) => {
		const prefix = `${reader.prefix ?? ''}${isOnly ? '' : `${index + 1}.`}`;
		const rowLabel = isOnly ? fieldLabel : extendLabel(fieldLabel, index + 1);
		if (link !== undefined && isObject(row)) requireLinked(rowLabel, type, link.member, row);
		if (isObject(row) && !(link !== undefined && isRecord(type, link.member, row))) {
			const own = readMembers(findCarriedOwner(type, row), row, { ...reader, prefix });
			const kind = readPath(own, findRowKinds(type)?.by ?? '');
			requireDeletable(rowLabel, own, [kind, own[link?.member ?? '']]);
			return requireKinds(rowLabel, type, completeKind(type, own));
		}
		if (target === undefined) return [row];
		const one = resolveId(fieldLabel, row, target);
		if (link !== undefined) {
			return [{ [link.member]: one, ...(isDeletion(row) ? { PerformDeletion: true } : {}) }];
		}
		return named.size === named.add(one).size ? [] : [{ Id: one }];
	});
	const judged = judge(
		link === undefined ? read : omitLinksGivenTwice(link.member, read, fieldLabel),
	);
	refuseRepeated(type, judged, fieldLabel);
	return judged.length === 0 && rows.length > 0 ? undefined : judged;
}

const omitNoRows = (rows: unknown[]) => (rows.length > 0 ? rows : undefined);

/** A record that is named twice is linked once; links with Ids are in Corrigo already. */
function omitLinksGivenTwice(linked: string, rows: unknown[], fieldLabel: string): unknown[] {
	const links = rows.filter(isObject).filter((row) => !isDeletion(row));
	const stored = links.filter((row) => !isBlank(row.Id)).map((row) => String(row[linked]));
	const known = new Set<string>();
	for (const one of stored) {
		if (one !== 'undefined' && known.has(one)) throw createTwiceError(fieldLabel, one);
		known.add(one);
	}
	return rows.filter(
		(row) =>
			!isObject(row) ||
			isDeletion(row) ||
			!isBlank(row.Id) ||
			known.size < known.add(String(row[linked])).size,
	);
}

/** A link names the other record; a row that has nothing of a link is that record itself. */
const isRecord = (type: string, linked: string, row: JsonObject): boolean =>
	getMember(row, linked) === undefined &&
	!isBlank(toRecordId(row)) &&
	(!isDeletion(row) || findUnknownName(type, row) !== undefined);

/** A row that names its owner is a link, and its Id is not that of the other record. */
function requireLinked(field: string, type: string, linked: string, row: JsonObject): void {
	const owner = Object.keys(getEntity(type)?.fields ?? {}).find(
		(name) => name !== linked && !isBlank(getMember(row, name)),
	);
	if (owner === undefined || isDeletion(row) || !isBlank(getMember(row, linked))) return;
	throw new ValidationError(
		`'${field}' has a row with '${owner}', but without '${linked}'`,
		`Give the ID as '${linked}', or leave the row out.`,
	);
}

/**
 * A row is given once, and a new one has a kind of its own. Rows with Ids are in Corrigo already, perhaps
 * several of a kind.
 */
export function refuseRepeated(type: string, rows: readonly unknown[], fieldLabel: string): void {
	const known = new Map<string, boolean>();
	const ids = new Set<string>();
	for (const row of rows.filter(isObject)) {
		const id = getMember(row, 'Id');
		const hasId = !isBlank(id);
		if (hasId && ids.size === ids.add(String(id)).size) {
			throw createTwiceError(fieldLabel, `the row with the Id ${String(id)}`);
		}
		const kind = getKind(type, row);
		if (kind === undefined || (isDeletion(row) && hasId)) continue;
		const isStored = known.get(kind);
		if (isStored === false || (isStored === true && !hasId)) {
			throw createTwiceError(fieldLabel, kind);
		}
		known.set(kind, hasId);
	}
}

const createTwiceError = (label: string, kind: unknown): ValidationError =>
	new ValidationError(
		`'${label}' is ${quote(kind)}, which is given more than once`,
		'Remove all but one of them.',
	);

/** A row of a kind without a value changes nothing, as where the collection is given by its kinds. */
function completeKind(type: string, row: JsonObject): JsonObject[] {
	if (findRowKinds(type) === undefined) return [row];
	const whole = omitEmptyValue(type, row);
	if (isNothingButKind(type, whole)) return [];
	return [isBlank(getMember(row, 'Id')) ? addFallback(type, whole) : whole];
}

/** Names the kind of a new row that names none, if its collection has a kind for such rows. */
export function addFallback(type: string, row: JsonObject): JsonObject {
	const { by = '', fallback } = findRowKinds(type) ?? {};
	return fallback !== undefined && isBlank(getMember(row, by)) ? { ...row, [by]: fallback } : row;
}

/** A row that Corrigo does not have, and that would be added without content. */
export const addsNothing = (type: string, row: JsonObject): boolean =>
	isDeletion(row) ||
	(getKind(type, row) !== undefined &&
		(isNothingButKind(type, row) || (isBlank(row.Id) && lacksAddress(type, row))));

/** The other members of a row belong to its email address or phone number. */
function lacksAddress(type: string, row: JsonObject): boolean {
	const { value = '', fallback } = findRowKinds(type) ?? {};
	return hasNamedKinds(type) && fallback === undefined && isBlank(getMember(row, value));
}

/** Ids say which row is meant. A custom field or an attribute has nothing without a value. */
function isNothingButKind(type: string, row: JsonObject): boolean {
	if (isDefined(type)) {
		const isKnown = (name: string) => name !== 'Value' && getWrittenType(type, name) !== '';
		return !isDeletion(row) && Object.keys(row).every((name) => isIdentity(name) || isKnown(name));
	}
	const { by } = findRowKinds(type) ?? {};
	// A row that is known by its Id may get another kind.
	const hasId = !isBlank(getMember(row, 'Id'));
	const isContent = (name: string) => (name === by ? hasId : !/Id$/i.test(name));
	return Object.entries(row).every(([name, one]) => !isContent(name) || isBlank(one));
}

/**
 * A custom field, or an attribute, without a value has no row. An email address or a phone number is not
 * emptied.
 */
function omitEmptyValue(type: string, row: JsonObject): JsonObject {
	const { value = '' } = findRowKinds(type) ?? {};
	if (isDefined(type) ? row[value] !== '' : !lacksAddress(type, row)) return row;
	const others = filterMembers(row, (name) => name !== value);
	return isDefined(type) ? { ...others, PerformDeletion: true } : others;
}

/** A sheet has `true` as a text. */
export const isDeletion = (row: unknown) =>
	normalize(getMember(row, 'PerformDeletion') ?? '') === 'true';

/** Refuses a deletion that does not say what to delete; an Id of zero is that of no record. */
export function requireDeletable(label: string, row: JsonObject, others: unknown[] = []): void {
	const isKnown = [Number(row.Id) === 0 ? undefined : row.Id, ...others].some(
		(one) => !isBlank(one),
	);
	if (!isDeletion(row) || isKnown) return;
	throw new ValidationError(
		`'${label}' has PerformDeletion, but no Id`,
		'Give the Id of the row or record to delete.',
	);
}

/** Refuses a write that would delete a record, which is a mistake. Rows are deleted with what they belong to. */
export function refuseDeletion(label: string, record: JsonObject): void {
	if (!isDeletion(record)) return;
	throw new ValidationError(
		`'${label}' has PerformDeletion, which would delete the record itself`,
		"Leave it out. To delete a record, use 'Delete'.",
	);
}

/**
 * A row has a kind if its collection has one row of each kind. Corrigo always returns the kind of an
 * address, so a row without it that has an Id is one that a person gives by its Id alone.
 */
export function getKind(type: string, row: JsonObject): string | undefined {
	const given = readPath(row, findRowKinds(type)?.by ?? '');
	const isKnownById = given === undefined && !isBlank(getMember(row, 'Id'));
	return isKnownById ? undefined : findRowKind(type, given);
}

/** The newest of several rows of one definition has its value. */
export const sortNewestFirst = (type: string, rows: JsonObject[]): JsonObject[] =>
	isDefined(type) ? [...rows].sort((a, b) => Number(b.Id) - Number(a.Id)) : rows;

/** Finds the kind that a person means by its name, its label or its number. */
export function findRowKind(type: string, given: unknown): string | undefined {
	const { by, fallback } = findRowKinds(type) ?? {};
	if (by === undefined) return undefined;
	const enumeration = findMemberType(type, by) ?? '';
	const kind = (isEnumerationName(enumeration) && findMember(given, enumeration)) || given;
	const isKnown = kind !== undefined && kind !== null && !(fallback && isUnset(kind));
	return isKnown ? String(kind) : fallback;
}

/** The kinds of custom fields and attributes are the IDs of their descriptors. */
const hasNamedKinds = (type: string): boolean =>
	findRowKinds(type) !== undefined && !isDefined(type);

/** The Company defines custom fields and attributes. */
const isDefined = (type: string): boolean => findDescriptorEntity(type) !== undefined;

/** A collection with one row of each kind may be given by its kinds. Rows without values change nothing. */
function readKinds(type: string, value: JsonObject, reader: MemberReader): JsonObject[] {
	const { by, value: main } = findRowKinds(type) ?? { by: '', value: '' };
	const known = new Set<unknown>();
	return Object.entries(value).flatMap(([kind, content]) => {
		const place = `${reader.prefix ?? ''}${kind}`;
		const spelled = findRowKind(type, kind);
		if (known.size === known.add(spelled).size) {
			throw createTwiceError(reader.getLabel(place), spelled);
		}
		const row = isObject(content)
			? readMembers(type, nameKind(reader.getLabel(place), type, kind, content), {
					...reader,
					prefix: `${place}.`,
				})
			: readMembers(
					type,
					{ [by]: kind, [main]: content },
					{ ...reader, getLabel: () => reader.getLabel(place) },
				);
		return requireKinds(reader.getLabel(place), type, completeKind(type, row));
	});
}

/** A row that is given by its kind may name the kind itself, too, but no other one. */
function nameKind(label: string, type: string, kind: string, row: JsonObject): JsonObject {
	const { by = '' } = findRowKinds(type) ?? {};
	const own = getMember(row, by);
	const isOpen = isBlank(own) || isUnset(own);
	if (!isOpen && findRowKind(type, own) !== findRowKind(type, kind)) {
		throw new ValidationError(
			`'${label}' has a row whose '${by}' is ${quote(own)}`,
			`Leave '${by}' out, or give the row under this name.`,
		);
	}
	return { [by]: kind, ...replaceMember(row, by, undefined) };
}

/** No form shows an email address or a phone number of no kind. Rows with Ids are in Corrigo already. */
function requireKinds(label: string, type: string, rows: JsonObject[]): JsonObject[] {
	const { by = '' } = findRowKinds(type) ?? {};
	const isOpen = ({ [by]: kind, Id }: JsonObject) =>
		(isBlank(kind) || isUnset(kind)) && (isBlank(Id) || Number(Id) === 0);
	if (!hasNamedKinds(type) || !rows.some(isOpen)) return rows;
	throw new ValidationError(
		`'${label}' has a row that does not say of which kind it is`,
		`Give its '${by}'.`,
	);
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
		if (!isByKind) return spellInner(field, rowType, value);
		// Kinds have their labels, and what the Company defines has names of its own.
		if (isDefined(rowType)) return value;
		return mapMembers(value, (_, row) => spellInner(field, rowType, row));
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
	const type = getWrittenType(owner, recordName) || findMemberTarget(owner, idName)?.entity;
	const [given, record] = [idName, recordName].map((name) => {
		const value = members[name];
		return isObject(value) ? nestPaths(extendLabel(field, name), type ?? '', value) : value;
	});
	const [one, other] = [given, record].map(toRecordId);
	if (isId(one) && isId(other) && Number(one) !== Number(other)) {
		throw new ValidationError(
			`'${field}' has ${String(one)} as '${idName}', but ${String(other)} as '${recordName}'`,
			'Remove one of them.',
		);
	}
	const isWhole = isObject(record);
	if (getWrittenType(owner, recordName) === '') {
		if (isWhole) refuseDeletion(extendLabel(field, recordName), record);
		const others = replaceMember(members, recordName, undefined);
		if (isBlank(one)) return { ...others, [idName]: other };
		// A name next to an ID explains it in a record that was read.
		const isSaid = isWhole || isBlank(record) || isId(record);
		return { ...(isSaid ? others : members), [idName]: given };
	}
	if (getWrittenType(owner, idName) !== '') return members;
	const others = replaceMember(members, idName, undefined);
	return isBlank(one) || isId(other)
		? others
		: { ...others, [recordName]: isWhole ? { ...record, Id: one } : { Id: one } };
}

function spellInner(field: string, type: string, value: unknown): unknown {
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

/** A member of an entity or command, with access to the input next to it. */
export interface MemberContext {
	owner: string;
	path: string;
	fieldLabel: string;
	/** Records that the value can name, if not those of the catalogue. */
	target?: Target;
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
	const target = !isBlank(type)
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
