import type { INodeExecutionData } from 'n8n-workflow';

import type { EntityName } from '../../catalogue/entities';
import { isWriteOnly } from '../../catalogue/members';
import { getNoun } from '../../catalogue/views';
import { optionFields } from '../../form/options';
import { getRecordKey, type Specifier } from '../../wire/answers';
import { ValidationError } from '../../values/errors';
import { filterMembers, type JsonObject } from '../../values/objects';
import { applyMembers, findDifferences, omitRemovedRows } from '../../compare/differences';
import { toItem, oncePerRun, resolveForm, type ResolvingForm } from '../../run/context';
import type { Operation } from '../../run/operation';
import {
	getWriteFields,
	toSpecifier,
	updateRecord,
	checkNewRecord,
	createFromInput,
	readInput,
	requireSupport,
	findDefinedName,
	settleInput,
	type Written,
} from '../write/record';
import { dependsOnRecord } from '../write/settling';
import { readMissingRule, skipIfChanged, updateCurrent } from '../write/versions';
import { translateRecordTimes } from '../write/zones';
import { buildColumnFields } from '../../form/fields';
import type { Subject } from '../../form/subjects';
import { getEntityFields } from '../subject';
import { NOT_CREATED } from '../../wire/requests';
import { requireOwnParts } from '../write/ownParts';
import {
	type RecordDescription,
	type Match,
	formatKey,
	findMatch,
	createMatchRegistry,
	readMatchColumns,
	requireKeyCurrency,
} from './match';
import { createOutputBuilder } from '../output';
import { showUpsert } from '../specimens';

/** Form whose items describe a record to create or update. */
interface UpsertDefinition
	extends Pick<Operation, 'action' | 'address' | 'description' | 'fields' | 'output'> {
	/** Undefined if the user chooses the entity in the form. */
	entity: EntityName | undefined;
	describe: (form: ResolvingForm) => RecordDescription;
	/** Fails an item that lacks required values of a new record. */
	checkNew: (match: Match) => Promise<unknown>;
	/** Notes what only a new record would get. */
	noteExisting?: (match: Match, record: JsonObject) => Promise<void>;
	/** Creates the record; its request must be sent through `once`, which prevents duplicates. */
	create: (match: Match, once: Once) => Promise<Written>;
}

/** Sends, and gets the record with the members that were sent. */
type Once = (send: () => Promise<JsonObject>) => Promise<Specifier>;

export function buildFormUpsert({
	entity,
	describe,
	fields,
	checkNew,
	noteExisting,
	create,
	...texts
}: UpsertDefinition): Operation {
	const matches = createMatchRegistry(describe);
	return {
		name: 'Create or Update',
		value: 'upsert',
		...texts,
		fields: [
			...fields,
			...getWriteFields(entity, [
				...(['expectedVersion', 'fieldsToClear', 'ifChanged'] as const),
				...(['returnBefore', 'updateOnly'] as const),
			]),
		],
		changes: matches.getKeys,
		check: async (context) => await check(await matches.of(context), checkNew),
		each: async (context) => await upsert(await matches.of(context), create, noteExisting),
	};
}

/** Keys of the records that will exist after the items checked so far have run. */
const getCreatedKeys = oncePerRun(() => new Set<string>());

/** The record of a later item will not be as it is now. */
const getCheckedKeys = oncePerRun(() => new Set<string>());

/** An item that could not create its record looks for it here, before any item is written. */
async function check(match: Match, checkNew: UpsertDefinition['checkNew']): Promise<void> {
	const { context, wanted } = match;
	const { entity, input } = wanted;
	const checked = getCheckedKeys(context);
	const isFirst = checked.size < checked.add(wanted.key).size;
	if (dependsOnRecord(input.members) && isFirst) {
		await settleInput(context, entity, input, await findMatch(match));
	}
	const missing = readMissingRule(context, entity);
	const created = getCreatedKeys(context);
	const willExist = async () => created.has(wanted.key) || (await findMatch(match)) !== undefined;
	if (missing === 'create') {
		await checkNew(match).then(
			() => created.add(wanted.key),
			async (failure: unknown) => {
				if (!(await willExist())) throw failure;
			},
		);
	} else if (missing === 'error' && !(await willExist())) throw createNoneError(match);
}

async function upsert(
	match: Match,
	create: UpsertDefinition['create'],
	noteExisting?: UpsertDefinition['noteExisting'],
): Promise<INodeExecutionData[]> {
	const { context, registry, wanted } = match;
	const { entity, columns, values } = wanted;
	const missing = readMissingRule(context, entity);
	const find = () => findMatch(match);
	const row = await find();
	if (row !== undefined) await noteExisting?.(match, row);
	const updated =
		row &&
		(await registry.inTurn(
			row,
			find,
			async (record) => record && updateCurrent(record, find, (now) => update(match, now)),
		));
	if (updated !== undefined) return updated;
	if (missing === 'create') return await createMissing(match, create);
	if (missing === 'error') throw createNoneError(match);
	const key = Object.fromEntries(
		columns.map(({ id, label = id }, index) => [label, values[index]]),
	);
	return [toItem({ Outcome: 'missing', ...key })];
}

const createNoneError = ({ context, wanted }: Match): ValidationError =>
	new ValidationError(
		`There is no ${getNoun(wanted.entity)} with ${formatKey(wanted)}`,
		context.options.updateOnly === undefined
			? 'It was deleted, or got another key, since it was read. None was made.'
			: `'${optionFields.updateOnly.displayName}' is on, so none was made.`,
	);

async function createMissing(
	match: Match,
	create: UpsertDefinition['create'],
): Promise<INodeExecutionData[]> {
	const { context, registry, wanted } = match;
	const { entity } = wanted;
	const buildOutput = createOutputBuilder(context, entity, { isNew: true });
	const input = await settleInput(context, entity, wanted.input, undefined);
	const own = { ...match, wanted: { ...wanted, input } };
	const { specifier, members } = await create(own, async (send) => {
		// A record that a dry run has planned is what the items after this one are compared with.
		const record = await registry.create(context, wanted, async () =>
			omitRemovedRows(entity, await send()),
		);
		context.run.names.noteRecord(entity, record);
		return toSpecifier(entity, record);
	});
	context.run.versions.note(entity, specifier);
	return await buildOutput(specifier, members, { Outcome: 'created' });
}

/** Changes that a dry run has planned so far, by record. */
const getPlanned = oncePerRun(() => new Map<unknown, JsonObject[]>());

async function update(
	{ context, registry, wanted }: Match,
	stored: JsonObject,
): Promise<INodeExecutionData[]> {
	const { entity, input } = wanted;
	const id = stored.Id === NOT_CREATED ? wanted.key : getRecordKey(entity, Number(stored.Id));
	const planned = getPlanned(context).get(id) ?? [];
	const row = planned.reduce((record, changes) => applyMembers(entity, record, changes), stored);
	const buildOutput = createOutputBuilder(context, entity);
	requireKeyCurrency(wanted, row);
	const described = await settleInput(context, entity, { ...input, members: wanted.members }, row);
	requireOwnParts(context.run.names, input.field, { entity, id: row.Id }, described.members, row);
	const wantedMembers = await translateRecordTimes(context, entity, described, row);
	const { members, changed } = findDifferences(entity, row, wantedMembers);
	const before = toSpecifier(entity, row);
	const settled = await settleInput(context, entity, input, row);
	const all = await translateRecordTimes(context, entity, settled, row);
	// Corrigo never shows these members, which only a new record gets.
	const shown = filterMembers(all, (name) => !isWriteOnly(entity, name));
	if (changed.length === 0) return await buildOutput(before, shown, { Outcome: 'unchanged' }, row);
	const skipped = skipIfChanged(context, entity, row, members);
	if (skipped !== undefined) return skipped;
	if (context.isDryRun) getPlanned(context).set(id, [...planned, members]);
	context.noteRecordRead();
	const specifier = await registry.update(context, wanted, row, async () =>
		updateRecord(context, before, {
			field: input.field,
			members,
			record: row,
		}),
	);
	context.run.versions.note(entity, specifier, row.ConcurrencyId);
	const Changed = changed.map((path) => findDefinedName(context.run, path) ?? path);
	return await buildOutput(specifier, shown, { Outcome: 'updated', Changed });
}

export const buildUpsertOperation = (subject: Subject): Operation =>
	buildFormUpsert({
		entity: subject.entity,
		action: `Create or update ${subject.noun}`,
		description: 'Create a new record, or update the current one if it already exists (upsert)',
		address: 'POST or PUT /base',
		output: () => showUpsert(subject.entity),
		fields: [...getEntityFields(subject), ...buildColumnFields('upsert', subject.entity)],
		describe: (context) => {
			const entity = requireSupport(context.entity(subject), 'update');
			if (readMissingRule(context, entity) === 'create') requireSupport(entity, 'create');
			const input = readInput(context, entity, 'upsert');
			return { entity, input, columns: readMatchColumns(context, entity) };
		},
		checkNew: async ({ context, wanted: { entity, input } }) =>
			await resolveForm(context, (form) => checkNewRecord(form, entity, input)),
		create: async ({ context, wanted: { entity, input } }, once) =>
			await createFromInput(context, entity, input, (request, members) =>
				once(async () => ({ ...members, ...(await context.send(request)) })),
			),
	});
