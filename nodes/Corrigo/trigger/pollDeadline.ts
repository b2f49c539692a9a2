/** Tells whether one more page fits into the time of a poll, if it is as slow as the slowest so far. */
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

	/** Must be called when a page is done. */
	readonly hasTime = (): boolean => {
		const now = this.now();
		this.longest = Math.max(this.longest, now - this.pageStart);
		this.pageStart = now;
		return now + this.longest < this.at;
	};
}
