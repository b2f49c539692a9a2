import { fail } from './errors';
import { formatDateObject, isDateObject, type JsonObject } from './objects';

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

/**
 * A day has neither a time nor a zone: of a time with a zone, the day that its own clock shows counts. A
 * JavaScript date has no clock of its own, so its day would be that of UTC.
 */
export function parseDay(field: string, value: unknown): string {
	if (value instanceof Date) fail(field, value, 'a day', DATE_ADVICE);
	const time = parseDateTime(field, value);
	return `${(isZoned(value) ? toIsoText(value) : time).slice(0, 10)}T00:00:00`;
}

const DATE_ADVICE =
	'A JavaScript date is a moment, whose day depends on the time zone: use a date such as {{ $now }}, or a text such as 2026-01-31.';

const CLOCK = /^(\d{1,2}):([0-5]\d)(?::([0-5]\d)(?:\.\d+)?)?(?:\s*([ap])\.?m\.?)?$/i;

/** Reads a time of day: 07:30, or 07:30:15 if it has seconds; undefined if the text is none. */
export function readTimeOfDay(text: string): string | undefined {
	const [, hours, minutes, seconds = '00', half] = CLOCK.exec(text.trim()) ?? [];
	if (hours === undefined) return undefined;
	const shown = Number(hours);
	if (half === undefined ? shown > 23 : shown < 1 || shown > 12) return undefined;
	const noon = half?.toLowerCase() === 'p' ? 12 : 0;
	const hour = half === undefined ? shown : (shown % 12) + noon;
	return `${String(hour).padStart(2, '0')}:${minutes}${seconds === '00' ? '' : `:${seconds}`}`;
}

/** A time with a date has a clock of its own, except a JavaScript date. */
export function parseTimeOfDay(field: string, value: unknown): string {
	const text = toIsoText(value);
	const [, , minutes, seconds = ''] = TIMESTAMP.exec(text) ?? [];
	const time =
		value instanceof Date ? undefined : readTimeOfDay(minutes ? minutes + seconds : text);
	return time ?? fail(field, value, 'a time of day, such as 7:30 or 19:30');
}

export const HOUR_MS = 60 * 60_000;

export const DAY_MS = 24 * HOUR_MS;

/** Times that this package works out are sent in whole seconds. */
export const toSecondsUtc = (time: number): string =>
	`${new Date(time).toISOString().slice(0, 19)}Z`;

export const YEAR_ADVICE =
	'In another time zone, its year is before 1 or after 9999: give the time without a zone.';

/** Expressions return Date objects and luxon DateTimes as well as text. */
const toIsoText = (value: unknown): string =>
	typeof value === 'string' ? value.trim() : formatDateObject(value);

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
export function addUtcZones(
	record: object,
	/** Records may share their rows, which are changed once. */
	changed?: WeakSet<object>,
): void {
	const values = record as JsonObject;
	for (const name in values) {
		const value = values[name];
		if (typeof value === 'object') {
			if (value === null || changed?.has(value)) continue;
			changed?.add(value);
			addUtcZones(value, changed);
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

/** The clocks of n8n and Corrigo may differ by this much before it matters. */
export const CLOCK_TOLERANCE_MS = 60_000;

/** The time is unknown after this age, because the two clocks run at slightly different speeds. */
const MAX_CLOCK_AGE_MS = 3_600_000;

/** Texts of times have years of four digits, in all zones and also days later. */
const isClockTime = (instant: number): boolean => instant >= 0 && instant < Date.UTC(9998, 0, 1);

/** Corrigo's answers tell the time by their `Date`, because this machine's clock may be wrong. */
export class ServiceClock {
	first?: number;
	latest?: number;
	/** How far Corrigo's clock was ahead of this machine's in the first answer. */
	lead?: number;
	/** Time of the latest answer, by the clock of this machine and since the process started. */
	private received = { date: 0, uptime: 0 };

	readonly onDate = (date: string): void => {
		const instant = Date.parse(date);
		if (!isClockTime(instant)) return;
		this.first ??= instant;
		this.lead ??= instant - Date.now();
		this.latest = instant;
		this.received = { date: Date.now(), uptime: performance.now() };
	};

	/** Uses the clock of this machine until Corrigo has answered. */
	now(): number {
		if (this.latest === undefined) return Date.now();
		return this.latest + performance.now() - this.received.uptime;
	}

	/** The time is unknown without a recent answer, or if this machine slept or its clock was set. */
	get isKnown(): boolean {
		const age = performance.now() - this.received.uptime;
		const skipped = Date.now() - this.received.date - age;
		const isRecent = this.latest !== undefined && age < MAX_CLOCK_AGE_MS;
		return isRecent && Math.abs(skipped) < CLOCK_TOLERANCE_MS;
	}
}

/**
 * One time that everything is compared with: this machine's until Corrigo has answered, and then
 * Corrigo's if the first answer shows that this machine's clock is wrong.
 */
export class ComparisonTime {
	private instant?: number;
	private guessedAt?: number;

	constructor(private readonly clock: ServiceClock) {}

	/** No answer has confirmed the time yet. */
	get isGuess(): boolean {
		return this.guessedAt !== undefined && !this.clock.isKnown;
	}

	readonly now = (): number => {
		const { isKnown, latest = NaN } = this.clock;
		if (this.instant === undefined) {
			this.instant = this.clock.now();
			if (!isKnown) this.guessedAt = performance.now();
		} else if (this.guessedAt !== undefined && isKnown) {
			const guess = this.instant;
			const passed = performance.now() - this.guessedAt;
			this.guessedAt = undefined;
			const isWrong =
				latest < guess - CLOCK_TOLERANCE_MS || latest > guess + passed + CLOCK_TOLERANCE_MS;
			if (isWrong) this.instant = latest;
		}
		return this.instant;
	};

	/** Reads again if an answer shows that the time of the first attempt was wrong. */
	async repeatIfWrong<T>(attempt: (now: () => number) => Promise<T>): Promise<T> {
		let used: number | undefined;
		const result = await attempt(() => (used = this.now()));
		return used === undefined || used === this.now() ? result : await attempt(this.now);
	}
}
