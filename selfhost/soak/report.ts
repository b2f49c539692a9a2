import type { Change } from './activity';

/** An end of n8n that it had no say in. */
export interface Kill {
	at: number;
	/** The last request of a poll before it. */
	polledAt: number;
}

/** What an execution had to do when n8n was killed. */
interface CrashedExecution {
	id: string;
	way: string;
	/** The records that it was started with. */
	ids: ReadonlySet<number>;
}

export interface Findings {
	changes: readonly Change[];
	/** By way, the ids that have arrived, as often as they have. */
	told: ReadonlyMap<string, readonly number[]>;
	crashed: readonly CrashedExecution[];
	kills: readonly Kill[];
}

/** The state is saved a few milliseconds before the execution is made; a slow machine takes longer. */
const MOMENT_MS = 3000;

export const UNKNOWN = 'not known: this should not be';

interface Exception {
	change: Change;
	times: number;
	cause: string;
}

export function timesTold({ told }: Findings, { way, id }: Change): number {
	return (told.get(way) ?? []).filter((each) => each === id).length;
}

/** Every change that was not told of once, and why. */
export const exceptionsOf = (findings: Findings): Exception[] =>
	findings.changes
		.map((change) => ({ change, times: timesTold(findings, change) }))
		.filter(({ times }) => times !== 1)
		.map(({ change, times }) => ({ change, times, cause: causeOf(findings, change, times) }));

function causeOf({ crashed, kills }: Findings, { way, id, at }: Change, times: number): string {
	const execution = crashed.find((one) => one.way === way && one.ids.has(id));
	if (execution)
		return `n8n was killed while it ran execution ${execution.id}, and did not repeat it`;
	const isIn = (kill: Kill) => kill.at > at && kill.polledAt > at;
	const kill = kills.find((one) => isIn(one) && one.at - one.polledAt < MOMENT_MS);
	return kill && times === 0
		? `n8n was killed ${kill.at - kill.polledAt} ms after the poll asked, before it made an execution`
		: UNKNOWN;
}
