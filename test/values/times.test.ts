import fc from 'fast-check';
import { DateTime } from 'luxon';

import { timeZones } from '../../nodes/Corrigo/catalogue/times';
import { toLocalTime } from '../../nodes/Corrigo/values/times';

describe('the local time of an instant', () => {
	it.each([
		['America/New_York', '2026-01-15T12:00:00Z', '2026-01-15T07:00:00'],
		['America/New_York', '2026-07-15T12:00:00Z', '2026-07-15T08:00:00'],
		['Europe/London', '2026-01-15T12:00:00Z', '2026-01-15T12:00:00'],
		['Europe/London', '2026-07-15T12:00:00Z', '2026-07-15T13:00:00'],
		['Europe/Berlin', '2026-01-15T12:00:00Z', '2026-01-15T13:00:00'],
		['Europe/Berlin', '2026-12-31T23:00:00Z', '2027-01-01T00:00:00'],
		['Asia/Kathmandu', '2026-07-15T12:00:59.1234567Z', '2026-07-15T17:45:59.1234567'],
		['America/New_York', '2026-03-08T06:59:59Z', '2026-03-08T01:59:59'],
		['America/New_York', '2026-03-08T07:00:00Z', '2026-03-08T03:00:00'],
		['America/New_York', '2026-11-01T05:30:00Z', '2026-11-01T01:30:00'],
		['America/New_York', '2026-11-01T06:30:00Z', '2026-11-01T01:30:00'],
		['Europe/Berlin', '2026-03-29T00:59:59Z', '2026-03-29T01:59:59'],
		['Europe/Berlin', '2026-03-29T01:00:00Z', '2026-03-29T03:00:00'],
	])('in %s at %s is %s', (zone, instant, clock) => {
		expect(toLocalTime(instant, zone)).toBe(clock);
	});

	it('agrees with luxon in every zone of the index and around every clock change', () => {
		const zone = fc.constantFrom(...Object.values(timeZones).map(String));
		const year = { min: Date.UTC(1971, 0), max: Date.UTC(2099, 0) };
		const anyTime = fc.integer(year).map((time) => time - (time % 1000));
		fc.assert(
			fc.property(zone, anyTime, (name, time) => {
				for (const instant of [time, ...edgeAfter(time, name)]) {
					const clock = DateTime.fromMillis(instant, { zone: name });
					const text = new Date(instant).toISOString();
					expect(toLocalTime(text, name)).toBe(clock.toFormat("yyyy-MM-dd'T'HH:mm:ss.SSS"));
				}
			}),
			{ numRuns: 300 },
		);
	});
});

/** The last second before the next clock change, and the first one after it. */
function edgeAfter(time: number, zone: string): number[] {
	const offset = (at: number) => DateTime.fromMillis(at, { zone }).offset;
	let [before, after] = [time, time + 200 * 86_400_000];
	if (offset(before) === offset(after)) return [];
	while (after - before > 1000) {
		const middle = before + Math.floor((after - before) / 2000) * 1000;
		if (offset(middle) === offset(before)) before = middle;
		else after = middle;
	}
	return [before, after];
}
