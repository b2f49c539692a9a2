import type { Change } from './activity';

/** A kill of n8n. */
export interface Kill {
	at: number;
	/** Time of the last request before the kill. */
	polledAt: number;
}

/** An execution that was running when n8n was killed. */
interface CrashedExecution {
	id: string;
	route: string;
	/** IDs of the records that started the execution. */
	ids: ReadonlySet<number>;
}

/** What the workflow of a route promises; one that records its work uses delivery At Least Once. */
export type Promised =
	| 'Once'
	| 'At Least Once, recorded'
	| 'Once, pushed'
	| 'At Least Once, pushed';

export interface Findings {
	changes: readonly Change[];
	/** IDs that the receiver got, by route and with repetitions. */
	reported: ReadonlyMap<string, readonly number[]>;
	crashed: readonly CrashedExecution[];
	promises: Readonly<Record<string, Promised>>;
	kills: readonly Kill[];
	/** Times at which n8n was stopped in an orderly way. */
	stops: readonly number[];
}

/** Time that a slow machine needs from a poll's request until n8n has created the execution. */
const POLL_TO_EXECUTION_MS = 3000;

export const UNEXPLAINED = 'unknown: this is a defect';

interface Exception {
	change: Change;
	times: number;
	cause: string;
}

export function timesReported({ reported }: Findings, { route, id }: Change): number {
	return (reported.get(route) ?? []).filter((each) => each === id).length;
}

/** Changes that were not reported exactly once, with their causes. */
export const findExceptions = (findings: Findings): Exception[] =>
	findings.changes
		.map((change) => ({ change, times: timesReported(findings, change) }))
		.filter(({ times }) => times !== 1)
		.map(({ change, times }) => ({ change, times, cause: findCause(findings, change, times) }));

function findCause(
	{ crashed, promises, kills, stops }: Findings,
	{ route, id, at }: Change,
	times: number,
): string {
	const execution = crashed.find((one) => one.route === route && one.ids.has(id));
	if (promises[route] === 'At Least Once, pushed') {
		const hasEnded = [...stops, ...kills.map((kill) => kill.at)].some((end) => end > at);
		return hasEnded && times === 2 ? 'n8n ended after it, and it was pushed again' : UNEXPLAINED;
	}
	if (promises[route] === 'At Least Once, recorded') {
		return execution && times > 1
			? `n8n was killed while execution ${execution.id} worked on it, and it was done again`
			: UNEXPLAINED;
	}
	if (execution)
		return `n8n was killed while it ran execution ${execution.id}, and did not repeat it`;
	const isAfterChange = (kill: Kill) => kill.at > at && kill.polledAt > at;
	const kill = kills.find(
		(one) => isAfterChange(one) && one.at - one.polledAt < POLL_TO_EXECUTION_MS,
	);
	return kill && times === 0
		? `n8n was killed ${kill.at - kill.polledAt} ms after a poll's request, before it created an execution`
		: UNEXPLAINED;
}
