import { createDeadline } from '../../nodes/Corrigo/trigger/service';

/** The answers to a poll of 100 ms whose pages took so long. */
function answersTo(pages: number[]): boolean[] {
	let now = 5000;
	const { hasTime } = createDeadline(100, () => now);
	return pages.map((ms) => {
		now += ms;
		return hasTime();
	});
}

it('has time as long as a page like the slowest so far would be done by the deadline', () => {
	expect(answersTo([30, 10, 10, 10, 10, 10])).toEqual([true, true, true, true, false, false]);
	expect(answersTo([10, 40, 10, 10])).toEqual([true, true, false, false]);
	expect(answersTo([49])).toEqual([true]);
	expect(answersTo([50])).toEqual([false]);
	expect(answersTo([101])).toEqual([false]);
	expect(answersTo([0, 0, 0])).toEqual([true, true, true]);
});

it('is a moment on the clock of the process', () => {
	expect(createDeadline(100, () => 5000).at).toBe(5100);
});
