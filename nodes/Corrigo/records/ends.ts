import { namesOf } from '../catalogue/targets';
import type { JsonObject } from '../protocol/checks';
import { valueAt } from '../protocol/kinds';
import { KnownNames, type NameOf } from '../protocol/knownNames';
import { entityBehind } from '../protocol/withNames';
import { emptyIfForbidden } from '../transport/errors';
import { recordsById, type Requester } from './lookup';

/**
 * Each entity at the ends takes one query. Its records stay without names if the service user may
 * not read them.
 */
export async function namesAtEnds(
	requester: Requester,
	entity: string,
	rows: readonly JsonObject[],
	ends: readonly string[],
): Promise<NameOf> {
	const names = new KnownNames();
	const wanted = new Map<string, Set<number>>();
	for (const row of rows) {
		for (const end of ends) {
			const other = entityBehind(entity, end, row);
			const id = Number(row[end]);
			if (other === undefined || !(id > 0)) continue;
			wanted.set(other, (wanted.get(other) ?? new Set()).add(id));
		}
	}
	await Promise.all(
		[...wanted].map(async ([other, ids]) => {
			const [by] = namesOf(other);
			if (by === undefined) return;
			const found = await recordsById(requester, other, ids, { properties: [by] }).catch(
				(failure: unknown) => new Map(emptyIfForbidden(failure)),
			);
			for (const [id, record] of found) names.note(other, id, valueAt(record, by));
		}),
	);
	return names.nameOf;
}
