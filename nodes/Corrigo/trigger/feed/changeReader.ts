import type { Cursor, Key } from './cursor';
import type { Feed, Position } from './feed';
import {
	getNextPosition,
	PageReader,
	type Change,
	type ChangeSource,
	type Sizes,
} from './pageReader';

/**
 * Reads pages from the cursor on until nothing is left, time runs out or the limit is reached. The
 * next poll continues at `reached`, which is undefined if nothing is left.
 */
export async function pollChanges<T>(
	feed: Feed,
	cursor: Cursor,
	source: ChangeSource<T>,
	sizes: Sizes,
): Promise<{ changes: Array<Change<T>>; reached?: Key }> {
	const reader = new ChangeReader(feed, cursor, source, sizes);
	const { changes, rest } = await reader.readPages(await reader.findStart());
	return { changes, reached: rest?.after };
}

class ChangeReader<T> extends PageReader<T> {
	/**
	 * Counts the known rows that the first page repeats; 0 if there are too many to read them again.
	 */
	private get rereadCount(): number {
		const { length } = this.cursor.known;
		return length > this.sizes.limits.min ? 0 : length;
	}

	/** Returns where to read from, or undefined if nothing is new. */
	async findStart(): Promise<Position | undefined> {
		const edge: Position = { after: this.cursor.edge, dense: false };
		if (this.rereadCount === this.cursor.known.length) return edge;
		// Most polls find nothing new, and the keys are enough to see that.
		const { fresh, keys, isLast } = await this.fetchPage(edge, this.sizes.page, true);
		if (fresh.length > 0) return toStartPosition(fresh[0].key);
		return isLast ? undefined : getNextPosition(edge, keys);
	}

	protected async readPage(from: Position): Promise<Position | undefined> {
		const { limit, page, limits } = this.sizes;
		// Each page repeats the rows of the second in which the previous page ended.
		const count = Math.min(page, this.rereadCount + limit - this.changes.length + limits.min);
		const { fresh, keys, isLast } = await this.fetchPage(from, count);
		const next = isLast ? undefined : getNextPosition(from, keys);
		return (await this.take(fresh)) ?? next;
	}
}

const toStartPosition = ({ time, id }: Key): Position => ({
	after: { time, id: id - 1 },
	dense: false,
});
