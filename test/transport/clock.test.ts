import { ServiceClock } from '../../nodes/Corrigo/transport/clock';

it('shows the first and the latest time that Corrigo said, and nothing of what is no time', () => {
	const clock = new ServiceClock();
	clock.heard('soon');
	expect([clock.first, clock.latest]).toEqual([undefined, undefined]);
	clock.heard('Sat, 31 Jan 2026 17:30:00 GMT');
	clock.heard('Sat, 31 Jan 2026 17:30:05 GMT');
	clock.heard('');
	const first = Date.UTC(2026, 0, 31, 17, 30);
	expect([clock.first, clock.latest]).toEqual([first, first + 5000]);
});
