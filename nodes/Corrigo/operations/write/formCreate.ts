import type { INodeProperties } from 'n8n-workflow';

import type { EntityName, MemberName } from '../../catalogue/entities';
import { isFileLink, type ValuesOf } from '../../catalogue/members';
import { getNoun } from '../../catalogue/views';
import { lookUp } from '../../records/query';
import { createRunRegistry } from '../upsert/registry';
import { normalize } from '../../values/input';
import { filterMembers, type JsonObject } from '../../values/objects';
import { and, equal } from '../../wire/criteria';
import {
	type ItemContext,
	createFormResolver,
	type ItemForm,
	type ResolvingForm,
} from '../../run/context';
import { type MemberForm, type FieldMembers, readFieldMembers, buildForm } from '../members';
import type { Texts } from './command';
import type { Operation } from '../../run/operation';
import { buildCreateRequest } from '../../wire/requests';
import { createOutputBuilder } from '../output';
import { getWriteFields, toSpecifier } from './record';
import { translateNewTimes } from './zones';
import { showWritten } from '../specimens';

interface CreateDefinition<Name extends EntityName> extends MemberForm<MemberName<Name>>, Texts {
	entity: Name;
	/** Declares the output if it has more than the fields that the form always shows. */
	output?: Operation['output'];
	ownOptions?: INodeProperties[];
	/** Builds the new record from the members that the form sets. */
	buildRecord: (
		form: ResolvingForm,
		members: FieldMembers<MemberName<Name>>,
	) => ValuesOf<MemberName<Name>>;
	/** Offers to return a record that its owner already has in place of an equal one. */
	same?: SameRecord;
	/** Loads what is too large to be kept for all items, such as a file; members of the form take precedence. */
	loadContent?: (context: ItemContext) => Promise<ValuesOf<MemberName<Name>>>;
}

/** Finds records of one owner that say what a new one would say. */
interface SameRecord {
	/** Members that name the owner: its ID, and its kind if there are several. */
	owner: readonly [id: string, kind?: string];
	/** Properties that are compared. */
	properties: readonly string[];
	/** Lists the values that are equal if a stored record and a new one say the same. */
	identify: (record: JsonObject) => readonly unknown[];
	/** Adds what the content will say, such as the name of a file. */
	nameContent?: (form: ItemForm, record: JsonObject) => JsonObject;
}

const OPTION = 'skipIfSameExists';

/** Items that ask for it share one search for each kind of owner, and equal ones take turns. */
function createSameRegistry(
	entity: EntityName,
	{ owner: [id, kind], properties, identify, nameContent }: SameRecord,
	read: (form: ResolvingForm) => JsonObject,
) {
	const getKind = (record: JsonObject) => kind && record[kind];
	const getKey = (record: JsonObject) =>
		JSON.stringify([normalize(record[id]), getKind(record), ...identify(record)]);
	return createRunRegistry<JsonObject, JsonObject | undefined>(
		{
			key: getKey,
			values: (record) => [record[id]],
			group: (record) => String(getKind(record)),
			load: async (context, wanted) => {
				const where = kind === undefined ? undefined : and(equal(kind, getKind(wanted[0])));
				const read = [...properties, ...(kind ? [kind] : [])];
				const search = { entity, by: [id], properties: read, where };
				const owners = wanted.map((one) => one[id]);
				return [...(await lookUp(context, search, owners)).values()].flat();
			},
			readKeys: (stored) => [getKey(stored)],
			mayFind: () => true,
			describe: () => `a ${getNoun(entity)} with the same content`,
			unexpected: ['', ''],
		},
		(form) => {
			if (!form.isOn(OPTION)) return undefined;
			const record = read(form);
			return nameContent?.(form, record) ?? record;
		},
	);
}

export function buildFormCreate<Name extends EntityName>(typed: CreateDefinition<Name>): Operation {
	const { value, action, description, entity, ownOptions, buildRecord, loadContent } = typed;
	const shown = (typed.shown ?? []).flatMap((field) => ('member' in field ? [field.member] : []));
	const read = (form: ResolvingForm) => buildRecord(form, readFieldMembers(form, typed));
	const resolveRecord = createFormResolver(read);
	const registry = typed.same && createSameRegistry(entity, typed.same, read);
	const { owner = [], properties = [] } = typed.same ?? {};
	const compared = [...owner, ...properties];
	/** The form may say other things than a record that exists, and the run keeps no file. */
	const pickCompared = (record: JsonObject) =>
		filterMembers(record, (name) => compared.includes(name) && !isFileLink(name));
	return {
		value,
		action,
		description,
		address: `POST /base/${entity}`,
		output: typed.output ?? (() => showWritten(entity, shown)),
		fields: buildForm(typed, ...getWriteFields(undefined, registry ? [OPTION] : [], ownOptions)),
		check: resolveRecord,
		changes: registry?.getKeys,
		each: async (context) => {
			const buildOutput = createOutputBuilder(context, entity);
			const form = await resolveRecord(context);
			const existing = await registry?.findRecord(context);
			if (existing !== undefined) {
				const specifier = toSpecifier(entity, existing);
				return await buildOutput(specifier, pickCompared(existing), { AlreadyExisted: true });
			}
			const record = { ...(await loadContent?.(context)), ...form };
			const fields = await translateNewTimes(context, entity, record);
			const request = buildCreateRequest(entity, fields, context.getRequestId());
			const send = async () => await context.send(request);
			if (registry === undefined || !context.isOn(OPTION))
				return await buildOutput(await send(), fields);
			const create = async () => ({ ...pickCompared(fields), ...(await send()) });
			const created = toSpecifier(entity, await registry.create(context, create));
			return await buildOutput(created, fields, { AlreadyExisted: false });
		},
	};
}
