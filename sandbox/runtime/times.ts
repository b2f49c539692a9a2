import { timeZones } from '../schema/contract';

const QUARTER_HOUR = 900_000;

/** A time as callers and the service write it: the day, the time, its fraction and its zone. */
const TIME_PATTERN =
	/^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(:\d{2})?(\.\d{1,7})?)?(Z|[+-]\d{2}:\d{2})?$/i;

const formats = new Map<string, Intl.DateTimeFormat>();
const offsets = new Map<string, number>();

const wallClockTime = (zone: string, time: number): number => {
	let format = formats.get(zone);
	if (!format) {
		// This locale writes dates as ISO does, but for the T.
		format = new Intl.DateTimeFormat('sv-SE', {
			timeZone: zone,
			dateStyle: 'short',
			timeStyle: 'medium',
		});
		formats.set(zone, format);
	}
	return Date.parse(`${format.format(time).replace(' ', 'T')}Z`);
};

/** How far the clock of a zone is ahead of UTC: clocks are only set at quarters of an hour. */
function offsetAt(index: number, time: number): number {
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

/** An instant as the members without `Utc` have it: on the wall of the work zone, without a mark. */
export const toLocalTime = (time: number, zone: number): string =>
	isoWithoutZone(time + offsetAt(zone, time));

/** The instant of a clock time of a work zone. */
export function toInstant(local: string, zone: number): number {
	const asUtc = Date.parse(`${normalizeTime(local, 3) ?? local}Z`);
	const near = asUtc - offsetAt(zone, asUtc);
	return asUtc - offsetAt(zone, near);
}

/**
 * What is left of a time that is stored by its clock alone: one with an offset is that of UTC, and
 * nothing tells any more that it is.
 */
export function normalizeTime(text: string, digits: number): string | undefined {
	const match = TIME_PATTERN.exec(text);
	if (!match || Number.isNaN(Date.parse(match[1]))) return undefined;
	const [, day, minutes = '00:00', seconds = ':00', fraction = '', zone = ''] = match;
	const written = `${day}T${minutes}${seconds}`;
	const clock = /^[+-]/.test(zone)
		? new Date(`${written}${zone}`).toISOString().slice(0, 19)
		: written;
	const fine = fraction.slice(0, digits + 1);
	return /[1-9]/.test(fine) ? clock + fine : clock;
}
