/** The time of Corrigo, from the `Date` of its answers: the clock of this machine may be wrong. */
export class ServiceClock {
	first?: number;
	latest?: number;

	readonly onDate = (date: string): void => {
		const instant = Date.parse(date);
		if (Number.isNaN(instant)) return;
		this.first ??= instant;
		this.latest = instant;
	};
}
