/** The time of Corrigo, from the `Date` of its answers: the clock of this machine may be wrong. */
export class ServiceClock {
	/** The time of the first answer. */
	first?: number;
	/** The time of the latest answer. */
	latest?: number;

	readonly onDate = (date: string): void => {
		const instant = Date.parse(date);
		if (Number.isNaN(instant)) return;
		this.first ??= instant;
		this.latest = instant;
	};
}
