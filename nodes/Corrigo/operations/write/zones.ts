import type { EntityName } from '../../catalogue/entities';
import { getUtcMembers, timeZones } from '../../catalogue/times';
import { getRecordTarget } from '../../catalogue/targets';

import { ValidationError, quote, type JsonObject, readPath } from '../../values/checks';
import { findZonedTime, toLocalTimes, replaceUtcMembers } from '../../values/times';
import { loadRecordsById } from '../../records/query';
import { emptyIfForbidden } from '../../transport/errors';
import { oncePerRun, type ItemContext } from '../../run/context';
import { resolveFieldId, resolveForm, readRecordId } from '../../run/resolve';
import { addOmittedNotice, type RecordInput } from './input';

/** Records that the items of a run name, and the property that holds their time zone. */
export interface ZoneSource {
	entity: EntityName;
	zone: 'TimeZone' | 'WorkZone.TimeZone';
	/** Other properties to read in the same request. */
	properties?: readonly string[];
	readId: (context: ItemContext) => number | Promise<number>;
}

const createZoneSource = (
	entity: EntityName,
	zone: ZoneSource['zone'],
	read: (context: ItemContext) => number,
): ZoneSource => ({ entity, zone, readId: async (context) => await resolveForm(context, read) });

export const ORDER_ZONE = createZoneSource('WorkOrder', 'TimeZone', (context) =>
	readRecordId(context, 'workOrder', 'Work Order'),
);

export const CUSTOMER_ZONE = createZoneSource('Customer', 'WorkZone.TimeZone', (context) =>
	readRecordId(context, 'customer', 'Customer', 'customer'),
);

export const WORK_ZONE = createZoneSource('WorkZone', 'TimeZone', (context) => {
	const { workZone } = context.collection('additionalFields');
	return resolveFieldId(context, 'Work Zone', workZone, getRecordTarget('workZone'));
});

const SPACE_ZONE = createZoneSource('Space', 'WorkZone.TimeZone', (context) =>
	readRecordId(context, 'space', 'Space'),
);

const RECORD_ZONES = [
	{ ...ORDER_ZONE, properties: [...getUtcMembers(ORDER_ZONE.entity).keys()] },
	SPACE_ZONE,
];

/** Records of these entities can be updated and have a time zone. */
const findZoneSource = (entity: string): ZoneSource | undefined =>
	RECORD_ZONES.find((source) => source.entity === entity);

type Times = Pick<RecordInput, 'field' | 'members' | 'utc'>;

const needsZone = (entity: string, { members, utc }: Omit<Times, 'field'>) =>
	Object.keys(utc).length > 0 || findZonedTime(entity, members) !== undefined;

/** Times in UTC or with a zone can be compared only if these properties of the record are read. */
export function getZonePaths(entity: string, times: Omit<Times, 'field'>): string[] {
	const source = needsZone(entity, times) ? findZoneSource(entity) : undefined;
	if (source === undefined) return [];
	const local = getUtcMembers(entity);
	return [
		source.zone,
		...Object.keys(times.utc).flatMap((name) => [name, local.get(name) ?? name]),
	];
}

/**
 * Corrigo keeps local times, so times in UTC or with a zone are translated to the record's clock.
 * The record must have the properties of `getZonePaths`.
 */
export function translateRecordTimes(
	context: ItemContext,
	entity: string,
	{ field, members, utc }: Times,
	record: JsonObject,
): JsonObject {
	const index = readPath(record, findZoneSource(entity)?.zone ?? '');
	const zonedRecord = { field, entity, record, zone: timeZones[String(index)] };
	const { members: all, omitted } = replaceUtcMembers(zonedRecord, members, utc);
	addOmittedNotice(context, field, omitted);
	return translateTimes(entity, all, index);
}

/** The first item that has a time to translate reads the records of all items. */
const loadZoneRecords = oncePerRun(async (context, source: ZoneSource) => {
	const { entity, zone, properties = [], readId } = source;
	// An item without a valid record fails when its turn comes.
	const readings = context.run.contexts.map(async (one) => await readId(one));
	const ids = (await Promise.allSettled(readings)).flatMap((one) =>
		one.status === 'fulfilled' ? [one.value] : [],
	);
	const read = loadRecordsById(context, entity, ids, { properties: [zone, ...properties] });
	// A service user who may not read the record can still enter local times.
	return new Map<number, JsonObject>(await read.catch(emptyIfForbidden));
});

const loadZoneRecord = async (context: ItemContext, source: ZoneSource): Promise<JsonObject> =>
	(await loadZoneRecords(context, source)).get(await source.readId(context)) ?? {};

/** Local times with a zone are translated to the clock of the work zone before they are sent. */
export async function resolveLocalTimes(
	context: ItemContext,
	owner: string,
	members: JsonObject,
	source: ZoneSource | undefined,
): Promise<JsonObject> {
	if (findZonedTime(owner, members) === undefined) return members;
	const record = source && (await loadZoneRecord(context, source));
	return translateTimes(owner, members, record && readPath(record, source.zone));
}

/** Times in UTC or with a zone are translated to the record's clock before they are sent. */
export async function resolveUpdateTimes(
	context: ItemContext,
	entity: string,
	times: Times,
	known?: JsonObject,
): Promise<JsonObject> {
	if (!needsZone(entity, times)) return times.members;
	const source = findZoneSource(entity);
	const record = known ?? (source ? await loadZoneRecord(context, source) : {});
	return translateRecordTimes(context, entity, times, record);
}

function translateTimes(owner: string, members: JsonObject, index: unknown): JsonObject {
	const zoned = findZonedTime(owner, members);
	if (zoned === undefined) return members;
	const zone = timeZones[String(index)];
	if (zone !== undefined) return toLocalTimes(owner, members, zone);
	const [member, time] = zoned;
	throw new ValidationError(
		`'${member}' is ${quote(time)}, but the time zone of its work zone is not known`,
		'Give the time as the clock of the work zone shows it, without a zone, such as 2026-01-31T17:30:00. ' +
			"In an expression: {{ $now.setZone('America/New_York').toFormat(\"yyyy-MM-dd'T'HH:mm:ss\") }}",
	);
}
