import { batches, MAX_NAMES } from '../protocol/batches';
import type { JsonObject } from '../protocol/checks';
import { NOT_CREATED } from '../protocol/requests';
import { equalsIgnoringAccents } from '../records/lookup';
import { oncePerRun, type ItemContext } from '../run/context';
import { named } from '../run/resolve';
import { apiError, mayHaveRun } from '../transport/errors';
import { createOrRecover } from './createOrRecover';

/** How records are recognized that must not be created twice. */
export interface DedupeKey<Wanted> {
	/** A text that is equal for all items that are to have one record. */
	key: (wanted: Wanted) => string;
	/** The values that a query compares, of which it takes 500; the key unless given. */
	values?: (wanted: Wanted) => readonly unknown[];
	/** Only items of one group share a query. */
	group?: (wanted: Wanted) => string;
	/** All records that may have the keys of these items. */
	read: (context: ItemContext, wanted: readonly Wanted[]) => Promise<JsonObject[]>;
	/** Which of the wanted keys a record has; undefined if the record does not fit the question. */
	keysIn: (
		record: JsonObject,
		wanted: readonly Wanted[],
		wantedKeys: ReadonlySet<string>,
	) => readonly string[] | undefined;
	/** Reads a record that this run has written. Without it, the answer to the create is the record. */
	reread?: (context: ItemContext, wanted: Wanted, id: number) => Promise<JsonObject[]>;
	/** Names the record in messages: an order with the external number "X". */
	describe: (wanted: Wanted) => string;
	/** Message and hint for an answer with a record in it that does not fit the question. */
	unexpected: readonly [message: string, hint: string];
}

/** The wanted keys that a record has, even if Corrigo ignores accents where it compares. */
export const matchingKeys = (keys: readonly string[], wantedKeys: ReadonlySet<string>): string[] =>
	keys.flatMap((key) =>
		wantedKeys.has(key) ? [key] : [...wantedKeys].filter((one) => equalsIgnoringAccents(one, key)),
	);

type RecordsByKey = ReadonlyMap<string, readonly JsonObject[]>;
type LookUp = (context: ItemContext) => Promise<RecordsByKey>;

/** No write relies on an older look-up: somebody else may have created the record since. */
const MAX_AGE_MS = 30_000;

/** All that a run knows of the records that its items want. Items with the same key have to take turns. */
export class Registry<Wanted> {
	private readonly lookUps = new Map<string, LookUp>();
	/** The records that this run has written, by key. */
	private readonly written = new Map<string, JsonObject>();
	/** Why it is unknown whether a record was created, by key. */
	private readonly doubts = new Map<string, unknown>();

	constructor(
		private readonly dedupe: DedupeKey<Wanted>,
		expected: readonly Wanted[],
	) {
		const { key, values = (wanted) => [key(wanted)], group = () => '' } = dedupe;
		const alike = new Map<string, Wanted[]>(expected.map((wanted) => [this.placeOf(wanted), []]));
		for (const wanted of expected) alike.get(this.placeOf(wanted))?.push(wanted);
		for (const some of batches(alike.values(), {
			values: ([wanted]) => values(wanted),
			key: ([wanted]) => group(wanted),
			maxValues: MAX_NAMES,
		})) {
			this.expect(some.flat());
		}
	}

	/** The records with the key of an item, as they were found or as this run has left them. */
	async records(context: ItemContext, wanted: Wanted): Promise<readonly JsonObject[]> {
		const key = this.dedupe.key(wanted);
		if (this.doubts.has(key)) {
			context.mayHaveWritten = true;
			throw this.doubts.get(key);
		}
		const record = this.written.get(key);
		if (record === undefined) {
			const lookUp = this.lookUps.get(this.placeOf(wanted)) ?? this.expect([wanted]);
			return (await lookUp(context)).get(key) ?? [];
		}
		const { reread } = this.dedupe;
		if (reread === undefined || record.Id === NOT_CREATED) return [record];
		return await reread(context, wanted, Number(record.Id));
	}

	/** Creates a record. While it is unknown whether it exists, no other item creates one with its key. */
	async create(
		context: ItemContext,
		wanted: Wanted,
		send: () => Promise<JsonObject>,
	): Promise<JsonObject> {
		const { key: keyOf, describe } = this.dedupe;
		const key = keyOf(wanted);
		const find = async () => (await this.find(context, [wanted])).get(key)?.[0];
		const record = await createOrRecover(context, describe(wanted), send, find).catch(
			(failure: unknown) => {
				if (mayHaveRun(failure)) this.doubts.set(key, failure);
				throw failure;
			},
		);
		this.written.set(key, record);
		return record;
	}

	/** Has the next item with this key read the record again, unless this is a dry run. */
	markChanged(context: ItemContext, wanted: Wanted, record: JsonObject): void {
		if (!context.isDryRun) this.written.set(this.dedupe.key(wanted), record);
	}

	private placeOf(wanted: Wanted): string {
		return JSON.stringify([this.dedupe.group?.(wanted), this.dedupe.key(wanted)]);
	}

	/** Prepares one look-up for several items; it is sent when the first of them needs it. */
	private expect(all: readonly Wanted[]): LookUp {
		let found: Promise<RecordsByKey> | undefined;
		let sentAt = 0;
		const lookUp: LookUp = async (context) => {
			if (found === undefined || performance.now() - sentAt > MAX_AGE_MS) {
				sentAt = performance.now();
				found = this.find(context, all);
			}
			return await found;
		};
		for (const wanted of all) this.lookUps.set(this.placeOf(wanted), lookUp);
		return lookUp;
	}

	/** Nothing is created on the basis of an answer that does not fit the question. */
	private async find(context: ItemContext, all: readonly Wanted[]): Promise<RecordsByKey> {
		const { key, keysIn, read, unexpected } = this.dedupe;
		const wantedKeys = new Set(all.map(key));
		const found = new Map<string, JsonObject[]>([...wantedKeys].map((one) => [one, []]));
		for (const record of await read(context, all)) {
			const keys = keysIn(record, all, wantedKeys);
			if (keys === undefined) {
				throw apiError(context.caller.getNode(), ...unexpected, { mayHaveRun: false });
			}
			for (const one of new Set(keys)) found.get(one)?.push(record);
		}
		return found;
	}
}

/** One registry for all items of a run that want a record; an item with an invalid form fails in its turn. */
export function registryPerRun<Wanted, Asked extends Wanted | undefined>(
	dedupe: DedupeKey<Wanted>,
	read: (context: ItemContext) => Asked,
) {
	const runOf = oncePerRun(async ({ run }) => {
		const items = new Map<ItemContext, NonNullable<Asked>>();
		for (const one of run.contexts) {
			const wanted = await named(one, read).catch(() => undefined);
			if (wanted !== undefined && wanted !== null) items.set(one, wanted);
		}
		return { items, registry: new Registry<Wanted>(dedupe, [...items.values()]) };
	});
	const of = async (context: ItemContext) => {
		const { items, registry } = await runOf(context);
		return { context, registry, wanted: items.get(context) ?? read(context) };
	};
	return {
		/** The item with the record that it wants, and the registry of its run. */
		of,
		/** The key by which items take turns; empty for an item that wants no record. */
		keyOf: async (context: ItemContext): Promise<string> => {
			const { wanted } = await of(context);
			return wanted === undefined ? '' : dedupe.key(wanted);
		},
		/** The record that is there, or else the one that `make` comes to. */
		take: async (
			context: ItemContext,
			make: () => Promise<JsonObject>,
			onFound: () => void,
		): Promise<JsonObject> => {
			const { registry, wanted } = await of(context);
			if (wanted === undefined) return await make();
			const [found] = await registry.records(context, wanted);
			if (found === undefined) return await registry.create(context, wanted, make);
			onFound();
			return found;
		},
	};
}
