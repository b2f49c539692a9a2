import { getEntityNoun } from '../../catalogue/entities';
import type { Specifier } from '../../wire/answers';
import {
	buildChanges,
	nestPaths,
	buildCreateRequest,
	buildGetRequest,
	buildUpdateRequest,
} from '../../wire/requests';
import { toRows, ValidationError, type JsonObject } from '../../values/checks';
import type { Verb } from '../../columns/columns';
import { getColumnLabel, createEmptyFieldsError, getMissingMembers } from '../../columns/writable';
import {
	carriesCustomFields,
	buildChangedCustomFields,
	buildCustomFieldRequest,
	STORED_CUSTOM_PATHS,
	buildStoredRequest,
	type CustomValue,
} from '../../compare/customFields';
import { listComparedPaths, buildRows } from '../../compare/differences';
import { createPartError } from '../../transport/errors';
import type { ItemContext } from '../../run/context';
import { resolveForm } from '../../run/resolve';
import { getAllMembers, readInput, type RecordInput } from './input';
import { resolveUpdateTimes } from './zones';

export const resolveInput = async (
	context: ItemContext,
	entity: string,
	verb: Verb,
): Promise<RecordInput> => await resolveForm(context, (one) => readInput(one, entity, verb));

export const getPlainMembers = ({ field, members }: RecordInput): JsonObject =>
	nestPaths(field, members);

type SendCreate = (request: ReturnType<typeof buildCreateRequest>) => Promise<Specifier>;

/** Builds the members of a new record, and fails if a required one is missing. */
export function buildNewRecord(entity: string, input: RecordInput): JsonObject {
	const { field, isPasted } = input;
	const record = getAllMembers(carriesCustomFields(entity) ? input : { ...input, custom: [] });
	if (Object.keys(record).length === 0) throw new ValidationError(`'${field}' is empty`);
	const missing = getMissingMembers(entity, record);
	if (missing.length === 0) return record;
	const labels = isPasted ? missing : missing.map((name) => getColumnLabel(entity, name));
	throw createEmptyFieldsError(labels, getEntityNoun(entity));
}

export async function createFromInput(
	context: ItemContext,
	entity: string,
	input: RecordInput,
	send: SendCreate = async (request) => await context.send(request),
): Promise<Specifier> {
	const record = buildNewRecord(entity, input);
	const specifier = await send(buildCreateRequest(entity, record, context.getRequestId()));
	if (!carriesCustomFields(entity)) {
		await writeCustomFields(context, entity, specifier.Id, input.custom, []);
	}
	return specifier;
}

export async function updateFromInput(
	context: ItemContext,
	entity: string,
	before: Specifier,
	{ field, members, utc, rows, custom }: RecordInput,
	/** Saves a request if the record has already been read. */
	known?: JsonObject,
): Promise<Specifier> {
	const { Id: id } = before;
	const own = await resolveUpdateTimes(context, entity, { field, members, utc }, known);
	const isRead = Object.keys(rows).length > 0;
	const record = known ?? (isRead ? await fetchRecord(context, entity, id, rows, custom) : {});
	const stored = await fetchCustomFields(context, entity, id, custom, record);
	const isWhole = carriesCustomFields(entity);
	const changes = {
		...own,
		...buildRows(entity, record, rows),
		...(isWhole && custom.length > 0
			? { CustomFields: buildChangedCustomFields(custom, stored) }
			: {}),
	};
	// The record may already have all the rows, so nothing is left to write.
	if (isRead && custom.length === 0 && Object.keys(changes).length === 0) return before;
	const update = { field, members: changes, custom, stored, record: known };
	return await updateRecord(context, entity, before, update);
}

interface Update {
	field: string;
	members: JsonObject;
	custom: CustomValue[];
	/** Custom fields that the record already has. */
	stored: JsonObject[];
	record?: JsonObject;
}

/** Writes a record, then its custom fields if they are stored as separate records. */
export async function updateRecord(
	context: ItemContext,
	entity: string,
	before: Specifier,
	{ field, members, custom, stored, record }: Update,
): Promise<Specifier> {
	const { Id, ConcurrencyId } = before;
	let specifier = before;
	if (custom.length === 0 || Object.keys(members).length > 0) {
		const changes = buildChanges(field, Id, { ConcurrencyId, ...members });
		specifier = await context.send(
			buildUpdateRequest(entity, changes, context.getRequestId(), record),
		);
	}
	if (!carriesCustomFields(entity)) await writeCustomFields(context, entity, Id, custom, stored);
	return specifier;
}

/** Existing rows are matched by Id, so they are read first, together with the custom fields. */
async function fetchRecord(
	context: ItemContext,
	entity: string,
	id: number,
	rows: RecordInput['rows'],
	custom: readonly CustomValue[],
): Promise<JsonObject> {
	const paths = listComparedPaths(entity, rows);
	const isAlong = custom.length > 0 && carriesCustomFields(entity);
	const all = isAlong ? [...paths, ...STORED_CUSTOM_PATHS] : paths;
	return (await context.send(buildGetRequest(entity, id, ['Id', ...all]))) ?? {};
}

async function fetchCustomFields(
	context: ItemContext,
	entity: string,
	id: number,
	custom: CustomValue[],
	{ CustomFields, Id }: JsonObject,
): Promise<JsonObject[]> {
	if (custom.length === 0) return [];
	const isRead = Id !== undefined && carriesCustomFields(entity);
	if (isRead || CustomFields !== undefined) return toRows(CustomFields);
	return await context.send(buildStoredRequest(entity, id, custom));
}

/** The record has been written by now, so an error must warn against creating it again. */
async function writeCustomFields(
	context: ItemContext,
	entity: string,
	id: number,
	custom: CustomValue[],
	stored: JsonObject[],
): Promise<void> {
	for (const wanted of custom) {
		const request = buildCustomFieldRequest(entity, id, wanted, stored, context.getRequestId());
		await context.send(request).catch((failure: Error) => {
			throw createPartError(
				context.caller.getNode(),
				`${entity} ${id} was written, but not its custom field '${wanted.label}'`,
				failure,
				'Update the record with this custom field; do not create it again.',
			);
		});
	}
}
