import { getUtcMembers, isLocalTime, timeZones } from '../../catalogue/times';
import { loadRecordsById } from '../../records/query';
import {
	oncePerRun,
	resolveForm,
	type ItemContext,
	type RunContext,
	type ResolvingRun,
	type ResolvingForm,
} from '../../run/context';
import { ValidationError, fail, quote, quoteUnlessPlain } from '../../values/errors';
import {
	isObject,
	getMember,
	filterMembers,
	type JsonObject,
	mapMembers,
	readPath,
} from '../../values/objects';
import { isReadOnlyMember, type EntityName } from '../../catalogue/entities';
import { getInnerType, splitPath } from '../../catalogue/members';
import { defineRows } from '../../catalogue/targets';
import { findCarriedOwner } from '../../values/memberNames';
import { isBlank } from '../../values/input';
import { isZoned, toLocalTime, parseDateTime, YEAR_ADVICE, toInstant } from '../../values/times';
import { createTable } from '../../catalogue/table';
import { createRunLoader, type RunLoader } from '../../run/loadTogether';
import { NOT_CREATED } from '../../wire/requests';

/** Members to write; those in UTC are kept separately. */
export interface ZonedMembers {
	members: JsonObject;
	utc?: JsonObject;
}

/** Entities whose records have a time zone. */
const ZONE_PATHS = createTable<string>({
	Customer: 'WorkZone.TimeZone',
	Space: 'WorkZone.TimeZone',
	TimeCardItem: 'WorkZone.TimeZone',
	WoOnSite: 'TimeZone',
	WorkOrder: 'TimeZone',
	WorkZone: 'TimeZone',
});

const WORK_ZONE = 'WorkZone.Id';

/** Times in UTC or with a zone can be compared only if these properties of the record are read. */
export function getZonePaths(entity: string, { members, utc = {} }: ZonedMembers): string[] {
	const names = Object.keys(utc);
	const isNeeded = names.length > 0 || findZonedTime(entity, members) !== undefined;
	if (!isNeeded || !(entity in ZONE_PATHS)) return [];
	const local = getUtcMembers(entity);
	return [
		ZONE_PATHS[entity],
		...(isBlank(readPath(members, WORK_ZONE)) ? [] : [WORK_ZONE]),
		...names.flatMap((name) => [name, local.get(name) ?? name]),
	];
}

/** Corrigo keeps local times, so times in UTC or with a zone are translated to the record's clock. */
export async function translateRecordTimes(
	context: ItemContext,
	entity: string,
	{ field, members, utc = {} }: ZonedMembers & { field: string },
	record: JsonObject = {},
): Promise<JsonObject> {
	const paths = getZonePaths(entity, { members, utc });
	const to = Number(readPath(members, WORK_ZONE));
	// A record that moves to another work zone has the clock of that one afterward.
	const isMoved = paths.includes(WORK_ZONE) && to !== Number(readPath(record, WORK_ZONE));
	const loadZone = async () =>
		isMoved ? await loadZones.WorkZone(context, to) : await findRecordZone(context, entity, record);
	const index = paths.length > 0 ? await loadZone() : undefined;
	const zonedRecord = { field, entity, record, zone: timeZones[String(index)] };
	const { members: all, omitted } = replaceUtcMembers(zonedRecord, members, utc);
	addOmittedNotice(context.run, field, omitted);
	return await translateTimes(entity, all, () => index);
}

const buildZoneLoader = (entity: 'Customer' | 'WorkZone') => {
	const path = ZONE_PATHS[entity];
	return oncePerRun(async (context: ItemContext, id: number): Promise<unknown> => {
		const look = { properties: [path], isOptional: true };
		return readPath((await loadRecordsById(context, entity, [id], look)).get(id), path);
	});
};

const loadZones = { Customer: buildZoneLoader('Customer'), WorkZone: buildZoneLoader('WorkZone') };

/** A record that a dry run has planned has the clock of its work zone or, as an order, of its customer. */
async function findRecordZone(
	context: ItemContext,
	entity: string,
	record: JsonObject,
): Promise<unknown> {
	const known = readPath(record, ZONE_PATHS[entity] ?? '');
	if (known !== undefined || record.Id !== NOT_CREATED) return known;
	for (const owner of ['WorkZone', 'Customer'] as const) {
		const id = readPath(record, `${owner}.Id`);
		if (!isBlank(id)) return await loadZones[owner](context, Number(id));
	}
	return undefined;
}

/** A record that is yet to be created names its time zone or its work zone. */
export const translateNewTimes = async (
	context: ItemContext,
	entity: string,
	record: JsonObject,
): Promise<JsonObject> =>
	await translateTimes(entity, record, async () => {
		const path = ZONE_PATHS[entity] ?? '';
		const id = path === 'WorkZone.TimeZone' ? readPath(record, WORK_ZONE) : undefined;
		const zone = id === undefined ? undefined : await loadZones.WorkZone(context, Number(id));
		return zone ?? readPath(record, path);
	});

const ZONES_BY_ID = defineRows('WorkZone', 'Id', ['TimeZone']);

/**
 * A key is compared with what is stored, so a key with a zone is translated to the clock of the record
 * before it is looked up. The record may be new, so the input has to name its work zone.
 */
export function translateKeyTimes(
	run: ResolvingRun,
	entity: string,
	members: JsonObject,
	paths: readonly string[],
): JsonObject {
	const isZonedKey = (path: string) => {
		const { owner, member } = splitPath(entity, path);
		return isLocalTime(owner, member) && isZoned(readPath(members, path));
	};
	const key = paths.find(isZonedKey);
	if (key === undefined) return members;
	const path = ZONE_PATHS[entity] ?? '';
	const id = path === 'WorkZone.TimeZone' ? readPath(members, WORK_ZONE) : undefined;
	const zone = isBlank(id)
		? readPath(members, path)
		: run.resolver.findRows(ZONES_BY_ID, Number(id))[0]?.TimeZone;
	const name = timeZones[String(zone)];
	if (name === undefined) throw createZoneError(key, readPath(members, key));
	return toLocalTimes(entity, members, name);
}

export function addOmittedNotice(run: RunContext, field: string, names: readonly string[]): void {
	if (names.length === 0) return;
	run.addNotice(
		`Left out of '${field}', as Corrigo keeps it itself or needs the Id of a record`,
		names.map(quoteUnlessPlain),
	);
}

/** Local times with a zone are translated to the clock of the work zone before they are sent. */
export async function translateTimes(
	owner: string,
	members: JsonObject,
	/** Reads the index of the time zone, if it is needed. */
	loadZone: () => unknown,
): Promise<JsonObject> {
	const zoned = findZonedTime(owner, members);
	if (zoned === undefined) return members;
	const zone = timeZones[String(await loadZone())];
	if (zone !== undefined) return toLocalTimes(owner, members, zone);
	throw createZoneError(...zoned);
}

const createZoneError = (member: string, time: unknown): ValidationError =>
	new ValidationError(
		`'${member}' is ${quote(time)}, but the time zone of its work zone is not known`,
		'Give the time as the clock of the work zone shows it, without a zone, such as 2026-01-31T17:30:00. ' +
			"In an expression: {{ $now.setZone('America/New_York').toFormat(\"yyyy-MM-dd'T'HH:mm:ss\") }}",
	);

type TimeConverter = (member: string, time: unknown) => unknown;

/** Applies `convert` to values of local-time members that have a zone. */
function mapZonedTimes(owner: string, members: JsonObject, convert: TimeConverter): JsonObject {
	const mapValue = (name: string, value: unknown): unknown => {
		if (Array.isArray(value)) return value.map((one) => mapValue(name, one));
		if (isZoned(value)) return isLocalTime(owner, name) ? convert(name, value) : value;
		return isObject(value) ? mapZonedTimes(findOwner(owner, name, value), value, convert) : value;
	};
	return mapMembers(members, mapValue);
}

const findOwner = (owner: string, name: string, value: JsonObject): string =>
	findCarriedOwner(getInnerType(owner, name), value);

/** Most records have none, so the types of their members need not be found. */
const hasZonedTime = (value: unknown): boolean =>
	Array.isArray(value) || isObject(value)
		? Object.values(value).some(hasZonedTime)
		: isZoned(value);

/** Finds the first member that cannot be written until the time zone of the work zone is known. */
export function findZonedTime(owner: string, members: JsonObject): [string, unknown] | undefined {
	if (!hasZonedTime(members)) return undefined;
	const found: Array<[string, unknown]> = [];
	mapZonedTimes(owner, members, (...mapValue) => found.push(mapValue));
	return found[0];
}

/** The service ignores zones: it would take a UTC time for a local time. */
export const toLocalTimes = (owner: string, members: JsonObject, zone: string): JsonObject =>
	mapZonedTimes(owner, members, (name, time) => {
		const local = toLocalTime(parseDateTime(name, time), zone);
		return /^\d{4}-/.test(local) ? local : fail(name, time, 'a date and time', YEAR_ADVICE);
	});

/** Separates the members in UTC, because the service writes only those in local time. */
export function splitUtcMembers(
	entity: string,
	input: JsonObject,
): { utc: JsonObject; others: JsonObject } {
	const locals = getUtcMembers(entity);
	return {
		utc: filterMembers(input, (name, value) => locals.has(name) && !isBlank(value)),
		others: filterMembers(input, (name) => !locals.has(name)),
	};
}

/** A new record has no times, so all in UTC that can be written become those in local time. */
export function writeAsLocal(
	{ zone, ...place }: Pick<ZonedRecord, 'field' | 'entity'> & { zone?: unknown },
	members: JsonObject,
): JsonObject {
	const { entity } = place;
	const { utc, others } = splitUtcMembers(entity, members);
	const isWritten = (name: string) =>
		!isReadOnlyMember(entity, getUtcMembers(entity).get(name) ?? name);
	const written = filterMembers(utc, isWritten);
	const known = { ...place, record: {}, zone: timeZones[String(zone)] };
	return replaceUtcMembers(known, others, written).members;
}

interface ZonedRecord {
	field: string;
	entity: string;
	/** The record as stored in Corrigo. */
	record: JsonObject;
	/** The time zone of the work zone, if it is known. */
	zone?: string;
}

/** Moves times in UTC to the members in local time, and omits times that change nothing or that Corrigo keeps. */
export function replaceUtcMembers(
	{ field, entity, record, zone }: ZonedRecord,
	members: JsonObject,
	utc: JsonObject,
): { members: JsonObject; omitted: string[] } {
	const omitted: string[] = [];
	const all = { ...members };
	for (const [name, value] of Object.entries(utc)) {
		const local = getUtcMembers(entity).get(name) ?? name;
		const isKept = isReadOnlyMember(entity, local);
		const time = isKept ? undefined : toChangedInstant(name, value, record[name]);
		const input = getMember(members, local);
		if (
			time === undefined ||
			(input !== undefined && isSameTime(entity, local, input, time, zone))
		) {
			omitted.push(name);
			continue;
		}
		if (input !== undefined) {
			throw new ValidationError(
				`'${field}' changes '${name}' to ${quote(value)}, but '${local}' to ${quote(input)}, which is another time`,
				`'${local}' shows '${name}' on the clock of the work zone. Give one of them.`,
			);
		}
		all[local] = time;
	}
	return { members: all, omitted };
}

/** Returns undefined if the record already has this time. */
function toChangedInstant(name: string, value: unknown, stored: unknown): string | undefined {
	const time = parseDateTime(name, value);
	const instant = isZoned(time) ? time : `${time}Z`;
	return toInstant(stored) === toInstant(instant) ? undefined : instant;
}

function isSameTime(
	entity: string,
	local: string,
	input: unknown,
	time: string,
	zone?: string,
): boolean {
	if (isBlank(input)) return false;
	if (isZoned(input)) return toInstant(input) === toInstant(time);
	if (zone === undefined) return false;
	return toInstant(input) === toInstant(toLocalTimes(entity, { [local]: time }, zone)[local]);
}

/** Loads the time zone of the record that an item names. */
export type ZoneLoader = RunLoader<unknown>;

export function createZoneLoader(
	entity: EntityName,
	readId: (form: ResolvingForm) => number,
): ZoneLoader {
	const zone = ZONE_PATHS[entity];
	const findRecord = createRunLoader(
		async (context) => ({ context, id: await resolveForm(context, readId) }),
		{
			key: () => '',
			loadMany: (ids, [{ context }]) =>
				// A service user who may not read the record can still enter local times.
				loadRecordsById(context, entity, ids, { properties: [zone], isOptional: true }),
		},
	);
	return async (context) => readPath((await (await findRecord(context))?.load()) ?? {}, zone);
}
