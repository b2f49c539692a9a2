import type { INodeExecutionData } from 'n8n-workflow';

import { columnFields } from '../../form/columns';
import { optionTitle } from '../../form/options';
import type { Subject } from '../../form/subjects';
import { isObject, ValidationError, type JsonObject } from '../../protocol/checks';
import { membersOfRecord } from '../../protocol/customFields';
import { differences } from '../../protocol/differences';
import { oneOf } from '../../protocol/values';
import { itemOf, oncePerRun, type ItemContext } from '../../run/context';
import type { Operation } from '../../run/operation';
import { knownNamesIn } from '../../run/resolve';
import { codeOf } from '../../transport/errors';
import { createOf, isComplete, newRecord, updateRecord } from './fields';
import { keyText, matchesOf, matchOf, type Match } from './matches';
import { entityFields, mustSupport } from './subject';
import { outputOfWrite, writeFieldsWith } from './writeOutput';
import { onClockOfRecord } from './zones';

export function upsertOperation(subject: Subject): Operation {
	const matches = matchesOf(subject);
	return {
		name: 'Create or Update',
		value: 'upsert',
		action: `Create or update ${subject.one}`,
		description: 'Create a new record, or update the current one if it already exists (upsert)',
		fields: [
			...entityFields(subject),
			...columnFields('upsert', subject.entity),
			...writeFieldsWith('updateOnly'),
		],
		changes: matches.keyOf,
		check: async (context) => await checkNew(await matches.of(context)),
		each: async (context) => await upsert(await matches.of(context)),
	};
}

/** The keys of records that exist once the items checked so far are carried out. */
const createdKeys = oncePerRun(() => new Set<string>());

/** Only an item without a record needs all required values: only an incomplete one looks for its record. */
async function checkNew(match: Match): Promise<void> {
	const { context, wanted } = match;
	const { entity, given, all, key } = wanted;
	if (missingIn(context) !== 'create') return;
	const created = createdKeys(context);
	if (isComplete(entity, all)) created.add(key);
	else if (!created.has(key) && (await matchOf(match)) === undefined) newRecord(entity, given);
}

async function upsert(match: Match): Promise<INodeExecutionData[]> {
	const { context, wanted } = match;
	const { entity, columns, values } = wanted;
	const missing = missingIn(context);
	mustSupport(entity, 'update');
	if (missing === 'create') mustSupport(entity, 'create');
	const row = await matchOf(match);
	if (row !== undefined) {
		return await update(match, row).catch(
			async (failure: unknown) => await update(match, await changedRecord(match, row, failure)),
		);
	}
	if (missing === 'create') return await create(match);
	if (missing === 'error') {
		throw new ValidationError(
			`There is no ${entity} with ${keyText(wanted)}`,
			`'${optionTitle('updateOnly')}' is on, so none was made.`,
		);
	}
	const key = Object.fromEntries(columns.map(({ id }, index) => [id, values[index]]));
	return [itemOf({ EntityType: entity, ...key, Outcome: 'missing' })];
}

/** How to go on with an item that has no record. */
function missingIn({ options: { updateOnly } }: ItemContext): 'create' | 'error' | 'skip' {
	if (updateOnly === undefined) return 'create';
	return oneOf(optionTitle('updateOnly'), updateOnly, ['error', 'skip']);
}

const specifierIn = (entity: string, { Id, ConcurrencyId }: JsonObject) => ({
	EntityType: entity,
	Id: Number(Id),
	...(ConcurrencyId === undefined ? {} : { ConcurrencyId: Number(ConcurrencyId) }),
});

async function create({ context, registry, wanted }: Match): Promise<INodeExecutionData[]> {
	const { entity, given, all } = wanted;
	const output = outputOfWrite(context, entity);
	const specifier = await createOf(context, entity, given, async (request) => {
		const send = async () => ({ ...all, ...(await context.send(request)) });
		return specifierIn(entity, await registry.create(context, wanted, send));
	});
	const [{ json }] = await output(specifier, all);
	return [itemOf({ ...json, Outcome: 'created' })];
}

async function update(
	{ context, registry, wanted }: Match,
	row: JsonObject,
): Promise<INodeExecutionData[]> {
	const { entity, given, all } = wanted;
	const output = outputOfWrite(context, entity);
	knownNamesIn(context).noteRecord(entity, row, wanted.paths);
	const times = { field: given.field, members: wanted.members, utc: given.utc };
	const described = onClockOfRecord(context, entity, times, row);
	const { members, changed } = differences(entity, row, described);
	const before = specifierIn(entity, row);
	if (changed.length === 0) {
		const [{ json }] = await output(before, all, row);
		return [itemOf({ ...json, Outcome: 'unchanged' })];
	}
	registry.markChanged(context, wanted, row);
	const specifier = await updateRecord(context, entity, before, {
		field: given.field,
		members: membersOfRecord(entity, members),
		custom: given.custom.filter(({ descriptor }) => changed.includes(customPath(descriptor))),
		stored: Array.isArray(row.CustomFields) ? row.CustomFields.filter(isObject) : [],
		record: row,
	});
	const [{ json }] = await output(specifier, all);
	const Changed = changed.map(
		(path) => given.custom.find(({ descriptor }) => path === customPath(descriptor))?.label ?? path,
	);
	return [itemOf({ ...json, Outcome: 'updated', Changed })];
}

const CHANGED_SINCE_READ = 'ERROR_CODE_6';

/** The record as somebody else has left it, if that is why it was not written: the code has other reasons, too. */
async function changedRecord(
	match: Match,
	before: JsonObject,
	failure: unknown,
): Promise<JsonObject> {
	if (codeOf(failure) !== CHANGED_SINCE_READ) throw failure;
	const now = await matchOf(match);
	if (now === undefined || now.ConcurrencyId === before.ConcurrencyId) throw failure;
	return now;
}

const customPath = (descriptor: number) => `CustomFields.${descriptor}`;
