import { lagWarning, lagOf, maxLag } from '../../nodes/Corrigo/trigger/lag';

const at = (time: string) => `2026-01-31T${time}`;

it('a lag counts whole seconds, as the clock of Corrigo shows no fractions', () => {
	expect(lagOf(at('17:30:00.9000000'), at('17:30:10.0000000'))).toBe(10);
});

it('a lag is never below zero, and null where a time is not known', () => {
	expect(lagOf(at('17:30:10.0000000'), at('17:30:00.0000000'))).toBe(0);
	expect(lagOf(undefined, at('17:30:00.0000000'))).toBeNull();
	expect(lagOf(at('17:30:00.0000000'))).toBeNull();
	expect(lagOf()).toBeNull();
});

it('the lag of several changes is the longest that is known', () => {
	const changes = [
		{ at: at('17:30:05.0000000') },
		undefined,
		{ at: at('17:30:01.0000000') },
		{},
		{ at: at('17:30:09.0000000') },
	];
	expect(maxLag(changes, at('17:30:10.0000000'))).toBe(9);
	expect(maxLag([], at('17:30:10.0000000'))).toBe(0);
});

it.each([
	[3700, '1 hour ago'],
	[2 * 3600, '2 hours ago'],
	[47 * 3600, '47 hours ago'],
	[48 * 3600, '2 days ago'],
])('a lag of %d seconds is logged as %s', (seconds, words) => {
	expect(lagWarning(seconds, false)).toMatch(new RegExp(`up to ${words}$`));
	expect(lagWarning(seconds, true)).toMatch(new RegExp(`up to ${words}, and more are waiting$`));
});
