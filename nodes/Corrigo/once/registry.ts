import { batches, MAX_NAMES } from '../protocol/batches';
import type { JsonObject } from '../protocol/checks';
import { NOT_CREATED } from '../protocol/requests';
import { equalsIgnoringAccents } from '../records/lookup';
import { oncePerRun, type ItemContext } from '../run/context';
import { named } from '../run/resolve';
import { apiError, mayHaveRun } from '../transport/errors';
import { createOrRecover } from './createOrRecover';

/** Rules that identify a record that must not be created twice. */
export interface DedupeKey<Wanted> {
	/** Text that is equal for all items that share a record. */
	key: (wanted: Wanted) => string;
	/** Values that a query compares, at most `MAX_NAMES` of them; by default the key. */
	values?: (wanted: Wanted) => readonly unknown[];
	/** Items share a query if they are in the same group. */
	group?: (wanted: Wanted) => string;
	/** Reads all records that may have the keys of these items. */
	read: (context: ItemContext, wanted: readonly Wanted[]) => Promise<JsonObject[]>;
	/** Lists the wanted keys that a record has; undefined if the query should not have found it. */
	keysIn: (
		record: JsonObject,
		wanted: readonly Wanted[],
		wantedKeys: ReadonlySet<string>,
	) => readonly string[] | undefined;
	/** Reads a record that this run has written; by default, the answer to the create is used. */
	reread?: (context: ItemContext, wanted: Wanted, id: number) => Promise<JsonObject[]>;
	/** Names the record in messages, such as: an order with the external number "X". */
	describe: (wanted: Wanted) => string;
	/** Message and advice for an answer that contains an unexpected record. */
	unexpected: readonly [message: string, hint: string];
}

/** Corrigo ignores accents when it compares, so a record may match a key that looks different. */
export const matchingKeys = (keys: readonly string[], wantedKeys: ReadonlySet<string>): string[] =>
	keys.flatMap((key) =>
		wantedKeys.has(key) ? [key] : [...wantedKeys].filter((one) => equalsIgnoringAccents(one, key)),
	);

type RecordsByKey = ReadonlyMap<string, readonly JsonObject[]>;
type LookUp = (context: ItemContext) => Promise<RecordsByKey>;

/** Older look-ups are repeated, because somebody else may have created the record since. */
const MAX_AGE_MS = 30_000;

/** Records that the items of a run refer to. Items with the same key must take turns. */
export class Registry<Wanted> {
	private readonly lookUps = new Map<string, LookUp>();
	/** Records that this run has written, by key. */
	private readonly written = new Map<string, JsonObject>();
	/** Failures that leave open whether a record was created, by key. */
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

	/** Finds the records with the key of an item, including what this run has written. */
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

	/** While it is unknown whether a record was created, no other item creates one with its key. */
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

	/** Makes the next item with this key read the record again, unless this is a dry run. */
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

	/** An unexpected record fails the look-up, so that a wrong answer does not cause a create. */
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

/** Items of a run share one registry; an item with an invalid form fails when its turn comes. */
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
		/** Returns the registry of the run and the record that the item refers to. */
		of,
		/** Items with the same key take turns; the key is empty for an item without a record. */
		keyOf: async (context: ItemContext): Promise<string> => {
			const { wanted } = await of(context);
			return wanted === undefined ? '' : dedupe.key(wanted);
		},
		/** Returns the existing record, or creates one with `make`. */
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
