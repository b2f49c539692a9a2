import type { INodeExecutionData } from 'n8n-workflow';

import { columnFields } from '../../form/columns';
import { optionsField, optionTitle } from '../../form/options';
import type { Subject } from '../../form/subjects';
import type { Specifier } from '../../protocol/answers';
import { changesOf, type Changes } from '../../protocol/changes';
import { isObject, Refusal, type JsonObject } from '../../protocol/checks';
import { carriesCustomFields } from '../../protocol/customFields';
import { differences, type Difference } from '../../protocol/differences';
import { replaced, valueAt } from '../../protocol/kinds';
import { updateRequest } from '../../protocol/requests';
import { oneOf } from '../../protocol/values';
import { codeOf, mayHaveRun } from '../../transport/errors';
import { itemOf, type Call } from '../../run/context';
import { createOf, writeApart } from './fields';
import { lateRecord } from '../../once/recoverLostCreate';
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
	changes: async (call) => (await Matches.of(call, subject)).wantedBy(call).key,
	each: async (call) => await upsert(call, await Matches.of(call, subject)),
});

async function upsert(call: Call, matches: Matches): Promise<INodeExecutionData[]> {
	const wanted = matches.wantedBy(call);
	const missing = missingIn(call);
	mustSupport(wanted.entity, 'update');
	if (missing === 'create') mustSupport(wanted.entity, 'create');
	const isWritten = (row: JsonObject | undefined) =>
		row === undefined ? missing === 'create' : changesIn(wanted, row).changed.length > 0;
	const seen = await matches.recordFor(call);
	const row = isWritten(seen) ? await matches.recordFor(call, true) : seen;
	if (row !== undefined) return await updated(call, matches, row);
	if (missing === 'create') return await made(call, matches);
	if (missing === 'skip') return [itemOf({ ...keyShown(wanted), Outcome: 'missing' })];
	throw new Refusal(
		`There is no ${wanted.entity} with ${shown(wanted)}`,
		`'${optionTitle('updateOnly')}' is on, so none was made.`,
	);
}

const keyShown = ({ entity, columns, values }: Wanted): JsonObject => ({
	EntityType: entity,
	...Object.fromEntries(columns.map(({ id }, index) => [id, values[index]])),
});

/** What becomes of an item for which there is no record. */
function missingIn({ options: { updateOnly } }: Call): 'create' | 'error' | 'skip' {
	if (updateOnly === undefined) return 'create';
	return oneOf(optionTitle('updateOnly'), updateOnly, ['error', 'skip']);
}

function changesIn({ entity, members }: Wanted, row: JsonObject): Difference {
	const zone = zoneOfRecord(entity)?.zone;
	const index = zone && valueAt(row, zone);
	return differences(entity, row, onClockOf(entity, members, index));
}

const saying = async (
	call: Call,
	entity: string,
	specifier: Specifier,
	outcome: JsonObject,
): Promise<INodeExecutionData[]> => {
	const [{ json }] = await writeOutput(call, entity, specifier);
	return [itemOf({ ...json, ...outcome })];
};

const specifierIn = (entity: string, { Id, ConcurrencyId }: JsonObject): Specifier => ({
	EntityType: entity,
	Id: Number(Id),
	...(ConcurrencyId === undefined ? {} : { ConcurrencyId: Number(ConcurrencyId) }),
});

async function made(call: Call, matches: Matches): Promise<INodeExecutionData[]> {
	const wanted = matches.wantedBy(call);
	const specifier = await createOf(call, wanted.entity, wanted.given, async (request) => {
		const answer = await call
			.send(request)
			.catch(async (failure: unknown) => await madeAfterAll(call, matches, failure));
		if (call.isDryRun) matches.rehearsed(call);
		else matches.wrote(call, answer.Id);
		return answer;
	});
	return await saying(call, wanted.entity, specifier, { Outcome: 'created' });
}

/** The key tells whether a create was carried out. */
async function madeAfterAll(call: Call, matches: Matches, failure: unknown): Promise<Specifier> {
	const wanted = matches.wantedBy(call);
	const look = async () => (await recordsOf(call, [wanted])).get(wanted.key)?.[0];
	const shownAs = `a record with ${shown(wanted)}`;
	const row = await lateRecord(call, failure, shownAs, look).catch((error: unknown) => {
		if (mayHaveRun(error)) matches.doubt(call, error);
		throw error;
	});
	return specifierIn(wanted.entity, row);
}

const CHANGED_MEANWHILE = 'ERROR_CODE_6';

async function updated(
	call: Call,
	matches: Matches,
	row: JsonObject,
	meanwhile = readAgain,
): Promise<INodeExecutionData[]> {
	const wanted = matches.wantedBy(call);
	const { entity } = wanted;
	const change = changesIn(wanted, row);
	if (change.changed.length === 0) {
		const found = call.isOn('returnRecord') ? row : specifierIn(entity, row);
		return [itemOf({ ...found, Outcome: 'unchanged' })];
	}
	if (!call.isDryRun) matches.wrote(call, Number(row.Id));
	const written = await write(call, wanted, row, change).then(
		(specifier) => ({ specifier }),
		async (failure: unknown) => ({ now: await meanwhile(call, matches, row, failure) }),
	);
	if ('specifier' in written) {
		const Changed = changedNames(wanted, change);
		return await saying(call, entity, written.specifier, { Outcome: 'updated', Changed });
	}
	return await updated(call, matches, written.now, giveUp);
}

/** The record as somebody else has made it, if that is why nothing was written: the code has other reasons, too. */
async function readAgain(
	call: Call,
	matches: Matches,
	before: JsonObject,
	failure: unknown,
): Promise<JsonObject> {
	if (codeOf(failure) !== CHANGED_MEANWHILE) throw failure;
	const now = await matches.recordFor(call);
	if (now === undefined || now.ConcurrencyId === before.ConcurrencyId) throw failure;
	return now;
}

/** Once is enough: whoever else is at it would have to be faster twice. */
const giveUp: typeof readAgain = async (_call, _matches, _before, failure) => {
	throw failure;
};

async function write(
	call: Call,
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
			: await call.send(
					updateOf(call, entity, row, changesOf(given.field, Id, { ...body, ConcurrencyId })),
				);
	if (isWhole) return specifier;
	const custom = given.custom.filter(({ descriptor }) =>
		changed.includes(`CustomFields.${descriptor}`),
	);
	const stored = Array.isArray(row.CustomFields) ? row.CustomFields.filter(isObject) : [];
	await writeApart(call, entity, Id, custom, stored);
	return specifier;
}

/** A rehearsal need not read again what has been read. */
function updateOf(call: Call, entity: string, record: JsonObject, changes: Changes) {
	const request = updateRequest(entity, changes, call.requestId());
	return { ...request, rehearsal: { ...request.rehearsal, update: { entity, changes, record } } };
}

/** Custom fields by their names, as far as the form has them. */
const changedNames = ({ given }: Wanted, { changed }: Difference): string[] =>
	changed.map(
		(name) =>
			given.custom.find(({ descriptor }) => name === `CustomFields.${descriptor}`)?.label ?? name,
	);
