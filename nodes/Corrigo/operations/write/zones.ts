import { getUtcMembers, timeZones } from '../../catalogue/times';
import { loadRecordsById } from '../../records/query';
import { oncePerRun, type ItemContext } from '../../run/context';
import { ValidationError, quote } from '../../values/errors';
import { type JsonObject, readPath } from '../../values/objects';
import { findZonedTime, toLocalTimes, replaceUtcMembers } from '../../values/localTimes';

/** Members to write; those in UTC are kept separately. */
export interface Members {
	members: JsonObject;
	utc?: JsonObject;
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
export function getZonePaths(entity: string, { members, utc = {} }: Members): string[] {
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
