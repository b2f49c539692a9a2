import type { INodeExecutionData } from 'n8n-workflow';

import { batches, forEachLimit } from '../values/tools';
import { isMissing, createNotFoundError, wasRefused } from '../transport/errors';
import { DEFAULT_READS, Outcomes, type ItemContext, type Outcome } from './context';

/** One read on behalf of an item. */
export interface PendingRead {
	readonly context: ItemContext;
	readonly id: number;
}

type Read<W, Found> = (wanted: W) => Promise<Found | undefined>;

/** Each request costs a connection of its own, so many reads share a few requests. */
interface Source<W extends PendingRead, Found> {
	/** Reads with the same key may share a request; a read without a key gets its own. */
	key: (wanted: W) => string | undefined;
	/** Values that count toward the limit of a batch; by default the ID. */
	values?: (wanted: W) => readonly unknown[];
	maxValues?: number;
	/** Reads a batch. An ID that does not exist is left out of the result. */
	readMany: (ids: number[], batch: W[]) => Promise<Map<number, Found>>;
	/** Reads the only ID of a batch, or each of them if Corrigo refuses the batch. */
	readOne?: Read<W, Found>;
	/** Single reads with the same value are sent once; by default the value is the ID. */
	getIdentity?: (wanted: W) => unknown;
	/** Answers that expire soon must be used before the next batch is read. */
	expires?: true;
}

interface Limits {
	concurrency: number;
	isOver: () => boolean;
}

/** Reads each batch once, and gives each item its own record or its own error. */
async function forEachRead<W extends PendingRead, Found>(
	wanted: W[],
	source: Source<W, Found>,
	{ concurrency, isOver }: Limits,
	work: (wanted: W, read: () => Promise<Found | undefined>) => Promise<void>,
): Promise<void> {
	const groups = batches(wanted, { values: ({ id }) => [id], ...source });
	const batchesAtATime = source.expires ? 1 : Math.min(concurrency, groups.length);
	await forEachLimit(
		groups.length,
		batchesAtATime,
		async (index) => {
			const batch = groups[index];
			const read = await readBatch(batch, source);
			await forEachLimit(
				batch.length,
				Math.floor(concurrency / batchesAtATime),
				async (position) => await work(batch[position], async () => await read(batch[position])),
				isOver,
			);
		},
		isOver,
	);
}

async function readBatch<W extends PendingRead, Found>(
	batch: W[],
	{ readMany, readOne, getIdentity = ({ id }) => id }: Source<W, Found>,
): Promise<Read<W, Found>> {
	if (readOne === undefined || new Set(batch.map(getIdentity)).size > 1) {
		const answer = await readMany([...new Set(batch.map(({ id }) => id))], batch).then(
			(found) => ({ found }),
			(failure: unknown) => ({ failure }),
		);
		if ('found' in answer) return async ({ id }) => answer.found.get(id);
		if (readOne === undefined || !wasRefused(answer.failure)) {
			return async () => {
				throw answer.failure;
			};
		}
	}
	const started = new Map<unknown, Promise<Found | undefined>>();
	return async (one) => {
		const reading = started.get(getIdentity(one)) ?? readOne(one);
		started.set(getIdentity(one), reading);
		return await reading;
	};
}

interface Reading<W extends PendingRead, Found> extends Source<W, Found> {
	prepare: (context: ItemContext) => W | Promise<W>;
	toItems: (found: Found, wanted: W) => INodeExecutionData[] | Promise<INodeExecutionData[]>;
	/** Noun for a missing record in errors, if each item asks for one record. */
	label?: string;
}

/** Items of a run share requests; once the run has ended, nothing more is read. */
export async function readTogether<W extends PendingRead, Found>(
	contexts: ItemContext[],
	{ prepare, toItems, label, ...source }: Reading<W, Found>,
): Promise<Outcome[]> {
	const [{ caller, run }] = contexts;
	const concurrency = contexts[0].getConcurrency(DEFAULT_READS);
	const outcomes = new Outcomes(caller);
	const isOver = () => outcomes.isOver;
	const wanted: W[] = [];
	for (const context of contexts) {
		await outcomes.run(context, async () => {
			wanted.push(await prepare(context));
			return undefined;
		});
		if (isOver()) return outcomes.list;
	}
	await forEachRead(wanted, source, { concurrency, isOver }, async (one, read) => {
		await outcomes.run(one.context, async () => {
			const found = await read();
			if (found === undefined)
				throw createNotFoundError(caller.getNode(), label ?? 'Record', one.id);
			return await toItems(found, one);
		});
	});
	const missing = outcomes.list.filter((one) => 'failure' in one && isMissing(one.failure)).length;
	if (label !== undefined && missing > 0)
		run.addNotice(`${missing} of ${contexts.length} records were not found.`);
	return outcomes.list;
}
