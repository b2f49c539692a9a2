import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { letOthersRun } from '../../transport/eventLoop';
import { ValidationError } from '../../values/errors';
import type { JsonObject } from '../../values/objects';
import { MAX_VALUES } from '../../values/batches';
import { remember } from '../../values/cache';
import { MAX_PAGE_SIZE } from '../../wire/paging';
import type { Key } from '../changes/cursor';
import {
	buildNewestQuery,
	fetchPage,
	type ChangeSource,
	type PageSource,
	type Position,
	type Sizes,
} from '../changes/feed';
import { annotate, toItems, type Result } from '../items';
import { MAX_NODES, type Plan } from '../plan/plan';
import type { Comparison, ComparisonPlan } from '../plan/records';
import type { Service } from '../service';
import { PROCESS, type Store, type Warn } from '../state';
import {
	ANY_VERSION,
	BEGINNING,
	compareVersions,
	countBytes,
	createSnapshot,
	getDigest,
	MAX_NUMBER_BYTES,
	pack,
	sortIds,
	unpack,
	type Difference,
	type Snapshot,
} from './snapshot';

const STARTS_OVER =
	'The stored state of this trigger belongs to other settings or cannot be read: it starts over, and returns changes from now on';

/** Limits the characters that n8n stores with the workflow. */
export const MAX_SNAPSHOT_LENGTH = 1_000_000;

/** A second look has confirmed this change. */
type ConfirmedChange = Result & Pick<Difference, 'change' | 'version'>;

/** Records up to this place, in this pass, have been compared. */
type Place = Pick<Snapshot, 'passes' | 'position'>;

/**
 * n8n stores the state with items and at an activation only, so what other polls learn is lost when
 * n8n restarts.
 */
interface Memory {
	/** The digest of the state that the first poll in this process has found. */
	found?: number;
	/** The state that the last poll in this process has left. */
	left?: IDataObject;
	/** Set if the last poll in this process started an execution. */
	hasDelivered?: boolean;
	criteria?: string;
	/** Set if polls may have been forgotten: unknown records up to this place may be known ones. */
	until?: Place;
	isRunning?: boolean;
}

const memories = new Map<string, Memory>();

/**
 * Compares the records with their known versions and returns those that have changed, or null if
 * there is nothing to deliver. `isStored` says that n8n stores the state after this poll anyway.
 */
export async function pollComparison(
	store: Store,
	plan: ComparisonPlan & Plan,
	service: Service,
	options: { warn: Warn; isStored: boolean },
): Promise<INodeExecutionData[] | null> {
	const memory = memories.get(store.node) ?? {};
	// A comparison that takes longer than its interval is not repeated at the same time.
	if (memory.isRunning) return null;
	remember(memories, store.node, memory, MAX_NODES);
	memory.isRunning = true;
	try {
		const items = await runComparison(store, plan, service, { ...options, memory });
		memory.hasDelivered = items !== null;
		return items;
	} finally {
		memory.isRunning = false;
		memory.left = { ...store.state };
	}
}

async function runComparison(
	store: Store,
	plan: ComparisonPlan & Plan,
	service: Service,
	{ warn, isStored, memory }: { warn: Warn; isStored: boolean; memory: Memory },
): Promise<INodeExecutionData[] | null> {
	const { comparison } = plan;
	const known = recall(memory, store, JSON.stringify([plan.feed.criteria]));
	if (known === undefined && !store.isEmpty()) warn(STARTS_OVER);
	let snapshot = known ?? createSnapshot();
	const buildItems = ({ changes, before }: Found) => {
		const clock = service.now();
		const results = changes.map(({ key, item }) => {
			const version = ` ${before.passes} ${item.version}`;
			return annotate(plan, key, item, { clock, version });
		});
		return toItems(plan, results);
	};
	const save = (found: Found, isDelivery: boolean) =>
		store.save(
			{ records: pack(found.snapshot), process: PROCESS },
			isDelivery ? pack(found.before) : undefined,
		);

	const delivered = known && store.goesBack() ? unpack(store.state.before) : undefined;
	if (delivered !== undefined) {
		const found = await repeatChanges(service, comparison, snapshot, delivered);
		const items = buildItems(found);
		save(found, true);
		if (items.length > 0) return items;
		snapshot = found.snapshot;
	}
	const complete = async (some: Difference[]) =>
		await confirmDifferences(service, comparison, some);
	const source = { ...service, complete };
	const sizes = { ...plan, until: memory.until };
	const found = await compareRecords(comparison, snapshot, source, sizes);
	const items = buildItems(found);
	const { passes, position } = found.snapshot;
	if (items.length > 0 || passes !== snapshot.passes || position !== snapshot.position) {
		save(found, items.length > 0);
	}
	if (items.length > 0) return items;
	if (found.failure !== undefined) throw found.failure;
	// An execution without items makes n8n store what the first pass has learned.
	return snapshot.passes === 0 && passes > 0 && !isStored ? [] : null;
}

/**
 * Goes on from what the last poll in this process has left, because n8n may pass an older copy of
 * the state after a workflow was published again while a poll ran. Returns undefined if the state
 * cannot be read or belongs to another feed.
 */
function recall(
	memory: Memory,
	{ state, feed, isOwn, trustsState }: Store,
	criteria: string,
): Snapshot | undefined {
	const found = getDigest(state);
	const isOfProcess = found === memory.found || (isOwn() && state.process === PROCESS);
	const isRecalled = isOfProcess && memory.left?.feed === feed;
	if (!isRecalled) memory.found = found;
	// n8n stores the state with an execution, or it has discarded both.
	else if (!trustsState || memory.hasDelivered !== true) Object.assign(state, memory.left);
	const known = isOwn() ? unpack(state.records) : undefined;
	// Polls with other criteria may find known records for the first time.
	const isSame = memory.criteria === undefined || memory.criteria === criteria;
	memory.criteria = criteria;
	if (!isSame || !known?.passes) memory.until = undefined;
	else if (!isRecalled) memory.until = { passes: known.passes + 1, position: known.position };
	return known;
}

/** Describes what a poll has found. */
interface Found {
	changes: Array<{ key: Key; item: ConfirmedChange }>;
	/** The snapshot after the changes. */
	snapshot: Snapshot;
	/** The versions before the changes, where 0 marks a record that was unknown. */
	before: Snapshot;
}

/**
 * Returns the last delivered changes again, as another process may have been killed before they
 * were handled. A record that has changed since counts as changed in the next pass, too.
 */
async function repeatChanges(
	service: Service,
	comparison: Comparison,
	known: Snapshot,
	delivered: Snapshot,
): Promise<Found> {
	const { versions } = known;
	const earlier = new Map([...delivered.versions].filter(([, version]) => version > 0));
	const later = new Map([...versions].filter(([id]) => delivered.versions.has(id)));
	const differences = compareVersions(earlier, later).map((one) => toPossibleEdit(comparison, one));
	// Confirming completes the rows that it reads first, so these must have the delivered versions.
	const rows = await service.find([...delivered.versions.keys()], comparison.feed);
	const lasting = differences.filter((one) => isAsShown(comparison, one, rows));
	const items = await confirmDifferences(service, comparison, lasting);
	const before = { ...delivered, versions: new Map<number, number>() };
	const changes: Found['changes'] = [];
	lasting.forEach(({ id }, index) => {
		const item = items[index];
		if (item === undefined) return;
		before.versions.set(id, delivered.versions.get(id) ?? 0);
		changes.push({ key: toKey(id), item });
	});
	for (const { id, change } of differences) {
		if (!before.versions.has(id)) versions.set(id, change === 'edited' ? ANY_VERSION : 0);
	}
	return { changes, snapshot: known, before };
}

/** An unknown record may be known to a poll that was forgotten, or be new. */
const toPossibleEdit = ({ changes }: Comparison, one: Difference): Difference =>
	one.change === 'added' && !changes.includes('added') ? { ...one, change: 'edited' } : one;

/**
 * Reads the differing records again as the form asks for, and then their versions. A record that
 * has changed since its page was read becomes undefined and is left to the next poll.
 */
async function confirmDifferences(
	{ find, complete }: Service,
	comparison: Comparison,
	differences: Difference[],
): Promise<Array<ConfirmedChange | undefined>> {
	const found = await find(differences.map(({ id }) => id));
	const present = differences.filter(({ id, change }) => found.has(id) && change !== 'deleted');
	const ids = present.map(({ id }) => id);
	const completed = await complete(ids.map((id) => found.get(id) as JsonObject));
	const rows = await find(ids, comparison.feed);
	const results = new Map(present.map(({ id }, index) => [id, completed[index]]));
	return differences.map((one) => {
		const { id, change, version } = one;
		if (!isAsShown(comparison, one, change === 'deleted' ? found : rows)) return undefined;
		const result = change === 'deleted' ? { item: { json: {} } } : results.get(id);
		return result && { ...result, change, version };
	});
}

const isAsShown = (
	{ readVersion }: Comparison,
	{ id, change, version }: Difference,
	rows: ReadonlyMap<number, JsonObject>,
): boolean => {
	const row = rows.get(id);
	if (row === undefined || change === 'deleted') return row === undefined && change === 'deleted';
	return readVersion(row) === version;
};

/**
 * Compares all records page by page in order of ID, from where the last poll stopped, and updates
 * the known versions. `complete` reads the differing records of many pages again, because a record
 * that is missing from a page may still exist. Returns also the error that ended the poll early.
 */
export async function compareRecords<T>(
	comparison: Comparison,
	known: Snapshot,
	source: ChangeSource<T, Difference>,
	{ limit, page = MAX_PAGE_SIZE, limits, until }: Sizes & { until?: Place },
) {
	const { feed, readVersion, changes: chosen } = comparison;
	const { versions } = known;
	const snapshot = { ...known };
	const before = { ...known, versions: new Map<number, number>() };
	const changes: Array<{ key: Key; item: T }> = [];
	/** Differences that a second look has to confirm. */
	const inDoubt: Difference[] = [];
	const checkGrowth = createSizeCheck(feed.entity, snapshot, inDoubt);

	const isPossibleEdit = ({ id }: Difference) =>
		until !== undefined &&
		(snapshot.passes < until.passes || (snapshot.passes === until.passes && id <= until.position));

	const settle = ({ id, change, version }: Difference) =>
		change === 'deleted' ? versions.delete(id) : versions.set(id, version);

	const ids = sortIds(known);
	let taken = ids.findIndex((id) => id > snapshot.position);
	/** Returns the known records of the next page, which ends at `to`. */
	const takeKnown = (to: number): Map<number, number> => {
		const start = taken;
		while (ids[taken] <= to) taken += 1;
		return new Map([...ids.subarray(start, taken)].map((id) => [id, versions.get(id) ?? 0]));
	};

	/** Compares one page, and returns the ID up to which all records are compared. */
	const comparePage = async (from: number): Promise<number | undefined> => {
		const begin: Position = { after: toKey(from), dense: true };
		const { rows, next } = await fetchPage(feed, source, begin, { count: page, limits });
		const isStart = snapshot.passes === 0 && from === BEGINNING;
		if (isStart && rows.length >= page) await checkCount(comparison, source);
		const found = new Map<number, number>();
		for (const { key, row } of rows) {
			await letOthersRun();
			found.set(key.id, readVersion(row));
		}
		const all = compareVersions(takeKnown(next?.after.id ?? Infinity), found);
		checkGrowth(from, all);
		for (const one of all) {
			const difference = isPossibleEdit(one) ? toPossibleEdit(comparison, one) : one;
			const { change } = difference;
			// The first pass learns the records. Later, a record is read again to confirm a difference.
			const isDoubtful = snapshot.passes > 0 && (change === 'deleted' || chosen.includes(change));
			if (isDoubtful) inDoubt.push(difference);
			else settle(difference);
		}
		return next?.after.id;
	};

	const getRoom = () => Math.min(MAX_VALUES, limit - changes.length);
	const confirm = async (): Promise<void> => {
		const some = inDoubt.slice(0, getRoom());
		const items = await source.complete(some);
		inDoubt.splice(0, some.length);
		some.forEach((one, index) => {
			const item = items[index];
			if (item === undefined) {
				// The next pass must not take the record for a new one.
				if (one.change === 'edited' && !versions.has(one.id)) versions.set(one.id, ANY_VERSION);
				return;
			}
			if (chosen.includes(one.change)) {
				changes.push({ key: toKey(one.id), item });
				const earlier = one.change === 'deleted' ? one.version : versions.get(one.id);
				before.versions.set(one.id, earlier ?? 0);
			}
			settle(one);
		});
	};

	let reached: number | undefined = snapshot.position;
	let isConfirming = false;
	/** Reads the next page, unless there are enough differences to confirm. */
	const step = async (): Promise<void> => {
		const from = inDoubt.length < getRoom() ? reached : undefined;
		isConfirming = from === undefined;
		if (from === undefined) await confirm();
		else reached = await comparePage(from);
	};
	const isOver = () => reached === undefined && inDoubt.length === 0;
	const readAll = async (): Promise<void> => {
		do await step();
		while (!isOver() && changes.length < limit && source.hasTime(inDoubt.length > 0 ? 4 : 1));
	};
	let failure: unknown;
	const fail = (error: unknown) => {
		failure ??= error;
	};
	await readAll().catch(fail);
	// Differences are delivered even if time is over or a page has failed.
	const isTried = isConfirming && failure !== undefined;
	if (inDoubt.length > 0 && changes.length === 0 && !isTried) await confirm().catch(fail);
	if (isOver()) snapshot.passes += 1;
	snapshot.position = inDoubt.length > 0 ? inDoubt[0].id - 1 : (reached ?? BEGINNING);
	// After changes, a failure is left to the next poll, which begins with that page.
	return { changes, snapshot, before, failure: changes.length === 0 ? failure : undefined };
}

/**
 * Refuses a table whose snapshot cannot fit before all of its pages are read. Each record takes two
 * bytes at least, or five with a digest, and three bytes take four characters.
 */
async function checkCount({ feed, readVersion }: Comparison, { read }: PageSource): Promise<void> {
	const skip = (MAX_SNAPSHOT_LENGTH * 3) / 4 / (readVersion === getDigest ? 5 : 2);
	const beyond = buildNewestQuery(feed, { count: 1, keysOnly: true, skip });
	if ((await read(beyond)).length > 0) throw createSizeError(feed.entity);
}

/** Packs a snapshot to check its size only if an upper bound exceeds the limit. */
function createSizeCheck(entity: string, snapshot: Snapshot, inDoubt: readonly Difference[]) {
	let bound = Infinity;
	return (from: number, differences: readonly Difference[]): void => {
		if (!differences.some(({ change }) => change === 'added')) return;
		let last = from;
		for (const { id, version } of differences) {
			bound += countBytes(id - last) + countBytes(version);
			last = id;
		}
		if ((bound * 4) / 3 <= MAX_SNAPSHOT_LENGTH) return;
		const versions = new Map(snapshot.versions);
		for (const { id, change, version } of [...inDoubt, ...differences]) {
			if (change !== 'deleted') versions.set(id, version);
		}
		const { length } = pack({ ...snapshot, versions });
		if (length > MAX_SNAPSHOT_LENGTH) throw createSizeError(entity);
		// The position may take more bytes later.
		bound = (length * 3) / 4 + MAX_NUMBER_BYTES;
	};
}

const createSizeError = (entity: string) =>
	new ValidationError(
		`There are too many records of ${entity} to compare: what the trigger has to remember of them exceeds 1 MB`,
		"Add conditions that leave only the records that you need. For entities with a date of change, use 'Record Added or Changed'.",
	);

const toKey = (id: number): Key => ({ time: '', id });
