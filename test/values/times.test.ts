import fc from 'fast-check';
import { DateTime } from 'luxon';

import { timeZones } from '../../nodes/Corrigo/catalogue/times';
import { ComparisonTime, ServiceClock, toLocalTime } from '../../nodes/Corrigo/values/times';

describe('the local time of an instant', () => {
	it('has the digits of its second', () => {
		const instant = '2026-07-15T12:00:59.1234567Z';
		expect(toLocalTime(instant, 'Asia/Kathmandu')).toBe('2026-07-15T17:45:59.1234567');
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

it('the clock has the first and the latest time of Corrigo, and ignores dates that it cannot have', () => {
	const clock = new ServiceClock();
	for (const date of ['soon', 'Sat, 13 Sep 275760 00:00:00 GMT', '-271821-04-20T00:00:00Z']) {
		clock.onDate(date);
	}
	expect([clock.first, clock.latest]).toEqual([undefined, undefined]);
	clock.onDate('Sat, 31 Jan 2026 17:30:00 GMT');
	clock.onDate('Sat, 31 Jan 2026 17:30:05 GMT');
	clock.onDate('');
	const first = Date.UTC(2026, 0, 31, 17, 30);
	expect([clock.first, clock.latest]).toEqual([first, first + 5000]);
});

describe('the time by the clock', () => {
	const start = { date: Date.UTC(2026, 0, 31, 12), uptime: 5000 };
	const noon = Date.UTC(2031, 4, 5, 12);
	const clock = new ServiceClock();
	/** The times that the clocks of this machine show, in milliseconds since the answer. */
	const passed = { date: 0, uptime: 0 };

	beforeEach(() => {
		Object.assign(passed, { date: 0, uptime: 0 });
		jest.spyOn(Date, 'now').mockImplementation(() => start.date + passed.date);
		jest.spyOn(performance, 'now').mockImplementation(() => start.uptime + passed.uptime);
		clock.onDate(new Date(noon).toUTCString());
	});
	afterEach(() => jest.restoreAllMocks());

	it('is that of this machine until Corrigo has answered', () => {
		const unknown = new ServiceClock();
		expect([unknown.now(), unknown.isKnown]).toEqual([start.date, false]);
	});

	it('goes on from the answer', () => {
		Object.assign(passed, { date: 90_000, uptime: 90_000 });
		expect([clock.now(), clock.isKnown]).toEqual([noon + 90_000, true]);
	});

	it('is known while the clocks of this machine differ by less than a minute', () => {
		for (const date of [59_999, -59_999]) {
			passed.date = date;
			expect(clock.isKnown).toBe(true);
		}
	});

	it.each([
		['the clock of this machine was set', 10 * 3_600_000, 1000],
		['the clock of this machine was set a minute ahead', 60_000, 0],
		['the clock of this machine was set a minute back', -60_000, 0],
		['this machine has slept', 8 * 3_600_000, 60_000],
		['the answer is an hour old', 3_600_000, 3_600_000],
	])('is not known any more when %s', (_, date, uptime) => {
		Object.assign(passed, { date, uptime });
		expect(clock.isKnown).toBe(false);
	});
});

describe('the time that everything is compared with', () => {
	const start = Date.UTC(2026, 0, 31, 12);
	let passed = 0;
	beforeEach(() => {
		passed = 0;
		jest.spyOn(Date, 'now').mockImplementation(() => start + passed);
		jest.spyOn(performance, 'now').mockImplementation(() => passed);
	});
	afterEach(() => jest.restoreAllMocks());

	it.each([
		['is a minute behind', -60_000, 90_000, start],
		['comes late', 149_000, 90_000, start],
		['is more than a minute behind', -61_000, 90_000, start - 61_000],
		['is more than a minute ahead of its arrival', 151_000, 90_000, start + 151_000],
	])('is read again only if it was wrong: an answer that %s', async (_, date, wait, expected) => {
		const clock = new ServiceClock();
		const attempts: number[] = [];
		await new ComparisonTime(clock).repeatIfWrong(async (now) => {
			attempts.push(now());
			passed += wait;
			clock.onDate(new Date(start + date).toUTCString());
			return await Promise.resolve();
		});
		expect(attempts).toEqual(expected === start ? [start] : [start, expected]);
	});

	it('is a guess until an answer has a time, and only if somebody asked for it', () => {
		const clock = new ServiceClock();
		const time = new ComparisonTime(clock);
		const guesses = [time.isGuess];
		time.now();
		guesses.push(time.isGuess);
		clock.onDate(new Date(start).toUTCString());
		expect([...guesses, time.isGuess]).toEqual([false, true, false]);
	});
});
