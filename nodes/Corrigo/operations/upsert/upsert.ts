import type { INodeExecutionData } from 'n8n-workflow';

import type { EntityName } from '../../catalogue/entities';
import { optionFields } from '../../form/options';
import type { Specifier } from '../../wire/answers';
import { ValidationError, type JsonObject } from '../../values/checks';
import { findDifferences } from '../../compare/differences';
import { toItem, oncePerRun, type ItemContext } from '../../run/context';
import type { Operation } from '../../run/operation';
import { getKnownNames } from '../../run/resolve';
import {
	formatKey,
	createMatchRegistry,
	findMatch,
	type RecordDescription,
	type Match,
} from './matches';
import { createOutputBuilder, getWriteFields, toSpecifier, updateRecord } from '../write/record';
import {
	getMissingRule,
	noteVersion,
	skipIfChanged,
	translateRecordTimes,
	updateCurrent,
} from '../write/stored';

/** Form whose items describe a record to create or update. */
interface UpsertDefinition extends Pick<Operation, 'action' | 'description' | 'fields'> {
	/** Undefined if the user chooses the entity in the form. */
	entity: EntityName | undefined;
	describe: (context: ItemContext) => RecordDescription;
	/** Fails an item that lacks required values of a new record. */
	checkNew: (match: Match) => Promise<unknown>;
	/** Creates the record; its request must be sent through `once`, which prevents duplicates. */
	create: (match: Match, once: Once) => Promise<Specifier>;
}

type Once = (send: () => Promise<object>) => Promise<Specifier>;

export function buildFormUpsert({
	entity,
	describe,
	fields,
	checkNew,
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
			...getWriteFields(entity, 'expectedVersion', 'ifChanged', 'returnBefore', 'updateOnly'),
		],
		changes: matches.getKey,
		check: async (context) => await check(await matches.of(context), checkNew),
		each: async (context) => await upsert(await matches.of(context), create),
	};
}

/** Keys of the records that will exist after the items checked so far have run. */
const getCreatedKeys = oncePerRun(() => new Set<string>());

/** Required values matter only for new records, so only an incomplete item looks for its record. */
async function check(match: Match, checkNew: UpsertDefinition['checkNew']): Promise<void> {
	const { context, wanted } = match;
	if (readMissingRule(context, wanted.entity) !== 'create') return;
	const created = getCreatedKeys(context);
	await checkNew(match).then(
		() => created.add(wanted.key),
		async (failure: unknown) => {
			if (!created.has(wanted.key) && (await findMatch(match)) === undefined) throw failure;
		},
	);
}

async function upsert(
	match: Match,
	create: UpsertDefinition['create'],
): Promise<INodeExecutionData[]> {
	const { context, wanted } = match;
	const { entity, columns, values } = wanted;
	const missing = readMissingRule(context, entity);
	const row = await findMatch(match);
	if (row !== undefined) {
		return await updateCurrent(
			row,
			async () => await findMatch(match),
			async (record) => await update(match, record),
		);
	}
	if (missing === 'create') return await createMissing(match, create);
	if (missing === 'error') {
		throw new ValidationError(
			`There is no ${entity} with ${formatKey(wanted)}`,
			context.options.updateOnly === undefined
				? 'It was deleted, or got another key, since it was read. None was made.'
				: `'${optionFields.updateOnly.displayName}' is on, so none was made.`,
		);
	}
	const key = Object.fromEntries(columns.map(({ id }, index) => [id, values[index]]));
	return [toItem({ EntityType: entity, ...key, Outcome: 'missing' })];
}

/** The option `updateOnly` takes precedence over the rule for records that were read before. */
export function readMissingRule(context: ItemContext, entity: string): 'create' | 'error' | 'skip' {
	const missing = getMissingRule(context, entity);
	return context.option('updateOnly') ?? missing;
}

async function createMissing(
	match: Match,
	create: UpsertDefinition['create'],
): Promise<INodeExecutionData[]> {
	const { context, registry, wanted } = match;
	const { entity, all } = wanted;
	const buildOutput = createOutputBuilder(context, entity);
	const specifier = await create(match, async (send) => {
		const record = await registry.create(context, wanted, async () => ({
			...all,
			...(await send()),
		}));
		getKnownNames(context).noteRecord(entity, record);
		return toSpecifier(entity, record);
	});
	noteVersion(context, entity, specifier);
	const [{ json }] = await buildOutput(specifier, all);
	return [toItem({ ...json, Outcome: 'created' })];
}

async function update(
	{ context, registry, wanted }: Match,
	row: JsonObject,
): Promise<INodeExecutionData[]> {
	const { entity, input, all } = wanted;
	const buildOutput = createOutputBuilder(context, entity);
	const times = { field: input.field, members: wanted.members, utc: input.utc };
	const described = translateRecordTimes(context, entity, times, row);
	const { members, changed } = findDifferences(entity, row, described);
	const before = toSpecifier(entity, row);
	if (changed.length === 0) {
		const [{ json }] = await buildOutput(before, all, row);
		return [toItem({ ...json, Outcome: 'unchanged' })];
	}
	const skipped = skipIfChanged(context, entity, row, members);
	if (skipped !== undefined) return skipped;
	registry.markChanged(context, wanted, row);
	const specifier = await updateRecord(context, before, {
		field: input.field,
		members,
		custom: input.custom.filter(({ descriptor }) => changed.includes(toCustomPath(descriptor))),
		record: row,
	});
	noteVersion(context, entity, specifier, row.ConcurrencyId);
	const [{ json }] = await buildOutput(specifier, all);
	const Changed = changed.map(
		(path) =>
			input.custom.find(({ descriptor }) => path === toCustomPath(descriptor))?.label ?? path,
	);
	return [toItem({ ...json, Outcome: 'updated', Changed })];
}

const toCustomPath = (descriptor: number) => `CustomFields.${descriptor}`;
