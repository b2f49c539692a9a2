import type { INodeExecutionData } from 'n8n-workflow';

import { columnFields } from '../../form/columns';
import { optionsField, optionTitle } from '../../form/options';
import type { Subject } from '../../form/subjects';
import type { Specifier } from '../../protocol/answers';
import { changesOf, type Changes } from '../../protocol/changes';
import { isObject, ValidationError, type JsonObject } from '../../protocol/checks';
import { carriesCustomFields } from '../../protocol/customFields';
import { differences, type Difference } from '../../protocol/differences';
import { replaced, valueAt } from '../../protocol/kinds';
import { updateRequest, type WriteRequest } from '../../protocol/requests';
import { oneOf } from '../../protocol/values';
import { codeOf, mayHaveRun } from '../../transport/errors';
import { itemOf, type ItemContext } from '../../run/context';
import { createOf, writeApart } from './fields';
import { recoverLostCreate } from '../../once/recoverLostCreate';
import { Matches, recordsOf, shown, type Wanted } from './matches';
import type { Operation } from '../../run/operation';
import { entityFields, mustSupport } from './subject';
import { writeOutput } from './writeOutput';
import { onClockOf, zoneOfRecord } from './zones';

export const upsertOperation = (subject: Subject): Operation => ({
	name: 'Create or Update',
	value: 'upsert',
	action: `Create or update ${subject.one}`,
	description: 'Create a new record, or update the current one if it already exists (upsert)',
	fields: [
		...entityFields(subject),
		...columnFields('upsert', subject.entity),
		optionsField(
			'dryRun',
			'parallelRequests',
			'requestId',
			'returnRecord',
			'timeout',
			'updateOnly',
		),
	],
	changes: async (context) => (await Matches.of(context, subject)).wantedBy(context).key,
	each: async (context) => await upsert(context, await Matches.of(context, subject)),
});

async function upsert(context: ItemContext, matches: Matches): Promise<INodeExecutionData[]> {
	const wanted = matches.wantedBy(context);
	const missing = missingIn(context);
	mustSupport(wanted.entity, 'update');
	if (missing === 'create') mustSupport(wanted.entity, 'create');
	const isWritten = (row: JsonObject | undefined) =>
		row === undefined ? missing === 'create' : changesIn(wanted, row).changed.length > 0;
	const seen = await matches.recordFor(context);
	const row = isWritten(seen) ? await matches.recordFor(context, true) : seen;
	if (row !== undefined) return await updated(context, matches, row);
	if (missing === 'create') return await made(context, matches);
	if (missing === 'skip') return [itemOf({ ...keyShown(wanted), Outcome: 'missing' })];
	throw new ValidationError(
		`There is no ${wanted.entity} with ${shown(wanted)}`,
		`'${optionTitle('updateOnly')}' is on, so none was made.`,
	);
}

const keyShown = ({ entity, columns, values }: Wanted): JsonObject => ({
	EntityType: entity,
	...Object.fromEntries(columns.map(({ id }, index) => [id, values[index]])),
});

/** What becomes of an item for which there is no record. */
function missingIn({ options: { updateOnly } }: ItemContext): 'create' | 'error' | 'skip' {
	if (updateOnly === undefined) return 'create';
	return oneOf(optionTitle('updateOnly'), updateOnly, ['error', 'skip']);
}

function changesIn({ entity, members }: Wanted, row: JsonObject): Difference {
	const zone = zoneOfRecord(entity)?.zone;
	const index = zone && valueAt(row, zone);
	return differences(entity, row, onClockOf(entity, members, index));
}

const saying = async (
	context: ItemContext,
	entity: string,
	specifier: Specifier,
	outcome: JsonObject,
): Promise<INodeExecutionData[]> => {
	const [{ json }] = await writeOutput(context, entity, specifier);
	return [itemOf({ ...json, ...outcome })];
};

const specifierIn = (entity: string, { Id, ConcurrencyId }: JsonObject): Specifier => ({
	EntityType: entity,
	Id: Number(Id),
	...(ConcurrencyId === undefined ? {} : { ConcurrencyId: Number(ConcurrencyId) }),
});

async function made(context: ItemContext, matches: Matches): Promise<INodeExecutionData[]> {
	const wanted = matches.wantedBy(context);
	const specifier = await createOf(context, wanted.entity, wanted.given, async (request) => {
		const answer = await context
			.send(request)
			.catch(async (failure: unknown) => await madeAfterAll(context, matches, failure));
		if (context.isDryRun) matches.rehearsed(context);
		else matches.wrote(context, answer.Id);
		return answer;
	});
	return await saying(context, wanted.entity, specifier, { Outcome: 'created' });
}

/** The key tells whether a create was carried out. */
async function madeAfterAll(
	context: ItemContext,
	matches: Matches,
	failure: unknown,
): Promise<Specifier> {
	const wanted = matches.wantedBy(context);
	const look = async () => (await recordsOf(context, [wanted])).get(wanted.key)?.[0];
	const shownAs = `a record with ${shown(wanted)}`;
	const row = await recoverLostCreate(context, failure, shownAs, look).catch((error: unknown) => {
		if (mayHaveRun(error)) matches.doubt(context, error);
		throw error;
	});
	return specifierIn(wanted.entity, row);
}

const CHANGED_MEANWHILE = 'ERROR_CODE_6';

async function updated(
	context: ItemContext,
	matches: Matches,
	row: JsonObject,
	meanwhile = readAgain,
): Promise<INodeExecutionData[]> {
	const wanted = matches.wantedBy(context);
	const { entity } = wanted;
	const change = changesIn(wanted, row);
	if (change.changed.length === 0) {
		const found = context.isOn('returnRecord') ? row : specifierIn(entity, row);
		return [itemOf({ ...found, Outcome: 'unchanged' })];
	}
	if (!context.isDryRun) matches.wrote(context, Number(row.Id));
	const written = await write(context, wanted, row, change).then(
		(specifier) => ({ specifier }),
		async (failure: unknown) => ({ now: await meanwhile(context, matches, row, failure) }),
	);
	if ('specifier' in written) {
		const Changed = changedNames(wanted, change);
		return await saying(context, entity, written.specifier, { Outcome: 'updated', Changed });
	}
	return await updated(context, matches, written.now, giveUp);
}

/** The record as somebody else has made it, if that is why nothing was written: the code has other reasons, too. */
async function readAgain(
	context: ItemContext,
	matches: Matches,
	before: JsonObject,
	failure: unknown,
): Promise<JsonObject> {
	if (codeOf(failure) !== CHANGED_MEANWHILE) throw failure;
	const now = await matches.recordFor(context);
	if (now === undefined || now.ConcurrencyId === before.ConcurrencyId) throw failure;
	return now;
}

/** Once is enough: whoever else is at it would have to be faster twice. */
const giveUp: typeof readAgain = async (_context, _matches, _before, failure) => {
	throw failure;
};

async function write(
	context: ItemContext,
	{ entity, given }: Wanted,
	row: JsonObject,
	{ members, changed }: Difference,
): Promise<Specifier> {
	const isWhole = carriesCustomFields(entity);
	const body = isWhole ? members : replaced(members, 'CustomFields', undefined);
	const before = specifierIn(entity, row);
	const { Id, ConcurrencyId } = before;
	const specifier =
		Object.keys(body).length === 0
			? before
			: await context.send(
					updateOf(context, entity, row, changesOf(given.field, Id, { ...body, ConcurrencyId })),
				);
	if (isWhole) return specifier;
	const custom = given.custom.filter(({ descriptor }) =>
		changed.includes(`CustomFields.${descriptor}`),
	);
	const stored = Array.isArray(row.CustomFields) ? row.CustomFields.filter(isObject) : [];
	await writeApart(context, entity, Id, custom, stored);
	return specifier;
}

/** A rehearsal need not read again what has been read. */
function updateOf(
	context: ItemContext,
	entity: string,
	record: JsonObject,
	changes: Changes,
): WriteRequest<Specifier> {
	const request = updateRequest(entity, changes, context.requestId());
	return { ...request, dryRun: { ...request.dryRun, update: { entity, changes, record } } };
}

/** Custom fields by their names, as far as the form has them. */
const changedNames = ({ given }: Wanted, { changed }: Difference): string[] =>
	changed.map(
		(name) =>
			given.custom.find(({ descriptor }) => name === `CustomFields.${descriptor}`)?.label ?? name,
	);
