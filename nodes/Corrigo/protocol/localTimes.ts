import { localTime } from '../catalogue/localTimes';
import { memberType } from '../catalogue/members';
import { isObject, type JsonObject } from './checks';
import { dateTime, isZoned } from './values';

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
	// The Swedish locale writes dates as ISO does, without the T.
	const format =
		formats.get(zone) ??
		new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' });
	formats.set(zone, format);
	return format;
}

/** The format has no fraction of a second, so all its digits are copied from the instant. */
export function toLocalTime(instant: string, zone: string): string {
	const fraction = /\.\d+/.exec(instant)?.[0] ?? '';
	return formatOf(zone).format(Date.parse(instant)).replace(' ', 'T') + fraction;
}

type Convert = (member: string, time: unknown) => unknown;

/** Applies `convert` to values of local-time members that have a zone. */
function mapZonedTimes(owner: string, members: JsonObject, change: Convert): JsonObject {
	const one = (name: string, value: unknown): unknown => {
		if (isZoned(value)) return localTime(owner, name) === undefined ? value : change(name, value);
		const type = isObject(value) ? memberType(owner, name) : undefined;
		return isObject(value) && type !== undefined ? mapZonedTimes(type, value, change) : value;
	};
	return Object.fromEntries(
		Object.entries(members).map(([name, value]) => [name, one(name, value)]),
	);
}

/** Finds the first member that cannot be written until the time zone of the work zone is known. */
export function firstZoned(owner: string, members: JsonObject): [string, unknown] | undefined {
	const found: Array<[string, unknown]> = [];
	mapZonedTimes(owner, members, (...one) => found.push(one));
	return found[0];
}

/** The service ignores zones: it would take a UTC time for a local time. */
export const withLocalTimes = (owner: string, members: JsonObject, zone: string): JsonObject =>
	mapZonedTimes(owner, members, (name, time) => toLocalTime(dateTime(name, time), zone));
