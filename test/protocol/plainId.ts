import type { IdResolver } from '../../nodes/Corrigo/protocol/names';
import { parseId } from '../../nodes/Corrigo/protocol/values';

/** Accepts IDs only. */
export const plainId: IdResolver = (field, value) => parseId(field, value);
