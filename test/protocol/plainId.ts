import type { IdOf } from '../../nodes/Corrigo/protocol/names';
import { positiveId } from '../../nodes/Corrigo/protocol/values';

/** Accepts IDs only. */
export const plainId: IdOf = (field, value) => positiveId(field, value);
