import { findLocalMember } from '../catalogue/localTimes';
import { findMemberType } from '../catalogue/members';
import { isObject, type JsonObject } from './checks';
import { parseDateTime, isZoned } from './values';

const formats = new Map<string, Intl.DateTimeFormat>();

function getFormat(zone: string): Intl.DateTimeFormat {
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
	return getFormat(zone).format(Date.parse(instant)).replace(' ', 'T') + fraction;
}

type TimeConverter = (member: string, time: unknown) => unknown;

/** Applies `convert` to values of local-time members that have a zone. */
function mapZonedTimes(owner: string, members: JsonObject, convert: TimeConverter): JsonObject {
	const mapValue = (name: string, value: unknown): unknown => {
		if (isZoned(value))
			return findLocalMember(owner, name) === undefined ? value : convert(name, value);
		const type = isObject(value) ? findMemberType(owner, name) : undefined;
		return isObject(value) && type !== undefined ? mapZonedTimes(type, value, convert) : value;
	};
	return Object.fromEntries(
		Object.entries(members).map(([name, value]) => [name, mapValue(name, value)]),
	);
}

/** Finds the first member that cannot be written until the time zone of the work zone is known. */
export function findZonedTime(owner: string, members: JsonObject): [string, unknown] | undefined {
	const found: Array<[string, unknown]> = [];
	mapZonedTimes(owner, members, (...mapValue) => found.push(mapValue));
	return found[0];
}

/** The service ignores zones: it would take a UTC time for a local time. */
export const toLocalTimes = (owner: string, members: JsonObject, zone: string): JsonObject =>
	mapZonedTimes(owner, members, (name, time) => toLocalTime(parseDateTime(name, time), zone));
