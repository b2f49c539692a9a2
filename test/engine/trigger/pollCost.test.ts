/** The figures under "Requests" in docs/internals/triggers.md. */
import { activate } from '../../support/activeTrigger';
import { byName } from '../../support/company';

const SECOND = 1000;
/** All in one second, with the fractions of the service. */
const AT_ONCE = 0.0001;

/** Activates a workflow on a Company without work orders. */
async function start(parameters: object) {
	const { insert, now, poll, sent, engine, sandbox } = await activate(parameters, {
		workOrders: 0,
	});
	return {
		poll,
		sent,
		/** The requests of the last poll, with probes of the page limit. */
		allRequests: () => sandbox.requestsTo('api'),
		/** Lists each time that n8n reads the credential, from now on. */
		watchCredential: () => jest.spyOn(engine.store, 'get').mock.calls,
		/** Adds orders that were created and due at moments from `fromMs` on, in steps of some milliseconds. */
		add: (count: number, fromMs: number, stepMs: number) => {
			for (let index = 0; index < count; index++) {
				const units = Math.round(index * stepMs * 10_000);
				const second = Math.floor((now() + fromMs) / SECOND) + Math.floor(units / 10_000_000);
				const fraction = String(units % 10_000_000).padStart(7, '0');
				const at = `${new Date(second * SECOND).toISOString().slice(0, 19)}.${fraction}`;
				insert('WorkOrder', { StatusId: 'Open', CreatedDateUtc: at, DueDateUtc: at });
			}
		},
	};
}

type Burst = [count: number, fromMs: number, stepMs: number];

const FEW: Burst = [10, -60_000, 100];

// Promise: A poll without changes takes one request
it.each<[string, number, Burst[]]>([
	['workOrderCreated', 1, [[49, -60_000, 100]]],
	['workOrderCreated', 1, [[1500, -200_000, 100]]],
	// A second that fills a page is read by ID.
	['workOrderCreated', 4, [[1500, 0, AT_ONCE]]],
	['workOrderCreated', 1, [FEW, [50, 0, AT_ONCE]]],
	['workOrderDeadline', 1, [[50, -60_000, 100]]],
	['workOrderDeadline', 2, [[1500, -200_000, 100]]],
	['workOrderDeadline', 2, [[500, -60_000, 10]]],
])('an idle poll for the event %s takes %d requests after %j', async (event, requests, bursts) => {
	const { add, poll, sent } = await start({ event, options: { batchSize: 5000 } });
	await poll();
	for (const burst of bursts) add(...burst);
	expect(await poll()).not.toEqual([]);
	expect(await poll()).toEqual([]);
	expect(sent()).toBe(requests);
});

it.each([
	{ event: 'workOrderCreated' },
	{ event: 'workOrderDeadline' },
	{ event: 'recordEdited', entity: 'Contact' },
])(
	'a poll for %j reads the credential once itself, and once for each request',
	async (parameters) => {
		const { add, poll, allRequests, watchCredential } = await start(parameters);
		await poll();
		add(10, -60_000, 100);
		const readings = watchCredential();
		await poll();
		expect(allRequests()).not.toEqual([]);
		expect(readings).toHaveLength(allRequests().length + 1);
	},
);

it.each([
	[60, 1],
	[120, 2],
	[3000, 2],
	[5000, 2],
])('a comparison of %d records takes %d requests', async (count, requests) => {
	const { poll, insert, store, sandbox } = await activate({
		event: 'recordEdited',
		entity: byName('Contact'),
	});
	const more = count - store.rows('Contact').length;
	for (let index = 0; index < more; index++) insert('Contact', { LastName: `Miller ${index}` });
	await poll();
	expect(await poll()).toEqual([]);
	expect(sandbox.requestsTo('api')).toHaveLength(requests);
});
