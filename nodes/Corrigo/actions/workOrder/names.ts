import type { EntityName } from '../../catalogue/entities';
import { isObject, type JsonObject } from '../../protocol/checks';
import { emptyIfForbidden } from '../../transport/errors';
import { allRows } from '../../records/query';
import { oncePerRun, type ItemContext } from '../../run/context';
import { lookUpIfAllowed } from '../../records/lookup';
import { nameProperty } from '../../protocol/withNames';

type Names = ReadonlyMap<number, JsonObject>;

/**
 * Loads names of records by their Ids; a service user who may not read them gets none. Names that
 * `knownReferences` contain are not read again.
 */
export async function namesOf(
	context: ItemContext,
	entity: string,
	ids: Iterable<unknown>,
	given: readonly unknown[] = [],
): Promise<Names> {
	const known = namesFrom(given);
	const wanted = new Set([...ids].map(Number).filter((id) => id > 0 && !known.has(id)));
	if (wanted.size === 0) return known;
	const name = nameIn(entity);
	const by = { entity, by: ['Id'], properties: [name] };
	const found = await lookUpIfAllowed(context, by, wanted);
	const rows = [...found.values()].flat();
	const named = rows.map(({ Id, [name]: DisplayAs }) => ({ Id, DisplayAs }));
	return new Map([...known, ...namesFrom(named)]);
}

const nameIn = (entity: string) => nameProperty(entity) ?? 'Id';

const namesFrom = (references: readonly unknown[]): Names =>
	new Map(
		references
			.filter(isObject)
			.filter(({ DisplayAs }) => DisplayAs !== undefined)
			.map(({ Id, DisplayAs }) => [Number(Id), { Id, DisplayAs }]),
	);

/** Companies have few records of these entities, so all names are read once for each run. */
export const allNames = oncePerRun(
	async ({ caller, sendOptions }, entity: EntityName): Promise<Names> => {
		const name = nameIn(entity);
		const reading = allRows(caller, entity, undefined, ['Id', name], sendOptions);
		const rows = await reading.catch(emptyIfForbidden);
		return new Map(rows.map(({ Id, [name]: DisplayAs }) => [Number(Id), { Id, DisplayAs }]));
	},
);
