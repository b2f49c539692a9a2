import type { INodeExecutionData } from 'n8n-workflow';

import { batches } from '../wire/criteria';
import { lowerWords } from '../catalogue/enumerations/labels';
import { isMissing, createNotFoundError, wasRefused } from '../transport/errors';
import { forEachLimit, letOthersRun } from '../transport/concurrency';
import {
	DEFAULT_READS,
	oncePerRun,
	type FormResolver,
	type ItemContext,
	resolveForms,
} from './context';
import type { Outcome } from './outcomes';

/** One read on behalf of an item. */
export interface PendingRead {
	readonly context: ItemContext;
	readonly id: number;
}

type Load<W, Found> = (wanted: W) => Promise<Found | undefined>;

/** Each request costs a connection of its own, and sharing one keeps runs with many items quick. */
interface Source<W extends PendingRead, Found> {
	/** Reads with the same key may share a request; a read without a key gets its own. */
	key: (wanted: W) => string | undefined;
	/** Reads a batch. An ID that does not exist is left out of the result. */
	loadMany: (ids: number[], batch: W[]) => Promise<ReadonlyMap<number, Found>>;
	/** Reads the only item of a batch, or each of them if Corrigo refuses the batch. */
	loadOne?: Load<W, Found>;
}

/** Reads a batch as soon as one of its items asks, and gives each its own record or error. */
function shareLoad<W extends PendingRead, Found>(
	batch: W[],
	{ loadMany, loadOne }: Omit<Source<W, Found>, 'key'>,
): Load<W, Found> {
	let whole: Promise<unknown> | undefined;
	let found: ReadonlyMap<number, Found> | undefined;
	const single = new Map<number, Promise<Found | undefined>>();
	const loadAlone = async (one: W, load: Load<W, Found>) => {
		const reading = single.get(one.id) ?? load(one);
		single.set(one.id, reading);
		return await reading;
	};
	const loadWhole = async (one: W) => {
		if (loadOne !== undefined && batch.length === 1) return await loadAlone(one, loadOne);
		whole ??= loadMany([...new Set(batch.map(({ id }) => id))], batch).then(
			(all) => (found = all),
			(failure: unknown) => {
				if (loadOne === undefined || !wasRefused(failure)) throw failure;
			},
		);
		await whole;
		return found === undefined && loadOne ? await loadAlone(one, loadOne) : found?.get(one.id);
	};
	return async (one) => (found === undefined ? await loadWhole(one) : found.get(one.id));
}

const getValues = ({ id }: PendingRead) => [id];

interface Reading<W extends PendingRead, Found> extends Source<W, Found> {
	prepare: FormResolver<W>;
	toItems: (found: Found, wanted: W) => INodeExecutionData[] | Promise<INodeExecutionData[]>;
	/** Noun for a missing record in errors, if each item asks for one record. */
	label?: string;
	/** Answers that expire soon are read for this number of items, and used before the next ones. */
	maxItems?: number;
}

/** Items of a run share requests; once the run has ended, nothing more is read. */
export async function loadTogether<W extends PendingRead, Found>(
	contexts: ItemContext[],
	{ prepare, toItems, label, maxItems, ...source }: Reading<W, Found>,
): Promise<Outcome[]> {
	const [{ caller, run }] = contexts;
	const concurrency = contexts[0].getConcurrency(DEFAULT_READS);
	const { outcomes } = run;
	const isOver = () => outcomes.isOver;
	const wanted: W[] = [];
	for (const context of contexts) {
		await letOthersRun();
		await outcomes.run(context, async () => {
			wanted.push(await prepare(context));
			return undefined;
		});
		if (isOver()) return outcomes.list;
	}
	const groups =
		maxItems === undefined
			? batches(wanted, { values: getValues, key: source.key })
			: batches(wanted, { key: source.key, maxValues: maxItems });
	const groupsAtATime = maxItems === undefined ? Math.min(concurrency, groups.length) : 1;
	const itemsAtATime = Math.floor(concurrency / groupsAtATime);
	await forEachLimit(
		groups.length,
		groupsAtATime,
		async (index) => {
			const group = groups[index];
			const load = shareLoad(group, source);
			const loadItem = async (one: W) => {
				const found = await load(one);
				if (found !== undefined) return await toItems(found, one);
				throw createNotFoundError(caller.getNode(), lowerWords(label ?? 'Record'), one.id);
			};
			await forEachLimit(
				group.length,
				itemsAtATime,
				async (item) =>
					await outcomes.run(group[item].context, async () => await loadItem(group[item])),
				isOver,
			);
		},
		isOver,
	);
	const missing = outcomes.list.filter((one) => 'failure' in one && isMissing(one.failure)).length;
	if (label !== undefined && missing > 0)
		run.addNotice(`${missing} of ${contexts.length} records were not found.`);
	return outcomes.list;
}

/** Older answers are read again, because somebody else may have changed the records since. */
export const MAX_RECORD_AGE_MS = 30_000;

/** Returns a function that keeps what `make` returns, and makes it again once it is too old. */
export function keepFresh<Input = void, T = unknown>(maxAgeMs: number, make: (input: Input) => T) {
	let kept: { value: T; since: number } | undefined;
	return (input: Input): T => {
		const now = performance.now();
		if (kept === undefined || now - kept.since > maxAgeMs)
			kept = { value: make(input), since: now };
		return kept.value;
	};
}

/** Loads what an item needs from Corrigo. The items of a run share requests. */
export type RunLoader<T> = (context: ItemContext) => Promise<T>;

/** Record of an item, which the items of a run read together. */
interface SharedRecord<Wanted, Found> {
	wanted: Wanted;
	load: () => Promise<Found | undefined>;
	/** Reads the record again, for this item alone. */
	reload: () => Promise<Found | undefined>;
}

/** Creates a loader that finds the record of an item when its turn comes. */
export function createRunLoader<Wanted extends PendingRead, Found>(
	/** Returns undefined for an item that needs no record. */
	resolveWanted: FormResolver<Wanted | undefined>,
	{ key, loadMany }: Omit<Source<Wanted, Found>, 'loadOne'>,
	maxAgeMs = Infinity,
): RunLoader<SharedRecord<Wanted, Found> | undefined> {
	const loadOne = async (one: Wanted) => (await loadMany([one.id], [one])).get(one.id);
	const shareRecords = oncePerRun(async ({ run }) => {
		const all = await resolveForms(run.contexts, resolveWanted);
		const records = new Map<ItemContext, SharedRecord<Wanted, Found>>();
		for (const batch of batches(all, { values: getValues, key })) {
			const getLoad = keepFresh(maxAgeMs, () => shareLoad(batch, { loadMany, loadOne }));
			for (const wanted of batch) {
				records.set(wanted.context, {
					wanted,
					load: async () => await getLoad()(wanted),
					reload: async () => await loadOne(wanted),
				});
			}
		}
		return records;
	});
	return async (context) => {
		const record = (await shareRecords(context)).get(context);
		// An invalid form throws here.
		if (record === undefined) await resolveWanted(context);
		return record;
	};
}
