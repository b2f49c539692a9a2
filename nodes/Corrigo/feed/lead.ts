import { DAY_MS, type ServiceClock } from '../values/times';
import { addMs, toUtcText } from './cursor';

/** Says how far Corrigo's clock is ahead of this machine's, in milliseconds. */
export interface Lead {
	trusted: number;
	/** When the clock last had this lead, and the polls since then. */
	since: number;
	polls: number;
}

/** A trigger has looked at everything up to this time, while Corrigo's clock had this lead. */
export interface Polled {
	time: string;
	lead: number;
}

/** Shows Corrigo's clock in its answers, and how far it was ahead of this machine's in the first one. */
export const readClocks = (clock: ServiceClock) => ({
	clock: () => toClockText(clock.first),
	lead: () => clock.lead,
	/** The clock in the latest answer. */
	now: () => toClockText(clock.latest),
});

export type Clocks = ReturnType<typeof readClocks>;

const toClockText = (instant?: number): string | undefined =>
	instant === undefined ? undefined : toUtcText(new Date(instant).toISOString());

const MIN_POLLS = 10;

/** Two clocks agree if they differ by less than this. */
const TOLERANCE_MS = 300_000;

const isSmall = (lead: number) => Math.abs(lead) < TOLERANCE_MS;

export const startLead = (trusted: number): Lead => ({ trusted, since: Date.now(), polls: 0 });

/** Returns whether Corrigo's clock agrees with this machine's, so that both are right. */
export function agreesWithClock(clocks: Clocks): boolean {
	const lead = clocks.lead();
	return lead !== undefined && isSmall(lead);
}

/** Returns what a poll that stopped at `reached` has looked at, or one that read to the end. */
export function buildPolled(
	lead?: Lead,
	settledAt?: string,
	reached = settledAt,
): Polled | undefined {
	if (settledAt === undefined || reached === undefined || lead === undefined) return undefined;
	return { time: reached < settledAt ? reached : settledAt, lead: lead.trusted };
}

/** Returns the members of a state that hold it. */
export const writePolled = (polled?: Polled) =>
	polled && { polled: polled.time, lead: polled.lead };

export function readPolled({ polled, lead }: { polled?: unknown; lead?: unknown }) {
	const time = toUtcText(polled);
	return time === undefined ? undefined : { time, lead: Number(lead) || 0 };
}

const isAhead = (polled?: Polled): polled is Polled =>
	polled !== undefined && polled.lead >= TOLERANCE_MS;

/** Returns the right time of the last poll, if Corrigo's clock was ahead then. */
export const correctPolled = (polled?: Polled): string | undefined =>
	isAhead(polled) ? addMs(polled.time, -polled.lead) : undefined;

/** Returns whether a poll has found that Corrigo's clock is right again. */
export const isRightAgain = (before?: Polled, now?: Polled): boolean =>
	isAhead(before) && now !== undefined && !isAhead(now);

/**
 * Returns the time that Corrigo's clock shows at least. One answer proves nothing, and a clock may be
 * ahead for a while. This machine's clock may be wrong, too, but time passes alike on both: if
 * Corrigo's clock gains, its former lead counts until both agree, or for another day and some polls
 * if they did not agree before.
 */
export function trustClock(memory: { lead?: Lead }, clocks: Clocks): string | undefined {
	const [time, lead, now] = [clocks.clock(), clocks.lead(), Date.now()];
	if (time === undefined || lead === undefined) return undefined;
	const { trusted, since, polls } = memory.lead ?? { trusted: lead, since: now, polls: 0 };
	const isNear = lead < trusted + TOLERANCE_MS;
	const isOver = !isSmall(trusted) && now - since >= DAY_MS && polls >= MIN_POLLS;
	const isTrusted = isNear || isSmall(lead) || isOver;
	memory.lead = isTrusted
		? { trusted: isNear ? Math.min(trusted, lead) : lead, since: now, polls: 0 }
		: { trusted, since, polls: polls + 1 };
	return addMs(time, memory.lead.trusted - lead);
}
