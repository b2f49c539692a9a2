/** Generated histories of a Company whose pushes reach n8n among those of anyone else. */
import { createHmac } from 'node:crypto';
import fc from 'fast-check';

import { countHistories } from '../../cases';
import { away, loadNodes, openCompany } from '../../support/activeTrigger';
import { startListener } from '../../support/activeWebhook';
import type { Database } from '../../support/webhook';

const [key, header] = ['a key of up to 64 characters', 'x-signature'];
const SIGNATURE = {
	credentials: { useWebhook: true, signingSecret: key },
	parameters: { signature: 'hmac', signatureHeader: header, signatureAlgorithm: 'sha256' },
	signed: { key, header, algorithm: 'sha256', encoding: 'hex' },
} as const;

/** Corrigo fails to read this record, and no other record with it. */
const POISON = 987_654_321;

const round = fc.record({
	/** Actions on these orders, all within one second; the first order has most of them. */
	actions: fc.array(
		fc.record({ order: fc.constantFrom(0, 0, 1, 2), count: fc.constantFrom(1, 1, 2, 70) }),
		{ maxLength: 3 },
	),
	/** IDs that anyone pushes; no record has most of them. */
	forged: fc.array(fc.oneof(fc.constantFrom(POISON, 2 ** 31, 'x', -1, 0), fc.nat(10 ** 9)), {
		maxLength: 2,
	}),
	/** Corrigo fails while pushes are read, all of it or for one order, or the workflow changes. */
	meanwhile: fc.constantFrom('away', 'broken', 'edit', 'nothing', 'publish', 'work'),
	push: fc.record({
		again: fc.boolean(),
		times: fc.integer({ min: 1, max: 2 }),
		shuffled: fc.boolean(),
		atOnce: fc.integer({ min: 1, max: 4 }),
	}),
	restarts: fc.constantFrom(false, false, true),
	seconds: fc.constantFrom(0, 0, 1, 90, 3600),
});

const history = fc.record({
	/** Digits of a fraction of a second that this Company stores. */
	digits: fc.constantFrom(7, 2, 0),
	isSigned: fc.boolean(),
	/** Minutes in which n8n is up without Corrigo, before it has any state. */
	outage: fc.constantFrom(0, 0, 1, 10, 60),
	rounds: fc.array(round, { minLength: 1, maxLength: 6 }),
});

const RUNS = countHistories(10, 100);
jest.setTimeout(120_000 + RUNS * 30_000);

// Promise: Each change starts the workflow once, however pushes arrive and n8n restarts
it('returns each change once, whatever else is pushed, and whatever fails meanwhile', async () => {
	const processes = [await loadNodes(), await loadNodes()];
	const now = performance.now.bind(performance);
	let passed = 0;
	const clock = jest.spyOn(performance, 'now').mockImplementation(() => now() + passed);
	let pushes = 0;
	const property = fc.asyncProperty(history, async ({ digits, isSigned, outage, rounds }) => {
		const company = await openCompany({ workOrders: 4, tokenLifeSeconds: 1_000_000 });
		const { sandbox, insert } = company;
		const orders = company.orders().map(({ Id }) => Id);
		const pass = (ms: number) => {
			passed += ms;
			company.pass(ms);
		};
		const made: number[] = [];
		const work = ({ actions }: (typeof rounds)[number]) => {
			for (const { order, count } of actions) {
				const [second] = new Date(company.now()).toISOString().split('.');
				for (let one = 0; one < count; one++) {
					const fraction = String(9_000_000 - made.length).slice(0, digits);
					const SystemDateUtc = `${second}${fraction && `.${fraction}`}Z`;
					const WorkOrderId = orders[order];
					made.push(insert('WoActionLog', { WorkOrderId, TypeId: 'Message', SystemDateUtc }));
				}
			}
		};
		const isAway = away('api', { status: 503, times: 999 });
		const breakRecord = (id: number) => {
			const match = { server: 'api' as const, bodyIncludes: String(id) };
			sandbox.fault({ ...isAway, status: 500, match });
		};
		const { credentials, signed, ...signature } = SIGNATURE;
		const parameters = {
			...{ event: 'workOrderAction', returns: 'event' },
			...(isSigned && signature.parameters),
			actionTypes: [] as string[],
		};
		let starts = 0;
		const start = async (database?: Database) => {
			const node = processes[starts++ % 2].CorrigoWebhookTrigger;
			return await startListener(sandbox, parameters, { node, credentials, database });
		};
		const found: unknown[] = [];
		let listener = await start();
		const settle = async () => {
			await listener.idle();
			found.push(...listener.items().map(({ Id }) => Id));
		};
		const pushOrders = async (...ids: number[]) => {
			const body = JSON.stringify(ids.map((WorkOrderId) => ({ WorkOrderId })));
			const digest = createHmac(signed.algorithm, key).update(body).digest('hex');
			await listener.push(body, isSigned ? { [header]: digest } : {});
		};
		/** Some pushes could not be read. */
		let isBehind = false;
		breakRecord(POISON);
		if (outage > 0) sandbox.fault(isAway);
		await listener.activate('init');
		for (const [index, one] of rounds.entries()) {
			work(one);
			if (one.meanwhile === 'away') sandbox.fault(isAway);
			if (one.meanwhile === 'broken') breakRecord(orders[1]);
			const { url } = listener;
			const push = { url, ...one.push, ...(isSigned && { signed }) };
			const running: Array<Promise<unknown>> = [sandbox.push(push)];
			for (const id of one.forged) {
				running.push(listener.push([{ WorkOrderId: id }, { WorkOrderId: orders[0] }]));
			}
			if (one.meanwhile === 'edit') {
				parameters.actionTypes = index % 2 === 0 ? ['Message', 'PickUp'] : [];
			}
			if (['edit', 'publish'].includes(one.meanwhile)) running.push(listener.activate('update'));
			if (one.meanwhile === 'work') work(one);
			await Promise.all(running);
			pushes += running.length;
			await settle();
			if (index === 0) pass(outage * 60_000);
			sandbox.clearFaults();
			breakRecord(POISON);
			// Only what is given up has to be pushed again.
			const warnings = listener.warnings.splice(0);
			const isGivenUp = (text: string) => /WorkOrder (\d+) .*not tried again/.exec(text);
			if (warnings.some((text) => isGivenUp(text)?.[1] === String(orders[1]))) {
				await pushOrders(orders[1]);
				await settle();
			}
			const mayFail = one.meanwhile === 'away' || (index === 0 && outage > 0);
			if (!mayFail) expect(listener.failures).toEqual([]);
			isBehind ||= mayFail || one.meanwhile === 'broken';
			listener.failures.splice(0);
			// Without a state, nothing tells another process since when changes count.
			if (one.restarts && JSON.stringify(listener.database.state).includes('edge')) {
				const { database } = listener;
				await listener.close();
				listener = await start(database);
				await listener.activate('init');
				// A process that ends forgets what it could not read.
				if (isBehind) await pushOrders(...orders);
				isBehind = false;
			}
			pass(one.seconds * 1000);
		}
		await sandbox.push({ url: listener.url, ...(isSigned && { signed }) });
		// What is left is read with the next push, although that is about another order.
		await pushOrders(orders[3]);
		await settle();
		expect(listener.failures).toEqual([]);
		await listener.close();
		await sandbox.close();
		expect(found.sort()).toEqual(made.sort());
	});
	await fc.assert(property, { numRuns: RUNS });
	clock.mockRestore();
	expect(pushes).toBeGreaterThan(RUNS);
});
