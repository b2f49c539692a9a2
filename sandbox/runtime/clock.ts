import { toLocalTime, isoWithoutZone } from './times';

export interface Stamp {
	time: number;
	utc: string;
	local(zone: number): string;
}

/** The clock of the service, which a test may set and move. */
export class Clock {
	offset = 0;
	private ticks = 0;

	constructor(private readonly source: () => number) {}

	now(): number {
		return this.source() + this.offset;
	}

	/** The current time, to the tenth of a microsecond as the service writes it. */
	stamp(): Stamp {
		const time = this.now();
		this.ticks = (this.ticks + 1) % 10_000;
		const fraction = String(this.ticks).padStart(4, '0');
		return {
			time,
			utc: `${isoWithoutZone(time)}${fraction}Z`,
			local: (zone) => `${toLocalTime(time, zone)}${fraction}`,
		};
	}
}
