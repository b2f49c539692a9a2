/** Many pushes at a time, which no version of n8n-core handles in a way of its own. */
import fc from 'fast-check';

import { active, settled } from './activeWebhook';
import { idsOf } from './desk';

describe('the answer to a push', () => {
	it('comes before anything is read, and quickly', async () => {
		const { sandbox, person, url, idle, items } = await active({
			event: 'workOrderAction',
			returns: 'event',
		});
		const LATENCY = 1500;
		sandbox.set({ latencyMs: LATENCY });
		person({});
		const [first] = await sandbox.push({ url });
		expect(sandbox.requestsTo('api').filter(({ status }) => status !== undefined)).toEqual([]);
		Array.from({ length: 39 }, () => person({}));
		const answers = [first, ...(await sandbox.push({ url, atOnce: 4 }))];
		expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
		const times = answers.map(({ milliseconds }) => milliseconds).sort((a, b) => a - b);
		expect(times[20]).toBeLessThan(LATENCY / 2);
		await idle();
		expect(items()).toHaveLength(40);
	});

	it('is 503 while 10,000 records wait, of which none is lost when they cannot be read', async () => {
		const webhook = await active({ event: 'workOrderAction', returns: 'event' });
		const { sandbox, push, person, idle, failures } = webhook;
		const made = Array.from({ length: 3 }, () => person({}).Id);
		let last = 100_000;
		const refs = (count: number) => Array.from({ length: count }, () => ({ WorkOrderId: ++last }));
		const headers = { 'retry-after': '0.5' };
		sandbox.fault({ match: { server: 'api' }, kind: 'status', status: 502, times: 9, headers });
		await push(refs(1000));
		for (let count = 0; count < 8; count++) await push(refs(1000));
		expect(await push([...refs(997), ...made.map((WorkOrderId) => ({ WorkOrderId }))])).toEqual({
			status: 200,
			text: 'Received',
		});
		expect(await push(refs(1))).toEqual({ status: 503, text: 'Too many records are waiting' });
		await idle();
		expect(failures.splice(0).length).toBeGreaterThan(0);
		sandbox.clearFaults();
		const { Id: refused } = person({});
		expect(await push({ WorkOrderId: refused })).toMatchObject({ status: 503 });
		expect(idsOf(await settled(webhook), 'WorkOrderId')).toEqual(made);
		await push({ WorkOrderId: refused });
		expect(idsOf(await settled(webhook), 'WorkOrderId')).toEqual([refused]);
	});
});

it('a burst of pushes is read in few batches, one at a time, each change once', async () => {
	const { sandbox, person, url, idle, items, failures, sent, executions } = await active({
		event: 'workOrderAction',
	});
	const made = Array.from({ length: 1000 }, () => person({}).Id);
	sandbox.set({ latencyMs: 20 });
	sandbox.forgetRequests();
	let most = 0;
	const watched = sandbox
		.waitFor(() => {
			const open = sandbox.requestsTo('api').filter(({ status }) => status === undefined);
			most = Math.max(most, open.length);
			return false;
		})
		.catch((error: Error) => error.message);

	const answers = await sandbox.push({ url, shuffled: true, atOnce: 50 });
	await idle();

	expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
	expect(failures).toEqual([]);
	expect(most).toBe(1);
	expect(sent().length).toBeLessThan(500);
	expect(executions.length).toBeLessThan(250);
	expect(idsOf(items(), 'WorkOrderId').sort()).toEqual(made.sort());
	await sandbox.close();
	expect(await watched).toBe('The sandbox was closed');
});

it('pushes in any order bring each of up to 10,000 changes once', async () => {
	const START = Date.UTC(2031, 4, 5, 6, 8);
	const webhook = await active({ event: 'workOrderAction', returns: 'event' });
	const { sandbox, orders, push } = webhook;
	const [order] = orders();
	const orderPlan = fc.record({
		count: fc.constantFrom(40, 600, 4500),
		/** Milliseconds between two changes: from a burst to days. */
		gap: fc.constantFrom(1, 1000, 60_000),
		/** 0 pushes the newest first, and other numbers rotate and deal the changes. */
		turn: fc.nat(5),
		perPush: fc.constantFrom(200, 1000),
	});
	await fc.assert(
		fc.asyncProperty(fc.array(orderPlan, { minLength: 2, maxLength: 2 }), async (plans) => {
			for (const { count, gap, turn, perPush } of plans) {
				const made = Array.from({ length: count }, (_, index) => {
					const SystemDateUtc = new Date(START + index * gap).toISOString();
					const change = { WorkOrderId: order.Id, TypeId: 'Message', SystemDateUtc };
					return sandbox.store.insert('WoActionLog', change).Id;
				});
				const pushes = made.map((Id, index) => ({
					Id,
					place: turn === 0 ? -index : (index * 7919 * turn) % made.length,
				}));
				pushes.sort((a, b) => a.place - b.place);
				const bodies = Array.from({ length: Math.ceil(count / perPush) }, (_, index) =>
					pushes
						.slice(index * perPush, (index + 1) * perPush)
						.map(({ Id }) => ({ EntityType: 'WoActionLog', Id })),
				);
				for (const body of bodies) {
					expect(await push(body)).toMatchObject({ status: 200 });
					await webhook.idle();
				}
				expect(idsOf(await settled(webhook)).sort()).toEqual(made.sort());
				await push(bodies[0]);
				expect(await settled(webhook)).toEqual([]);
			}
		}),
		{ numRuns: 2, examples: [[[{ count: 6200, gap: 1, turn: 0, perPush: 1000 }]]] },
	);
});
