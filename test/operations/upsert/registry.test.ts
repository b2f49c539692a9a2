import fc from 'fast-check';

import {
	findMatchingKeys,
	Registry,
	type DedupeRules,
} from '../../../nodes/Corrigo/operations/upsert/registry';
import type { JsonObject } from '../../../nodes/Corrigo/values/checks';
import type { ItemContext } from '../../../nodes/Corrigo/run/context';

interface Wanted {
	code: string;
	group?: string;
}

const context = {} as ItemContext;
const record = ({ code }: Wanted): JsonObject => ({ Id: 1, code });

/** A registry of records that are all there, and the codes that each look-up has asked for. */
function registryOf(expected: Wanted[]) {
	const lookUps: string[][] = [];
	const dedupe: DedupeRules<Wanted> = {
		key: ({ code }) => code,
		group: ({ group = '' }) => group,
		read: async (_context, wanted) => {
			lookUps.push(wanted.map(({ code }) => code));
			return wanted.map(record);
		},
		matchKeys: ({ code }) => [String(code)],
		describe: ({ code }) => code,
		unexpected: ['', ''],
	};
	return { registry: new Registry(dedupe, expected), lookUps };
}

it('looks 499 keys up at once and no key twice, however often items repeat it', async () => {
	const codes = Array.from({ length: 1002 }, (_, index) => ({ code: `${index % 501}` }));
	const { registry, lookUps } = registryOf(codes);
	for (const wanted of codes) await registry.findRecords(context, wanted);
	expect(lookUps.map((asked) => new Set(asked).size)).toEqual([499, 2]);
});

it('sends no look-up before an item needs it', async () => {
	const [first, second] = [{ code: 'a' }, { code: 'b', group: 'other' }];
	const { registry, lookUps } = registryOf([first, second]);
	await registry.findRecords(context, second);
	expect(lookUps).toEqual([['b']]);
});

it('keeps groups apart, even for one key', async () => {
	const [first, second] = [{ code: 'a' }, { code: 'a', group: 'other' }];
	const { registry, lookUps } = registryOf([first, second, first]);
	for (const wanted of [first, second]) await registry.findRecords(context, wanted);
	expect(lookUps).toEqual([['a', 'a'], ['a']]);
});

it('looks up on its own an item that was not expected', async () => {
	const { registry, lookUps } = registryOf([]);
	expect(await registry.findRecords(context, { code: 'a' })).toMatchObject([{ code: 'a' }]);
	expect(lookUps).toEqual([['a']]);
});

describe('the result for an item does not depend on the others of its run', () => {
	const compare = (sensitivity: 'base' | 'accent') =>
		new Intl.Collator('en', { sensitivity }).compare;

	/** Creates or updates one record after the other, as *Create or Update* does. */
	async function upsertAll(
		codes: readonly string[],
		stored: readonly string[],
		sensitivity: 'base' | 'accent',
		isOneRun: boolean,
	) {
		const isEqual = compare(sensitivity);
		const rows = stored.map((code, index) => ({ Id: index + 1, code, value: '' }));
		const find = (wanted: readonly Wanted[]) =>
			rows.filter((row) => wanted.some(({ code }) => isEqual(code, row.code) === 0));
		const dedupe: DedupeRules<Wanted> = {
			key: ({ code }) => code,
			read: async (_context, wanted) => find(wanted).map((row) => ({ ...row })),
			reread: async (_context, _wanted, id) => rows.filter(({ Id }) => Id === id),
			matchKeys: ({ code }, _wanted, wantedKeys) => findMatchingKeys([String(code)], wantedKeys),
			describe: ({ code }) => code,
			unexpected: ['', ''],
		};
		const all = codes.map((code) => ({ code }));
		const shared = new Registry(dedupe, all);
		const results: unknown[] = [];
		for (const [index, wanted] of all.entries()) {
			const registry = isOneRun ? shared : new Registry(dedupe, [wanted]);
			const found = await registry.findRecords(context, wanted);
			results.push(found.map(({ Id, value }) => [Id, value]));
			if (found.length > 1) continue;
			if (found.length === 1) {
				registry.markChanged(context, wanted, found[0]);
				const row = rows.find(({ Id }) => Id === found[0].Id);
				if (row !== undefined) row.value = `of ${index}`;
				continue;
			}
			const row = { Id: rows.length + 1, code: wanted.code, value: `of ${index}` };
			await registry.create(context, wanted, async () => {
				rows.push(row);
				return { ...row };
			});
		}
		return { results, rows };
	}

	it('whatever accents their keys have, and however the Company compares them', async () => {
		const code = fc.constantFrom('jose', 'josé', 'josè', 'jösé', 'ana', 'aná', 'x');
		const stored = fc.uniqueArray(code, { maxLength: 3 });
		const sensitivity = fc.constantFrom('base' as const, 'accent' as const);
		await fc.assert(
			fc.asyncProperty(
				fc.array(code, { maxLength: 6 }),
				stored,
				sensitivity,
				async (codes, before, how) => {
					const alone = await upsertAll(codes, before, how, false);
					expect(await upsertAll(codes, before, how, true)).toEqual(alone);
				},
			),
			{ numRuns: 300 },
		);
	});

	it('and items whose keys differ only in accents take turns', () => {
		const [first, second, third] = ['jose', 'josé', 'joso'].map((code) => ({ code }));
		const { registry } = registryOf([first, second, third]);
		expect(registry.getTurn(first)).toBe(registry.getTurn(second));
		expect(registry.getTurn(third)).not.toBe(registry.getTurn(first));
	});
});
