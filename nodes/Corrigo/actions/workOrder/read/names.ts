import type { EntityName } from '../../../catalogue/entities';
import { isObject, type JsonObject } from '../../../values/checks';
import { emptyIfForbidden } from '../../../transport/errors';
import { loadAllRows } from '../../../records/query';
import { oncePerRun, type ItemContext } from '../../../run/context';
import { lookUpIfAllowed } from '../../../records/lookup';
import { getNameProperty } from '../../../records/names';

type Names = ReadonlyMap<number, JsonObject>;

/**
 * Loads names of records by their Ids; a service user who may not read them gets none. Names that
 * `knownReferences` contain are not read again.
 */
export async function loadNames(
	context: ItemContext,
	entity: string,
	ids: Iterable<unknown>,
	knownReferences: readonly unknown[] = [],
): Promise<Names> {
	const known = toNames(knownReferences);
	const missing = new Set([...ids].map(Number).filter((id) => id > 0 && !known.has(id)));
	if (missing.size === 0) return known;
	const name = getTitleMember(entity);
	const by = { entity, by: ['Id'], properties: [name] };
	const found = await lookUpIfAllowed(context, by, missing);
	const rows = [...found.values()].flat();
	const named = rows.map(({ Id, [name]: DisplayAs }) => ({ Id, DisplayAs }));
	return new Map([...known, ...toNames(named)]);
}

const getTitleMember = (entity: string) => getNameProperty(entity) ?? 'Id';

const toNames = (references: readonly unknown[]): Names =>
	new Map(
		references
			.filter(isObject)
			.filter(({ DisplayAs }) => DisplayAs !== undefined)
			.map(({ Id, DisplayAs }) => [Number(Id), { Id, DisplayAs }]),
	);

/** Companies have few records of these entities, so all names are read once for each run. */
export const loadAllNames = oncePerRun(
	async ({ caller, sendOptions }, entity: EntityName): Promise<Names> => {
		const name = getTitleMember(entity);
		const reading = loadAllRows(caller, entity, undefined, ['Id', name], sendOptions);
		const rows = await reading.catch(emptyIfForbidden);
		return new Map(rows.map(({ Id, [name]: DisplayAs }) => [Number(Id), { Id, DisplayAs }]));
	},
);
