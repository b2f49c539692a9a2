import { buildLagWarning, getLag, getMaxLag } from '../../nodes/Corrigo/trigger/service';

const at = (time: string) => `2026-01-31T${time}`;

it('a lag counts whole seconds, as the clock of Corrigo shows no fractions', () => {
	expect(getLag(at('17:30:00.9000000'), at('17:30:10.0000000'))).toBe(10);
});

it('a lag is never below zero, and null where a time is not known', () => {
	expect(getLag(at('17:30:10.0000000'), at('17:30:00.0000000'))).toBe(0);
	expect(getLag(undefined, at('17:30:00.0000000'))).toBeNull();
	expect(getLag(at('17:30:00.0000000'))).toBeNull();
	expect(getLag()).toBeNull();
});

it('the lag of several changes is the longest that is known', () => {
	const changes = [
		{ at: at('17:30:05.0000000') },
		undefined,
		{ at: at('17:30:01.0000000') },
		{},
		{ at: at('17:30:09.0000000') },
	];
	expect(getMaxLag(changes, at('17:30:10.0000000'))).toBe(9);
	expect(getMaxLag([], at('17:30:10.0000000'))).toBe(0);
});

it.each([
	[3700, '1 hour ago'],
	[2 * 3600, '2 hours ago'],
	[47 * 3600, '47 hours ago'],
	[48 * 3600, '2 days ago'],
])('a lag of %d seconds is logged as %s', (seconds, words) => {
	expect(buildLagWarning(seconds, false)).toMatch(new RegExp(`up to ${words}$`));
	expect(buildLagWarning(seconds, true)).toMatch(
		new RegExp(`up to ${words}, and more are waiting$`),
	);
});
