/**
 * Tells whether another page fits into the time budget of a poll, assuming that it takes as long as
 * the slowest one so far.
 */
export class Deadline {
	readonly at: number;
	private pageStart: number;
	private longest = 0;

	constructor(
		budget: number,
		private readonly now = () => performance.now(),
	) {
		this.pageStart = now();
		this.at = this.pageStart + budget;
	}

	/** Call this after each page: it also measures how long the page took. */
	readonly hasTime = (): boolean => {
		const now = this.now();
		this.longest = Math.max(this.longest, now - this.pageStart);
		this.pageStart = now;
		return now + this.longest < this.at;
	};
}
