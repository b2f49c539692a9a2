import fc from 'fast-check';

import {
	applyVersions,
	BEGINNING,
	CHANGES,
	compareVersions,
	createSnapshot,
	pack,
	unpack,
	type Records,
	type Snapshot,
} from '../../../nodes/Corrigo/trigger/comparison/snapshot';
import { getDigest } from '../../../nodes/Corrigo/feed/digest';
import {
	compareRecords,
	MAX_SNAPSHOT_LENGTH,
	snapshotCodec,
	type Comparison,
} from '../../../nodes/Corrigo/trigger/comparison/comparison';
import { NO_FIELDS } from '../../../nodes/Corrigo/trigger/comparison/keptFields';
import { endsBelow } from '../service';
import type { QueryExpression } from '../../../nodes/Corrigo/wire/requests';
import { measurePace } from '../../support/cpu';

const id = fc.oneof(fc.nat(40), fc.maxSafeNat());
const few = fc.uniqueArray(fc.tuple(fc.nat(20), fc.integer({ min: 1, max: 3 })), {
	selector: ([one]) => one,
});

const toRecords = (entries: Iterable<[number, number]>): Records =>
	applyVersions(createSnapshot(), new Map(entries));
const toEntries = ({ ids, versions }: Records) =>
	[...ids].map((one, index): [number, number] => [one, versions[index]]);
const snapshot: fc.Arbitrary<Snapshot> = fc
	.record({
		passes: fc.nat(),
		position: fc.oneof(fc.constant(BEGINNING), id),
		entries: fc.array(fc.tuple(id, fc.maxSafeNat()), { maxLength: 30 }),
		texts: fc.array(fc.constantFrom('', 'A+/', '="é"\nBcd')),
	})
	.map(({ entries, texts, ...place }) => {
		const records = toRecords(entries);
		const kept = records.ids.flatMap((one, index) => (texts[index] ? [[one, texts[index]]] : []));
		return { ...place, ...records, fields: new Map(kept as Array<[number, string]>) };
	});

it('a packed snapshot is unpacked as it was', () => {
	fc.assert(fc.property(snapshot, (one) => expect(unpack(pack(one))).toEqual(one)));
});

it('versions are set and removed as in a map', () => {
	const update = fc.tuple(fc.nat(20), fc.option(fc.nat(3), { nil: undefined }));
	fc.assert(
		fc.property(few, fc.array(update), (before, updates) => {
			const expected = new Map(before);
			for (const [one, version] of updates) {
				if (version === undefined) expected.delete(one);
				else expected.set(one, version);
			}
			const records = applyVersions(toRecords(before), new Map(updates));
			expect(toEntries(records)).toEqual([...expected].sort(([a], [b]) => a - b));
		}),
	);
});

it('a packed snapshot in which a character is another one is none', () => {
	const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'];
	fc.assert(
		fc.property(snapshot, fc.nat(), fc.constantFrom(...letters), (one, at, letter) => {
			const text = pack(one);
			const index = at % text.replace(/=+$/, '').length;
			const other = `${text.slice(0, index)}${letter}${text.slice(index + 1)}`;
			const read = unpack(other);
			if (read !== undefined) expect(pack(read)).toBe(text);
		}),
	);
});

it.each([undefined, null, 7, '', 'gone', {}, []])('%j is no packed snapshot', (text) => {
	expect(unpack(text)).toBeUndefined();
});

it('a snapshot cut off anywhere is none', () => {
	const text = pack({ ...createSnapshot(), ...toRecords([[5, 1]]) });
	for (let length = 0; length < text.length - 2; length++) {
		expect(unpack(text.slice(0, length))).toBeUndefined();
	}
});

const digest = (index: number) => getDigest({ Id: index, Name: 'x' });

it.each<[number, string, number, (index: number) => number, string]>([
	[100_000, 'counted versions', 400_000, (index) => index % 90, ''],
	[100_000, 'digests', 950_000, digest, ''],
	[30_000, 'digests of four fields', 950_000, digest, Array(4).fill('A+/').join('\n')],
])('%d records with %s take at most %d characters', (count, _, most, version, text) => {
	const entries = Array.from({ length: count }, (__, index): [number, number] => [
		// Most Ids follow each other, and some are far from the one before.
		500_000 + index * 3 + Math.floor(index / 50) * 900,
		version(index),
	]);
	const place = { passes: 9000, position: 3_000_000 };
	const fields = new Map(entries.flatMap(([one]) => (text === '' ? [] : [[one, text] as const])));
	const { length } = pack({ ...place, ...toRecords(entries), fields });
	expect(length).toBeLessThanOrEqual(most);
	expect(most).toBeLessThan(MAX_SNAPSHOT_LENGTH);
});

it('records have one digest whatever the order of rows in a collection', () => {
	const reverse = (value: unknown): unknown =>
		Array.isArray(value) ? value.map(reverse).reverse() : value;
	fc.assert(
		fc.property(fc.array(fc.jsonValue()), fc.jsonValue(), (rows, row) => {
			const digest = getDigest({ Id: 1, Rows: rows });
			expect(getDigest({ Id: 1, Rows: reverse(rows) })).toBe(digest);
			expect(getDigest({ Id: 1, Rows: [...rows, row] })).not.toBe(digest);
		}),
	);
});

it('records have one digest as long as their values are the same, in whatever order', () => {
	fc.assert(
		fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue(), (record, value) => {
			const reversed = Object.fromEntries(Object.entries(record).reverse());
			expect(getDigest(reversed)).toBe(getDigest(record));
			expect(getDigest({ ...record, Name: value })).not.toBe(
				getDigest({ ...record, Name: [value] }),
			);
			expect(getDigest(record)).toBeGreaterThan(0);
			expect(getDigest(record)).toBeLessThan(2 ** 35);
		}),
	);
});

it('records keep the digests that earlier releases have stored', () => {
	const record = { Id: 7, Name: 'Boiler', Customer: { Id: 101 }, IsOffline: false };
	expect(getDigest(record)).toBe(23_347_768_852);
});

it('the differences, applied to what was known, make what was found', () => {
	fc.assert(
		fc.property(few, few, (before, after) => {
			const known = new Map(before);
			const ids: number[] = [];
			compareVersions(toRecords(before), toRecords(after), (one, earlier, difference) => {
				ids.push(one);
				expect(earlier).toBe(known.get(one));
				if (difference === undefined) return;
				const { change, version } = difference;
				expect(known.has(one)).toBe(change !== 'added');
				expect(known.get(one) === version).toBe(change === 'deleted');
				if (change === 'deleted') known.delete(one);
				else known.set(one, version);
			});
			expect(known).toEqual(new Map(after));
			const all = [...before, ...after].map(([one]) => one);
			expect(ids).toEqual([...new Set(all)].sort((a, b) => a - b));
		}),
	);
});

type Read = (asked: QueryExpression & { FirstResultIndex: number }) => Array<{ Id: number }>;

/** Compares the records that `read` returns with the known ones. */
const compare = async (
	read: Read,
	readVersion: Comparison['readVersion'],
	known = createSnapshot(),
) =>
	await compareRecords(
		{
			feed: { entity: 'Contact', properties: ['ConcurrencyId'] },
			readVersion,
			hasVersions: readVersion !== getDigest,
			changes: CHANGES,
			kept: NO_FIELDS,
		},
		known,
		{
			load: async (asked) => read({ FirstResultIndex: 0, ...asked }),
			complete: async () => [],
			...endsBelow(Infinity),
			hasTime: () => true,
		},
		{ limit: 5000 },
	);

const tooLarge = { message: expect.stringContaining('exceeds 1 MB') as string };

it('300,000 records are compared and packed without a long pause', async () => {
	const count = 300_000;
	let last = 0;
	const read: Read = ({ Count, FirstResultIndex }) => {
		const length = FirstResultIndex > 0 ? 0 : Math.min(Count, count - last);
		return Array.from({ length }, () => ({ Id: ++last }));
	};
	let longest = 0;
	let isOver = false;
	/** Measures the CPU that others wait for. */
	const watch = async () => {
		while (!isOver) {
			const begun = process.cpuUsage();
			await new Promise(setImmediate);
			const { user, system } = process.cpuUsage(begun);
			longest = Math.max(longest, (user + system) / 1000);
		}
	};
	const watching = watch();
	const found = await compare(read, () => 1);
	const text = pack(found.snapshot);
	await new Promise(setImmediate);
	const known = unpack(text) ?? createSnapshot();
	await new Promise(setImmediate);
	isOver = true;
	await watching;
	expect(known.ids).toHaveLength(count);
	// 150 ms are promised, and code of tests runs more slowly.
	expect(longest / measurePace()).toBeLessThan(600);
});

it.each<[string, Comparison['readVersion'], number]>([
	['counted versions', () => 1, 375_000],
	['digests', getDigest, 150_000],
])(
	'a table with %s that cannot fit is refused after two requests',
	async (_, readVersion, most) => {
		const read = jest.fn<ReturnType<Read>, Parameters<Read>>(({ Count, FirstResultIndex }) =>
			Array.from({ length: Count }, (__, index) => ({ Id: FirstResultIndex + index })),
		);
		const found = await compare(read, readVersion);
		expect(found.failure).toMatchObject(tooLarge);
		expect(read).toHaveBeenCalledTimes(2);
		expect(read).toHaveBeenLastCalledWith(expect.objectContaining({ FirstResultIndex: most }));
	},
);

it('a snapshot that is larger than 1 MB is refused with advice, before anything is stored', () => {
	// Eight bytes each: three for the distance from the Id before, and five for the version.
	const known = Array.from({ length: 93_748 }, (__, index): [number, number] => [
		(index + 1) * 20_000,
		2 ** 30,
	]);
	const last = (known.length + 1) * 20_000;
	const write = (version: number) =>
		snapshotCodec.write({
			...{ passes: 0, position: last, fields: new Map() },
			...toRecords([...known, [last, version]]),
		});
	expect(write(2 ** 20).records).toHaveLength(MAX_SNAPSHOT_LENGTH);
	const advice = expect.stringContaining('Add conditions') as string;
	expect(() => write(2 ** 21)).toThrow(expect.objectContaining({ ...tooLarge, advice }));
});
