/** Many pushes at a time, which no version of n8n-core handles in a way of its own. */
import fc from 'fast-check';

import { away } from './activeTrigger';
import { active } from './activeWebhook';
import { idsOf } from './desk';

const parameters = { event: 'workOrderAction', returns: 'event' };

describe('the answer to a push', () => {
	// Promise: A push is answered before anything is read
	it('comes before anything is read, and quickly', async () => {
		const { sandbox, person, url, settled } = await active(parameters);
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
		expect(await settled()).toHaveLength(40);
	});

	// Promise: A push answered with 200 is not dropped
	it('is 503 while 10,000 records wait, of which none is lost when they cannot be read', async () => {
		const { sandbox, push, receive, person, idle, settled, failures } = await active(parameters);
		const made = Array.from({ length: 3 }, () => person({}).Id);
		let last = 100_000;
		const refs = (count: number) => Array.from({ length: count }, () => ({ WorkOrderId: ++last }));
		sandbox.fault(away('api', { status: 502, times: 999, headers: { 'retry-after': '0.5' } }));
		for (let count = 0; count < 9; count++) await push(refs(1000));
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
		expect(idsOf(await settled(), 'WorkOrderId')).toEqual(made);
		expect(idsOf(await receive({ WorkOrderId: refused }), 'WorkOrderId')).toEqual([refused]);
	});
});

// Promise: A push is answered before anything is read
it('a burst of pushes is read in few batches, one at a time, each change once', async () => {
	const { sandbox, person, url, idle, settled, sent, executions } = await active();
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
	expect(most).toBe(1);
	expect(sent().length).toBeLessThan(500);
	expect(executions.length).toBeLessThan(250);
	expect(idsOf(await settled(), 'WorkOrderId').sort()).toEqual(made.sort());
	await sandbox.close();
	expect(await watched).toBe('The sandbox was closed');
});

// Promise: Each change starts the workflow once, however pushes arrive and n8n restarts
it('pushes in any order bring each of up to 10,000 changes once', async () => {
	const START = Date.UTC(2031, 4, 5, 6, 8);
	const { insert, orders, push, receive, idle, settled } = await active(parameters);
	const [{ Id: WorkOrderId }] = orders();
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
					return insert('WoActionLog', { WorkOrderId, TypeId: 'Message', SystemDateUtc });
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
					await idle();
				}
				expect(idsOf(await settled()).sort()).toEqual(made.sort());
				expect(await receive(bodies[0])).toEqual([]);
			}
		}),
		{ numRuns: 2, examples: [[[{ count: 6200, gap: 1, turn: 0, perPush: 1000 }]]] },
	);
});
