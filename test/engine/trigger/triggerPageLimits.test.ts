/** A trigger misses no change and repeats none, whatever page limit of at least 100 rows the Company has. */
import fc from 'fast-check';

import { cases } from '../../cases';
import { activate } from '../../support/activeTrigger';
import { byName, idsOf, isLimitProbe } from '../../support/company';

const triggers = {
	'by time': { event: 'workOrderCreated' },
	'by ID': { event: 'record', entity: byName('Contact') },
	compared: { event: 'recordEdited', entity: byName('Contact') },
};

describe.each(Object.keys(triggers) as Array<keyof typeof triggers>)('a trigger %s', (kind) => {
	// Promise: *Return All* returns every record once
	it('returns each change once with every page limit', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.oneof(fc.integer({ min: 100, max: 130 }), fc.integer({ min: 100, max: 4000 })),
				fc.array(fc.integer({ min: 0, max: 150 }), { minLength: 1, maxLength: 4 }),
				async (mostRows, counts) => {
					const options = { workOrders: 30, mostRows };
					const { load, sandbox, insert, pass } = await activate(triggers[kind], options);
					const trigger = load();
					const entity = kind === 'by time' ? 'WorkOrder' : 'Contact';
					const added: number[] = [];
					const found: unknown[] = [];
					let polls = 0;
					const poll = async () => {
						for (let most = polls + 200; polls < most; ) {
							polls += 1;
							const items = await trigger();
							if (items.length === 0) return;
							found.push(...idsOf(items));
						}
					};
					await poll();
					expect(found).toEqual([]);
					for (const count of counts) {
						for (let index = 0; index < count; index++) {
							const CreatedDateUtc = new Date(pass(10)).toISOString();
							added.push(insert(entity, { StatusId: 'Open', CreatedDateUtc }));
						}
						await poll();
						pass(1000);
					}
					expect(found).toEqual(added);
					const probes = sandbox.requestsTo('api').filter(isLimitProbe);
					expect(probes.length).toBeLessThanOrEqual(added.length < 60 ? 0 : polls);
					await sandbox.close();
				},
			),
			{
				numRuns: cases(4, 60),
				examples: [
					[100, [99]],
					[100, [100, 20]],
					[119, [120, 5]],
				],
			},
		);
	});
});

// Promise: *Return All* returns every record once
it.each(Object.entries(triggers))(
	'a trigger %s returns each change once, and at once, after the Company has lowered its limit',
	async (kind, parameters) => {
		const { load, sandbox, insert, pass } = await activate(parameters, { workOrders: 30 });
		const poll = load();
		const entity = kind === 'by time' ? 'WorkOrder' : 'Contact';
		const add = (count: number) =>
			Array.from({ length: count }, () => {
				const CreatedDateUtc = new Date(pass(10)).toISOString();
				return insert(entity, { StatusId: 'Open', CreatedDateUtc });
			});
		expect(await poll()).toEqual([]);
		const first = add(400);
		expect(idsOf(await poll())).toEqual(first);
		expect(await poll()).toEqual([]);
		sandbox.set({ mostRows: 100 });
		const more = add(150);
		expect(idsOf(await poll())).toEqual(more);
		expect(await poll()).toEqual([]);
	},
);

it('a comparison deletes no record after the Company has lowered its limit', async () => {
	const { load, sandbox, store, insert } = await activate(triggers.compared, { workOrders: 5 });
	for (let index = 0; index < 200; index++) insert('Contact', {});
	const poll = load();
	expect(await poll()).toEqual([]);
	sandbox.set({ mostRows: 100 });
	const [{ Id }] = store.rows('Contact');
	store.remove('Contact', Id);
	expect(await poll()).toMatchObject([{ Id, Change: 'deleted' }]);
	expect(await poll()).toEqual([]);
});
