import { ValidationError } from '../../values/checks';
import { startCursor, type Key } from '../feed/cursor';
import type { Position } from '../feed/feed';
import {
	getNextPosition,
	PageReader,
	type Change,
	type ChangeSource,
	type Sizes,
} from '../feed/pageReader';
import type { Comparison } from '../plan/records';
import { BEGINNING, compareVersions, pack, type Difference, type Snapshot } from './snapshot';

/** Limits the characters that n8n stores with the workflow. */
export const MAX_SNAPSHOT_LENGTH = 1_000_000;

/** The changes that a poll has found, and the snapshot after it. */
interface ComparisonResult<T> {
	changes: Array<Change<T>>;
	snapshot: Snapshot;
	/** The part of the previous snapshot that the changes have replaced. */
	before: Snapshot;
	/** The error that ended the poll early. */
	failure?: unknown;
}

/**
 * Compares all records page by page in order of ID, from where the last poll stopped. A page covers
 * the IDs up to its last row, so each page is compared and settled on its own. `complete` reads
 * differing records again because a record that is missing from a page may still exist.
 */
export async function compareRecords<T>(
	comparison: Comparison,
	snapshot: Snapshot,
	source: ChangeSource<T, Difference>,
	sizes: Sizes,
): Promise<ComparisonResult<T>> {
	const reader = new SnapshotReader(comparison, snapshot, source, sizes);
	const { changes, failure } = await reader.compare();
	return { changes, snapshot: reader.snapshot, before: reader.before, failure };
}

class SnapshotReader<T> extends PageReader<T, Difference> {
	readonly snapshot: Snapshot;
	readonly before: Snapshot;
	private hasRead = false;

	constructor(
		private readonly comparison: Comparison,
		known: Snapshot,
		source: ChangeSource<T, Difference>,
		sizes: Sizes,
	) {
		super(comparison.feed, startCursor(toKey(known.position)), source, sizes);
		this.snapshot = { ...known, versions: new Map(known.versions) };
		this.before = { ...known, versions: new Map() };
	}

	/** Pages before a failed one are settled even if nothing has changed in them. */
	async compare(): Promise<{ changes: Array<Change<T>>; failure?: unknown }> {
		const begin = { after: toKey(this.snapshot.position), dense: false };
		return await this.readPages(begin).catch((failure: unknown) => ({ changes: [], failure }));
	}

	protected override canContinue(): boolean {
		const hasRoom = this.changes.length < this.sizes.limit;
		return !this.hasRead || (hasRoom && this.source.hasTime());
	}

	protected async readPage(from: Position): Promise<Position | undefined> {
		const { fresh, keys, isLast } = await this.fetchPage(from, this.sizes.page);
		const next = isLast ? undefined : getNextPosition(from, keys);
		const { readVersion } = this.comparison;
		const found = new Map(fresh.map(({ key, row }) => [key.id, readVersion(row)]));
		const range: [number, number] = [from.after.id, next?.after.id ?? Infinity];
		const differences = compareVersions(this.snapshot.versions, found, range);
		if (differences.some(({ change }) => change === 'added')) this.checkSize(found);
		const inDoubt = differences.filter((one) => this.needsSecondLook(one));
		const rest = await this.take(
			inDoubt.map((one) => ({ key: toKey(one.id), row: one })),
			(item) => item !== undefined,
		);
		const reached = (rest ?? next)?.after.id;
		this.settle(differences, inDoubt);
		if (reached === undefined) {
			this.snapshot.passes += 1;
			this.snapshot.position = BEGINNING;
		} else {
			this.snapshot.position = reached;
		}
		this.hasRead = true;
		return rest ?? next;
	}

	/** Returns whether the record must be read again to confirm the difference. */
	private needsSecondLook({ change }: Difference): boolean {
		if (this.snapshot.passes === 0) return false;
		return change === 'deleted' || this.comparison.changes.includes(change);
	}

	/** Applies the differences to the snapshot, except those that a second look has refuted. */
	private settle(differences: Difference[], inDoubt: Difference[]): void {
		const { versions } = this.snapshot;
		const confirmed = new Set(this.changes.map(({ key }) => key.id));
		const refuted = new Set(inDoubt.map(({ id }) => id).filter((id) => !confirmed.has(id)));
		for (const { id, change, version } of differences) {
			if (refuted.has(id)) continue;
			if (confirmed.has(id)) this.before.versions.set(id, versions.get(id) ?? 0);
			if (change === 'deleted') versions.delete(id);
			else versions.set(id, version);
		}
	}

	private checkSize(found: ReadonlyMap<number, number>): void {
		const versions = new Map([...this.snapshot.versions, ...found]);
		if (pack({ ...this.snapshot, versions }).length <= MAX_SNAPSHOT_LENGTH) return;
		throw new ValidationError(
			`There are too many records of ${this.comparison.feed.entity} to compare: what the trigger has to remember of them exceeds 1 MB`,
			"Add conditions that leave only the records that you need. For entities with a date of change, use 'Record Added or Changed'.",
		);
	}
}

const toKey = (id: number): Key => ({ time: '', id });
