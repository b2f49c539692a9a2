import { getCommand } from '../catalogue/commands';
import {
	belongsToOne,
	getEntity,
	isCollection,
	isReference,
	toRowType,
} from '../catalogue/entities';
import { isUnset } from '../catalogue/enumerations';
import { findDescriptorEntity, findRowKinds, getWrittenType } from '../catalogue/members';
import { findMemberTarget, getEntityTarget, findLink, isLink } from '../catalogue/targets';
import { extendLabel, fail, ValidationError } from './errors';
import { type IdResolver, toRecordId } from './references';
import { parseJson, parseJsonArray, parseJsonObject, parseList } from './json';
import {
	type JsonObject,
	createMemberReader,
	getMember,
	isLocator,
	isObject,
	readPath,
} from './objects';
import { isBlank } from './input';
import { findKind, parseSingle, type MemberContext } from './kinds';
import {
	omitLinksGivenTwice,
	refuseRepeated,
	createTwiceError,
	completeKind,
	isDeletion,
	requireDeletable,
	refuseDeletion,
	findRowKind,
	hasNamedKinds,
	isDefined,
	nameKind,
	requireKinds,
} from './rows';
import { findCarriedOwner, spellNames, spellInner, findUnknownName } from './memberNames';

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
		// An Id would be that of the link, which belongs to another record.
		if (link === undefined && isLink(type)) fail(rowLabel, row, `a row with members of ${type}`);
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
