import { entityNamed, fieldsOf } from '../catalogue/entities';
import type { Specifier } from './answers';
import { isObject, type JsonObject } from './checks';
import { and, equal, isIn, type Condition, type Criteria } from './criteria';
import type { Cell, Column } from './column';
import { withMember } from './kinds';
import { dateTime, decimal, plainText, booleanOf } from './values';
import {
	createRequest,
	queryRequest,
	updateRequest,
	type ServiceRequest,
	type WriteRequest,
} from './requests';

/** Providers are employees of another kind. */
const actorTypesOf = (entity: string) => entityNamed(entity)?.actorTypes ?? [];

/** Whether the custom fields are a member of the record, written and read along with it. */
export const carriesCustomFields = (entity: string) => 'CustomFields' in fieldsOf(entity);

/** The members that are written along with the record itself. */
export const membersOfRecord = (entity: string, members: JsonObject): JsonObject =>
	carriesCustomFields(entity) ? members : withMember(members, 'CustomFields', undefined);

/** What to read for `flatCustomFields`. */
export const CUSTOM_FIELD_PATHS = ['CustomFields.Value', 'CustomFields.Descriptor.Name'] as const;

const MAX_ROWS = 4000;

/** The custom fields that the Company has for the records of an entity, if it can have any. */
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

/** A custom field with the value it is to have: always a text for the service. */
export interface CustomValue {
	descriptor: number;
	label: string;
	value: string;
}

/** The cells of own members and those of custom fields. */
export function splitCells(
	field: string,
	cells: readonly Cell[],
): { own: Cell[]; custom: CustomValue[] } {
	const isCustom = ({ id }: Cell) => /^CustomFields\.\d+$/.test(id);
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

/** A day has no time zone: the one that was written down counts, wherever that was. */
function dayOf(fieldLabel: string, value: unknown): string {
	const zone = /(?<=\d:\d{2}.*)(Z|[+-]\d{2}:?\d{2})$/i;
	return dateTime(
		fieldLabel,
		typeof value === 'string' ? value.trim().replace(zone, '') : value,
	).slice(0, 10);
}

/** For a record that is being created. */
export const newCustomFields = (values: readonly CustomValue[]): JsonObject[] =>
	values.map(({ descriptor, value }) => ({ Descriptor: { Id: descriptor }, Value: value }));

/** What the record has in these custom fields now. */
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

/** The same where it is read along with its record. */
export const STORED_CUSTOM_PATHS = ['CustomFields.*', 'CustomFields.Descriptor.Id'];

/** What to read of the rows themselves, to compare them. */
export const CUSTOM_ROW_PATHS = ['*', 'Descriptor.Id', 'Descriptor.Type'];

/** Custom fields of records of the entity, where they are no member of it. */
export const customRows = (entity: string, ...conditions: Condition[]): Criteria =>
	and(isIn('ObjectTypeId', actorTypesOf(entity)), ...conditions);

/** Whether a row, read with the type of its field, has this value already. */
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
 * For an update of the record that carries them, as its member `CustomFields`: one request writes
 * all or nothing. Rows without an Id would be added to those that are there, so the Ids are looked
 * up before. The rows go back complete, since it is not documented what becomes of members that
 * `CustomFields.*` names and the row lacks. Rows that are not sent stay: to take one away needs
 * `PerformDeletion`.
 */
export const changedCustomFields = (
	values: readonly CustomValue[],
	stored: readonly JsonObject[],
): JsonObject[] =>
	values.map((wanted) => {
		const row = rowOf(stored, wanted);
		return row === undefined ? newCustomFields([wanted])[0] : { ...row, Value: wanted.value };
	});

/** For records that do not carry them: each is written by itself. */
export const customFieldRequest = (
	entity: string,
	id: number,
	wanted: CustomValue,
	stored: readonly JsonObject[],
	requestId: string,
): WriteRequest<Specifier> => {
	const row = rowOf(stored, wanted);
	if (row !== undefined) {
		const Entity = { Id: row.Id, Value: wanted.value };
		return updateRequest('CustomField2', { Properties: ['Value'], Entity }, requestId);
	}
	const owner = { ObjectId: id, ObjectTypeId: actorTypesOf(entity)[0] };
	const request = createRequest(
		'CustomField2',
		{ ...newCustomFields([wanted])[0], ...owner },
		requestId,
	);
	// It is a part of the record that it belongs to.
	return { ...request, dryRun: { ...request.dryRun, Outcome: 'wouldUpdate' } };
};

/**
 * `CustomFields` as `{ name: value }`, as they were read by CUSTOM_FIELD_PATHS. Of several with one
 * name the later ones are called `Name (2)` and so on, so that none is lost and each stays a text.
 */
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

function uniqueName(taken: ReadonlyMap<string, unknown>, name: string): string {
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

/** Fields of type Url come back as HTML. */
function plainUrl(value: unknown): unknown {
	const anchor = typeof value === 'string' ? ANCHOR.exec(value) : null;
	if (anchor === null) return value ?? null;
	return (anchor[1] ?? anchor[2]).replace(/&(#39|amp|gt|lt|quot);/g, (code) => ENTITIES[code]);
}
