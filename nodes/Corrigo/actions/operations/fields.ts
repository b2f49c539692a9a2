import { entityNoun } from '../../catalogue/entities';
import type { Specifier } from '../../protocol/answers';
import { changesOf, nested } from '../../protocol/changes';
import { rowsIn, ValidationError, type JsonObject } from '../../protocol/checks';
import type { Verb } from '../../protocol/column';
import {
	carriesCustomFields,
	changedCustomFields,
	customFieldRequest,
	STORED_CUSTOM_PATHS,
	storedRequest,
	type CustomValue,
} from '../../protocol/customFields';
import { comparedPathsOf, rowsToWrite } from '../../protocol/differences';
import { columnLabel, emptyFields, missingMembers } from '../../protocol/required';
import { createRequest, getRequest, updateRequest } from '../../protocol/requests';
import { partError } from '../../transport/errors';
import type { ItemContext } from '../../run/context';
import { named } from '../../run/resolve';
import { allMembers, givenFields, type Given } from './given';
import { onClockOfUpdate } from './zones';

export const fieldsIn = async (context: ItemContext, entity: string, verb: Verb): Promise<Given> =>
	await named(context, (one) => givenFields(one, entity, verb));

export const membersOf = ({ field, members }: Given): JsonObject => nested(field, members);

type Create = (request: ReturnType<typeof createRequest>) => Promise<Specifier>;

/** Builds the members of a new record, and fails if a required one is missing. */
export function newRecord(entity: string, given: Given): JsonObject {
	const { field, isPasted } = given;
	const record = allMembers(carriesCustomFields(entity) ? given : { ...given, custom: [] });
	if (Object.keys(record).length === 0) throw new ValidationError(`'${field}' is empty`);
	const missing = missingMembers(entity, record);
	if (missing.length === 0) return record;
	const labels = isPasted ? missing : missing.map((name) => columnLabel(entity, name));
	throw emptyFields(labels, entityNoun(entity));
}

export async function createOf(
	context: ItemContext,
	entity: string,
	given: Given,
	create: Create = async (request) => await context.send(request),
): Promise<Specifier> {
	const record = newRecord(entity, given);
	const specifier = await create(createRequest(entity, record, context.requestId()));
	if (!carriesCustomFields(entity)) {
		await writeApart(context, entity, specifier.Id, given.custom, []);
	}
	return specifier;
}

export async function updateOf(
	context: ItemContext,
	entity: string,
	before: Specifier,
	{ field, members, utc, rows, custom }: Given,
	/** Saves a request if the record has already been read. */
	known?: JsonObject,
): Promise<Specifier> {
	const { Id: id } = before;
	const own = await onClockOfUpdate(context, entity, { field, members, utc }, known);
	const isRead = Object.keys(rows).length > 0;
	const record = known ?? (isRead ? await recordWith(context, entity, id, rows, custom) : {});
	const stored = await storedCustom(context, entity, id, custom, record);
	const isWhole = carriesCustomFields(entity);
	const changes = {
		...own,
		...rowsToWrite(entity, record, rows),
		...(isWhole && custom.length > 0 ? { CustomFields: changedCustomFields(custom, stored) } : {}),
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
		const changes = changesOf(field, Id, { ConcurrencyId, ...members });
		specifier = await context.send(updateRequest(entity, changes, context.requestId(), record));
	}
	if (!carriesCustomFields(entity)) await writeApart(context, entity, Id, custom, stored);
	return specifier;
}

/** Existing rows are matched by Id, so they are read first, together with the custom fields. */
async function recordWith(
	context: ItemContext,
	entity: string,
	id: number,
	rows: Given['rows'],
	custom: readonly CustomValue[],
): Promise<JsonObject> {
	const paths = comparedPathsOf(entity, rows);
	const isAlong = custom.length > 0 && carriesCustomFields(entity);
	const all = isAlong ? [...paths, ...STORED_CUSTOM_PATHS] : paths;
	return (await context.send(getRequest(entity, id, ['Id', ...all]))) ?? {};
}

async function storedCustom(
	context: ItemContext,
	entity: string,
	id: number,
	custom: CustomValue[],
	{ CustomFields, Id }: JsonObject,
): Promise<JsonObject[]> {
	if (custom.length === 0) return [];
	const isRead = Id !== undefined && carriesCustomFields(entity);
	if (isRead || CustomFields !== undefined) return rowsIn(CustomFields);
	return await context.send(storedRequest(entity, id, custom));
}

/** The record has been written by now, so an error must warn against creating it again. */
async function writeApart(
	context: ItemContext,
	entity: string,
	id: number,
	custom: CustomValue[],
	stored: JsonObject[],
): Promise<void> {
	for (const wanted of custom) {
		const request = customFieldRequest(entity, id, wanted, stored, context.requestId());
		await context.send(request).catch((failure: Error) => {
			throw partError(
				context.caller.getNode(),
				`${entity} ${id} was written, but not its custom field '${wanted.label}'`,
				failure,
				'Update the record with this custom field; do not create it again.',
			);
		});
	}
}
