import { timeZones } from '../catalogue/timeZones';
import { isName } from './names';
import { fail } from './checks';
import { normalize } from './values';

/** The contract types zone numbers as plain integers, so the name of the member decides. */
export const isTimeZone = (path: string, type: string): boolean =>
	type === 'integer' && /(^|\.)TimeZone(Id)?$/.test(path);

/** Accepts the number of a zone or its IANA name. */
export function toZoneIndex(field: string, value: unknown): unknown {
	if (!isName(value)) return value;
	const found = Object.entries(timeZones).find(([, name]) => normalize(name) === normalize(value));
	return found === undefined
		? fail(field, value, 'a time zone such as America/New_York')
		: Number(found[0]);
}
