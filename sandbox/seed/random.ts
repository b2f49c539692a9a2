/** A seeded pseudorandom number generator (mulberry32). */
export class Random {
	private state: number;

	constructor(seed: number) {
		this.state = seed >>> 0;
	}

	/** A number from 0 up to, but not including, 1. */
	next(): number {
		this.state = (this.state + 0x6d2b79f5) >>> 0;
		let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
		mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
	}

	below(limit: number): number {
		return Math.floor(this.next() * limit);
	}

	pick<Item>(items: readonly Item[]): Item {
		return items[this.below(items.length)];
	}
}
