/** Days, weeks and months are those of the workflow's time zone, at any moment and in any zone. */
import fc from 'fast-check';
import { DateTime, Settings } from 'luxon';

import { Form } from '../../nodes/Corrigo/form/form';
import { readRange, type ComparedTime } from '../../nodes/Corrigo/form/timeRanges';
import { cases } from '../cases';

const ZONES = [
	...['America/New_York', 'Pacific/Auckland', 'Pacific/Pago_Pago', 'Asia/Kathmandu', 'UTC'],
	// Their clocks change at midnight, which then comes twice or not at all.
	...['America/Santiago', 'Africa/Cairo', 'Asia/Beirut', 'America/Havana'],
	'Australia/Lord_Howe',
];

const read = (when: string, now: number, timeZone: string, kind: ComparedTime, days = 7) =>
	readRange(new Form((name, fallback) => ({ when, days })[name] ?? fallback), 'Created', kind, {
		now: () => now,
		timeZone,
	});

/** The unit of each choice, and how many of them it lies after the current one. */
const CHOICES = {
	today: ['day', 0],
	thisWeek: ['week', 0],
	lastWeek: ['week', -1],
	thisMonth: ['month', 0],
	lastMonth: ['month', -1],
	thisQuarter: ['quarter', 0],
	lastQuarter: ['quarter', -1],
	thisYear: ['year', 0],
	lastYear: ['year', -1],
	yesterday: ['day', -1],
} as const;

/** Luxon takes the second midnight where the clock goes back to it. */
function getStart(unit: (typeof CHOICES)[keyof typeof CHOICES][0], time: DateTime): DateTime {
	const start = time.startOf(unit);
	const earlier = start.minus({ hours: 1 });
	return earlier.hasSame(start, 'day') ? earlier : start;
}

function expectRange(when: keyof typeof CHOICES, now: number, zone: string) {
	const [unit, offset] = CHOICES[when];
	const current = DateTime.fromMillis(now, { zone });
	return [offset, offset + 1].map((after) => getStart(unit, current.plus({ [unit]: after })));
}

const moments = fc
	.integer({ min: Date.UTC(2015, 0, 1), max: Date.UTC(2035, 0, 1) })
	.map((time) => time - (time % 1000));
const choices = fc.constantFrom(...(Object.keys(CHOICES) as Array<keyof typeof CHOICES>));
const zones = fc.constantFrom(...ZONES);

beforeAll(() => {
	Settings.throwOnInvalid = true;
});

it('a range of the calendar is compared with each record by its own clock', () => {
	fc.assert(
		fc.property(choices, moments, zones, (when, now, zone) => {
			const days = expectRange(when, now, zone).map((time) => `${time.toISODate()}T00:00:00`);
			for (const kind of ['day', 'localTime', 'time'] as const) {
				expect(Object.values(read(when, now, zone, kind))).toEqual(days);
			}
		}),
		{ numRuns: cases(200, 20_000) },
	);
});

it('a range of the calendar is one of instants where the clock of a member is not known', () => {
	const nights = ['2026-09-06', '2026-04-24', '2026-03-29', '2026-03-08', '2026-11-01'].flatMap(
		(day) => ZONES.map((zone) => ['today' as const, Date.parse(`${day}T18:00:00Z`), zone] as const),
	);
	fc.assert(
		fc.property(choices, moments, zones, (when, now, zone) => {
			const instants = expectRange(when, now, zone).map((time) =>
				time.toUTC().toISO({ suppressMilliseconds: true }),
			);
			expect(Object.values(read(when, now, zone, 'instant'))).toEqual(instants);
		}),
		{ numRuns: cases(200, 20_000), examples: nights.map((one) => [...one]) },
	);
});

it('days from now are 24 hours each, and include the current second', () => {
	const now = Date.parse('2026-03-08T06:30:00.400Z');
	expect(read('lastDays', now, 'America/New_York', 'time', 1)).toEqual({
		from: '2026-03-07T06:30:00Z',
		until: '2026-03-08T06:30:01Z',
	});
	expect(read('nextDays', now, 'America/New_York', 'localTime', 1)).toEqual({
		from: '2026-03-08T01:30:00',
		until: '2026-03-09T02:30:01',
	});
	expect(read('nextDays', now, 'America/New_York', 'day', 1)).toEqual({
		from: '2026-03-08T00:00:00',
		until: '2026-03-10T00:00:00',
	});
});
