import fc from 'fast-check';

import { Registry, type DedupeRules } from '../../../nodes/Corrigo/operations/upsert/registry';
import type { JsonObject } from '../../../nodes/Corrigo/values/objects';
import type { ItemContext } from '../../../nodes/Corrigo/run/context';
import { NOT_CREATED } from '../../../nodes/Corrigo/wire/requests';

interface Wanted {
	code: string;
	group?: string;
}

const context = {} as ItemContext;
const record = ({ code }: Wanted): JsonObject => ({ Id: 1, code });

/** A registry of records that are all there, and the codes that each look-up has asked for. */
function openRegistry(expected: Wanted[]) {
	const lookUps: string[][] = [];
	const dedupe: DedupeRules<Wanted> = {
		key: ({ code }) => code,
		group: ({ group = '' }) => group,
		load: async (_context, wanted) => {
			lookUps.push(wanted.map(({ code }) => code));
			return wanted.map(record);
		},
		readKeys: ({ code }) => [String(code)],
		describe: ({ code }) => code,
		unexpected: ['', ''],
	};
	return { registry: new Registry(dedupe, expected), lookUps };
}

it('looks 499 keys up at once and no key twice, however often items repeat it', async () => {
	const codes = Array.from({ length: 1002 }, (_, index) => ({ code: `${index % 501}` }));
	const { registry, lookUps } = openRegistry(codes);
	for (const wanted of codes) await registry.findRecords(context, wanted);
	expect(lookUps.map((asked) => new Set(asked).size)).toEqual([499, 2]);
});

it('sends no look-up before an item needs it', async () => {
	const [first, second] = [{ code: 'a' }, { code: 'b', group: 'other' }];
	const { registry, lookUps } = openRegistry([first, second]);
	await registry.findRecords(context, second);
	expect(lookUps).toEqual([['b']]);
});

it('keeps groups apart, even for one key', async () => {
	const [first, second] = [{ code: 'a' }, { code: 'a', group: 'other' }];
	const { registry, lookUps } = openRegistry([first, second, first]);
	for (const wanted of [first, second]) await registry.findRecords(context, wanted);
	expect(lookUps).toEqual([['a', 'a'], ['a']]);
});

it('looks up on its own an item that was not expected', async () => {
	const { registry, lookUps } = openRegistry([]);
	expect(await registry.findRecords(context, { code: 'a' })).toMatchObject([{ code: 'a' }]);
	expect(lookUps).toEqual([['a']]);
});

describe('the result for an item does not depend on the others of its run', () => {
	interface Case {
		/** Codes of the items, in order. */
		codes: string[];
		/** Codes of each stored record, because several keys may lead to one. */
		stored: string[][];
	}
	const code = fc.constantFrom('jose', 'josé', 'ana', 'x');
	const anyCase: fc.Arbitrary<Case> = fc.record({
		codes: fc.array(code, { maxLength: 6 }),
		stored: fc.array(fc.uniqueArray(code, { minLength: 1, maxLength: 2 }), { maxLength: 3 }),
	});

	/** Creates or updates one record after the other, as *Create or Update* does. */
	async function upsertAll({ codes, stored }: Case, isOneRun = true, isDryRun = false) {
		const rows = stored.map((own, index) => ({ Id: index + 1, codes: own, value: '' }));
		const find = (wanted: readonly Wanted[]) =>
			rows.filter((row) => wanted.some(({ code: key }) => row.codes.includes(key)));
		const dedupe: DedupeRules<Wanted> = {
			key: (wanted) => wanted.code,
			load: async (_context, wanted) => find(wanted).map((row) => ({ ...row })),
			reload: async (_context, _wanted, id) => rows.filter(({ Id }) => Id === id),
			readKeys: ({ codes: own }) => own as string[],
			describe: (wanted) => wanted.code,
			unexpected: ['', ''],
		};
		const all = codes.map((one) => ({ code: one }));
		const shared = new Registry(dedupe, all);
		const own = { isDryRun } as ItemContext;
		const results: unknown[] = [];
		for (const [index, wanted] of all.entries()) {
			const registry = isOneRun ? shared : new Registry(dedupe, [wanted]);
			const found = await registry.findRecords(own, wanted);
			results.push(found.map(({ Id, value }) => (isDryRun ? Number(Id) : [Id, value])));
			if (found.length > 1) continue;
			if (found.length === 1) {
				await registry.update(own, wanted, found[0], async () => {
					const row = rows.find(({ Id }) => Id === found[0].Id);
					if (row !== undefined && !isDryRun) row.value = `of ${index}`;
				});
				continue;
			}
			const row = { Id: rows.length + 1, codes: [wanted.code], value: `of ${index}` };
			await registry.create(own, wanted, async () => {
				if (isDryRun) return { Id: NOT_CREATED };
				rows.push(row);
				return { ...row };
			});
		}
		return { results, rows };
	}

	it('however many keys lead to one record', async () => {
		await fc.assert(
			fc.asyncProperty(anyCase, async (one) => {
				expect(await upsertAll(one)).toEqual(await upsertAll(one, false));
			}),
			{ numRuns: 300 },
		);
	});

	it('and a dry run finds what the run finds', async () => {
		await fc.assert(
			fc.asyncProperty(anyCase, async (one) => {
				const { stored } = one;
				const { results } = await upsertAll(one);
				const dryRun = await upsertAll(one, true, true);
				for (const [index, result] of dryRun.results.entries()) {
					const known = (results[index] as Array<[number]>).map(([id]) =>
						id > stored.length ? NOT_CREATED : id,
					);
					expect(result).toEqual(known);
				}
			}),
			{ numRuns: 300 },
		);
	});

	it('and an answer with a record of another key causes no create', async () => {
		const caller = { getNode: () => ({ name: 'Corrigo', type: 'corrigo' }) };
		const own = { caller } as unknown as ItemContext;
		const open = (stored: string) =>
			new Registry<Wanted>(
				{
					key: ({ code }) => code,
					load: async () => [record({ code: stored })],
					readKeys: ({ code }) => [String(code)],
					describe: ({ code }) => code,
					unexpected: ['Corrigo returned another record', 'Nothing was written.'],
				},
				[{ code: 'josé' }, { code: 'ana' }],
			);
		for (const stored of ['jose', 'jose\u0301', 'JOSÉ', '\uff4aose']) {
			const alike = open(stored);
			await expect(alike.findRecords(own, { code: 'josé' })).rejects.toThrow('another spelling');
			expect(await alike.findRecords(own, { code: 'ana' })).toEqual([]);
		}
		const wrong = open('other');
		for (const code of ['josé', 'ana']) {
			await expect(wrong.findRecords(own, { code })).rejects.toThrow('another record');
		}
	});
});
