import { type IdResolver, parseId } from '../../nodes/Corrigo/values/references';

/** Accepts IDs only. */
export const plainId: IdResolver = (field, value) => parseId(field, value);
