import { NodeApiError } from 'n8n-workflow';

import { MAX_NAMES, batches } from '../../wire/criteria';
import { KeyedMutex } from '../../transport/concurrency';
import { append, type JsonObject } from '../../values/objects';
import { NOT_CREATED } from '../../wire/requests';
import {
	oncePerRun,
	type ItemContext,
	createFormResolver,
	resolveForms,
	type ResolvingForm,
} from '../../run/context';
import { keepFresh, MAX_RECORD_AGE_MS, type RunLoader } from '../../run/loadTogether';
import { createApiError, joinSentences, mayHaveRun } from '../../transport/errors';
import { pause } from '../../transport/send';

/** Rules that identify a record that must not be created twice. */
export interface DedupeRules<RecordRef> {
	/** Text that is equal for all items that share a record. */
	key: (wanted: RecordRef) => string;
	/** Values that a query compares, at most `MAX_NAMES` of them; by default the key. */
	values?: (wanted: RecordRef) => readonly unknown[];
	/** Items share a query if they are in the same group. */
	group?: (wanted: RecordRef) => string;
	/** Reads all records that may have the keys of these items. */
	load: (context: ItemContext, wanted: readonly RecordRef[]) => Promise<JsonObject[]>;
	/** Lists the keys of a record. */
	readKeys: (record: JsonObject, wanted: readonly RecordRef[]) => readonly string[];
	/** Tells whether a record that is created for the first item serves the second one, too. */
	covers?: (wanted: RecordRef, other: RecordRef) => boolean;
	/** Tells whether the query may find a record that has none of the wanted keys. */
	mayFind?: (record: JsonObject, wanted: readonly RecordRef[]) => boolean;
	/** Reads a record that this run has written; by default, the answer to the create is used. */
	reload?: (context: ItemContext, wanted: RecordRef, id: number) => Promise<JsonObject[]>;
	/** Names the record in messages, such as: an order with the external number "X". */
	describe: (wanted: RecordRef) => string;
	/** Message and advice for an answer that contains an unexpected record. */
	unexpected: readonly [message: string, advice: string, forAuthor?: string];
}

interface Found {
	/** Records that have the key. */
	rows: JsonObject[];
	/** A record that Corrigo takes for one with the key, although its own is spelled in another way. */
	similar?: JsonObject;
}

type FoundByKey = ReadonlyMap<string, Found>;

/**
 * Databases may take texts for equal that differ in accents, in the width of their letters, or in how
 * their accents are composed. A letter with thousands of accents takes long to decompose.
 */
const toBareLetters = (key: string): string =>
	key.replace(/\p{M}/gu, '').normalize('NFKD').replace(/\p{M}/gu, '').toUpperCase().toLowerCase();

/** Records that the items of a run refer to. Items with the same key take turns. */
export class Registry<RecordRef> {
	private readonly lookUps = new Map<string, RunLoader<FoundByKey>>();
	/** Lists what else a record serves, by the key for which it is created. */
	private readonly covered: ReadonlyMap<string, readonly RecordRef[]>;
	/** Records that this run has written, by key. */
	private readonly written = new Map<string, JsonObject>();
	/** Failures that leave open whether a record was created, by key. */
	private readonly doubts = new Map<string, unknown>();
	/** Numbers of changes that this run has made, by ID of the record. */
	private readonly changes = new Map<unknown, number>();
	private readonly mutex = new KeyedMutex();

	constructor(
		private readonly dedupe: DedupeRules<RecordRef>,
		expected: readonly RecordRef[],
	) {
		const { key, values = (wanted) => [key(wanted)], group = () => '' } = dedupe;
		const alike = new Map<string, RecordRef[]>(
			expected.map((wanted) => [this.getLookUpKey(wanted), []]),
		);
		for (const wanted of expected) alike.get(this.getLookUpKey(wanted))?.push(wanted);
		this.covered = findCovered(
			dedupe,
			[...alike.values()].map(([one]) => one),
		);
		for (const some of batches(alike.values(), {
			values: ([wanted]) => values(wanted),
			key: ([wanted]) => group(wanted),
			maxValues: MAX_NAMES,
		})) {
			this.prepareLookUp(some.flat());
		}
	}

	/** Finds the records with the key of an item, including what this run has written. */
	async findRecords(context: ItemContext, wanted: RecordRef): Promise<readonly JsonObject[]> {
		const key = this.dedupe.key(wanted);
		if (this.doubts.has(key)) {
			context.noteDoubtfulWrite();
			throw this.doubts.get(key);
		}
		const record = this.written.get(key);
		if (record === undefined) {
			const lookUp = this.lookUps.get(this.getLookUpKey(wanted)) ?? this.prepareLookUp([wanted]);
			const { rows = [], similar } = (await lookUp(context)).get(key) ?? {};
			if (rows.length === 0 && similar !== undefined) {
				throw createSpellingError(context, this.dedupe.describe(wanted), similar);
			}
			// Another key may have led to the record in this run.
			const isStale = rows.some(({ Id }) => this.changes.has(Id));
			if (!isStale) return rows;
			return (await this.find(context, [wanted])).get(key)?.rows ?? [];
		}
		const { reload } = this.dedupe;
		if (reload === undefined || record.Id === NOT_CREATED) return [record];
		return await reload(context, wanted, Number(record.Id));
	}

	/** While it is unknown whether a record was created, no other item creates one with its key. */
	async create(
		context: ItemContext,
		wanted: RecordRef,
		send: () => Promise<JsonObject>,
	): Promise<JsonObject> {
		const { key: getKey, describe } = this.dedupe;
		const key = getKey(wanted);
		const find = async () => (await this.find(context, [wanted])).get(key)?.rows[0];
		const record = await createOrRecover(context, describe(wanted), send, find).catch(
			(failure: unknown) => {
				if (mayHaveRun(failure)) {
					for (const one of this.getKeys(wanted)) this.doubts.set(one, failure);
				}
				throw failure;
			},
		);
		this.noteWritten(wanted, record);
		return record;
	}

	/** Lists what a record of an item serves. Items with one of these in common take turns. */
	getKeys(wanted: RecordRef): string[] {
		return [wanted, ...this.getCovered(wanted)].map(this.dedupe.key);
	}

	private getCovered(wanted: RecordRef): readonly RecordRef[] {
		return this.covered.get(this.dedupe.key(wanted)) ?? [];
	}

	/** Several keys may lead to one record, so each update begins with what the one before has left. */
	async inTurn<T>(
		record: JsonObject,
		reload: () => Promise<JsonObject | undefined>,
		update: (record: JsonObject | undefined) => Promise<T>,
	): Promise<T> {
		const before = this.changes.get(record.Id);
		return await this.mutex.run(String(record.Id), async () =>
			update(this.changes.get(record.Id) === before ? record : await reload()),
		);
	}

	/** The next item with this key reads the record again, unless this is a dry run. */
	async update<T>(
		context: ItemContext,
		wanted: RecordRef,
		record: JsonObject,
		send: () => Promise<T>,
	): Promise<T> {
		return await send().finally(() => context.isDryRun || this.noteWritten(wanted, record));
	}

	noteWritten(wanted: RecordRef, record: JsonObject): void {
		this.written.set(this.dedupe.key(wanted), record);
		for (const other of this.getCovered(wanted)) {
			const key = this.dedupe.key(other);
			if (!this.written.has(key)) this.written.set(key, record);
		}
		this.changes.set(record.Id, (this.changes.get(record.Id) ?? 0) + 1);
	}

	private getLookUpKey(wanted: RecordRef): string {
		return JSON.stringify([this.dedupe.group?.(wanted), this.dedupe.key(wanted)]);
	}

	/** Prepares one look-up for several items; it is sent when the first of them needs it. */
	private prepareLookUp(all: readonly RecordRef[]): RunLoader<FoundByKey> {
		const lookUp = keepFresh(MAX_RECORD_AGE_MS, (context: ItemContext) => this.find(context, all));
		for (const wanted of all) this.lookUps.set(this.getLookUpKey(wanted), lookUp);
		return lookUp;
	}

	/** An unexpected record fails the items that it resembles, or else all, so that it causes no create. */
	private async find(context: ItemContext, all: readonly RecordRef[]): Promise<FoundByKey> {
		const { key: getKey, load, readKeys, mayFind, unexpected } = this.dedupe;
		const found = new Map<string, Found>(all.map((one) => [getKey(one), { rows: [] }]));
		const byLetters = new Map<string, Found[]>();
		for (const [key, one] of found) append(byLetters, toBareLetters(key), one);
		for (const record of await load(context, all)) {
			const keys = [...new Set(readKeys(record, all))];
			const same = keys.flatMap((key) => found.get(key) ?? []);
			for (const { rows } of same) rows.push(record);
			if (same.length > 0) continue;
			const alike = keys.flatMap((key) => byLetters.get(toBareLetters(key)) ?? []);
			if (alike.length === 0 && mayFind?.(record, all) !== true) {
				const [message, advice, forAuthor] = unexpected;
				const more = { mayHaveRun: false, forAuthor };
				throw createApiError(context.caller.getNode(), message, advice, more);
			}
			for (const one of alike) one.similar = record;
		}
		return found;
	}
}

const createSpellingError = (context: ItemContext, described: string, { Id }: JsonObject) =>
	createApiError(
		context.caller.getNode(),
		`${capitalize(described)} exists in another spelling, with the ID ${String(Id)}`,
		'Nothing was written. Give it as it is spelled there.',
		{ mayHaveRun: false },
	);

/** Compares only items that have a value in common. */
function findCovered<RecordRef>(
	{ key, values = (wanted) => [key(wanted)], covers }: DedupeRules<RecordRef>,
	all: readonly RecordRef[],
): Map<string, RecordRef[]> {
	const found = new Map<string, RecordRef[]>();
	if (covers === undefined) return found;
	const byValue = new Map<unknown, RecordRef[]>();
	for (const one of all) {
		for (const value of new Set(values(one))) append(byValue, value, one);
	}
	for (const one of all) {
		const near = new Set(values(one).flatMap((value) => byValue.get(value) ?? []));
		const others = [...near].filter((other) => other !== one && covers(one, other));
		if (others.length > 0) found.set(key(one), others);
	}
	return found;
}

/** Items of a run share one registry. */
export function createRunRegistry<RecordRef, OptionalRef extends RecordRef | undefined>(
	dedupe: DedupeRules<RecordRef>,
	read: (form: ResolvingForm) => OptionalRef,
) {
	const resolveRef = createFormResolver(read);
	const getRegistry = oncePerRun(
		async ({ run }) =>
			new Registry(dedupe, await resolveForms<RecordRef>(run.contexts, resolveRef)),
	);
	/** Returns the registry of the run and the record that the item refers to. */
	const of = async (context: ItemContext) => ({
		context,
		registry: await getRegistry(context),
		wanted: await resolveRef(context),
	});
	return {
		of,
		/** Items with a key in common take turns; an item without a record has none. */
		getKeys: async (context: ItemContext): Promise<string[]> => {
			const { registry, wanted } = await of(context);
			return wanted === undefined ? [] : registry.getKeys(wanted);
		},
		findRecord: async (context: ItemContext): Promise<JsonObject | undefined> => {
			const { registry, wanted } = await of(context);
			return wanted === undefined ? undefined : (await registry.findRecords(context, wanted))[0];
		},
		/** Notes the record that another look-up has found for the item. */
		note: async (context: ItemContext, record: JsonObject): Promise<void> => {
			const { registry, wanted } = await of(context);
			if (wanted !== undefined) registry.noteWritten(wanted, record);
		},
		/** An item without a record is sent as it is. */
		create: async (context: ItemContext, send: () => Promise<JsonObject>): Promise<JsonObject> => {
			const { registry, wanted } = await of(context);
			return wanted === undefined ? await send() : await registry.create(context, wanted, send);
		},
	};
}

/** Corrigo may still be processing a create whose answer was lost. */
const SECOND_LOOK_MS = 5000;

/** If the answer to a create is lost, looks for the record at once and again a little later. */
export const createOrRecover = async <T>(
	context: ItemContext,
	description: string,
	create: () => Promise<T>,
	find: () => Promise<T | undefined>,
): Promise<T> =>
	await create().catch(async (failure: unknown) => {
		const isLost = failure instanceof NodeApiError && mayHaveRun(failure);
		// An inner call has already looked for the record.
		if (!isLost || failure.context.inDoubt === true) throw failure;
		for (const waitMs of [0, SECOND_LOOK_MS]) {
			await pause(waitMs, context.caller.getExecutionCancelSignal());
			const record = await find().catch(() => undefined);
			if (record === undefined) continue;
			context.run.addNotice('Answers to creates were lost, but their records were found', [
				description,
			]);
			return record;
		}
		failure.context.inDoubt = true;
		failure.description = joinSentences(
			failure.description,
			`${capitalize(description)} was not there ${SECOND_LOOK_MS / 1000} seconds later; it may still appear.`,
		);
		throw failure;
	});

const capitalize = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1);
