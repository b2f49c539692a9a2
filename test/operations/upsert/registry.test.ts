import { Registry, type DedupeRules } from '../../../nodes/Corrigo/operations/upsert/registry';
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
