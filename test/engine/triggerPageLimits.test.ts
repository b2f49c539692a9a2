/** A trigger misses no change and repeats none, whatever page limit the Company has. */
import fc from 'fast-check';

import { startSandbox } from '../../sandbox';
import { cases } from '../cases';
import { loadTrigger } from './activeTrigger';
import { byName, isLimitProbe } from './desk';

const triggers = {
	'by time': { event: 'workOrderCreated' },
	'by ID': { event: 'record', entity: byName('Contact') },
	compared: { event: 'recordEdited', entity: byName('Contact') },
};

describe.each(Object.keys(triggers) as Array<keyof typeof triggers>)('a trigger %s', (kind) => {
	it('returns each change once with every page limit', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.oneof(fc.integer({ min: 1, max: 60 }), fc.integer({ min: 1, max: 4000 })),
				fc.array(fc.integer({ min: 0, max: 70 }), { minLength: 1, maxLength: 4 }),
				async (mostRows, counts) => {
					let now = Date.UTC(2031, 4, 5, 6, 7, 8);
					const sandbox = await startSandbox({ workOrders: 30, strict: true, now: () => now });
					try {
						sandbox.set({ mostRows });
						const trigger = loadTrigger(sandbox, triggers[kind]);
						const entity = kind === 'by time' ? 'WorkOrder' : 'Contact';
						const added: number[] = [];
						const found: unknown[] = [];
						const poll = async () => {
							for (let polls = 0; polls < 200; polls++) {
								const items = await trigger();
								if (items.length === 0) return;
								found.push(...items.map(({ Id }) => Id));
							}
						};
						await poll();
						expect(found).toEqual([]);
						for (const count of counts) {
							for (let index = 0; index < count; index++) {
								now += 10;
								const CreatedDateUtc = new Date(now).toISOString();
								added.push(sandbox.store.insert(entity, { StatusId: 'Open', CreatedDateUtc }).Id);
							}
							await poll();
							now += 1000;
						}
						expect(found).toEqual(added);
						expect(sandbox.requestsTo('api').filter(isLimitProbe).length).toBeLessThanOrEqual(1);
					} finally {
						await sandbox.close();
					}
				},
			),
			{
				numRuns: cases(4, 60),
				examples: [
					[1, [3]],
					[7, [20, 20]],
					[49, [60, 5]],
				],
			},
		);
	});
});

it('an idle poll takes one request, as the page limit was learned before', async () => {
	let now = Date.UTC(2031, 4, 5, 6, 7, 8);
	const sandbox = await startSandbox({ workOrders: 30, strict: true, now: () => now });
	try {
		const trigger = loadTrigger(sandbox, triggers['by time']);
		await trigger();
		now += 1000;
		const CreatedDateUtc = new Date(now).toISOString();
		const { Id } = sandbox.store.insert('WorkOrder', { StatusId: 'Open', CreatedDateUtc });
		expect(await trigger()).toMatchObject([{ Id }]);
		for (let polls = 0; polls < 3; polls++) {
			sandbox.forgetRequests();
			expect(await trigger()).toEqual([]);
			expect(sandbox.requestsTo('api')).toHaveLength(1);
		}
	} finally {
		await sandbox.close();
	}
});
