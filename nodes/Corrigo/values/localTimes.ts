import { getUtcMembers, isLocalTime } from '../catalogue/times';
import { getInnerType } from '../catalogue/members';
import { ValidationError, fail, quote } from './errors';
import { type JsonObject, filterMembers, getMember, isObject, mapMembers } from './objects';
import { isBlank } from './scalars';
import { DAY_MS, YEAR_ADVICE, isZoned, parseDateTime, toInstant } from './times';
import { isReadOnly } from '../catalogue/entities';
import { findCarriedEntity } from './members';

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

/**
 * Returns the first instant at which the clock of the zone shows this time. Where the clock goes
 * forward past it, it is read as before the change.
 */
export function fromLocalTime(local: string, zone: string): number {
	const shown = toInstant(local);
	const readClock = (instant: number) =>
		toInstant(toLocalTime(new Date(instant).toISOString(), zone));
	const [before, after] = [shown - DAY_MS, shown + DAY_MS].map(
		(instant) => shown - (readClock(instant) - instant),
	);
	return readClock(before) !== shown && readClock(after) === shown ? after : before;
}

type TimeConverter = (member: string, time: unknown) => unknown;

/** Applies `convert` to values of local-time members that have a zone. */
function mapZonedTimes(owner: string, members: JsonObject, convert: TimeConverter): JsonObject {
	const mapValue = (name: string, value: unknown): unknown => {
		if (Array.isArray(value)) return value.map((one) => mapValue(name, one));
		if (isZoned(value)) return isLocalTime(owner, name) ? convert(name, value) : value;
		return isObject(value) ? mapZonedTimes(findOwner(owner, name, value), value, convert) : value;
	};
	return mapMembers(members, mapValue);
}

function findOwner(owner: string, name: string, value: JsonObject): string {
	const type = getInnerType(owner, name);
	return type === 'CorrigoEntity' ? (findCarriedEntity(value) ?? '') : type;
}

/** Finds the first member that cannot be written until the time zone of the work zone is known. */
export function findZonedTime(owner: string, members: JsonObject): [string, unknown] | undefined {
	const found: Array<[string, unknown]> = [];
	mapZonedTimes(owner, members, (...mapValue) => found.push(mapValue));
	return found[0];
}

/** The service ignores zones: it would take a UTC time for a local time. */
export const toLocalTimes = (owner: string, members: JsonObject, zone: string): JsonObject =>
	mapZonedTimes(owner, members, (name, time) => {
		const local = toLocalTime(parseDateTime(name, time), zone);
		return /^\d{4}-/.test(local) ? local : fail(name, time, 'a date and time', YEAR_ADVICE);
	});

/** Separates the members in UTC, because the service writes only those in local time. */
export function splitUtcMembers(
	entity: string,
	input: JsonObject,
): { utc: JsonObject; others: JsonObject } {
	const locals = getUtcMembers(entity);
	return {
		utc: filterMembers(input, (name, value) => locals.has(name) && !isBlank(value)),
		others: filterMembers(input, (name) => !locals.has(name)),
	};
}

interface ZonedRecord {
	field: string;
	entity: string;
	/** The record as stored in Corrigo. */
	record: JsonObject;
	/** The time zone of the work zone, if it is known. */
	zone?: string;
}

/** Moves times in UTC to the members in local time, and omits times that change nothing. */
export function replaceUtcMembers(
	{ field, entity, record, zone }: ZonedRecord,
	members: JsonObject,
	utc: JsonObject,
): { members: JsonObject; omitted: string[] } {
	const omitted: string[] = [];
	const all = { ...members };
	for (const [name, value] of Object.entries(utc)) {
		const local = getUtcMembers(entity).get(name) ?? name;
		const time = toChangedInstant(name, value, record[name]);
		const input = getMember(members, local);
		if (
			time === undefined ||
			(input !== undefined && isSameTime(entity, local, input, time, zone))
		) {
			omitted.push(name);
			continue;
		}
		const change = `'${field}' changes '${name}' to ${quote(value)}`;
		if (isReadOnly(entity, local)) {
			throw new ValidationError(`${change}, but Corrigo alone sets it`, 'Remove it.');
		}
		if (input !== undefined) {
			throw new ValidationError(
				`${change}, but '${local}' to ${quote(input)}, which is another time`,
				`'${local}' shows '${name}' on the clock of the work zone. Give one of them.`,
			);
		}
		all[local] = time;
	}
	return { members: all, omitted };
}

/** Returns undefined if the record already has this time. */
function toChangedInstant(name: string, value: unknown, stored: unknown): string | undefined {
	const time = parseDateTime(name, value);
	const instant = isZoned(time) ? time : `${time}Z`;
	return toInstant(stored) === toInstant(instant) ? undefined : instant;
}

function isSameTime(
	entity: string,
	local: string,
	input: unknown,
	time: string,
	zone?: string,
): boolean {
	if (isBlank(input)) return false;
	if (isZoned(input)) return toInstant(input) === toInstant(time);
	if (zone === undefined) return false;
	return toInstant(input) === toInstant(toLocalTimes(entity, { [local]: time }, zone)[local]);
}
