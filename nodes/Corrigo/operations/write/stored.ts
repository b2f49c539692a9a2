import type { INodeExecutionData } from 'n8n-workflow';

import { findEntityMemberType, getEntity } from '../../catalogue/entities';
import { getSummary } from '../../catalogue/summaries';
import { getUtcMembers, timeZones } from '../../catalogue/times';
import { getNoun } from '../../catalogue/views';
import { buildColumn } from '../../columns/columns';
import { getId, getStoredMembers, findChange, listComparedPaths } from '../../compare/differences';
import {
	buildCustomCriteria,
	carriesCustomFields,
	CUSTOM_ROW_PATHS,
} from '../../compare/customFields';
import { getRecordKey } from '../../wire/answers';
import { optionFields } from '../../form/options';
import { readWrittenProperties } from '../../form/form';
import { loadAllRows, loadRecordsById } from '../../records/query';
import { oncePerRun, toItem, type ItemContext } from '../../run/context';
import { getNamePaths } from '../../records/names';
import { describeSubject } from '../../run/preview/dryRunSummary';
import { createRunReader, MAX_AGE_MS, type PendingRead } from '../../run/readTogether';
import { getKnownNames, resolveForm } from '../../run/resolve';
import {
	createNotFoundError,
	getErrorCode,
	wasForbidden,
	wasRefused,
} from '../../transport/errors';
import { batches } from '../../values/batches';
import { ValidationError, quote } from '../../values/errors';
import { type JsonObject, isObject, readPath, toRows } from '../../values/objects';
import { isBlank, parseInteger } from '../../values/scalars';
import { findZonedTime, toLocalTimes, replaceUtcMembers } from '../../values/localTimes';
import { isIn } from '../../wire/criteria';

/** Parts of a record to read before some of its members are written. */
export interface Extent {
	paths: readonly string[];
	/** Descriptors of custom fields that are stored as separate records. */
	apart: readonly number[];
}

/** Members to write; those in UTC are kept separately. */
interface Members {
	members: JsonObject;
	utc?: JsonObject;
}

export function getExtent(context: ItemContext, entity: string, written: Members): Extent {
	const { paths, apart } = getComparedExtent(entity, written.members);
	return {
		paths: [
			'Id',
			...getOutputPaths(context, entity, paths),
			...(getEntity(entity)?.lock ? ['ConcurrencyId'] : []),
			...getZonePaths(entity, written),
			...paths,
		],
		apart,
	};
}

function getComparedExtent(entity: string, members: JsonObject): Extent {
	const paths = listComparedPaths(entity, members);
	if (carriesCustomFields(entity)) return { paths, apart: [] };
	return {
		paths: paths.filter((path) => !path.startsWith('CustomFields.')),
		apart: toRows(members.CustomFields)
			.map(({ Descriptor }) => Number(getId(Descriptor)))
			.filter((id) => !Number.isNaN(id)),
	};
}

/** The output of a write shows these properties of a record that exists; a key covers them, too. */
const getOutputPaths = (context: ItemContext, entity: string, written: readonly string[]) => [
	...(context.isDryRun ? getSummary(entity) : []),
	...(context.isOn('returnRecord') ? readWrittenProperties(context, entity) : []),
	...(context.isDryRun || context.isOn('returnRecord') ? getNamePaths(entity, written) : []),
];

/** A property that the API may not know must fail only the items that use it. */
export const getUnknownPaths = (entity: string, paths: readonly string[]): string[] =>
	paths.filter(
		(path) =>
			path !== '*' && findEntityMemberType(entity, path.replace(/\.?\*$/, '')) === undefined,
	);

/** Adds custom fields that are stored as separate records, and notes the names in the records. */
export async function completeRecords(
	context: ItemContext,
	entity: string,
	rows: ReadonlyMap<unknown, JsonObject>,
	wanted: readonly Extent[],
): Promise<JsonObject[]> {
	const records = await addCustomFields(context, entity, rows, wanted);
	const paths = [...new Set(wanted.flatMap((one) => one.paths))];
	for (const record of records) getKnownNames(context).noteRecord(entity, record, paths);
	return records;
}

async function addCustomFields(
	context: ItemContext,
	entity: string,
	rows: ReadonlyMap<unknown, JsonObject>,
	wanted: readonly Extent[],
): Promise<JsonObject[]> {
	const descriptors = new Set(wanted.flatMap(({ apart }) => apart));
	if (descriptors.size === 0) return [...rows.values()];
	const fields = new Map<unknown, JsonObject[]>([...rows.keys()].map((id) => [id, []]));
	for (const some of batches(rows.keys())) {
		const found = await loadCustomFields(context, entity, [...descriptors], isIn('ObjectId', some));
		for (const field of found) fields.get(field.ObjectId)?.push(field);
	}
	return [...rows].map(([id, row]) => ({ ...row, CustomFields: fields.get(id) }));
}

export const loadCustomFields = async (
	context: ItemContext,
	entity: string,
	descriptors: number[],
	condition: ReturnType<typeof isIn>,
) =>
	await loadAllRows(
		context,
		'CustomField2',
		buildCustomCriteria(entity, isIn('Descriptor.Id', descriptors), condition),
		CUSTOM_ROW_PATHS,
	);

/** Update of a record that is identified by its ID. */
interface Update extends Members {
	entity: string;
	id: number;
	/** Members that depend on what the record has, such as rows, which are matched by their Ids. */
	matched?: JsonObject;
}

interface PendingUpdate extends PendingRead, Extent {
	entity: string;
	/** The update remains possible after these failures to read the record. */
	canIgnore: (failure: unknown) => boolean;
}

/** Dry runs and these options need the whole record as it is before the update. */
const needsRecord = (context: ItemContext) =>
	context.isDryRun || context.isOn('returnBefore') || checksVersion(context);

function toPendingUpdate(
	context: ItemContext,
	update: Update,
	isWhole: boolean,
): PendingUpdate | undefined {
	const { entity, id, matched = {} } = update;
	const needed = getComparedExtent(entity, matched);
	const { paths, apart } = isWhole
		? getExtent(context, entity, update)
		: { ...needed, paths: [...getZonePaths(entity, update), ...needed.paths] };
	if (paths.length + apart.length === 0) return undefined;
	const read = { context, entity, id, paths, apart };
	if (needed.paths.length + needed.apart.length > 0) return { ...read, canIgnore: () => false };
	// A user who may not read the record can still enter times as its clock shows them.
	return { ...read, canIgnore: isWhole ? wasForbidden : wasRefused };
}

/** Records are read in batches, and again for an item that comes after a change to its record. */
export function createRecordReader(
	readUpdate: (context: ItemContext) => Update,
	isWhole = needsRecord,
) {
	const findRecord = createRunReader(
		(context) => resolveForm(context, (one) => toPendingUpdate(one, readUpdate(one), isWhole(one))),
		{
			key: ({ entity, paths }) => [entity, ...getUnknownPaths(entity, paths)].join(),
			readMany: loadRecords,
		},
		MAX_AGE_MS,
	);
	const getReadKeys = oncePerRun(() => new Set<string>());
	return async (context: ItemContext): Promise<JsonObject | undefined> => {
		const shared = await findRecord(context);
		if (shared === undefined) return undefined;
		const { wanted, read, reread } = shared;
		const { entity, id } = wanted;
		const key = getRecordKey(entity, id);
		const readKeys = getReadKeys(context);
		const record = await (readKeys.has(key) ? reread() : read()).catch((failure: unknown) => {
			if (!wanted.canIgnore(failure)) throw failure;
			context.run.addUnreadableNotice(entity);
			return null;
		});
		if (record === null) return undefined;
		if (record === undefined)
			throw createNotFoundError(context.caller.getNode(), getNoun(entity), id);
		if (!context.isDryRun) readKeys.add(key);
		return record;
	};
}

async function loadRecords(
	ids: number[],
	updates: readonly PendingUpdate[],
): Promise<Map<number, JsonObject>> {
	const [{ context, entity }] = updates;
	const properties = [...new Set(updates.flatMap(({ paths }) => paths))];
	// Custom fields that are stored as separate records may be all that is needed.
	const rows =
		properties.length > 0
			? await loadRecordsById(context, entity, ids, { properties })
			: new Map(ids.map((Id) => [Id, { Id }]));
	const records = await completeRecords(context, entity, rows, updates);
	return new Map(records.map((record) => [Number(record.Id), record]));
}

const CHANGED_SINCE_READ = 'ERROR_CODE_6';

/** Updates a record; if somebody else has changed it in the meantime, reads it and tries again. */
export async function updateCurrent<T, Read extends JsonObject | undefined>(
	record: Read,
	reread: () => Promise<JsonObject | undefined>,
	update: (record: JsonObject | Read) => Promise<T>,
): Promise<T> {
	return await update(record).catch(async (failure: unknown) => {
		if (getErrorCode(failure) !== CHANGED_SINCE_READ) throw failure;
		const now = await reread();
		// Corrigo sends this code for other reasons, too.
		if (now === undefined || now.ConcurrencyId === record?.ConcurrencyId) throw failure;
		return await update(now);
	});
}

const readRule = (context: ItemContext) => context.option('ifChanged') ?? 'overwrite';

/** Every rule except `overwrite` compares versions before a write. */
export const checksVersion = (context: ItemContext): boolean => readRule(context) !== 'overwrite';

/** Returns the version that the workflow has read, or undefined if it has read no record. */
function readExpectedVersion(context: ItemContext, entity: string): number | undefined {
	if (!checksVersion(context)) return undefined;
	if (!getEntity(entity)?.lock) {
		throw new ValidationError(
			`'${optionFields.ifChanged.displayName}' compares versions, but ${getNoun(entity)} records have none`,
			'Remove the option, or choose Overwrite.',
		);
	}
	const { expectedVersion: input } = context.options;
	if (isBlank(input)) return undefined;
	return parseInteger(optionFields.expectedVersion.displayName, input, 0, Number.MAX_SAFE_INTEGER);
}

/** An update always has a record to compare, so its expected version must not be empty. */
export function requireVersion(context: ItemContext, entity: string): void {
	if (readExpectedVersion(context, entity) !== undefined || !checksVersion(context)) return;
	throw new ValidationError(
		`'${optionFields.expectedVersion.displayName}' is empty`,
		'Enter the ConcurrencyId that the record had when you read it.',
	);
}

/**
 * Says what to do without a record. One that the workflow has read is never created again if it is
 * gone; the option `updateOnly` takes precedence.
 */
export function readMissingRule(context: ItemContext, entity: string): 'create' | 'error' | 'skip' {
	const rule = readRule(context) === 'fail' ? 'error' : 'skip';
	const missing = readExpectedVersion(context, entity) === undefined ? 'create' : rule;
	return context.option('updateOnly') ?? missing;
}

/**
 * Returns an output instead of a write, or fails, if somebody else has changed the record since the
 * workflow read it. The output shows the current values of the members to write, and those of the
 * input item.
 */
export function skipIfChanged(
	context: ItemContext,
	entity: string,
	record: JsonObject | undefined,
	members: JsonObject,
): INodeExecutionData[] | undefined {
	if (!checksVersion(context)) return undefined;
	if (record === undefined) {
		throw new ValidationError(
			`'${optionFields.ifChanged.displayName}' compares versions, but ${getNoun(entity)} records may not be read`,
			'Nothing was written.',
		);
	}
	const { Id, ConcurrencyId } = record;
	const expected = readExpectedVersion(context, entity);
	const isAsExpected =
		expected === ConcurrencyId ||
		context.run.versions.isOwnChange(entity, Id, expected, ConcurrencyId);
	if (isAsExpected) return undefined;
	const Now = getStoredMembers(entity, record, members);
	const ChangedSince = listMemberChanges(context, entity, Now);
	if (readRule(context) === 'skip') {
		const outcome = { Outcome: 'skipped', Now, ...(ChangedSince ? { ChangedSince } : {}) };
		return [toItem({ EntityType: entity, Id, ConcurrencyId, ...outcome })];
	}
	const now = Object.entries(Now).map(([name, value]) => {
		const since = ChangedSince?.[name];
		const was = since === undefined ? '' : ` (it was ${quote(since.From)})`;
		return `'${buildColumn(entity, name, false).label}' is ${quote(value)}${was}`;
	});
	const subject = describeSubject({ entity, id: Id }, getKnownNames(context).getName);
	const difference =
		expected === undefined
			? `'${optionFields.expectedVersion.displayName}' is empty, but there is ${subject}`
			: `Changed since it was read: ${subject}, to version ${String(ConcurrencyId)} from ${expected}`;
	throw new ValidationError(
		`${difference}. Nothing was written`,
		`Now ${now.join(', ')}. Read the record again, and decide by what it holds.`,
	);
}

type MemberChanges = Record<string, { From: unknown; To: unknown } | undefined>;

/** Earlier values are known only if the input item carries the record as it was read. */
function listMemberChanges(
	context: ItemContext,
	entity: string,
	now: JsonObject,
): MemberChanges | undefined {
	const { Before } = context.caller.getInputData()[context.index].json;
	if (!isObject(Before)) return undefined;
	const changed = Object.entries(now).filter(
		([name, To]) =>
			name in Before &&
			findChange(findEntityMemberType(entity, name) ?? '', Before[name], To) !== undefined,
	);
	return Object.fromEntries(changed.map(([name, To]) => [name, { From: Before[name], To }]));
}

/** Entities whose records have a time zone. */
export const ZONE_PATHS: Readonly<Record<string, string>> = {
	Customer: 'WorkZone.TimeZone',
	Space: 'WorkZone.TimeZone',
	TimeCardItem: 'WorkZone.TimeZone',
	WoOnSite: 'TimeZone',
	WorkOrder: 'TimeZone',
	WorkZone: 'TimeZone',
};

/** Times in UTC or with a zone can be compared only if these properties of the record are read. */
function getZonePaths(entity: string, { members, utc = {} }: Members): string[] {
	const names = Object.keys(utc);
	const isNeeded = names.length > 0 || findZonedTime(entity, members) !== undefined;
	if (!isNeeded || !(entity in ZONE_PATHS)) return [];
	const local = getUtcMembers(entity);
	return [ZONE_PATHS[entity], ...names.flatMap((name) => [name, local.get(name) ?? name])];
}

/** Corrigo keeps local times, so times in UTC or with a zone are translated to the record's clock. */
export async function translateRecordTimes(
	context: ItemContext,
	entity: string,
	{ field, members, utc = {} }: Members & { field: string },
	record: JsonObject = {},
): Promise<JsonObject> {
	const index = readPath(record, ZONE_PATHS[entity] ?? '');
	const zonedRecord = { field, entity, record, zone: timeZones[String(index)] };
	const { members: all, omitted } = replaceUtcMembers(zonedRecord, members, utc);
	addOmittedNotice(context, field, omitted);
	return await translateTimes(entity, all, () => index);
}

const loadWorkZone = oncePerRun(async (context, id: number) => {
	const look = { properties: ['TimeZone'], isOptional: true };
	return (await loadRecordsById(context, 'WorkZone', [id], look)).get(id);
});

/** A record that is yet to be created names its time zone or its work zone. */
export const translateNewTimes = async (
	context: ItemContext,
	entity: string,
	record: JsonObject,
): Promise<JsonObject> =>
	await translateTimes(entity, record, async () => {
		const path = ZONE_PATHS[entity] ?? '';
		const id = path === 'WorkZone.TimeZone' ? readPath(record, 'WorkZone.Id') : undefined;
		const zone = id === undefined ? undefined : await loadWorkZone(context, Number(id));
		return zone?.TimeZone ?? readPath(record, path);
	});

export function addOmittedNotice(
	context: ItemContext,
	field: string,
	names: readonly string[],
): void {
	if (names.length === 0) return;
	context.run.addNotice(
		`Left out of '${field}', as Corrigo keeps it itself or needs the Id of a record: ${names.join(', ')}`,
	);
}

/** Local times with a zone are translated to the clock of the work zone before they are sent. */
export async function translateTimes(
	owner: string,
	members: JsonObject,
	/** Reads the index of the time zone, if it is needed. */
	readZone: () => unknown,
): Promise<JsonObject> {
	const zoned = findZonedTime(owner, members);
	if (zoned === undefined) return members;
	const zone = timeZones[String(await readZone())];
	if (zone !== undefined) return toLocalTimes(owner, members, zone);
	const [member, time] = zoned;
	throw new ValidationError(
		`'${member}' is ${quote(time)}, but the time zone of its work zone is not known`,
		'Give the time as the clock of the work zone shows it, without a zone, such as 2026-01-31T17:30:00. ' +
			"In an expression: {{ $now.setZone('America/New_York').toFormat(\"yyyy-MM-dd'T'HH:mm:ss\") }}",
	);
}
