/** By how much the clocks of n8n and Corrigo may differ before it matters. */
export const CLOCK_TOLERANCE_MS = 60_000;

/** The clock of this machine runs a little faster or slower than that of Corrigo. */
const MAX_AGE_MS = 3_600_000;

/** The time of Corrigo, from the `Date` of its answers: the clock of this machine may be wrong. */
export class ServiceClock {
	first?: number;
	latest?: number;
	/** When the latest answer came, by the clock of this machine and since it started. */
	private received = { date: 0, uptime: 0 };

	readonly onDate = (date: string): void => {
		const instant = Date.parse(date);
		if (Number.isNaN(instant)) return;
		this.first ??= instant;
		this.latest = instant;
		this.received = { date: Date.now(), uptime: performance.now() };
	};

	/** The time by this clock; by that of this machine until Corrigo has answered. */
	now(): number {
		if (this.latest === undefined) return Date.now();
		return this.latest + performance.now() - this.received.uptime;
	}

	/** False without a recent answer, and if this machine has slept or had its clock set since. */
	get isKnown(): boolean {
		const age = performance.now() - this.received.uptime;
		const skipped = Date.now() - this.received.date - age;
		const isRecent = this.latest !== undefined && age < MAX_AGE_MS;
		return isRecent && Math.abs(skipped) < CLOCK_TOLERANCE_MS;
	}
}
