/** Time zone ids of the service (Microsoft's index list): hours from UTC, outside of summer time. */
const STANDARD_OFFSET: Readonly<Record<number, number>> = { 4: -8, 10: -7, 20: -6, 35: -5 };
const HOUR = 3_600_000;

const summers = new Map<number, readonly [from: number, to: number]>();

/** Second Sunday of March to first Sunday of November, at two o'clock local standard time. */
function summerOf(year: number): readonly [from: number, to: number] {
	let summer = summers.get(year);
	if (!summer) {
		const sunday = (month: number, nth: number): number => {
			const weekday = new Date(Date.UTC(year, month, 1)).getUTCDay();
			return Date.UTC(year, month, 1 + ((7 - weekday) % 7) + 7 * (nth - 1));
		};
		summer = [sunday(2, 2) + 2 * HOUR, sunday(10, 1) + HOUR];
		summers.set(year, summer);
	}
	return summer;
}

function summerTime(local: number): boolean {
	const [from, to] = summerOf(new Date(local).getUTCFullYear());
	return local >= from && local < to;
}

const plain = (time: number): string => new Date(time).toISOString().slice(0, -1);

/** An instant as the members without `Utc` have it: on the wall of the work zone, without a mark. */
export function localText(time: number, zone: number): string {
	const standard = time + (STANDARD_OFFSET[zone] ?? 0) * HOUR;
	return plain(zone in STANDARD_OFFSET && summerTime(standard) ? standard + HOUR : standard);
}

/** Old rows come without the `Z` that rows written now have. */
export const oldUtcText = (time: number): string => plain(time);

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
			utc: `${plain(time)}${fine}Z`,
			local: (zone) => `${localText(time, zone)}${fine}`,
		};
	}
}
