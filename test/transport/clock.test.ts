import { ServiceClock } from '../../nodes/Corrigo/transport/clock';

it('the clock has the first and the latest time of Corrigo, and ignores invalid dates', () => {
	const clock = new ServiceClock();
	clock.onDate('soon');
	expect([clock.first, clock.latest]).toEqual([undefined, undefined]);
	clock.onDate('Sat, 31 Jan 2026 17:30:00 GMT');
	clock.onDate('Sat, 31 Jan 2026 17:30:05 GMT');
	clock.onDate('');
	const first = Date.UTC(2026, 0, 31, 17, 30);
	expect([clock.first, clock.latest]).toEqual([first, first + 5000]);
});
