import type { EntityName } from '../../catalogue/entities';
import { utcMembersOf } from '../../catalogue/localTimes';
import { timeZones } from '../../catalogue/timeZones';
import { targetOfKind } from '../../form/references';
import { ValidationError, quote, type JsonObject } from '../../protocol/checks';
import { valueAt } from '../../protocol/kinds';
import { firstZoned, withLocalTimes } from '../../protocol/localTimes';
import { withUtcMembers } from '../../protocol/utcMembers';
import { recordsById } from '../../records/lookup';
import { emptyIfForbidden } from '../../transport/errors';
import { oncePerRun, type ItemContext } from '../../run/context';
import { idIn, named, recordIn } from '../../run/resolve';
import { hintOfOmitted, type Given } from './given';

/** Records that the items of a run name, and the property that holds their time zone. */
export interface ZoneSource {
	entity: EntityName;
	zone: 'TimeZone' | 'WorkZone.TimeZone';
	/** Other properties to read in the same request. */
	properties?: readonly string[];
	idOf: (context: ItemContext) => number | Promise<number>;
}

const zoneOf = (
	entity: EntityName,
	zone: ZoneSource['zone'],
	read: (context: ItemContext) => number,
): ZoneSource => ({ entity, zone, idOf: async (context) => await named(context, read) });

export const ORDER_ZONE = zoneOf('WorkOrder', 'TimeZone', (context) =>
	recordIn(context, 'workOrder', 'Work Order'),
);

export const CUSTOMER_ZONE = zoneOf('Customer', 'WorkZone.TimeZone', (context) =>
	recordIn(context, 'customer', 'Customer', 'customer'),
);

export const WORK_ZONE = zoneOf('WorkZone', 'TimeZone', (context) => {
	const { workZone } = context.collection('additionalFields');
	return idIn(context, 'Work Zone', workZone, targetOfKind('workZone'));
});

const SPACE_ZONE = zoneOf('Space', 'WorkZone.TimeZone', (context) =>
	recordIn(context, 'space', 'Space'),
);

const RECORD_ZONES = [
	{ ...ORDER_ZONE, properties: [...utcMembersOf(ORDER_ZONE.entity).keys()] },
	SPACE_ZONE,
];

/** Records of these entities can be updated and have a time zone. */
const zoneOfRecord = (entity: string): ZoneSource | undefined =>
	RECORD_ZONES.find((source) => source.entity === entity);

type Times = Pick<Given, 'field' | 'members' | 'utc'>;

const dependOnRecord = (entity: string, { members, utc }: Omit<Times, 'field'>) =>
	Object.keys(utc).length > 0 || firstZoned(entity, members) !== undefined;

/** Times in UTC or with a zone can be compared only if these properties of the record are read. */
export function zonePaths(entity: string, times: Omit<Times, 'field'>): string[] {
	const source = dependOnRecord(entity, times) ? zoneOfRecord(entity) : undefined;
	if (source === undefined) return [];
	const local = utcMembersOf(entity);
	return [
		source.zone,
		...Object.keys(times.utc).flatMap((name) => [name, local.get(name) ?? name]),
	];
}

/**
 * Corrigo keeps local times, so times in UTC or with a zone are translated to the record's clock.
 * The record must have the properties of `getZonePaths`.
 */
export function onClockOfRecord(
	context: ItemContext,
	entity: string,
	{ field, members, utc }: Times,
	record: JsonObject,
): JsonObject {
	const index = valueAt(record, zoneOfRecord(entity)?.zone ?? '');
	const place = { field, entity, record, zone: timeZones[String(index)] };
	const { members: all, omitted } = withUtcMembers(place, members, utc);
	hintOfOmitted(context, field, omitted);
	return onClockOf(entity, all, index);
}

/** The first item that has a time to translate reads the records of all items. */
const recordsFrom = oncePerRun(async (context, source: ZoneSource) => {
	const { entity, zone, properties = [], idOf } = source;
	// An item without a valid record fails when its turn comes.
	const named = context.run.contexts.map(async (one) => await idOf(one));
	const ids = (await Promise.allSettled(named)).flatMap((one) =>
		one.status === 'fulfilled' ? [one.value] : [],
	);
	const read = recordsById(context, entity, ids, { properties: [zone, ...properties] });
	// A service user who may not read the record can still enter local times.
	return new Map<number, JsonObject>(await read.catch(emptyIfForbidden));
});

const recordFrom = async (context: ItemContext, source: ZoneSource): Promise<JsonObject> =>
	(await recordsFrom(context, source)).get(await source.idOf(context)) ?? {};

/** Local times with a zone are translated to the clock of the work zone before they are sent. */
export async function onLocalClock(
	context: ItemContext,
	owner: string,
	members: JsonObject,
	source: ZoneSource | undefined,
): Promise<JsonObject> {
	if (firstZoned(owner, members) === undefined) return members;
	const record = source && (await recordFrom(context, source));
	return onClockOf(owner, members, record && valueAt(record, source.zone));
}

/** Times in UTC or with a zone are translated to the record's clock before they are sent. */
export async function onClockOfUpdate(
	context: ItemContext,
	entity: string,
	times: Times,
	known?: JsonObject,
): Promise<JsonObject> {
	if (!dependOnRecord(entity, times)) return times.members;
	const source = zoneOfRecord(entity);
	const record = known ?? (source ? await recordFrom(context, source) : {});
	return onClockOfRecord(context, entity, times, record);
}

function onClockOf(owner: string, members: JsonObject, index: unknown): JsonObject {
	const zoned = firstZoned(owner, members);
	if (zoned === undefined) return members;
	const zone = timeZones[String(index)];
	if (zone !== undefined) return withLocalTimes(owner, members, zone);
	const [member, time] = zoned;
	throw new ValidationError(
		`'${member}' is ${quote(time)}, but the time zone of its work zone is not known`,
		'Give the time as the clock of the work zone shows it, without a zone, such as 2026-01-31T17:30:00. ' +
			"In an expression: {{ $now.setZone('America/New_York').toFormat(\"yyyy-MM-dd'T'HH:mm:ss\") }}",
	);
}
