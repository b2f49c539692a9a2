import type { EntityName } from '../../catalogue/entities';
import { timeZones } from '../../catalogue/timeZones';
import { targetOfKind } from '../../form/references';
import { ValidationError, quote, type JsonObject } from '../../protocol/checks';
import { valueAt } from '../../protocol/kinds';
import { firstZoned, withLocalTimes } from '../../protocol/localTimes';
import { recordsById } from '../../records/lookup';
import { emptyIfForbidden } from '../../transport/errors';
import { oncePerRun, type ItemContext } from '../../run/context';
import { idIn, named, recordIn } from '../../run/resolve';

/** The records that the items of a run name, and where their work zone says which time zone it is in. */
export interface ZoneSource {
	entity: EntityName;
	zone: 'TimeZone' | 'WorkZone.TimeZone';
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

/** Where the time zone of a record that can be updated stands. */
export const zoneOfRecord = (entity: string): ZoneSource | undefined =>
	[ORDER_ZONE, SPACE_ZONE].find((source) => source.entity === entity);

/** The property to read of a record before its members can be compared: its time zone, if there is a time with a zone. */
export function zonePaths(entity: string, members: JsonObject): string[] {
	const source = firstZoned(entity, members) && zoneOfRecord(entity);
	return source === undefined ? [] : [source.zone];
}

/** Members as they are compared with a record that was read along with its time zone. */
export const onClockOfRecord = (entity: string, members: JsonObject, record: JsonObject) =>
	onClockOf(entity, members, valueAt(record, zoneOfRecord(entity)?.zone ?? ''));

/** Read for all items of a run by the first that has a time to translate. */
const zonesFrom = oncePerRun(async (context, { entity, zone, idOf }: ZoneSource) => {
	// An item that names no record fails in its own turn.
	const named = context.run.contexts.map(async (one) => await idOf(one));
	const ids = (await Promise.allSettled(named)).flatMap((one) =>
		one.status === 'fulfilled' ? [one.value] : [],
	);
	// A service user who may not read it can still write the time as the clock shows it.
	const properties = [zone];
	const records = await recordsById(context, entity, ids, { properties }).catch(emptyIfForbidden);
	return new Map([...records].map(([id, record]) => [id, valueAt(record, zone)]));
});

/** Members as they are sent: local times that are given with a zone, on the clock of the work zone. */
export async function onLocalClock(
	context: ItemContext,
	owner: string,
	members: JsonObject,
	source: ZoneSource | undefined,
): Promise<JsonObject> {
	if (firstZoned(owner, members) === undefined) return members;
	return onClockOf(
		owner,
		members,
		source && (await zonesFrom(context, source)).get(await source.idOf(context)),
	);
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
