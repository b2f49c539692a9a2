import { fail } from './errors';
import { isDateObject, isLuxon, type JsonObject } from './objects';

const TIMESTAMP =
	/^(\d{4}-\d{2}-\d{2})(?:[T ]((?:[01]\d|2[0-3]):\d{2})(:\d{2}(?:\.\d+)?)?)?(Z|[+-]\d{2}:?\d{2})?$/i;

/** A time with a zone is an instant; other times depend on where they are read. */
export const isZoned = (value: unknown): boolean =>
	isDateObject(value) ||
	(typeof value === 'string' && TIMESTAMP.exec(value.trim())?.[4] !== undefined);

/**
 * Times without a zone stay as they are, because the service reads them in the time zone of the
 * work zone. Other zones are converted to UTC, because the service documents none.
 */
export function parseDateTime(field: string, value: unknown): string {
	const parts = TIMESTAMP.exec(toIsoText(value)) ?? [];
	const [, day = '', minutes = '00:00', seconds = ':00', zone = ''] = parts;
	const time = `${day}T${minutes}${seconds}${zone.toUpperCase()}`;
	if (!isOnCalendar(day) || Number.isNaN(Date.parse(time))) {
		fail(field, value, 'a date and time', 'Use ISO 8601, such as 2026-01-31T17:30:00');
	}
	if (zone === '' || zone.toUpperCase() === 'Z') return time;
	// Zones differ by whole minutes; a Date would cut the seconds after the third digit.
	const utc = new Date(`${day}T${minutes}:00${zone}`).toISOString();
	if (!/^\d{4}-/.test(utc)) fail(field, value, 'a date and time', YEAR_ADVICE);
	return utc.replace(':00.000Z', `${seconds}Z`);
}

/** A day has no time zone: of a time with one, the day that its own clock shows counts. */
export function parseDay(field: string, value: unknown): string {
	const time = parseDateTime(field, value);
	return isZoned(value) ? `${toIsoText(value).slice(0, 10)}T00:00:00` : time;
}

export const DAY_MS = 24 * 60 * 60_000;

/** Times that this package works out are sent in whole seconds. */
export const toSecondsUtc = (time: number): string =>
	`${new Date(time).toISOString().slice(0, 19)}Z`;

export const YEAR_ADVICE =
	'In another time zone, its year is before 1 or after 9999: give the time without a zone.';

/** Expressions return Date objects and luxon DateTimes as well as text. */
function toIsoText(value: unknown): string {
	if (typeof value === 'string') return value.trim();
	if (value instanceof Date) return Number.isNaN(value.getTime()) ? '' : value.toISOString();
	return isLuxon(value) ? (value.toISO() ?? '') : '';
}

/** The service returns times in UTC with and without a Z. */
export function toInstant(value: unknown): number {
	const text = isDateObject(value) ? parseDateTime('', value) : String(value).trim();
	return Date.parse(isZoned(text) ? text : `${text}Z`);
}

/** A time that is not set may be stored as one from before this. */
export const NEVER = '1900-01-01T00:00:00';

/** Returns the instant of a stored time; undefined if the time is not set. */
export function readTime(value: unknown): number | undefined {
	const time = toInstant(value);
	return time >= Date.parse(`${NEVER}Z`) ? time : undefined;
}

/** `Date.parse` accepts the 30th of February. */
function isOnCalendar(day: string): boolean {
	const date = new Date(`${day}T00:00:00Z`);
	return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(day);
}

/**
 * Corrigo leaves the zone out of times that it reads from its database. The record is changed in
 * place, because hundreds of thousands may be read.
 */
export function addUtcZones(record: object): void {
	const values = record as JsonObject;
	for (const name in values) {
		const value = values[name];
		if (typeof value === 'object') {
			if (value !== null) addUtcZones(value);
		} else if (typeof value === 'string' && name.includes('Utc') && !isZoned(value)) {
			values[name] = `${value}Z`;
		}
	}
}

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
