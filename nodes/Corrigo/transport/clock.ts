/** The clocks of n8n and Corrigo may differ by this much before it matters. */
export const CLOCK_TOLERANCE_MS = 60_000;

/** The time is unknown after this age, because the two clocks run at slightly different speeds. */
const MAX_AGE_MS = 3_600_000;

/** Corrigo's answers tell the time by their `Date`, because this machine's clock may be wrong. */
export class ServiceClock {
	first?: number;
	latest?: number;
	/** Time of the latest answer, by the clock of this machine and since the process started. */
	private received = { date: 0, uptime: 0 };

	readonly onDate = (date: string): void => {
		const instant = Date.parse(date);
		if (Number.isNaN(instant)) return;
		this.first ??= instant;
		this.latest = instant;
		this.received = { date: Date.now(), uptime: performance.now() };
	};

	/** Uses the clock of this machine until Corrigo has answered. */
	now(): number {
		if (this.latest === undefined) return Date.now();
		return this.latest + performance.now() - this.received.uptime;
	}

	/** The time is unknown without a recent answer, or if this machine slept or its clock was set. */
	get isKnown(): boolean {
		const age = performance.now() - this.received.uptime;
		const skipped = Date.now() - this.received.date - age;
		const isRecent = this.latest !== undefined && age < MAX_AGE_MS;
		return isRecent && Math.abs(skipped) < CLOCK_TOLERANCE_MS;
	}
}

/**
 * One time that everything is compared with: this machine's until Corrigo has answered, and then
 * Corrigo's if the first answer shows that this machine's clock is wrong.
 */
export class ComparisonTime {
	private instant?: number;
	private guessedAt?: number;

	constructor(private readonly clock: ServiceClock) {}

	/** No answer has confirmed the time yet. */
	get isGuess(): boolean {
		return this.guessedAt !== undefined && !this.clock.isKnown;
	}

	readonly now = (): number => {
		const { isKnown, latest = NaN } = this.clock;
		if (this.instant === undefined) {
			this.instant = this.clock.now();
			if (!isKnown) this.guessedAt = performance.now();
		} else if (this.guessedAt !== undefined && isKnown) {
			const guess = this.instant;
			const passed = performance.now() - this.guessedAt;
			this.guessedAt = undefined;
			const isWrong =
				latest < guess - CLOCK_TOLERANCE_MS || latest > guess + passed + CLOCK_TOLERANCE_MS;
			if (isWrong) this.instant = latest;
		}
		return this.instant;
	};

	/** Reads again if an answer shows that the time of the first attempt was wrong. */
	async read<T>(attempt: (now: () => number) => Promise<T>): Promise<T> {
		let used: number | undefined;
		const result = await attempt(() => (used = this.now()));
		return used === undefined || used === this.now() ? result : await attempt(this.now);
	}
}
