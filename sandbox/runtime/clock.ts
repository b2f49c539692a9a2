import { toLocalTime, isoWithoutZone } from './times';

export interface Stamp {
	time: number;
	utc: string;
	local(zone: number): string;
}

/** The time of the service: whatever the owner of the sandbox says it is. */
export class Clock {
	offset = 0;
	private ticks = 0;

	constructor(private readonly source: () => number) {}

	now(): number {
		return this.source() + this.offset;
	}

	/** Now, to the tenth of a microsecond the service writes. */
	stamp(): Stamp {
		const time = this.now();
		this.ticks = (this.ticks + 1) % 10_000;
		const fine = String(this.ticks).padStart(4, '0');
		return {
			time,
			utc: `${isoWithoutZone(time)}${fine}Z`,
			local: (zone) => `${toLocalTime(time, zone)}${fine}`,
		};
	}
}
