import { timeZones } from '../catalogue/timeZones';
import { isName } from './names';
import { refuse } from './checks';
import { folded } from './values';

/** Whether a member holds what the service calls a time zone. */
export const isTimeZone = (path: string, type: string): boolean =>
	type === 'integer' && /(^|\.)TimeZone(Id)?$/.test(path);

/** Its number, also where everybody else's name for it is given. */
export function zoneIndex(field: string, value: unknown): unknown {
	if (!isName(value)) return value;
	const found = Object.entries(timeZones).find(([, name]) => folded(name) === folded(value));
	return found === undefined
		? refuse(field, value, 'a time zone such as America/New_York')
		: Number(found[0]);
}
