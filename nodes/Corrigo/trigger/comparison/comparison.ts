import type { INodeExecutionData } from 'n8n-workflow';

import { ValidationError, type JsonObject } from '../../values/checks';
import { MAX_PAGE_SIZE } from '../../wire/paging';
import type { Key } from '../feed/cursor';
import { fetchPage, type Change, type ChangeSource, type Position, type Sizes } from '../feed/feed';
import { annotate, toItems, type Result } from '../items';
import type { Plan } from '../plan/plan';
import type { Comparison, ComparisonPlan } from '../plan/records';
import type { Service } from '../service';
import type { Store, Warn } from '../state';
import { pack, unpack } from './packing';
import {
	BEGINNING,
	compareVersions,
	createSnapshot,
	undo,
	type Difference,
	type Snapshot,
} from './snapshot';

const STARTS_OVER =
	'The stored state of this trigger belongs to other settings or cannot be read: it starts over, and returns changes from now on';

/** Limits the characters that n8n stores with the workflow. */
export const MAX_SNAPSHOT_LENGTH = 1_000_000;

/** A second look has confirmed this change. */
type ConfirmedChange = Result & Pick<Difference, 'change' | 'version'>;

/** Compares the records with their known versions and returns those that have changed. */
export async function pollComparison(
	store: Store,
	plan: ComparisonPlan & Plan,
	service: Service,
	warn: Warn,
): Promise<INodeExecutionData[]> {
	const { state } = store;
	const { comparison } = plan;
	/**
	 * The stamp includes the process because a poll that redelivers changes in doubt stores the same
	 * records.
	 */
	const getStamp = () => JSON.stringify([state.feed, state.process, state.records]);
	const begun = getStamp();
	const known = readSnapshot(store);
	if (known === undefined && !store.isEmpty()) warn(STARTS_OVER);
	const snapshot = known ?? createSnapshot();
	const { read, hasTime } = service;
	const complete = async (some: Difference[]) => await confirmDifferences(service, some);
	const source = { read, complete, hasTime };
	const found = await compareRecords<ConfirmedChange>(comparison, snapshot, source, plan);
	// Nothing is awaited from here on. If another poll has changed the state, the next poll compares
	// again.
	if (getStamp() !== begun) return [];
	const clock = service.now();
	const results = found.changes.map(({ key, item }) => {
		if (item === undefined || !comparison.changes.includes(item.change)) return undefined;
		const version = ` ${snapshot.passes} ${item.version}`;
		return annotate(plan, key, item, { clock, version });
	});
	const items = toItems(plan, results);
	const { passes, position } = found.snapshot;
	if (passes !== snapshot.passes || position !== snapshot.position) {
		store.save(
			{ records: pack(found.snapshot) },
			items.length > 0 ? pack(found.before) : undefined,
		);
	}
	if (items.length === 0 && found.failure !== undefined) throw found.failure;
	return items;
}

/**
 * If delivery is at least once, another process goes back to the snapshot before the last changes.
 */
function readSnapshot({ state, isOwn, goesBack }: Store): Snapshot | undefined {
	const stored = isOwn() ? unpack(state.records) : undefined;
	const before = stored && goesBack() ? unpack(state.before) : undefined;
	return stored && before ? undo(stored, before) : stored;
}

/**
 * Reads the differing records again, with the properties that the form asks for. A record that is
 * no longer as its page showed it becomes undefined and is left to the next poll.
 */
async function confirmDifferences(
	{ find, complete }: Service,
	differences: Difference[],
): Promise<Array<ConfirmedChange | undefined>> {
	const found = await find(differences.map(({ id }) => id));
	const present = differences.filter(({ id, change }) => found.has(id) && change !== 'deleted');
	const completed = await complete(present.map(({ id }) => found.get(id) as JsonObject));
	const results = new Map(present.map(({ id }, index) => [id, completed[index]]));
	return differences.map(({ id, change, version }) => {
		const gone = found.has(id) ? undefined : { item: { json: {} } };
		const result = change === 'deleted' ? gone : results.get(id);
		return result && { ...result, change, version };
	});
}

/**
 * Compares all records page by page in order of ID, from where the last poll stopped. A page covers
 * the IDs up to its last row, so each page is compared and settled on its own. `complete` reads
 * differing records again because a record that is missing from a page may still exist. Returns the
 * changes, the snapshot after them, the part of the known one that they have replaced, and the error
 * that ended the poll early.
 */
export async function compareRecords<T>(
	{ feed, readVersion, changes: chosen }: Comparison,
	known: Snapshot,
	source: ChangeSource<T, Difference>,
	{ limit, page = MAX_PAGE_SIZE, limits }: Sizes,
) {
	const versions = new Map(known.versions);
	const snapshot = { ...known, versions };
	const before = { ...known, versions: new Map<number, number>() };
	const changes: Array<Change<T>> = [];

	/** Compares one page, and returns the ID up to which all records are compared. */
	const comparePage = async (from: number): Promise<number | undefined> => {
		const begin: Position = { after: toKey(from), dense: true };
		const { rows, next } = await fetchPage(feed, source, begin, { count: page, limits });
		const found = new Map(rows.map(({ key, row }) => [key.id, readVersion(row)]));
		const differences = compareVersions(versions, found, [from, next?.after.id ?? Infinity]);
		if (differences.some(({ change }) => change === 'added')) {
			checkSize(feed.entity, { ...snapshot, versions: new Map([...versions, ...found]) });
		}
		// The first pass learns the records. Later, a record is read again to confirm a difference.
		const inDoubt = differences.filter(
			({ change }) => snapshot.passes > 0 && (change === 'deleted' || chosen.includes(change)),
		);
		const fitting = inDoubt.slice(0, limit - changes.length);
		const items = await source.complete(fitting);
		const unconfirmed = new Set(inDoubt);
		fitting.forEach((one, index) => {
			if (items[index] === undefined) return;
			unconfirmed.delete(one);
			changes.push({ key: toKey(one.id), item: items[index] });
			before.versions.set(one.id, versions.get(one.id) ?? 0);
		});
		for (const one of differences) {
			if (unconfirmed.has(one)) continue;
			if (one.change === 'deleted') versions.delete(one.id);
			else versions.set(one.id, one.version);
		}
		return fitting.length < inDoubt.length ? fitting[fitting.length - 1].id : next?.after.id;
	};

	try {
		let reached: number | undefined;
		do {
			reached = await comparePage(snapshot.position);
			snapshot.position = reached ?? BEGINNING;
			if (reached === undefined) snapshot.passes += 1;
		} while (reached !== undefined && changes.length < limit && source.hasTime());
	} catch (failure) {
		// Pages before a failed one are settled even if nothing has changed in them. After changes, the
		// failure is left to the next poll, which begins with that page.
		return { changes, snapshot, before, failure: changes.length === 0 ? failure : undefined };
	}
	return { changes, snapshot, before, failure: undefined };
}

function checkSize(entity: string, snapshot: Snapshot): void {
	if (pack(snapshot).length <= MAX_SNAPSHOT_LENGTH) return;
	throw new ValidationError(
		`There are too many records of ${entity} to compare: what the trigger has to remember of them exceeds 1 MB`,
		"Add conditions that leave only the records that you need. For entities with a date of change, use 'Record Added or Changed'.",
	);
}

const toKey = (id: number): Key => ({ time: '', id });
