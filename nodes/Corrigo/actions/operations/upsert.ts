import type { INodeExecutionData } from 'n8n-workflow';

import type { EntityName } from '../../catalogue/entities';
import { optionTitle } from '../../form/options';
import type { Specifier } from '../../protocol/answers';
import { rowsIn, ValidationError, type JsonObject } from '../../protocol/checks';
import { membersOfRecord } from '../../protocol/customFields';
import { differences } from '../../protocol/differences';
import { oneOf } from '../../protocol/values';
import { itemOf, oncePerRun, type ItemContext } from '../../run/context';
import type { Operation } from '../../run/operation';
import { knownNamesIn } from '../../run/resolve';
import { updateRecord } from './fields';
import { ifMissing, noteVersion, skippedIfChanged } from './ifChanged';
import { keyText, matchesOf, matchOf, type Described, type Match } from './matches';
import { updateCurrent } from './stored';
import { outputOfWrite, specifierIn, writeFieldsOn } from './writeOutput';
import { onClockOfRecord } from './zones';

/** Form whose items describe a record to create or update. */
interface RecordForm extends Pick<Operation, 'action' | 'description' | 'fields'> {
	/** Undefined if the user chooses the entity in the form. */
	entity: EntityName | undefined;
	describe: (context: ItemContext) => Described;
	/** Fails an item that lacks required values of a new record. */
	checkNew: (match: Match) => Promise<unknown>;
	/** Creates the record; its request must be sent through `once`, which prevents duplicates. */
	create: (match: Match, once: Once) => Promise<Specifier>;
}

type Once = (send: () => Promise<object>) => Promise<Specifier>;

export function upsertByForm({
	entity,
	describe,
	fields,
	checkNew,
	create,
	...texts
}: RecordForm): Operation {
	const matches = matchesOf(describe);
	return {
		name: 'Create or Update',
		value: 'upsert',
		...texts,
		fields: [
			...fields,
			...writeFieldsOn(entity, 'expectedVersion', 'ifChanged', 'returnBefore', 'updateOnly'),
		],
		changes: matches.keyOf,
		check: async (context) => await check(await matches.of(context), checkNew),
		each: async (context) => await upsert(await matches.of(context), create),
	};
}

/** Keys of the records that will exist after the items checked so far have run. */
const createdKeys = oncePerRun(() => new Set<string>());

/** Required values matter only for new records, so only an incomplete item looks for its record. */
async function check(match: Match, checkNew: RecordForm['checkNew']): Promise<void> {
	const { context, wanted } = match;
	if (missingIn(context, wanted.entity) !== 'create') return;
	const created = createdKeys(context);
	await checkNew(match).then(
		() => created.add(wanted.key),
		async (failure: unknown) => {
			if (!created.has(wanted.key) && (await matchOf(match)) === undefined) throw failure;
		},
	);
}

async function upsert(match: Match, create: RecordForm['create']): Promise<INodeExecutionData[]> {
	const { context, wanted } = match;
	const { entity, columns, values } = wanted;
	const missing = missingIn(context, entity);
	const row = await matchOf(match);
	if (row !== undefined) {
		return await updateCurrent(
			row,
			async () => await matchOf(match),
			async (record) => await update(match, record),
		);
	}
	if (missing === 'create') return await make(match, create);
	if (missing === 'error') {
		throw new ValidationError(
			`There is no ${entity} with ${keyText(wanted)}`,
			context.options.updateOnly === undefined
				? 'It was deleted, or got another key, since it was read. None was made.'
				: `'${optionTitle('updateOnly')}' is on, so none was made.`,
		);
	}
	const key = Object.fromEntries(columns.map(({ id }, index) => [id, values[index]]));
	return [itemOf({ EntityType: entity, ...key, Outcome: 'missing' })];
}

/** The option `updateOnly` takes precedence over the rule for records that were read before. */
export function missingIn(context: ItemContext, entity: string): 'create' | 'error' | 'skip' {
	const { updateOnly } = context.options;
	const missing = ifMissing(context, entity);
	if (updateOnly === undefined) return missing;
	return oneOf(optionTitle('updateOnly'), updateOnly, ['error', 'skip']);
}

async function make(match: Match, create: RecordForm['create']): Promise<INodeExecutionData[]> {
	const { context, registry, wanted } = match;
	const { entity, all } = wanted;
	const output = outputOfWrite(context, entity);
	const specifier = await create(match, async (send) => {
		const record = await registry.create(context, wanted, async () => ({
			...all,
			...(await send()),
		}));
		knownNamesIn(context).noteRecord(entity, record);
		return specifierIn(entity, record);
	});
	noteVersion(context, entity, specifier);
	const [{ json }] = await output(specifier, all);
	return [itemOf({ ...json, Outcome: 'created' })];
}

async function update(
	{ context, registry, wanted }: Match,
	row: JsonObject,
): Promise<INodeExecutionData[]> {
	const { entity, given, all } = wanted;
	const output = outputOfWrite(context, entity);
	const times = { field: given.field, members: wanted.members, utc: given.utc };
	const described = onClockOfRecord(context, entity, times, row);
	const { members, changed } = differences(entity, row, described);
	const before = specifierIn(entity, row);
	if (changed.length === 0) {
		const [{ json }] = await output(before, all, row);
		return [itemOf({ ...json, Outcome: 'unchanged' })];
	}
	const skipped = skippedIfChanged(context, entity, row, members);
	if (skipped !== undefined) return skipped;
	registry.markChanged(context, wanted, row);
	const specifier = await updateRecord(context, entity, before, {
		field: given.field,
		members: membersOfRecord(entity, members),
		custom: given.custom.filter(({ descriptor }) => changed.includes(customPath(descriptor))),
		stored: rowsIn(row.CustomFields),
		record: row,
	});
	noteVersion(context, entity, specifier, row.ConcurrencyId);
	const [{ json }] = await output(specifier, all);
	const Changed = changed.map(
		(path) => given.custom.find(({ descriptor }) => path === customPath(descriptor))?.label ?? path,
	);
	return [itemOf({ ...json, Outcome: 'updated', Changed })];
}

const customPath = (descriptor: number) => `CustomFields.${descriptor}`;
