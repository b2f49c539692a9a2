import { CLOCK_TOLERANCE_MS } from '../transport/clock';
import { oncePerRun, type ItemContext } from './context';

const timeOf = oncePerRun(({ run: { clock } }) => ({
	now: clock.now(),
	isGuess: clock.latest === undefined,
}));

/**
 * The time that the filters of a run compare with, which is one for all items. Until Corrigo has answered
 * it is that of n8n, which the first answer corrects if it is wrong.
 */
export function filterTime(context: ItemContext): number {
	const time = timeOf(context);
	const { latest } = context.run.clock;
	if (time.isGuess && latest !== undefined) {
		time.isGuess = false;
		const isWrong =
			latest < time.now - CLOCK_TOLERANCE_MS || latest > Date.now() + CLOCK_TOLERANCE_MS;
		if (isWrong) time.now = latest;
	}
	return time.now;
}
