import type { Specifier } from '../../protocol/answers';
import { changesOf, nested } from '../../protocol/changes';
import { isObject, jsonObject, Refusal, type JsonObject } from '../../protocol/checks';
import { oneOf } from '../../protocol/values';
import { cellsOf, columnsOf, memberValues, sortAddresses, type Verb } from '../../protocol/columns';
import {
	carriesCustomFields,
	changedCustomFields,
	customFieldRequest,
	newCustomFields,
	sortCells,
	storedRequest,
	type CustomValue,
} from '../../protocol/customFields';
import { writableOf } from '../../protocol/pasted';
import { withIds } from '../../protocol/names';
import { createRequest, updateRequest } from '../../protocol/requests';
import { apiError } from '../../transport/errors';
import { oncePerRun, type Call } from '../call';
import { idOfIn, named } from '../names';
import { onLocalClock, zoneOfRecord } from './zones';

/** What the user set: members of the record, and custom fields of the Company. */
export interface Given {
	/** The name of the parameter it was set in. */
	field: string;
	members: JsonObject;
	custom: CustomValue[];
}

const columnsFor = {
	create: oncePerRun((_, entity: string) => columnsOf(entity, 'create')),
	update: oncePerRun((_, entity: string) => columnsOf(entity, 'update')),
	upsert: oncePerRun((_, entity: string) => columnsOf(entity, 'upsert')),
};

export const isPasted = (call: Call): boolean =>
	oneOf('Fields Mode', call.param('fieldsMode', 'columns'), ['columns', 'json']) === 'json';

export function givenFields(call: Call, entity: string, verb: Verb): Given {
	if (isPasted(call)) return pastedFields(call, entity, verb);
	const field = 'Fields';
	const mapping = call.param('fields', {});
	const { json } = call.caller.getInputData()[call.item];
	const columns = columnsFor[verb](call, entity);
	const cells = cellsOf(columns, isObject(mapping) ? mapping : {}, json);
	const { own, custom } = sortCells(field, cells);
	if (verb !== 'upsert')
		return { field, members: memberValues(entity, field, own, idOfIn(call)), custom };
	const { rows, others } = sortAddresses(entity, own);
	return {
		field,
		members: { ...memberValues(entity, field, others, idOfIn(call)), ...rows },
		custom,
	};
}

const fieldsIn = async (call: Call, entity: string, verb: Verb) =>
	await named(call, (one) => givenFields(one, entity, verb));

/** People paste what they have read before, or found in an example. */
function pastedFields(call: Call, entity: string, verb: Verb): Given {
	const field = 'Fields (JSON)';
	const given = nested(field, jsonObject(field, call.param('fieldsJson', '')));
	const { members, left } = writableOf(entity, verb, withIds(entity, field, given, idOfIn(call)));
	if (left.length > 0) {
		const names = left.join(', ');
		call.run.hint(
			`Left out of '${field}', as Corrigo keeps it itself or needs the Id of a record: ${names}`,
		);
	}
	return { field, members, custom: [] };
}

export const createFrom = async (call: Call, entity: string): Promise<Specifier> =>
	await createOf(call, entity, await fieldsIn(call, entity, 'create'));

type Create = (request: ReturnType<typeof createRequest>) => Promise<Specifier>;

export async function createOf(
	call: Call,
	entity: string,
	{ field, members, custom }: Given,
	create: Create = async (request) => await call.send(request),
): Promise<Specifier> {
	const isWhole = carriesCustomFields(entity);
	const fields = nested(field, {
		...members,
		...(isWhole && custom.length > 0 ? { CustomFields: newCustomFields(custom) } : {}),
	});
	if (Object.keys(fields).length === 0) throw new Refusal(`'${field}' is empty`);
	const specifier = await create(createRequest(entity, fields, call.requestId()));
	if (!isWhole) await writeApart(call, entity, specifier.Id, custom, []);
	return specifier;
}

export async function updateFrom(call: Call, entity: string, id: number): Promise<Specifier> {
	const { field, members: given, custom } = await fieldsIn(call, entity, 'update');
	const members = await onLocalClock(call, entity, given, zoneOfRecord(entity));
	const stored = custom.length > 0 ? await call.send(storedRequest(entity, id, custom)) : [];
	if (carriesCustomFields(entity)) {
		const CustomFields = changedCustomFields(custom, stored);
		const all = custom.length > 0 ? { ...members, CustomFields } : members;
		return await update(call, entity, changesOf(field, id, all));
	}
	const specifier =
		custom.length > 0 && Object.keys(members).length === 0
			? { EntityType: entity, Id: id }
			: await update(call, entity, changesOf(field, id, members));
	await writeApart(call, entity, id, custom, stored);
	return specifier;
}

const update = async (call: Call, entity: string, changes: ReturnType<typeof changesOf>) =>
	await call.send(updateRequest(entity, changes, call.requestId()));

/** The record itself is written by then, and whoever runs this again should know. */
export async function writeApart(
	call: Call,
	entity: string,
	id: number,
	custom: CustomValue[],
	stored: JsonObject[],
): Promise<void> {
	for (const wanted of custom) {
		const request = customFieldRequest(entity, id, wanted, stored, call.requestId());
		await call.send(request).catch((failure: Error & { description?: string | null }) => {
			throw apiError(
				call.caller.getNode(),
				`${entity} ${id} was written, but not its custom field '${wanted.label}': ${failure.message}`,
				`${failure.description ?? ''} Update the record with this custom field; do not create it again.`.trim(),
				{ itemIndex: call.item },
			);
		});
	}
}
