import type { IdResolver } from '../../nodes/Corrigo/values/names';
import { parseId } from '../../nodes/Corrigo/values/ids';

/** Accepts IDs only. */
export const plainId: IdResolver = (field, value) => parseId(field, value);
