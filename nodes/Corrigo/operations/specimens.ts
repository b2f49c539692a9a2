/**
 * An operation declares its output by a specimen: an item, or several, with a value of each type.
 * Output previews show its members. Specimens of records take their members from the contract, and
 * their names and labels from the functions that simplify what Corrigo returns.
 */
import type { INodeProperties } from 'n8n-workflow';

import { findAnswerEntity } from '../catalogue/commands';
import {
	belongsToOne,
	getEntity,
	getMemberTypes,
	isCollection,
	isReadOnlyMember,
	REQUEST_ONLY,
	toRowType,
} from '../catalogue/entities';
import { isEnumerationName } from '../catalogue/enumerations';
import { findTypeMember } from '../catalogue/members';
import { getNamedMembers, getSummary, summaries } from '../catalogue/summaries';
import { createTable } from '../catalogue/table';
import { nameAttributes } from '../compare/customFields';
import { findFieldTarget } from '../form/subjects';
import {
	addOrder,
	addUrl,
	buildWrittenRecord,
	getNameProperty,
	simplifyAnswer,
	simplifyRecord,
	type NameReader,
} from '../records/names';
import { filterMembers, isObject, mapMembers, type JsonObject } from '../values/objects';

export const TEXT = 'text';
export const NUMBER = 0.5;
export const NAMED = { Id: 1, DisplayAs: TEXT };
export const MONEY = { CurrencyTypeId: TEXT, Value: NUMBER };
export const FILE = { Id: 1, FileName: TEXT, MimeType: TEXT, FileSize: 1 };

const PRIMITIVES = createTable<unknown>({
	boolean: true,
	datetime: TEXT,
	integer: 1,
	number: NUMBER,
	string: TEXT,
});

const getAnyName: NameReader = () => TEXT;

const listInnerPaths = (name: string, paths: readonly string[]): string[] =>
	paths.filter((path) => path.startsWith(`${name}.`)).map((path) => path.slice(name.length + 1));

const listFirst = (paths: readonly string[]): string[] => [
	...new Set(paths.map((path) => path.split('.')[0])),
];

/** Returns undefined for rows, which Corrigo returns only on request. */
function buildMember(type: string, inner: readonly string[]): unknown {
	if (type in PRIMITIVES) return PRIMITIVES[type];
	if (isEnumerationName(type)) return TEXT;
	if (type === 'MoneyValue') return MONEY;
	// Names of attributes are the Company's own.
	if (type === 'AssetAttribute[]') return inner.length === 0 ? undefined : [];
	const fields = getMemberTypes(toRowType(type));
	const shown = Object.fromEntries(
		listFirst(inner).map((name) => [
			name,
			buildMember(fields[name], listInnerPaths(name, inner)) ?? TEXT,
		]),
	);
	if (isCollection(type)) return inner.length === 0 ? undefined : [shown];
	const kind = type === 'Actor' ? { TypeId: TEXT } : {};
	return getEntity(type) && { Id: 1, ...kind, ...shown };
}

/** The parts of a record that the paths name; without paths, all that a query for `*` returns. */
export function buildRecord(entity: string, paths: readonly string[] = ['*']): JsonObject {
	const types = getMemberTypes(entity);
	if (paths.includes('*')) {
		const members = Object.entries(types)
			.filter(([name]) => !REQUEST_ONLY.includes(name))
			.map(([name, type]) => [
				name,
				buildMember(type, listInnerPaths(name, summaries[entity] ?? [])),
			]);
		return Object.fromEntries(members.filter(([, value]) => value !== undefined)) as JsonObject;
	}
	return Object.fromEntries(
		listFirst(paths).map((name) => {
			const inner = listInnerPaths(name, paths);
			const type = types[name] ?? 'integer';
			if (inner.length === 0 || type === 'AssetAttribute[]')
				return [name, buildMember(type, inner) ?? 1];
			const part = buildRecord(toRowType(type), inner);
			return [name, isCollection(type) ? [part] : part];
		}),
	);
}

/** Records whose names are in different members. */
const ACTOR_TYPES = ['Asset', 'CommLease', 'WO'];

/** Notes belong to customers and contacts. */
const NOTE_ACTOR_TYPES = ['CommLease'];

/** A record that may belong to records of several entities has a specimen for each of them. */
function listByActor(entity: string, record: JsonObject): JsonObject[] {
	const types = Object.keys(record).flatMap((member) => findTypeMember(entity, member) ?? []);
	if (types.length === 0) return [record];
	const actorTypes = entity === 'Note' ? NOTE_ACTOR_TYPES : ACTOR_TYPES;
	return actorTypes.map((actorType) => ({ ...record, [types[0]]: actorType }));
}

const showUrl = (entity: string, record: JsonObject): JsonObject =>
	entity === 'WorkOrder' ? addUrl(TEXT, record) : record;

/** Shows a read with the output *Simplified*. Of an entity that the user chooses, only the ID is known. */
export const showFound = (entity: string | undefined): JsonObject[] =>
	entity === undefined ? [{ Id: 1 }] : showRead(entity);

const showRead = (entity: string): JsonObject[] =>
	listByActor(entity, { Id: 1, ...buildRecord(entity, getSummary(entity)) }).map((record) => {
		const named = nameAttributes(record);
		const shown = simplifyRecord(entity, named, getAnyName, getNamedMembers(entity));
		const order = buildRecord('WorkOrder', ['Number', 'VendorNte', 'Employee.DisplayAs']);
		const vendor = { Id: 1, ActorTypeId: 'Provider', ...(order.Employee as JsonObject) };
		return entity === 'WorkOrderCost'
			? addOrder(shown, { ...order, Employee: vendor })
			: showUrl(entity, shown);
	});

/** Writes and answers show only the ID of a reference. */
function reduceReferences(entity: string, record: JsonObject): JsonObject {
	const types = getMemberTypes(entity);
	return mapMembers(record, (name, value) => {
		const type = types[name] ?? '';
		// The Id of a new part is not known.
		const reducePart = (part: JsonObject) =>
			reduceReferences(
				toRowType(type),
				filterMembers(part, (own) => own !== 'Id'),
			);
		if (Array.isArray(value)) return value.filter(isObject).map(reducePart);
		if (isObject(value) && belongsToOne(type)) return reducePart(value);
		return getEntity(type) ? buildMember(type, []) : value;
	});
}

const buildPlainRecord = (entity: string, paths: readonly string[]): JsonObject =>
	reduceReferences(entity, buildRecord(entity, paths));

/**
 * Shows a write of all members of the summary, and of these others. Of an entity that
 * the user chooses, only the ID is known.
 */
export function showWritten(
	entity: string | undefined,
	more: readonly string[] = [],
	isNew = false,
): JsonObject[] {
	if (entity === undefined) return [{ Id: 1 }];
	const isWritten = (path: string) =>
		!isReadOnlyMember(entity, path.split('.')[0]) || path === getNameProperty(entity);
	const written = buildPlainRecord(entity, [...getSummary(entity).filter(isWritten), ...more]);
	return listByActor(entity, written).map((members) => {
		const specifier = { EntityType: entity, Id: 1 };
		return showUrl(entity, buildWrittenRecord(entity, specifier, members, getAnyName, { isNew }));
	});
}

/** Shows *Create*: a new record has all rows that were written. */
export const showCreated = (entity: string | undefined): JsonObject[] =>
	showWritten(entity, [], true);

/** Shows *Create or Update*. What was before has the members that were changed. */
export const showUpsert = (entity: string | undefined): JsonObject[] =>
	showWritten(entity).map((record) => ({
		...{ Outcome: TEXT, Changed: [TEXT] },
		...record,
		Before: {},
	}));

/** A form knows the names of the records that its fields offer. */
const listNamedEntities = (fields: readonly INodeProperties[]): string[] =>
	fields.flatMap((field) => [
		...[findFieldTarget(field)?.entity ?? []].flat(),
		...(field.options ?? []).flatMap((option) =>
			'values' in option
				? listNamedEntities(option.values)
				: 'type' in option
					? listNamedEntities([option])
					: [],
		),
	]);

/** Shows a command: the record in its answer, with these members in any case. */
export function showAnswer(
	command: string,
	asked: readonly string[],
	fields: readonly INodeProperties[],
): JsonObject[] {
	const entity = findAnswerEntity(command);
	if (entity === undefined) return [];
	const named = listNamedEntities(fields);
	const getName: NameReader = (other) => (named.includes(other) ? TEXT : undefined);
	const known = asked.filter((member) => member in getMemberTypes(entity));
	const record = filterMembers(
		buildPlainRecord(entity, [...getSummary(entity), ...known]),
		(_, value) => !Array.isArray(value),
	);
	return [showUrl(entity, simplifyAnswer(entity, { Id: 1, ...record }, getName, asked))];
}
