import type { IPollFunctions } from 'n8n-workflow';

import { buildAdvice, createDeadline, createService } from '../../nodes/Corrigo/trigger/service';
import { createPlan } from './plan';

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

it('leaves time for two pages of each feed that is read later', () => {
	const plan = createPlan({ feed: { entity: 'WoNote', properties: [] } });
	const deadline = { at: 0, hasTime: (pages = 1) => pages <= 3 };
	const options = { credentials: {}, deadline, advice: buildAdvice('') };
	const { open } = createService({} as IPollFunctions, plan, options);
	expect([0, 1, 2].map((later) => open(plan, later).hasTime())).toEqual([true, true, false]);
	expect([0, 1].map((later) => open(plan, later).hasTime(2))).toEqual([true, false]);
});
