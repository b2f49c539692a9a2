import { timeZones } from '../schema/contract';

const QUARTER_HOUR = 900_000;

/** Groups: day, hours and minutes, seconds, fraction, zone. */
const TIME_PATTERN =
	/^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(:\d{2})?(\.\d{1,7})?)?(Z|[+-]\d{2}:\d{2})?$/i;

const formats = new Map<string, Intl.DateTimeFormat>();
const offsets = new Map<string, number>();

const wallClockTime = (zone: string, time: number): number => {
	let format = formats.get(zone);
	if (!format) {
		// The Swedish locale writes dates as ISO 8601 does, except for the T.
		format = new Intl.DateTimeFormat('sv-SE', {
			timeZone: zone,
			dateStyle: 'short',
			timeStyle: 'medium',
		});
		formats.set(zone, format);
	}
	return Date.parse(`${format.format(time).replace(' ', 'T')}Z`);
};

/** The offset of a zone from UTC; one per quarter of an hour, since clocks change only at quarters. */
function getOffset(index: number, time: number): number {
	const zone = timeZones[index];
	if (!zone) return 0;
	const quarter = Math.floor(time / QUARTER_HOUR) * QUARTER_HOUR;
	const key = `${zone} ${quarter}`;
	let offset = offsets.get(key);
	if (offset === undefined) {
		offset = wallClockTime(zone, quarter) - quarter;
		offsets.set(key, offset);
	}
	return offset;
}

export const isoWithoutZone = (time: number): string => new Date(time).toISOString().slice(0, -1);

/** Members without `Utc` in their name hold the clock time of the work zone, without a zone. */
export const toLocalTime = (time: number, zone: number): string =>
	isoWithoutZone(time + getOffset(zone, time));

/** The instant at which the clock of a work zone shows this time. */
export function toInstant(local: string, zone: number): number {
	const asUtc = Date.parse(`${normalizeTime(local, 3) ?? local}Z`);
	const estimate = asUtc - getOffset(zone, asUtc);
	return asUtc - getOffset(zone, estimate);
}

/**
 * The service stores times without their zone: a time with an offset is converted to UTC first, and
 * the stored text no longer shows it.
 */
export function normalizeTime(text: string, fractionDigits: number): string | undefined {
	const match = TIME_PATTERN.exec(text);
	if (!match || Number.isNaN(Date.parse(match[1]))) return undefined;
	const [, day, minutes = '00:00', seconds = ':00', fraction = '', zone = ''] = match;
	const written = `${day}T${minutes}${seconds}`;
	const clock = /^[+-]/.test(zone)
		? new Date(`${written}${zone}`).toISOString().slice(0, 19)
		: written;
	const shortened = fraction.slice(0, fractionDigits + 1);
	return /[1-9]/.test(shortened) ? clock + shortened : clock;
}
