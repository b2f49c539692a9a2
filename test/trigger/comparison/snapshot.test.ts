import crypto from 'node:crypto';
import fc from 'fast-check';

import {
	BEGINNING,
	CHANGES,
	compareVersions,
	getDigest,
	createSnapshot,
	pack,
	unpack,
	type Snapshot,
} from '../../../nodes/Corrigo/trigger/comparison/snapshot';
import {
	compareRecords,
	MAX_SNAPSHOT_LENGTH,
} from '../../../nodes/Corrigo/trigger/comparison/comparison';
import type { Comparison } from '../../../nodes/Corrigo/trigger/plan/records';
import type { QueryExpression } from '../../../nodes/Corrigo/wire/requests';

const id = fc.oneof(fc.nat(40), fc.maxSafeNat());
const versions = fc
	.array(fc.tuple(id, fc.maxSafeNat()), { maxLength: 30 })
	.map((entries) => new Map(entries));
const snapshot: fc.Arbitrary<Snapshot> = fc.record({
	passes: fc.nat(),
	position: fc.oneof(fc.constant(BEGINNING), id),
	versions,
});

const sorted = (map: Map<number, number>) => [...map].sort(([a], [b]) => a - b);

it('a packed snapshot is unpacked as it was, in order of Id', () => {
	fc.assert(
		fc.property(snapshot, (one) => {
			const read = unpack(pack(one));
			expect(read).toEqual(one);
			expect([...(read?.versions ?? [])]).toEqual(sorted(one.versions));
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
	const text = pack({ ...createSnapshot(), versions: new Map([[5, 1]]) });
	for (let length = 0; length < text.length - 2; length++) {
		expect(unpack(text.slice(0, length))).toBeUndefined();
	}
});

it.each<[string, number, (index: number) => number]>([
	['counted versions', 400_000, (index) => index % 90],
	['digests', 950_000, (index) => getDigest({ Id: index, Name: 'x' })],
])('100,000 records with %s take at most %d characters', (_, most, version) => {
	const entries = Array.from({ length: 100_000 }, (__, index): [number, number] => [
		// Most Ids follow each other, and some are far from the one before.
		500_000 + index * 3 + Math.floor(index / 50) * 900,
		version(index),
	]);
	const { length } = pack({ passes: 9000, position: 3_000_000, versions: new Map(entries) });
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

const few = fc.uniqueArray(fc.tuple(fc.nat(20), fc.integer({ min: 1, max: 3 })), {
	selector: ([one]) => one,
});

it('the differences, applied to what was known, make what was found', () => {
	fc.assert(
		fc.property(few, few, (before, after) => {
			const known = new Map(before);
			const differences = compareVersions(known, new Map(after));
			for (const { id: one, change, version } of differences) {
				expect(known.has(one)).toBe(change !== 'added');
				expect(known.get(one) === version).toBe(change === 'deleted');
				if (change === 'deleted') known.delete(one);
				else known.set(one, version);
			}
			expect(sorted(known)).toEqual(sorted(new Map(after)));
			const ids = differences.map((one) => one.id);
			expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
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
		{ feed: { entity: 'Contact', properties: ['ConcurrencyId'] }, readVersion, changes: CHANGES },
		known,
		{
			read: async (asked) => read({ FirstResultIndex: 0, ...asked }),
			complete: async () => [],
			hasTime: () => true,
		},
		{ limit: 5000 },
	);

const tooLarge = { message: expect.stringContaining('exceeds 1 MB') as string };

it('the snapshot of many records is packed once to check its size, not for each page', async () => {
	let last = 0;
	const packed = jest.spyOn(crypto, 'createHash');
	const read: Read = ({ Count, FirstResultIndex }) => {
		const length = FirstResultIndex > 0 ? 0 : Math.min(Count, 200_000 - last);
		return Array.from({ length }, () => ({ Id: ++last }));
	};
	const found = await compare(read, () => 1);
	expect(found.snapshot.versions.size).toBe(200_000);
	expect(packed).toHaveBeenCalledTimes(1);
	packed.mockRestore();
});

it('more records than fit into 1 MB are refused with advice, also if they come page by page', async () => {
	let last = 0;
	const read: Read = ({ Count, FirstResultIndex }) =>
		Array.from({ length: FirstResultIndex > 0 ? 0 : Count }, () => ({ Id: (last += 20_000) }));
	const found = await compare(read, () => 2 ** 30);
	const advice = expect.stringContaining('Add conditions') as string;
	expect(found.failure).toMatchObject({ ...tooLarge, advice });
	const { length } = pack(found.snapshot);
	expect(length).toBeLessThanOrEqual(MAX_SNAPSHOT_LENGTH);
	expect(length).toBeGreaterThan(MAX_SNAPSHOT_LENGTH - 60_000);
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

it.each<[string, number, object | undefined]>([
	['1,000,000 characters is accepted', 2 ** 20, undefined],
	['1,000,004 characters is refused', 2 ** 21, expect.objectContaining(tooLarge) as object],
])('a snapshot of %s', async (_, version, failure) => {
	// Eight bytes each: three for the distance from the Id before, and five for the version.
	const known = Array.from({ length: 93_748 }, (__, index): [number, number] => [
		(index + 1) * 20_000,
		2 ** 30,
	]);
	const [position] = known[known.length - 1];
	const before = { passes: 0, position, versions: new Map(known) };
	const found = await compare(
		() => [{ Id: position + 20_000 }],
		() => version,
		before,
	);
	expect(found.failure).toEqual(failure);
});
