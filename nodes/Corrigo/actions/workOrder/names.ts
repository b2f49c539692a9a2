import type { JsonObject } from '../../protocol/checks';
import { noneIfRefused } from '../../transport/errors';
import type { Call } from '../call';
import { folded, lookUp, type Found } from '../operations/lookup';

/** The names of records by their Ids; none for a service user who may not read them. */
export async function namesOf(
	call: Call,
	entity: string,
	ids: Iterable<unknown>,
): Promise<Map<number, JsonObject>> {
	const wanted = new Set([...ids].map(Number).filter((id) => id > 0));
	if (wanted.size === 0) return new Map();
	const by = { entity, by: ['Id'], properties: ['DisplayAs'] };
	const found = await lookUp(call, by, wanted).catch(
		(failure: unknown): Found => new Map(noneIfRefused(failure)),
	);
	return new Map(
		[...wanted].flatMap((id) => {
			const [row] = found.get(folded(id)) ?? [];
			return row === undefined ? [] : [[id, { Id: id, DisplayAs: row.DisplayAs }]];
		}),
	);
}
