import type { INodeExecutionData } from 'n8n-workflow';

import { findEntityMemberType, getEntity, getKeyProperties } from '../../catalogue/entities';
import { toTitle } from '../../catalogue/enumerations/labels';
import { buildLoadedList, defineField } from '../../form/fields';
import { isSimplified, parsePropertyList, type Form } from '../../form/form';
import { showLabels } from '../../records/names';
import { letOthersRun } from '../../transport/concurrency';
import { agree, getDigest } from '../../feed/digest';
import { ValidationError, quote } from '../../values/errors';
import type { JsonObject } from '../../values/objects';
import type { RecordNames } from '../../values/references';
import { MAX_VALUES } from '../../wire/criteria';
import { MAX_PAGE_SIZE, omitSelected } from '../../wire/paging';
import { buildRecordFeed, buildRowPlan } from '../changes/records';
import type { Key } from '../../feed/cursor';
import {
	buildNewestQuery,
	fetchPage,
	keepMatching,
	type ChangeSource,
	type Feed,
	type PageSource,
	type FeedPosition,
	type Sizes,
} from '../../feed/feed';
import { warnOnce } from '../changes/changes';
import type { PlanParts, Plan, Result, PollSession } from '../plan';
import { toItems } from '../service';
import { confirmDoubt, openStore, recallFeed, type Codec, type Store } from '../state';
import { createKeptFields, NO_FIELDS, type KeptFields } from './keptFields';
import {
	CHANGES,
	ANY_VERSION,
	BEGINNING,
	applyVersions,
	compareVersions,
	countIds,
	createSnapshot,
	pack,
	RecordList,
	unpack,
	type ChangeName,
	type VersionChange,
	type Snapshot,
} from './snapshot';

export const changesField = defineField({
	displayName: 'Changes',
	name: 'changes',
	type: 'multiOptions',
	options: CHANGES.map((value) => ({ name: toTitle(value), value })),
	default: [],
	description:
		'Changes that trigger the workflow. Leave empty for all. The item of a deleted record has only its entity and ID, and Before if you choose fields for it.',
});

export const comparedField = defineField({
	name: 'compare',
	...buildLoadedList(
		'Compare Field Names or IDs',
		'getProperties',
		'Fields whose edits trigger the workflow. Edited items name those that differ in ChangedFields. Leave empty to compare the versions of the records (ConcurrencyId) or, if they have none, all fields except lists such as addresses and custom fields. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
	),
});

export const beforeField = defineField({
	name: 'valuesBefore',
	...buildLoadedList(
		'Values Before Names or IDs',
		'getProperties',
		'Compared fields whose earlier values are returned in Before of edited and deleted items. If the trigger would have to store more than 1 MB, none is shown. Choose from the list, or specify IDs using an <a href="https://docs.n8n.io/code/expressions/">expression</a>.',
	),
});

/** All records are compared with their earlier versions. */
export function buildComparisonPlan(form: Form, names: RecordNames): PlanParts {
	const feed = buildRecordFeed(form, names);
	const chosen = form.read(changesField);
	const compared = readComparedProperties(form, feed.entity);
	const hasVersions = compared.join() === '*' && getEntity(feed.entity)?.lock === true;
	const properties = hasVersions ? [LOCK] : compared;
	const comparison: Comparison = {
		feed: { ...feed, properties },
		readVersion: hasVersions ? readVersion : getDigest,
		hasVersions,
		changes: chosen.length > 0 ? chosen : CHANGES,
		kept: readKeptFields(form, feed.entity, compared),
	};
	const plan = buildRowPlan(form, feed);
	return {
		...plan,
		strategy: {
			watch: async (own, session) => {
				const store = openStore(session, own, snapshotCodec);
				return await pollComparison(store, { ...session, plan: own, comparison });
			},
		},
		// Versions of other properties cannot be compared.
		sequence: { entity: feed.entity, order: properties },
		// A test event shows a record without its change, so it gets the first that could be.
		complete: async (requester, rows) => {
			const results = await plan.complete(requester, rows);
			const [change] = comparison.changes;
			return results.map((one) => one && toChange(one, Number(one.order), change));
		},
	};
}

/** Only fields that are named can be told apart. */
function readKeptFields(form: Form, entity: string, compared: readonly string[]): KeptFields {
	const shown = form.isEmpty(beforeField)
		? []
		: parsePropertyList(beforeField.displayName, entity, form.read(beforeField));
	const named = compared.includes('*') ? [] : compared;
	const other = shown.find((path) => !named.includes(path));
	if (other !== undefined) {
		throw new ValidationError(
			`'${beforeField.displayName}' has ${quote(other)}, which is not among the compared fields`,
			`Choose single fields under '${comparedField.displayName}', and this one among them.`,
		);
	}
	const show = (values: JsonObject) => (isSimplified(form) ? showLabels(entity, values) : values);
	return named.length === 0 ? NO_FIELDS : createKeptFields(named, { shown, show });
}

/** The paths are sorted because their order does not change the comparison. */
function readComparedProperties(form: Form, entity: string): string[] {
	const paths = parsePropertyList(comparedField.displayName, entity, form.read(comparedField));
	const unknown = paths.find((path) => {
		const member = path.replace(/\.?\*$/, '');
		return member !== '' && findEntityMemberType(entity, member) === undefined;
	});
	// Corrigo judges the properties of entities without a published model.
	if (getKeyProperties(entity) !== undefined && unknown !== undefined) {
		throw new ValidationError(
			`'${comparedField.displayName}' has ${quote(unknown)}, which ${entity} does not have`,
			'Choose fields from the list, or leave the field empty to compare all.',
		);
	}
	return paths.sort();
}

/** Corrigo counts versions from 0, but a snapshot uses 0 for unknown records. */
function readVersion({ ConcurrencyId: version }: JsonObject): number {
	if (Number.isSafeInteger(version) && Number(version) >= 0) return Number(version) + 1;
	throw new ValidationError(
		'Corrigo sent a record without a ConcurrencyId, so edits cannot be seen',
		`Choose the fields to compare under '${comparedField.displayName}'.`,
	);
}

/** Limits the characters that n8n stores with the workflow. */
export const MAX_SNAPSHOT_LENGTH = 1_000_000;

export const snapshotCodec: Codec<Snapshot> = {
	read: ({ records }) => unpack(records),
	repeat: (known, last) => {
		const earlier = unpack(last);
		if (earlier === undefined) return known;
		const versions = new Map([...earlier.ids].map((id, index) => [id, earlier.versions[index]]));
		const fields = new Map([...known.fields, ...earlier.fields]);
		return { ...earlier, ...applyVersions(known, versions), fields };
	},
	write: (snapshot) => {
		const records = pack(snapshot);
		if (records.length > MAX_SNAPSHOT_LENGTH) throw createSizeError();
		return { records };
	},
	// The newer one counts, as another process has delivered with it.
	merge: (stored) => stored,
	skip: (snapshot) => snapshot,
};

/** Says how the records of an entity are compared with their known versions. */
export interface Comparison {
	/** Reads all records with the properties that determine a version. */
	feed: Feed;
	readVersion: (row: JsonObject) => number;
	/** True if Corrigo counts the versions of a record. */
	hasVersions: boolean;
	/** The changes that trigger the workflow. */
	changes: readonly ChangeName[];
	kept: KeptFields;
}

/** A second look has confirmed this change. Its version is that of the record as it was read. */
type ConfirmedChange = Omit<Result, 'changeKey'> & {
	change: ChangeName;
	version: number;
	/** The text that is kept of its fields. */
	fields: string;
};

/** A comparison needs this for one poll. */
type Run = Pick<PollSession, 'isStored' | 'service' | 'warn'> & {
	plan: Plan;
	comparison: Comparison;
};

export async function pollComparison(
	store: Store<Snapshot>,
	run: Run,
): Promise<INodeExecutionData[][] | null> {
	const { memory } = store;
	if (memory.isRunning) return null;
	memory.isRunning = true;
	return await compareOnce(store, run).finally(() => (memory.isRunning = false));
}

/**
 * A deleted record is not there to be shown. `parts` tell apart what may happen to a record more
 * than once.
 */
const toChange = (
	result: Omit<Result, 'changeKey'>,
	id: number,
	change: ChangeName,
	...parts: number[]
): Result & { change: ChangeName } => ({
	...result,
	item: change === 'deleted' ? { json: { EntityType: result.entity, Id: id } } : result.item,
	changeKey: [result.entity, id, change, ...parts].join(' '),
	change,
});

const TOO_MANY_FIELDS =
	'What this trigger would have to store of the compared fields exceeds 1 MB: ChangedFields and Before stay empty';

async function compareOnce(
	store: Store<Snapshot>,
	run: Run,
): Promise<INodeExecutionData[][] | null> {
	const { plan, comparison, service, warn, isStored } = run;
	const begunAt = performance.now();
	const known = store.read(warn) ?? createSnapshot();
	const complete = async (some: VersionChange[]) => await confirmDifferences(run, known, some);
	const found = await compareRecords(comparison, known, { ...service, complete }, plan);
	const { changes, snapshot, before, hasLearned, hasVanished, failure } = found;
	// A Company that shows no more records may show them again a moment later.
	const own = recallFeed(store.memory, plan.feed.entity);
	if (!hasVanished) own.doubt = undefined;
	else if (confirmDoubt(own, 'empty', known.position, begunAt) === undefined) return null;
	if (store.isSuperseded()) return null;
	const results = changes.map(({ key: { id }, item: { change, version, ...item } }) => {
		const versions = change === 'deleted' ? [] : [version];
		return toChange(item, id, change, known.passes, ...versions);
	});
	const items = toItems(plan, results, { clock: service.now() });
	const hasItems = items.length > 0;
	// An execution without items makes n8n store what would otherwise be forgotten.
	const delivery = hasItems || (hasLearned && !isStored) ? [items] : undefined;
	const { passes, position } = snapshot;
	if (hasItems || hasLearned || passes !== known.passes || position !== known.position) {
		if (snapshot.fields.size > 0 && pack(snapshot).length > MAX_SNAPSHOT_LENGTH) {
			snapshot.fields = new Map();
			warnOnce(store.memory, warn, 'fields', TOO_MANY_FIELDS);
		}
		store.save(snapshot, {
			// Nothing is lost if n8n discards a poll without items.
			...(hasItems && { items: delivery, last: pack(before) }),
		});
	}
	if (delivery !== undefined) return delivery;
	if (failure !== undefined) throw failure;
	return null;
}

/**
 * Reads the differing records again as the form asks for, with their newest versions, as a record may
 * change more often than a pass takes. One that is deleted meanwhile, or as it was before, becomes
 * undefined and is left to the next pass. Versions come first: what changes after them differs again,
 * even if it goes back.
 */
async function confirmDifferences(
	{ plan: { feed }, comparison, service: { find, complete } }: Run,
	{ fields: known }: Snapshot,
	differences: VersionChange[],
): Promise<Array<ConfirmedChange | undefined>> {
	const { hasVersions, readVersion, kept } = comparison;
	const added = hasVersions ? omitSelected([LOCK], feed.properties) : [];
	const found = await find(
		differences.map(({ id }) => id),
		hasVersions ? { ...feed, properties: [...feed.properties, ...added] } : comparison.feed,
	);
	const versions = new Map([...found].map(([id, row]) => [id, readVersion(row)]));
	for (const row of found.values()) for (const name of added) delete row[name];
	const present = differences
		.filter(({ change }) => change !== 'deleted')
		.filter(({ id, earlier }) => versions.has(id) && versions.get(id) !== earlier)
		.map(({ id }) => id);
	const rows = hasVersions || present.length === 0 ? found : await find(present, feed);
	const shown = present.filter((id) => rows.has(id));
	for (const id of shown) if (!agree(found.get(id), rows.get(id))) versions.set(id, ANY_VERSION);
	const completed = await complete(shown.map((id) => rows.get(id) as JsonObject));
	const results = new Map(shown.map((id, index) => [id, completed[index]]));
	return differences.map(({ id, change, version: last }): ConfirmedChange | undefined => {
		const row = found.get(id);
		const described = change === 'added' ? {} : kept.describe(known.get(id), row);
		const own = { change, describe: () => described };
		if (change === 'deleted') {
			const gone = { ...own, entity: feed.entity, item: { json: {} }, version: last, fields: '' };
			return row === undefined ? gone : undefined;
		}
		const version = versions.get(id);
		const result = results.get(id);
		if (version === undefined || row === undefined || result === undefined) return undefined;
		return { ...result, ...own, version, fields: kept.keep(row) };
	});
}

/** The member that holds Corrigo's own version of a record. */
const LOCK = 'ConcurrencyId';

/**
 * Compares all records page by page in order of ID, from where the last poll stopped. `complete`
 * reads the differing records of many pages again, because a record that is missing from a page may
 * still exist. Returns also the error that ended the poll early.
 */
export async function compareRecords<T extends { version: number; fields: string }>(
	comparison: Comparison,
	known: Snapshot,
	source: ChangeSource<T, VersionChange>,
	{ limit, page = MAX_PAGE_SIZE }: Sizes,
) {
	const { feed, readVersion, changes: chosen, kept } = comparison;
	const isFirstPass = known.passes === 0;
	const start = countIds(known, known.position);
	/** Records that have been compared, with their known versions if a second look has to follow. */
	const compared = new RecordList();
	compared.addAll(known, 0, start);
	const updates = new Map<number, number | undefined>();
	const fields = new Map(known.fields);
	const keepFields = (id: number, text: string) =>
		text === '' ? fields.delete(id) : fields.set(id, text);
	const before = new Map<number, number>();
	const changes: Array<{ key: Key; item: T }> = [];
	/** Differences that a second look has to confirm. */
	const inDoubt: VersionChange[] = [];
	let hasLearned = false;
	let hasVanished = false;
	let taken = start;

	/** Remembers a change that triggers nothing; another one may need to be told without it. */
	const learn = ({ id, change, version }: VersionChange, row: JsonObject): void => {
		compared.add(id, version);
		keepFields(id, kept.keep(row));
		const isNeeded = change === 'added' && chosen.some((one) => one !== 'added');
		hasLearned ||= isFirstPass || isNeeded;
	};

	/** Compares one page, and returns the ID up to which all records are compared. */
	const comparePage = async (from: number): Promise<number | undefined> => {
		const begin: FeedPosition = { after: toKey(from), dense: true };
		const { rows, next } = await fetchPage(feed, source, begin, { count: page });
		const isStart = from === BEGINNING;
		if (isStart && isFirstPass && rows.length >= page) await checkCount(comparison, source);
		const found = new RecordList();
		const byId = new Map<number, JsonObject>();
		for (const { key, row } of await keepMatching(feed, source, rows)) {
			await letOthersRun();
			found.add(key.id, readVersion(row));
			byId.set(key.id, row);
		}
		const end = countIds(known, next?.after.id ?? Infinity);
		const part = new RecordList();
		part.addAll(known, taken, end);
		taken = end;
		if (from === known.position && rows.length === 0) hasVanished = part.ids.length > 0;
		compareVersions(part, found, (id, earlier, difference) => {
			const row = byId.get(id) ?? {};
			if (difference === undefined) {
				compared.add(id, earlier ?? 0);
				if (!kept.isWhole(fields.get(id))) keepFields(id, kept.keep(row));
			}
			// The first pass learns the records. Later, a record is read again to confirm a difference.
			else if (isFirstPass || !isDoubtful(difference)) learn(difference, row);
			else {
				inDoubt.push(difference);
				if (earlier !== undefined) compared.add(id, earlier);
			}
		});
		return next?.after.id;
	};
	const isDoubtful = ({ change }: VersionChange) => change === 'deleted' || chosen.includes(change);

	const getRoom = () => Math.min(MAX_VALUES, limit - changes.length);
	let isConfirming = false;
	const confirm = async (): Promise<void> => {
		isConfirming = true;
		const some = inDoubt.slice(0, getRoom());
		const items = await source.complete(some);
		isConfirming = false;
		inDoubt.splice(0, some.length);
		for (const [index, { id, change }] of some.entries()) {
			const item = items[index];
			if (item === undefined) continue;
			if (chosen.includes(change)) {
				changes.push({ key: toKey(id), item });
				before.set(id, change === 'edited' ? ANY_VERSION : 0);
			} else hasLearned ||= chosen.includes('added');
			updates.set(id, change === 'deleted' ? undefined : item.version);
			keepFields(id, item.fields);
		}
	};

	let reached: number | undefined = known.position;
	const isOver = () => reached === undefined && inDoubt.length === 0;
	const loadAll = async (): Promise<void> => {
		do {
			// Few differences wait for those of the next pages.
			const isFew = inDoubt.length < getRoom();
			if (isFew && reached !== undefined) reached = await comparePage(reached);
			else await confirm();
		} while (!isOver() && changes.length < limit && source.hasTime(inDoubt.length > 0 ? 4 : 1));
	};
	let failure: unknown;
	const noteFailure = (error: unknown) => {
		failure ??= error;
	};
	await loadAll().catch(noteFailure);
	// Differences are delivered even if time is over or a page has failed.
	const hasTried = isConfirming || changes.length > 0;
	if (inDoubt.length > 0 && !hasTried) await confirm().catch(noteFailure);

	compared.addAll(known, taken);
	const snapshot: Snapshot = {
		...applyVersions(compared, updates),
		fields,
		passes: known.passes + (isOver() ? 1 : 0),
		position: inDoubt.length > 0 ? inDoubt[0].id - 1 : (reached ?? BEGINNING),
	};
	return {
		changes,
		snapshot,
		before: { ...known, ...applyVersions(createSnapshot(), before) },
		hasLearned: hasLearned || (isFirstPass && snapshot.passes > 0),
		/** True if not a single one of the known records was found where the last poll stopped. */
		hasVanished,
		// After changes, a failure is left to the next poll, which begins with that page.
		failure: changes.length === 0 ? failure : undefined,
	};
}

/**
 * Refuses a table whose snapshot cannot fit before all of its pages are read. Each record takes two
 * bytes at least, or five with a digest, and three bytes take four characters.
 */
async function checkCount({ feed, hasVersions }: Comparison, { load }: PageSource): Promise<void> {
	const skip = (MAX_SNAPSHOT_LENGTH * 3) / 4 / (hasVersions ? 2 : 5);
	const beyond = buildNewestQuery(feed, { count: 1, keysOnly: true, skip });
	if ((await load(beyond)).length > 0) throw createSizeError();
}

const createSizeError = () =>
	new ValidationError(
		'There are too many records to compare: what the trigger has to remember of them exceeds 1 MB',
		"Add conditions that leave only the records that you need. For entities with a date of change, use 'Record Added or Changed (by Date or ID)'.",
	);

const toKey = (id: number): Key => ({ time: '', id });
