import { getNameProperties } from '../catalogue/targets';
import { type JsonObject, readPath } from '../values/checks';
import { KnownNames, type NameLookup } from './knownNames';
import { getReferencedEntity } from './withNames';
import { emptyIfForbidden } from '../transport/errors';
import { loadRecordsById, type Requester } from './lookup';

/**
 * Each entity at the ends takes one query. Its records stay without names if the service user may
 * not read them.
 */
export async function loadReferenceNames(
	requester: Requester,
	entity: string,
	rows: readonly JsonObject[],
	ends: readonly string[],
): Promise<NameLookup> {
	const names = new KnownNames();
	const idsByEntity = new Map<string, Set<number>>();
	for (const row of rows) {
		for (const end of ends) {
			const other = getReferencedEntity(entity, end, row);
			const id = Number(row[end]);
			if (other === undefined || !(id > 0)) continue;
			idsByEntity.set(other, (idsByEntity.get(other) ?? new Set()).add(id));
		}
	}
	await Promise.all(
		[...idsByEntity].map(async ([other, ids]) => {
			const [by] = getNameProperties(other);
			if (by === undefined) return;
			const found = await loadRecordsById(requester, other, ids, { properties: [by] }).catch(
				(failure: unknown) => new Map(emptyIfForbidden(failure)),
			);
			for (const [id, record] of found) names.note(other, id, readPath(record, by));
		}),
	);
	return names.getName;
}
