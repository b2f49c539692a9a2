import type { IdResolver } from '../../nodes/Corrigo/values/names';
import { parseId } from '../../nodes/Corrigo/values/checks';

/** Accepts IDs only. */
export const plainId: IdResolver = (field, value) => parseId(field, value);
