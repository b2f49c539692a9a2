import { type IdResolver, parseId } from '../../nodes/Corrigo/values/references';
import type { ValueReader } from '../../nodes/Corrigo/values/members';

/** Accepts IDs only. */
export const plainId: IdResolver = (field, value) => parseId(field, value);

/** Takes rows as they are; without a Company, a custom field has no name. */
export const takeRows: ValueReader['readRows'] = (_, given) =>
	Array.isArray(given) ? given : [given];

export const plainReader: ValueReader = { resolveId: plainId, readRows: takeRows };
