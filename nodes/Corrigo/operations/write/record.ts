import type { INodeProperties } from 'n8n-workflow';

import { findRowType, isIdentity } from '../../catalogue/members';
import { findMemberTarget } from '../../catalogue/targets';
import { getNoun } from '../../catalogue/views';
import {
	type Cell,
	type Column,
	type Verb,
	buildCleared,
	JSON_ADVICE,
	buildMembers,
	listColumns,
	readCells,
	createEmptyFieldsError,
	getColumnLabel,
	getMissingMembers,
	requirePublished,
} from '../../columns/columns';
import { omitEmptyParts, toWritable } from '../../columns/writable';
import { buildCustomFieldRequest, getDescriptor, isAttribute } from '../../compare/customFields';
import { buildRows, getId, getMatchedRows, omitRemovedRows } from '../../compare/differences';
import { fieldsJsonField, fieldsModeField, MAPPER_TEXTS, mappers } from '../../form/fields';
import { createInputError } from '../../form/nodeForm';
import { type OptionName, buildOptions, optionFields, WRITE_OPTIONS } from '../../form/options';
import { type Form, writeOutputField } from '../../form/form';
import {
	oncePerRun,
	resolveForm,
	type ItemContext,
	type RunContext,
	type ItemForm,
	type ResolvingForm,
} from '../../run/context';
import { createPartError } from '../../transport/errors';
import {
	addArticle,
	createEmptyError,
	quote,
	ValidationError,
	quoteUnlessPlain,
	formatNames,
} from '../../values/errors';
import {
	type JsonObject,
	filterMembers,
	getMember,
	isObject,
	replaceMember,
	toRows,
} from '../../values/objects';
import { nestNames, readSpelled } from '../json';
import { getKind, isDeletion, refuseDeletion, requireDeletable } from '../../values/rows';
import {
	addDescribed,
	addLeftNotices,
	createLeftError,
	createOpenReader,
	findDescribedCell,
	isDescribed,
	readDescribed,
	toDescribedCell,
	type DescribedValues,
} from './described';
import { judgeRecord, requireNewRow, requireOnlyCreator, settleValues } from './settling';
import { mergeCleared } from './cleared';
import { createOmissionFinder, OMISSIONS } from './omissions';
import { omitAbsentParts, requireOwnParts, toNewRecord } from './ownParts';
import {
	splitUtcMembers,
	addOmittedNotice,
	translateNewTimes,
	translateRecordTimes,
} from './zones';
import type { Specifier } from '../../wire/answers';
import { isCustomField } from '../../wire/criteria';
import { buildChanges, buildCreateRequest, buildUpdateRequest } from '../../wire/requests';
import { checksVersion } from './versions';
import {
	carriesCustomFields,
	getEntity,
	isReadOnlyMember,
	type Entity,
} from '../../catalogue/entities';
import { getUtcMembers } from '../../catalogue/times';
import { isBlank } from '../../values/input';
import { suggestEntities } from '../../values/spellings';

/** Members of a record that the user set. */
export interface RecordInput {
	/** Title of the form field, for messages. */
	field: string;
	/** Pasted JSON uses the API's names, so messages use them, too. */
	isPasted: boolean;
	members: JsonObject;
	/** Members in UTC, which Corrigo accepts only as their local-time counterparts. */
	utc: JsonObject;
}

const loadColumns = (verb: Verb) =>
	oncePerRun(
		(_, owner: string): MappedColumns => ({
			owner,
			verb,
			columns: listColumns(owner, verb),
		}),
	);

const columnLoaders = {
	create: loadColumns('create'),
	update: loadColumns('update'),
	upsert: loadColumns('upsert'),
};

const readInputMode = (form: Form) => form.read(fieldsModeField);

export const isPasted = (form: Form): boolean => readInputMode(form) === 'json';

export const isMappedByName = (form: Form): boolean => readInputMode(form) === 'autoMapInputData';

/** n8n's resource mapper holds values, and the fields as they were when it was filled in. */
export function readMapping(form: Form): JsonObject {
	const mode = readInputMode(form);
	return mode === 'json' ? {} : form.read(mappers[mode]);
}

/** Columns of an entity or a command. A run makes them once. */
export interface MappedColumns {
	owner: string;
	verb: Verb;
	columns: readonly Column[];
}

function readMappedInput({ inputFields }: ItemForm): JsonObject {
	if (inputFields === undefined) throw createInputError('Map Automatically');
	return inputFields;
}

export function readInputCells(form: ItemForm, mapped: MappedColumns): Cell[] {
	const { owner, verb, columns } = mapped;
	const input = isMappedByName(form) ? readMappedInput(form) : {};
	const { members, incomplete } = omitEmptyParts(owner, verb, input);
	const cells = readCells(owner, columns, readMapping(form), members);
	if (incomplete.length > 0) form.run.addNotice(OMISSIONS.amount, incomplete);
	if (isMappedByName(form)) addOmissionNotices(form, mapped);
	for (const { id, value } of cells) {
		const shown = getSavedChoices(form).get(id)?.get(String(value));
		const target = shown && findMemberTarget(owner, id);
		if (target) form.run.names.noteChoice(target.entity, value, shown);
	}
	return cells;
}

const loadOmissionFinder = oncePerRun((form: ItemForm, { owner, verb, columns }: MappedColumns) => {
	const saved = toRows(readMapping(form).schema).map(({ id, displayName }) => ({
		id: String(id),
		label: String(displayName),
	}));
	return createOmissionFinder(owner, verb, [...columns, ...saved]);
});

/** A misspelled field is left out, and so are rows without a field. */
function addOmissionNotices(form: ItemForm, mapped: MappedColumns): void {
	for (const { reason, path } of loadOmissionFinder(form, mapped)(readMappedInput(form))) {
		form.run.addNotice(OMISSIONS[reason], [quoteUnlessPlain(path)]);
	}
}

/** Advice where the input lacks a field. */
export const describeInput = (form: ItemForm): string =>
	`Its fields are: ${formatNames(Object.keys(readMappedInput(form)))}.`;

/** n8n saves the names of each field's choices along with the fields. */
const getSavedChoices = oncePerRun((form: ItemForm) => {
	const { schema } = readMapping(form);
	return new Map(
		toRows(schema).map(({ id, options }) => [
			id,
			new Map(toRows(options).map(({ value, name }) => [String(value), String(name)])),
		]),
	);
});

/** Returns the name of a custom field or an attribute that the run has read or written. */
export function findDefinedName(run: RunContext, path: string): string | undefined {
	const entity = isAttribute(path)
		? 'AttributeDescriptor'
		: isCustomField(path)
			? 'CustomFieldDescriptor'
			: undefined;
	return entity && run.names.getName(entity, getDescriptor(path));
}

/** Adds the members that an update empties; a create has none of them. */
export function addCleared(form: ResolvingForm, entity: string, input: RecordInput): RecordInput {
	const { displayName } = optionFields.fieldsToClear;
	const own: string[] = [];
	// An expression that gives nothing clears nothing.
	const given = (form.option('fieldsToClear') ?? []).filter((one) => !isBlank(one));
	const cells = given.flatMap((one) => {
		const name = String(one).trim();
		const cell = findDescribedCell(entity, displayName, name);
		if (cell === undefined) own.push(name);
		return cell ?? [];
	});
	const described = readDescribed(form.run, entity, cells);
	if (described.left.length > 0) throw createLeftError(described.left[0]);
	const { columns } = columnLoaders.update(form, entity);
	const cleared = addDescribed(buildCleared(displayName, entity, columns, own), described);
	const refuse = (name: string): never => {
		throw new ValidationError(
			`'${displayName}' has ${quote(name)}, which '${input.field}' sets as well`,
		);
	};
	return { ...input, members: mergeCleared(entity, input.members, cleared, refuse) };
}

/** The ID is that of a record to update. */
export function readInput(
	form: ResolvingForm,
	entity: string,
	verb: Verb,
	id?: number,
): RecordInput {
	const given = isPasted(form)
		? readPastedInput(form, entity, verb)
		: readColumns(form, entity, verb);
	const input = completeInput(form, entity, verb, given, id);
	const hasCustom = input.members.CustomFields !== undefined;
	if (hasCustom && checksVersion(form) && !carriesCustomFields(entity)) {
		const { displayName } = optionFields.ifChanged;
		throw new ValidationError(
			`'${displayName}' compares versions, which do not show who changed custom fields of ${getNoun(entity)} records`,
			`Update the custom fields separately, without '${displayName}'.`,
		);
	}
	return input;
}

/** An update, and a record that may exist, are completed once the record is known. */
function completeInput(
	form: ResolvingForm,
	entity: string,
	verb: Verb,
	given: RecordInput,
	id?: number,
): RecordInput {
	const input = verb === 'update' ? addCleared(form, entity, given) : given;
	const { field } = input;
	if (verb !== 'create') refuseDeletion(field, input.members);
	const place = { owner: entity, label: field, id, isNew: verb === 'create' };
	const members = judgeRecord(form.run, place, input.members);
	if (verb !== 'create') return { ...input, members };
	return { ...input, members: settleValues(form.run, field, entity, members, undefined) };
}

function readColumns(form: ResolvingForm, entity: string, verb: Verb): RecordInput {
	const cells = readInputCells(form, columnLoaders[verb](form, entity));
	const field = MAPPER_TEXTS[verb].valuesLabel;
	const utc = isMappedByName(form) ? readUtcMembers(entity, readMappedInput(form)) : {};
	const isEmpty = cells.length + Object.keys(utc).length === 0;
	if (isEmpty && form.option('fieldsToClear') === undefined) {
		requirePublished(entity, JSON_ADVICE);
		if (isMappedByName(form)) {
			requireAmounts('The input', omitEmptyParts(entity, verb, readMappedInput(form)).incomplete);
		}
		throw isMappedByName(form)
			? new ValidationError(
					`This item has no value for a field of ${addArticle(getNoun(entity))}`,
					describeInput(form),
				)
			: createEmptyError(field, 'Add a field and enter a value.');
	}
	const left: DescribedValues['left'] = [];
	const own = buildMembers(
		entity,
		cells.filter((cell) => !isDescribed(cell)),
		createOpenReader(form.run, left),
	);
	addLeftNotices(form.run, left);
	const described = readDescribed(form.run, entity, cells.filter(isDescribed).map(toDescribedCell));
	if (described.left.length > 0) throw createLeftError(described.left[0]);
	return { field, isPasted: false, members: addDescribed(own, described), utc };
}

const isNothing = (members: JsonObject): boolean => Object.keys(members).every(isIdentity);

/** A form has no fields for members in UTC, which are written as their local times, as in JSON. */
const readUtcMembers = (entity: string, item: JsonObject): JsonObject =>
	Object.fromEntries(
		[...getUtcMembers(entity)]
			.filter(([, local]) => !isReadOnlyMember(entity, local))
			.map(([name]): [string, unknown] => [name, getMember(item, name)])
			.filter(([, value]) => !isBlank(value)),
	);

/** Records that were read may have incomplete amounts. One that comes alone is meant to be written. */
function requireAmounts(place: string, incomplete: readonly string[]): void {
	if (incomplete.length === 0) return;
	throw new ValidationError(
		`${place} has nothing to change: ${formatNames(incomplete)} has no value or no currency`,
		'An amount is written together with its currency.',
	);
}

/** People paste records that they have read, so members that cannot be written are left out. */
function readPastedInput(form: ResolvingForm, entity: string, verb: Verb): RecordInput {
	const { name, displayName: field } = fieldsJsonField;
	const json = form.run.form.omitModelNothing(name, form.read(fieldsJsonField));
	const { utc, others } = splitUtcMembers(entity, nestNames(field, entity, json));
	const { members: written, omitted, incomplete } = toWritable(entity, verb, others);
	const { CustomFields } = written;
	const isNamed = isObject(CustomFields) && findRowType(entity, 'CustomFields') !== undefined;
	if (!carriesCustomFields(entity) && CustomFields !== undefined && !isNamed) {
		throw new ValidationError(
			`'${field}' has CustomFields, which are not part of ${getNoun(entity)} records`,
			'Give them by their names: { "CustomFields": { "Floor": "3" } }.',
		);
	}
	const left: DescribedValues['left'] = [];
	const members = readSpelled(createOpenReader(form.run, left), field, entity, written);
	const isEmpty = isNothing({ ...members, ...utc });
	// People paste records that they have read, but a value alone is meant.
	if (isEmpty && left.length > 0) throw createLeftError(left[0]);
	const isClearing = verb === 'update' && form.option('fieldsToClear') !== undefined;
	if (isEmpty && !isClearing) requireAmounts(`'${field}'`, incomplete);
	addLeftNotices(form.run, left);
	addOmittedNotice(form.run, field, omitted);
	if (incomplete.length > 0) {
		form.run.addNotice(
			`Left out of '${field}', as an amount without a value or a currency changes nothing`,
			incomplete,
		);
	}
	return { field, isPasted: true, members, utc };
}

/** Fails early if Corrigo is known to refuse the request, and says what to do instead. */
export function requireSupport(entity: string, verb: keyof NonNullable<Entity['refuses']>): string {
	const instead = getEntity(entity)?.refuses?.[verb];
	if (instead === undefined) return entity;
	throw new ValidationError(
		`Corrigo does not ${verb} ${getNoun(entity)} records this way`,
		`${instead}.`,
	);
}

/** Corrigo refuses an unknown name, but a dry run of a create or a delete does not ask it. */
export function addUnknownEntityNotice(form: ItemForm, entity: string): void {
	const similar = suggestEntities(entity);
	if (!form.isDryRun || similar === undefined) return;
	form.run.addNotice(`Corrigo may not know the entity ${entity}. ${similar}`);
}

/** Fails without a required member, and if the record would be a second value of one definition. */
export function checkNewRecord(form: ResolvingForm, entity: string, input: RecordInput): void {
	const { field } = input;
	const key = requireNewRow(form.run, entity, field, buildNewRecord(entity, input));
	if (key !== undefined) requireOnlyCreator(form, field, key);
}

/** Builds the members of a new record, and fails if a required one is missing. */
function buildNewRecord(entity: string, input: RecordInput): JsonObject {
	const { field, isPasted } = input;
	requireDeletable(field, { ...input.members, Id: undefined });
	const members = toNewRecord(entity, omitRemovedRows(entity, input.members));
	const record = carriesCustomFields(entity)
		? members
		: replaceMember(members, 'CustomFields', undefined);
	if (Object.keys(record).length === 0) throw createEmptyError(field);
	const missing = getMissingMembers(entity, record);
	if (missing.length === 0) return record;
	const labels = isPasted ? missing : missing.map((name) => getColumnLabel(entity, name));
	throw createEmptyFieldsError(labels, getNoun(entity));
}

/** A record that was written, and its members as they were sent. */
export interface Written {
	specifier: Specifier;
	members: JsonObject;
	/** Set if nothing was sent. */
	outcome?: { Outcome: 'unchanged' };
}

export async function createFromInput(
	context: ItemContext,
	entity: string,
	input: RecordInput,
	send: (
		request: ReturnType<typeof buildCreateRequest>,
		members: JsonObject,
	) => Promise<Specifier> = (request) => context.send(request),
): Promise<Written> {
	const record = await translateNewTimes(context, entity, buildNewRecord(entity, input));
	const { CustomFields } = input.members;
	const members = CustomFields === undefined ? record : { ...record, CustomFields };
	const request = buildCreateRequest(entity, record, context.getRequestId());
	const specifier = await send(request, members);
	await writeCustomFields(context, entity, specifier.Id, CustomFields, []);
	return { specifier, members };
}

/** Completes what was read before the record was known. */
export const settleInput = async (
	context: ItemContext,
	entity: string,
	input: RecordInput,
	record: JsonObject | undefined,
): Promise<RecordInput> => ({
	...input,
	members: await resolveForm(context, ({ run }) =>
		settleValues(run, input.field, entity, input.members, record),
	),
});

/** Writes what the user set; its rows are matched with those of the record. */
export async function updateFromInput(
	context: ItemContext,
	before: RecordVersion,
	input: RecordInput,
	record: JsonObject | undefined,
): Promise<Written> {
	const { field } = input;
	const { EntityType: entity } = before;
	requireOwnParts(context.run.names, field, { entity, id: before.Id }, input.members, record);
	const rows = getMatchedRows(entity, input.members);
	const isUnchanged = (value: unknown) => Array.isArray(value) && value.length === 0;
	const single = filterMembers(
		omitAbsentParts(entity, input.members, record),
		(name, value) => !(name in rows) && !isUnchanged(value),
	);
	const own = await translateRecordTimes(context, entity, { ...input, members: single }, record);
	const members = { ...own, ...buildRows(entity, record ?? {}, rows) };
	if (isNothing(members) && !isNothing({ ...input.members, ...input.utc })) {
		context.run.addNotice('Nothing was sent, as the record would stay as it is', [
			`${getNoun(entity)} ${before.Id}`,
		]);
		return { specifier: before, members: own, outcome: { Outcome: 'unchanged' } };
	}
	const specifier = await updateRecord(context, before, { field, members, record });
	return { specifier, members: own };
}

interface Update {
	field: string;
	members: JsonObject;
	/** The record as it is now, if it has been read. */
	record: JsonObject | undefined;
}

/** Writes a record, then its custom fields if they are stored as separate records. */
export async function updateRecord(
	context: ItemContext,
	before: RecordVersion,
	{ field, members, record }: Update,
): Promise<Specifier> {
	const { EntityType: entity, Id } = before;
	const own = carriesCustomFields(entity)
		? members
		: replaceMember(members, 'CustomFields', undefined);
	let specifier: Specifier = before;
	if (members.CustomFields === undefined || Object.keys(own).length > 0) {
		// Pasted members may have a version, too, which counts unless another one was checked, or none.
		const pasted =
			context.option('ifChanged') === 'overwrite' ? undefined : getMember(own, 'ConcurrencyId');
		const ConcurrencyId = before.ConcurrencyId ?? pasted;
		const others = replaceMember(own, 'ConcurrencyId', undefined);
		const changes = buildChanges(field, Id, { ConcurrencyId, ...others });
		const request = buildUpdateRequest(entity, changes, context.getRequestId(), record);
		specifier = await context.send(request);
	}
	await writeCustomFields(context, entity, Id, members.CustomFields, toRows(record?.CustomFields));
	return specifier;
}

/** The record has been written by now, so an error must warn against creating it again, and name what is missing. */
async function writeCustomFields(
	context: ItemContext,
	entity: string,
	id: number,
	rows: unknown,
	stored: JsonObject[],
): Promise<void> {
	if (carriesCustomFields(entity)) return;
	// There is nothing to remove where there is no row.
	const written = toRows(rows).filter((one) => !isDeletion(one) || !isBlank(getId(one)));
	const getName = (row: JsonObject) => {
		const path = `CustomFields.${getKind('CustomField2', row)}`;
		return findDefinedName(context.run, path) ?? path;
	};
	for (const [index, row] of written.entries()) {
		const request = buildCustomFieldRequest(entity, id, row, stored, context.getRequestId());
		await context.send(request).catch((failure: Error) => {
			const later = written.slice(index + 1).map(getName);
			const unsent = later.length > 0 ? `Nothing was sent for ${formatNames(later)}. ` : '';
			throw createPartError(
				context.caller.getNode(),
				`The ${getNoun(entity)} with the ID ${id} was written, but not its custom field ${quote(getName(row))}`,
				failure,
				`${unsent}Update the record with what is missing; do not create it again.`,
			);
		});
	}
}

/** Every form of a write ends with these fields. */
export const getWriteFields = (
	entity?: string,
	options: readonly OptionName[] = [],
	own?: readonly INodeProperties[],
): INodeProperties[] => [
	writeOutputField,
	buildOptions([...WRITE_OPTIONS, 'requestId', 'returnRecord', ...options], entity, own),
];

/** Forms that change a record can also return it as it was before. */
export const updateFields = getWriteFields(undefined, ['returnBefore']);

type RecordVersion = ReturnType<typeof toSpecifier>;

export const toSpecifier = (entity: string, { Id, ConcurrencyId }: JsonObject) => ({
	EntityType: entity,
	Id: Number(Id),
	...(ConcurrencyId === undefined ? {} : { ConcurrencyId: Number(ConcurrencyId) }),
});
