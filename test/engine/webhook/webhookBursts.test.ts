/** Many pushes at a time, which no version of n8n-core handles in a way of its own. */

import { cases } from '../../cases';
import { away } from '../../support/activeTrigger';
import { active } from '../../support/activeWebhook';
import { idsOf } from '../../support/company';

const parameters = { event: 'workOrderAction', returns: 'event' };
const PUSHES = cases(150, 1000);

describe('the answer to a push', () => {
	// Promise: A push is answered before anything is read
	it('comes before anything is read, and quickly', async () => {
		const { sandbox, person, url, settled } = await active(parameters);
		const LATENCY = 750;
		sandbox.set({ latencyMs: LATENCY });
		person({});
		const [first] = await sandbox.push({ url });
		expect(sandbox.requestsTo('api').filter(({ status }) => status !== undefined)).toEqual([]);
		Array.from({ length: 39 }, () => person({}));
		const answers = [first, ...(await sandbox.push({ url, atOnce: 4 }))];
		expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
		const times = answers.map(({ milliseconds }) => milliseconds).sort((a, b) => a - b);
		expect(times[20]).toBeLessThan(LATENCY);
		expect(await settled()).toHaveLength(40);
	});

	// Promise: A push answered with 200 is not dropped
	it('is 503 while 5,000 records wait, of which none is lost when they cannot be read', async () => {
		const { sandbox, push, receive, person, idle, settled, failures } = await active(parameters);
		const made = Array.from({ length: 3 }, () => person({}).Id);
		let last = 100_000;
		const refs = (count: number) => Array.from({ length: count }, () => ({ WorkOrderId: ++last }));
		sandbox.fault(away('api', { status: 502, times: 999, headers: { 'retry-after': '0.2' } }));
		for (let count = 0; count < 4; count++) await push(refs(1000));
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
	const made = Array.from({ length: PUSHES }, () => person({}).Id);
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

	const answers = await sandbox.push({ url, times: 2, shuffled: true, atOnce: 50 });
	await idle();

	expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
	expect(most).toBe(1);
	expect(sent().length).toBeLessThan(PUSHES / 2);
	expect(executions.length).toBeLessThan(PUSHES / 4);
	expect(idsOf(await settled(), 'WorkOrderId').sort()).toEqual(made.sort());
	await sandbox.close();
	expect(await watched).toBe('The sandbox was closed');
});

// Promise: Each change starts the workflow once, however pushes arrive and n8n restarts
describe('each of thousands of changes is brought once by pushes', () => {
	const START = Date.UTC(2031, 4, 5, 6, 8);
	const DEALT = (index: number) => (index * 7919) % 600;

	it.each<
		[
			string,
			Array<[count: number, gapMs: number, perPush: number, place: (index: number) => number]>,
		]
	>([
		['of one burst, the newest first', [[6200, 1, 1000, (index) => -index]]],
		[
			'in any order, and days later',
			[
				[4500, 1000, 200, Number],
				[600, 1_400_000, 200, DEALT],
			],
		],
	])('%s', async (_, bursts) => {
		const { insert, orders, push, receive, idle, settled, pass } = await active(parameters);
		const [{ Id: WorkOrderId }] = orders();
		pass(10 * 86_400_000);
		for (const [count, gapMs, perPush, place] of bursts) {
			const made = Array.from({ length: count }, (_one, index) => {
				const SystemDateUtc = new Date(START + index * gapMs).toISOString();
				return insert('WoActionLog', { WorkOrderId, TypeId: 'Message', SystemDateUtc });
			});
			const pushed = made
				.map((Id, index) => ({ EntityType: 'WoActionLog', Id, place: place(index) }))
				.sort((one, other) => one.place - other.place)
				.map(({ EntityType, Id }) => ({ EntityType, Id }));
			for (let start = 0; start < count; start += perPush) {
				expect(await push(pushed.slice(start, start + perPush))).toMatchObject({ status: 200 });
				await idle();
			}
			expect(idsOf(await settled()).sort()).toEqual(made.sort());
			expect(await receive(pushed.slice(0, perPush))).toEqual([]);
		}
	});
});
