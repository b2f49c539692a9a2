import { entityNamed, fieldsOf } from '../catalogue/entities';
import type { Specifier } from './answers';
import { isObject, type JsonObject } from './checks';
import { and, equal, isCustomField, isIn, type Condition, type Criteria } from './criteria';
import type { Cell, Column } from './column';
import { withMember } from './kinds';
import { dateTime, decimal, plainText, booleanOf } from './values';
import {
	createRequest,
	deleteRequest,
	queryRequest,
	updateRequest,
	type Plan,
	type ServiceRequest,
	type WriteRequest,
} from './requests';

/** An entity can have several types: providers are employees of a different type. */
const actorTypesOf = (entity: string) => entityNamed(entity)?.actorTypes ?? [];

/**
 * Custom fields are a member of some records; those of other records are read and written
 * separately.
 */
export const carriesCustomFields = (entity: string) => 'CustomFields' in fieldsOf(entity);

/** Custom fields that the record does not carry are written separately. */
export const membersOfRecord = (entity: string, members: JsonObject): JsonObject =>
	carriesCustomFields(entity) ? members : withMember(members, 'CustomFields', undefined);

/** Paths that `flattenCustomFields` needs. */
export const CUSTOM_FIELD_PATHS = ['CustomFields.Value', 'CustomFields.Descriptor.Name'] as const;

const MAX_ROWS = 4000;

/** Reads the Company's custom fields for an entity; `undefined` if it cannot have any. */
export function descriptorsRequest(entity: string): ServiceRequest<JsonObject[]> | undefined {
	const kinds = actorTypesOf(entity);
	if (kinds.length === 0) return undefined;
	return queryRequest('CustomFieldDescriptor', {
		PropertySet: {
			Properties: ['Id', 'Name', 'Type', 'ActorTypeId', 'Options.Idx', 'Options.Value'],
		},
		Criteria: and(isIn('ActorTypeId', kinds), equal('IsRemoved', false)),
		Orders: [
			{ PropertyName: 'Name', OrderType: 'Ascending' },
			{ PropertyName: 'Id', OrderType: 'Ascending' },
		],
		Count: MAX_ROWS,
		FirstResultIndex: 0,
	});
}

const TYPES: Readonly<Record<string, Column['type']>> = {
	Boolean: 'boolean',
	Date: 'dateTime',
	Decimal: 'number',
	Integer: 'number',
	Money: 'number',
};

const PREFIX = 'CustomFields.';

export function customColumns(entity: string, descriptors: readonly JsonObject[]): Column[] {
	const [mainType] = actorTypesOf(entity);
	return descriptors.map((descriptor) => {
		const { Id, Name, Type, ActorTypeId } = descriptor;
		const options = optionsOf(descriptor);
		return {
			id: `${PREFIX}${String(Id)}`,
			label: ActorTypeId === mainType ? String(Name) : `${String(Name)} (${String(ActorTypeId)})`,
			required: false,
			...(options.length > 0
				? { type: 'options', options }
				: { type: TYPES[String(Type)] ?? 'string' }),
		};
	});
}

const optionsOf = ({ Options }: JsonObject) =>
	(Array.isArray(Options) ? Options : [])
		.filter(isObject)
		.filter(({ Value }) => typeof Value === 'string' && Value !== '')
		.sort((a, b) => Number(a.Idx ?? 0) - Number(b.Idx ?? 0))
		.map(({ Value }) => ({ name: String(Value), value: String(Value) }));

/** The service takes the new value of every custom field as text. */
export interface CustomValue {
	descriptor: number;
	label: string;
	value: string;
}

export function splitCells(
	field: string,
	cells: readonly Cell[],
): { own: Cell[]; custom: CustomValue[] } {
	const isCustom = ({ id }: Cell) => isCustomField(id);
	return {
		own: cells.filter((cell) => !isCustom(cell)),
		custom: cells.filter(isCustom).map((cell) => ({
			descriptor: Number(cell.id.slice(PREFIX.length)),
			label: cell.label,
			value: customText(`${field} > ${cell.label}`, cell),
		})),
	};
}

function customText(fieldLabel: string, { type, value }: Cell): string {
	switch (type) {
		case 'boolean':
			return String(booleanOf(fieldLabel, value));
		case 'number':
			return String(decimal(fieldLabel, value));
		case 'dateTime':
			return dayOf(fieldLabel, value);
		default:
			return plainText(fieldLabel, value);
	}
}

/** A date has no time zone, so the day stays as written. */
function dayOf(fieldLabel: string, value: unknown): string {
	const zone = /(?<=\d:\d{2}.*)(Z|[+-]\d{2}:?\d{2})$/i;
	return dateTime(
		fieldLabel,
		typeof value === 'string' ? value.trim().replace(zone, '') : value,
	).slice(0, 10);
}

const newCustomField = ({ descriptor, value }: CustomValue): JsonObject => ({
	Descriptor: { Id: descriptor },
	Value: value,
});

export const newCustomFields = (values: readonly CustomValue[]): JsonObject[] =>
	values.map(newCustomField);

/** Reads the current rows of these custom fields. */
export const storedRequest = (
	entity: string,
	id: number,
	values: readonly CustomValue[],
): ServiceRequest<JsonObject[]> =>
	queryRequest('CustomField2', {
		PropertySet: { Properties: ['*', 'Descriptor.Id'] },
		Criteria: and(
			equal('ObjectId', id),
			isIn('ObjectTypeId', actorTypesOf(entity)),
			isIn(
				'Descriptor.Id',
				values.map(({ descriptor }) => descriptor),
			),
		),
		Count: MAX_ROWS,
		FirstResultIndex: 0,
	});

/** Paths of custom fields that are read with their record. */
export const STORED_CUSTOM_PATHS = ['CustomFields.*', 'CustomFields.Descriptor.Id'];

/** Paths of rows that are read separately, to compare them. */
export const CUSTOM_ROW_PATHS = ['*', 'Descriptor.Id', 'Descriptor.Type'];

/** Some records do not carry their custom fields, so these are found by their owner. */
export const customRows = (entity: string, ...conditions: Condition[]): Criteria =>
	and(isIn('ObjectTypeId', actorTypesOf(entity)), ...conditions);

export function hasCustomValue({ Descriptor, Value }: JsonObject, wanted: unknown): boolean {
	const stored = String(plainUrl(Value) ?? '');
	const given = String(wanted ?? '');
	if (stored === given || stored === '' || given === '') return stored === given;
	switch (TYPES[String(isObject(Descriptor) ? Descriptor.Type : '')]) {
		case 'boolean':
			return stored.toLowerCase() === given.toLowerCase();
		case 'dateTime':
			return stored.slice(0, 10) === given.slice(0, 10);
		case 'number':
			return Number(stored) === Number(given);
		default:
			return false;
	}
}

const rowOf = (stored: readonly JsonObject[], { descriptor }: CustomValue) =>
	stored.find(({ Descriptor }) => isObject(Descriptor) && Descriptor.Id === descriptor);

/**
 * Builds the member `CustomFields` for an update of the record, so that the service writes all or
 * nothing. It would add rows without an Id to the existing ones, so the Ids are looked up first.
 * Rows are sent complete, because it is not documented what happens to members that
 * `CustomFields.*` names and a row lacks. Rows that are not sent stay: removing one needs
 * `PerformDeletion`.
 */
export const changedCustomFields = (
	values: readonly CustomValue[],
	stored: readonly JsonObject[],
): JsonObject[] =>
	values.map((wanted) => {
		const row = rowOf(stored, wanted);
		return row === undefined ? newCustomField(wanted) : { ...row, Value: wanted.value };
	});

/** Writes one custom field of a record that does not carry them. An empty value deletes its row. */
export const customFieldRequest = (
	entity: string,
	id: number,
	wanted: CustomValue,
	stored: readonly JsonObject[],
	requestId: string,
): WriteRequest<Specifier> => {
	const row = rowOf(stored, wanted);
	const owner = { ObjectId: id, ObjectTypeId: actorTypesOf(entity)[0] };
	const change = { Properties: ['Value'], Entity: { Id: row?.Id, Value: wanted.value } };
	const request =
		row === undefined
			? createRequest('CustomField2', { ...newCustomField(wanted), ...owner }, requestId)
			: wanted.value === ''
				? deleteRequest('CustomField2', Number(row.Id), true)
				: updateRequest('CustomField2', change, requestId);
	// Users see the custom field as part of its record, so the dry run shows an update of the record.
	const plan: Plan = {
		does: 'update',
		entity,
		changes: {
			Properties: ['CustomFields.*'],
			Entity: { Id: id, CustomFields: [newCustomField(wanted)] },
		},
		record: { Id: id, CustomFields: stored },
	};
	return { ...request, dryRun: { ...request.dryRun, Outcome: 'wouldUpdate', plan } };
};

/** Turns `CustomFields` into `{ name: value }`; repeated names become `Name (2)` and so on. */
export function flatCustomFields(record: JsonObject): JsonObject {
	const { CustomFields: rows } = record;
	if (!Array.isArray(rows)) return record;
	const values = new Map<string, unknown>();
	for (const { Descriptor, Value } of rows.filter(isObject)) {
		const name = isObject(Descriptor) ? String(Descriptor.Name ?? '') : '';
		if (name !== '') values.set(uniqueName(values, name), plainUrl(Value));
	}
	return { ...record, CustomFields: Object.fromEntries(values) };
}

/** A name that is taken gets a number: Floor, Floor (2), Floor (3). */
export function uniqueName(taken: ReadonlyMap<string, unknown>, name: string): string {
	let free = name;
	for (let count = 2; taken.has(free); count += 1) free = `${name} (${count})`;
	return free;
}

const ANCHOR = /^\s*<a\s[^>]*?\bhref\s*=\s*(?:"([^"]*)"|'([^']*)')[^>]*>/i;

const ENTITIES: Readonly<Record<string, string>> = {
	'&#39;': "'",
	'&amp;': '&',
	'&gt;': '>',
	'&lt;': '<',
	'&quot;': '"',
};

/** The service returns fields of type Url as HTML. */
export function plainUrl(value: unknown): unknown {
	const anchor = typeof value === 'string' ? ANCHOR.exec(value) : null;
	if (anchor === null) return value ?? null;
	return (anchor[1] ?? anchor[2]).replace(/&(#39|amp|gt|lt|quot);/g, (code) => ENTITIES[code]);
}
