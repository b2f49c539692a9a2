import { CLOCK_TOLERANCE_MS } from '../transport/clock';
import { oncePerRun, type ItemContext } from './context';

const getRunTime = oncePerRun(({ run: { clock } }) => ({
	now: clock.now(),
	isGuess: clock.latest === undefined,
}));

/**
 * All items compare their filters with the same time: n8n's until Corrigo has answered, and
 * Corrigo's if the first answer shows that n8n's clock is wrong.
 */
export function getFilterTime(context: ItemContext): number {
	const time = getRunTime(context);
	const { latest } = context.run.clock;
	if (time.isGuess && latest !== undefined) {
		time.isGuess = false;
		const isWrong =
			latest < time.now - CLOCK_TOLERANCE_MS || latest > Date.now() + CLOCK_TOLERANCE_MS;
		if (isWrong) time.now = latest;
	}
	return time.now;
}
