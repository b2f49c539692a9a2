import type { ICredentialDataDecryptedObject, IDataObject, INodeExecutionData } from 'n8n-workflow';

import { keepPassing, loadRecordsById, type Requester } from '../records/query';
import { addUtcZones } from '../values/times';
import { type JsonObject, isObject } from '../values/objects';
import { addUrl, describeValues, readWebOrigin } from '../records/names';
import { toKeyText, toMillis, toUtcText, type Key } from './feed/cursor';
import { readKey, type Feed } from './feed/feed';
import type { Plan, Result, Results } from './plan';

/** Builds the result of a row, whose item may show another record than the row itself. */
export const toResult = (
	feed: Feed,
	row: JsonObject,
	json: JsonObject,
	order?: number,
	entity = feed.entity,
): Result => ({
	item: { json: json as IDataObject },
	entity,
	changeKey: buildChangeKey(feed.entity, readKey(feed, row)),
	order,
	at: toUtcText(row[feed.time ?? feed.timestamp ?? '']),
});

/** The log and the work order may show other digits of the same time, but not of its first ones. */
const toShown = (time: string): string => time && `${time.slice(0, 22)}00000`;

export const buildChangeKey = (entity: string, { id, time }: Key): string =>
	`${entity} ${toKeyText({ id, time: entity === 'WorkOrder' ? toShown(time) : time })}`;

/** Reads the records with these IDs that pass the filters of the feed. */
export const fetchRecords = async (
	requester: Requester,
	{ entity, properties, criteria: where, checks, distinct }: Feed,
	ids: number[],
): Promise<Map<number, JsonObject>> => {
	const found = await loadRecordsById(requester, entity, ids, { properties, where, distinct });
	const passing = new Set(await keepPassing(requester, [...found.values()], checks));
	return new Map([...found].filter(([, record]) => passing.has(record)));
};

/** An item is a record, or an event with its work order in it. */
function mapOrders(
	entity: string,
	json: IDataObject,
	map: (entity: string, record: JsonObject) => JsonObject,
): IDataObject {
	const { WorkOrder } = json;
	const own = isObject(WorkOrder) ? { ...json, WorkOrder: map('WorkOrder', WorkOrder) } : json;
	return map(entity, own) as IDataObject;
}

/** The rows were read with a session, so the host is known. */
export async function addUrls(
	{ caller }: Requester,
	results: Results,
	credentials?: ICredentialDataDecryptedObject,
): Promise<Results> {
	if (results.every((result) => result === undefined)) return results;
	const origin = await readWebOrigin(caller, credentials);
	const add = (entity: string, record: JsonObject) =>
		entity === 'WorkOrder' ? addUrl(origin, record) : record;
	return results.map(
		(one) => one && { ...one, item: { json: mapOrders(one.entity, one.item.json, add) } },
	);
}

/**
 * Adds the members that describe the change: Deadline, ChangeKey, Lag and Change. A change has the
 * same ChangeKey each time it is delivered. In a manual test the ChangeKey has a `prefix`, so that
 * a node that removes duplicates does not drop the real change later.
 */
export function toItems(
	{ addChangeKey, addLag, isSimplified, latestOnly }: Plan,
	results: Results,
	{ clock, prefix = '' }: { clock?: string; prefix?: string } = {},
): INodeExecutionData[] {
	const found = results.filter((result) => result !== undefined);
	const last = new Map(found.map((result) => [result.order, result]));
	return found
		.filter((one) => !latestOnly || one.order === undefined || last.get(one.order) === one)
		.map(({ item, entity, changeKey, at, change, describe }) => {
			const json: IDataObject = {
				...(isSimplified ? mapOrders(entity, item.json, describeValues) : item.json),
				...describe?.(String(clock)),
				...(addChangeKey && { ChangeKey: `${prefix}${changeKey}` }),
				...(addLag && { Lag: getLag(at, clock) }),
				...(change && { Change: change }),
			};
			if (isSimplified) addUtcZones(json);
			return { json };
		});
}

export const LAG_WARNING_SECONDS = 3600;

/** Returns the seconds from a change to its delivery, or null if one of the times is unknown. */
export const getLag = (change?: string, delivery?: string): number | null =>
	change === undefined || delivery === undefined
		? null
		: Math.max(0, Math.round((toMillis(delivery) - toMillis(change)) / 1000));

export const getMaxLag = (changes: Array<{ at?: string } | undefined>, delivery?: string) =>
	changes.reduce((longest, change) => Math.max(longest, getLag(change?.at, delivery) ?? 0), 0);

export function buildLagWarning(seconds: number, hasMore: boolean): string {
	const hours = Math.round(seconds / 3600);
	const lag =
		hours < 48 ? `${hours} ${hours === 1 ? 'hour' : 'hours'}` : `${Math.round(hours / 24)} days`;
	const more = hasMore ? ', and more are waiting' : '';
	return `This trigger is far behind: it returns changes from up to ${lag} ago${more}`;
}
