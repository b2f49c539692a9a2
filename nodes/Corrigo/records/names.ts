import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { createRowNamer, nameAttributes, type RowNamer } from '../compare/customFields';
import {
	getEntity,
	findEntityMemberType,
	toRowType,
	carriesAttributes,
} from '../catalogue/entities';
import { isEnumerationName } from '../catalogue/enumerations';
import { getEndMembers, findMemberTarget, getNameProperties } from '../catalogue/targets';
import { buildOrderUrl } from '../catalogue/pages';
import { getSummary } from '../catalogue/summaries';
import { isTimeZone, timeZones } from '../catalogue/times';
import { getEntityView } from '../catalogue/views';
import {
	type JsonObject,
	append,
	filterMembers,
	getMember,
	isObject,
	mapMembers,
	readPath,
	toRows,
} from '../values/objects';
import { isBlank } from '../values/input';
import { isDeletion } from '../values/rows';
import { NOT_CREATED } from '../wire/requests';
import { getRecordKey, type Specifier } from '../wire/answers';
import { getMemberLabel } from '../catalogue/enumerations/labels';
import {
	findMemberType,
	findActorEntity,
	findTypeMember,
	getSiblingName,
	isIdentity,
	isSecret,
} from '../catalogue/members';
import { loadAttributeDescriptors, loadRecordsById, type Requester } from './query';
import { readWebAddress } from '../session/credential';
import type { Caller } from '../transport/send';

export interface Reference {
	entity: string;
	id: unknown;
}

/** Returns the name of a record, if it is known. */
export type NameReader = (entity: string, id: unknown) => string | undefined;

/** Remembers the names of records that a run reads anyway, so names need no requests. */
export class KnownNames {
	private readonly names = new Map<string, string>();
	/** Records without a name, or that may not be read, are not looked up again. */
	private readonly lookedUp = new Set<string>();

	readonly getName: NameReader = (entity, id) => this.names.get(getRecordKey(entity, id));

	note(entity: string, id: unknown, name: unknown): void {
		if (isBlank(id) || isBlank(name) || Number(id) === NOT_CREATED) return;
		this.names.set(getRecordKey(entity, id), String(name));
	}

	isLookedUp(entity: string, id: unknown): boolean {
		const key = getRecordKey(entity, id);
		return this.names.has(key) || this.lookedUp.has(key);
	}

	noteLookedUp(entity: string, ids: readonly number[]): void {
		for (const id of ids) this.lookedUp.add(getRecordKey(entity, id));
	}

	/** The record must have been read with the paths of `getNamePaths`. */
	noteRecord(entity: string, record: JsonObject, properties: readonly string[] = []): void {
		const [own] = getNameProperties(entity);
		if (own !== undefined) this.note(entity, record.Id, readPath(record, own));
		for (const { path, name, entity: other } of getNamedReferences(entity, properties)) {
			this.note(other, readPath(record, path), readPath(record, name));
		}
		for (const row of toRows(record.CustomFields)) {
			const id = readPath(row, 'Descriptor.Id');
			// A name that was given tells this definition from others of the same name.
			if (this.getName('CustomFieldDescriptor', id) !== undefined) continue;
			this.note('CustomFieldDescriptor', id, readPath(row, 'Descriptor.Name'));
		}
	}

	/** A record that is selected from a list shows its name there. */
	noteChoice(entity: string, id: unknown, shown: string): void {
		if (getNameProperties(entity).length > 0) this.note(entity, id, parseListName(entity, shown));
	}
}

/** Includes the name of the record itself and of each record that a property refers to. */
export const getNamePaths = (entity: string, properties: readonly string[]): string[] => [
	...getNameProperties(entity).slice(0, 1),
	...getNamedReferences(entity, properties).map(({ name }) => name),
	...(properties.includes('CustomFields.*')
		? ['CustomFields.Descriptor.Id', 'CustomFields.Descriptor.Name']
		: []),
];

const getNamedReferences = (entity: string, properties: readonly string[]) =>
	properties.flatMap((path) => {
		const target = /\.Id$/i.test(path) ? findMemberTarget(entity, path) : undefined;
		const [by = '.'] = target === undefined ? [] : getNameProperties(target.entity);
		return target === undefined || by.includes('.')
			? []
			: [{ path, name: path.replace(/Id$/i, by), entity: target.entity }];
	});

/**
 * Lists show details in brackets after a name. The name itself may end with brackets, so it is
 * known only if either every record has details or none has.
 */
function parseListName(entity: string, shown: string): string | undefined {
	const { details = [], owner } = getEntityView(entity);
	const isAlone = details.length + getEndMembers(entity).length === 0 && owner === undefined;
	if (!shown.endsWith(')') || isAlone) return parseWholeName(shown);
	return details.some((path) => isAlwaysPresent(entity, path))
		? parseWholeName(shown.slice(0, findOpeningBracket(shown)).trimEnd())
		: undefined;
}

const isAlwaysPresent = (entity: string, path: string) =>
	isEnumerationName(findEntityMemberType(entity, path) ?? '') ||
	getEntity(entity)?.required?.includes(path.split('.')[0]) === true;

/** A list shortens long names and shows the ID of a record without one; neither is a name. */
const parseWholeName = (name: string) => (/…$|^ID \d+$/.test(name) ? undefined : name);

/** Finds the start of the brackets that end the text. */
function findOpeningBracket(text: string): number {
	let open = 0;
	for (let index = text.length - 1; index >= 0; index -= 1) {
		if (text[index] === ')') open += 1;
		if (text[index] === '(') open -= 1;
		if (open === 0) return index;
	}
	return 0;
}

/** Names the records that the members at the ends refer to. */
export async function loadReferenceNames(
	requester: Requester,
	entity: string,
	rows: readonly JsonObject[],
	ends: readonly string[],
	names = new KnownNames(),
): Promise<NameReader> {
	const references = rows.flatMap((row) =>
		ends.map((end) => ({ entity: getReferencedEntity(entity, end, row) ?? '', id: row[end] })),
	);
	return await loadNames(requester, references, names);
}

/**
 * Each entity takes one query for the names that are not known yet. Its records stay without names
 * if the service user may not read them.
 */
export async function loadNames(
	requester: Requester,
	references: readonly Reference[],
	names: KnownNames,
): Promise<NameReader> {
	const idsByEntity = new Map<string, number[]>();
	for (const { entity, id } of references) {
		const isId = Number.isSafeInteger(Number(id)) && Number(id) > 0;
		if (!isId || names.isLookedUp(entity, Number(id))) continue;
		append(idsByEntity, entity, Number(id));
	}
	await Promise.all(
		[...idsByEntity].map(async ([entity, ids]) => {
			const [by] = getNameProperties(entity);
			if (by === undefined) return;
			const look = { properties: [by], isOptional: true };
			const found = await loadRecordsById(requester, entity, ids, look);
			names.noteLookedUp(entity, ids);
			for (const [id, record] of found) names.note(entity, id, readPath(record, by));
		}),
	);
	return names.getName;
}

/** Undefined if records have no name, or take it from another record. */
export function getNameProperty(entity: string): string | undefined {
	const [name] = getNameProperties(entity);
	return name?.includes('.') ? undefined : name;
}

/**
 * Adds the known names to the IDs of a record. A reference gets its name as a member, `CustomerId`
 * gets the customer next to it, and `Status` with its label takes the place of `StatusId`.
 */
export function addNames(
	entity: string,
	record: JsonObject,
	getName: NameReader,
	/** Other members are left out, unless they explain a shown one. */
	isShown: (member: string) => boolean = () => true,
): JsonObject {
	const members = filterMembers(
		record,
		(member) => isShown(member) || isShown(getSiblingName(member)),
	);
	const named = mapMembers(members, (member, value) =>
		typeof value === 'object' && value !== null
			? addNamesToValue(findMemberType(entity, member) ?? '', value, getName)
			: value,
	);
	return addSiblings(entity, named, getName, { record });
}

/** Answers have many members that a simplified record does not show, so these get no names. */
export function simplifyAnswer(
	entity: string,
	record: JsonObject,
	getName: NameReader,
	asked: readonly string[],
	summary = listSummaryMembers(entity),
): JsonObject {
	const isShown = (member: string) => summary?.has(member) !== false || asked.includes(member);
	return arrangeMembers(summary, addNames(entity, record, getName, isShown), isShown);
}

/** Loads the names of the records that these members refer to. */
export async function loadMemberNames(
	requester: Requester,
	entity: string,
	records: JsonObject[],
	members: readonly string[],
	names = new KnownNames(),
): Promise<NameReader> {
	if (members.length === 0) return names.getName;
	// The record that another one refers to may be among them.
	const [own] = getNameProperties(entity);
	for (const record of records) names.note(entity, record.Id, own && readPath(record, own));
	return await loadReferenceNames(requester, entity, records, members, names);
}

/** Names the records that these members refer to, next to their IDs. */
export async function addMemberNames(
	requester: Requester,
	entity: string,
	records: JsonObject[],
	members: readonly string[],
): Promise<JsonObject[]> {
	const getName = await loadMemberNames(requester, entity, records, members);
	return records.map((record) => nameMembers(entity, record, getName, members));
}

const nameMembers = (
	entity: string,
	record: JsonObject,
	getName: NameReader,
	members: readonly string[],
): JsonObject =>
	members.length === 0 ? record : addSiblings(entity, record, getName, { members });

/** Names the records that these members refer to, and shows labels in place of codes. */
export function simplifyRecord(
	entity: string,
	record: JsonObject,
	getName: NameReader,
	members: readonly string[],
	summary = listSummaryMembers(entity),
): JsonObject {
	const named = nameMembers(entity, record, getName, members);
	const shown = addSiblings(entity, named, () => undefined, { omitsUnset: true });
	return summary === undefined ? arrangeAll(entity, shown) : arrangeMembers(summary, shown);
}

/** A record with all its members begins with its names, and ends with what no person reads. */
function arrangeAll(entity: string, { ConcurrencyId, ...record }: JsonObject): JsonObject {
	const arranged = arrangeMembers(new Set(['Id', ...getNameProperties(entity)]), record);
	return ConcurrencyId === undefined ? arranged : { ...arranged, ConcurrencyId };
}

/**
 * Simplified records have the members of the summary, in its order, then those others that were
 * asked for.
 */
export function arrangeMembers(
	summary: Summary,
	record: JsonObject,
	isAskedFor: (member: string) => boolean = () => true,
): JsonObject {
	if (summary === undefined) return record;
	const arranged: JsonObject = {};
	for (const member of summary) {
		if (Object.hasOwn(record, member)) arranged[member] = record[member];
	}
	const isOther = (member: string) => !summary.has(member) && isAskedFor(member);
	return { ...arranged, ...filterMembers(record, isOther) };
}

/** The members of a simplified record, each after what explains it; undefined if it has all. */
type Summary = ReadonlySet<string> | undefined;

export function listSummaryMembers(entity: string): Summary {
	const paths = getSummary(entity);
	if (paths.includes('*')) return undefined;
	const members = paths.map((path) => path.split('.')[0]);
	return new Set(members.flatMap((member) => [getSiblingName(member), member]));
}

/** Puts what people read first, and keeps all other members. */
export const arrangeRecord = (entity: string, record: JsonObject): JsonObject =>
	arrangeMembers(listSummaryMembers(entity), showLabels(entity, record));

/** Shows the label of each status in place of its code. */
export const showLabels = (entity: string, record: JsonObject): JsonObject =>
	addSiblings(entity, record, () => undefined);

export const loadAttributeNamer = async (requester: Requester): Promise<RowNamer> =>
	createRowNamer(await loadAttributeDescriptors(requester));

/** Shows the attributes of assets by name. Nothing is loaded for other records. */
export async function showAttributes(
	entity: string,
	records: JsonObject[],
	loadNamer: () => Promise<RowNamer>,
): Promise<JsonObject[]> {
	const hasAttributes = ({ Attributes }: JsonObject) => toRows(Attributes).length > 0;
	if (!carriesAttributes(entity)) return records;
	const nameRows = records.some(hasAttributes) ? await loadNamer() : undefined;
	return records.map((record) => nameAttributes(record, nameRows));
}

/** People may open Corrigo at another host than programs; both are known once a session was opened. */
export async function readWebOrigin(
	caller: Caller,
	/** The credential as it was read earlier: reading it costs n8n time. */
	known: ICredentialDataDecryptedObject = {},
): Promise<string> {
	const isKnown = Boolean(known.webAddress) || Boolean(known.baseUrl);
	const credentials = isKnown ? known : await caller.getCredentials('corrigoApi');
	return readWebAddress(credentials) || String(credentials.baseUrl ?? '');
}

/** A planned record has no page yet. */
export const addUrl = (origin: string, order: JsonObject): JsonObject =>
	Number(order.Id) > 0 ? { ...order, Url: buildOrderUrl(origin, order.Id) } : order;

const ORDER_PATHS = [
	...['Number', 'VendorNte', 'Employee.Id', 'Employee.DisplayAs', 'Employee.ActorTypeId'],
];

/** Costs have the Id of their work order, which alone knows its number, its vendor and their limit. */
export async function addOrders(
	requester: Requester,
	records: JsonObject[],
): Promise<JsonObject[]> {
	const ids = records.map(({ Id }) => Number(Id));
	const look = { properties: ORDER_PATHS, isOptional: true };
	const orders = await loadRecordsById(requester, 'WorkOrder', ids, look);
	return records.map((costs) => addOrder(costs, orders.get(Number(costs.Id)) ?? {}));
}

export function addOrder({ Id, ...costs }: JsonObject, order: JsonObject): JsonObject {
	const { Number: WorkOrderNumber = null, Employee: assignee, VendorNte = null } = order;
	const isVendor = isObject(assignee) && assignee.ActorTypeId === 'Provider';
	const Vendor = isVendor ? { Id: assignee.Id, DisplayAs: assignee.DisplayAs } : null;
	return { Id, WorkOrderNumber, Vendor, ...costs, VendorNte };
}

interface SiblingOptions {
	/** The whole record. */
	record?: JsonObject;
	/** The IDs to explain, if not all. */
	members?: readonly string[];
	/** An ID of 0 refers to no record, or to one that Corrigo does not return, such as the parent of an asset. */
	omitsUnset?: boolean;
}

/**
 * Explains each ID in a member before it, and puts labels in place of the codes of statuses, unless
 * the record already has those members. Time zones get their names in place of their numbers.
 */
function addSiblings(
	entity: string,
	some: JsonObject,
	getName: NameReader,
	{ record = some, members, omitsUnset = false }: SiblingOptions = {},
): JsonObject {
	const named: JsonObject = {};
	for (const member in some) {
		const value = some[member];
		const sibling = isObject(value) ? undefined : findSibling(entity, member, record);
		if (sibling !== undefined && 'enumeration' in sibling && !(sibling.name in record)) {
			named[sibling.name] = isBlank(value)
				? value
				: getMemberLabel(sibling.enumeration, String(value));
			continue;
		}
		if (sibling !== undefined && 'target' in sibling && !isBlank(value)) {
			if (omitsUnset && value === 0) continue;
			const isNamed = sibling.name in record || members?.includes(member) === false;
			const name = isNamed ? '' : getName(sibling.target, value);
			if (name) named[sibling.name] = { Id: Number(value), [sibling.property]: name };
		}
		named[member] = isTimeZone(member, findMemberType(entity, member) ?? '')
			? (timeZones[String(value)] ?? value)
			: value;
	}
	return named;
}

function addNamesToValue(type: string, value: unknown, getName: NameReader): unknown {
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

/** `Status` explains `StatusId`, and `Customer` explains `CustomerId`. Other codes explain themselves. */
export function findSibling(
	entity: string,
	member: string,
	record: JsonObject = {},
): Sibling | undefined {
	const name = getSiblingName(member);
	if (name === '' || name === member) return undefined;
	const enumeration = findMemberType(entity, member) ?? '';
	if (isEnumerationName(enumeration)) {
		return /Stat(e|us)Id$/.test(member) ? { name, enumeration } : undefined;
	}
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

/**
 * Selects what the output shows of a write. Passwords and contents of files stay out, and so do
 * rows, which may be only some of those of the record: a new record has all of them.
 */
export const selectShownMembers = (
	entity: string,
	written: JsonObject,
	shownRows: Summary = new Set(),
): JsonObject =>
	filterMembers(written, (member, value) => {
		const type = findMemberType(entity, member);
		// Attributes that are written have no names.
		const isShown = !Array.isArray(value) || (shownRows.has(member) && type !== 'AssetAttribute[]');
		return isShown && !isIdentity(member) && !isSecret(member) && type !== 'Blob';
	});

/** After a write, a record no longer has the rows that the write has deleted. */
function omitDeletedRows(value: unknown): unknown {
	if (Array.isArray(value)) return value.filter((row) => !isDeletion(row)).map(omitDeletedRows);
	return isObject(value) ? mapMembers(value, (_, inner) => omitDeletedRows(inner)) : value;
}

/** Corrigo answers a write with the Id only, so what was written is added, and names for its IDs. */
export const buildWrittenRecord = (
	entity: string,
	specifier: Specifier,
	written: JsonObject,
	getName: NameReader,
	{
		summary = listSummaryMembers(entity),
		isNew = false,
	}: { summary?: Summary; isNew?: boolean } = {},
): JsonObject => {
	const property = getNameProperty(entity);
	const name = property && (written[property] ?? getName(entity, specifier.Id));
	const shown = selectShownMembers(entity, written, isNew ? summary : undefined);
	return arrangeMembers(summary, {
		Id: specifier.Id,
		...(property && !isBlank(name) ? { [property]: name } : {}),
		...addNames(entity, omitDeletedRows(shown) as JsonObject, getName),
	});
};
