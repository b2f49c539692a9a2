/** What time it is for Corrigo, by the `Date` of its answers: the clock of this machine counts for nothing. */
export class ServiceClock {
	/** When the first answer came; nothing before. */
	first?: number;
	/** When the last one did. */
	latest?: number;

	readonly onDate = (date: string): void => {
		const instant = Date.parse(date);
		if (Number.isNaN(instant)) return;
		this.first ??= instant;
		this.latest = instant;
	};
}
