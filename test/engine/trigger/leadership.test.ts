/** Comparisons whose polls go to and fro between two main processes of n8n, each with a memory of its own. */
import fc from 'fast-check';

import { countHistories } from '../../cases';
import { loadNodes, openCompany } from '../../support/activeTrigger';
import { byName } from '../../support/company';
import { createStoringN8n } from '../../support/storingN8n';

type Step = { do: 'edit'; which: number } | { do: 'poll' | 'lead' };

const step: fc.Arbitrary<Step> = fc.oneof(
	fc.record({ do: fc.constant('edit' as const), which: fc.nat(2) }),
	fc.record({ do: fc.constantFrom('poll' as const, 'lead' as const) }),
);

const mains: Array<Awaited<ReturnType<typeof loadNodes>>> = [];

beforeAll(async () => {
	mains.push(await loadNodes(), await loadNodes());
});

const RUNS = countHistories(15, 300);
jest.setTimeout(60_000 + RUNS * 5_000);

// Promise: A main process that delivers nothing does not undo what another one delivered
it('tells each edit once, whichever process polls', async () => {
	await fc.assert(
		fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
			const { sandbox, store, pass } = await openCompany({ workOrders: 3 });
			const parameters = { event: 'recordEdited', entity: byName('Contact') };
			const n8n = createStoringN8n(sandbox, { A: parameters });
			const contacts = store.ids('Contact');
			const told: string[] = [];
			const note = (found: Array<Record<string, unknown>>) =>
				told.push(...found.map(({ Id, LastName }) => `${String(Id)} ${String(LastName)}`));
			const edited = new Map<number, string>();
			let leader = 0;
			try {
				note((await n8n.start(mains[leader], 'activate')).A);
				for (const [index, one] of [...steps, { do: 'poll' as const }].entries()) {
					pass(60_000);
					if (one.do === 'edit') {
						const id = Number(contacts[one.which]);
						store.change('Contact', id, { LastName: `edit ${index}` });
						edited.set(id, `${id} edit ${index}`);
					}
					if (one.do === 'poll') note(await n8n.poll('A'));
					if (one.do === 'lead') {
						leader = 1 - leader;
						note((await n8n.start(mains[leader], 'leadershipChange')).A);
					}
				}
			} finally {
				await sandbox.close();
			}
			expect(told.filter((text, index) => told.indexOf(text) < index)).toEqual([]);
			expect([...edited.values()].filter((text) => !told.includes(text))).toEqual([]);
		}),
		{ numRuns: RUNS, endOnFailure: true },
	);
});
