import { cases } from '../../cases';
import { activate } from '../../support/activeTrigger';

const POLLS = cases(4, 10);
const BACKLOG = POLLS * 5000;

// Promise: After a failed poll, the next one continues from the same place
it('a backlog of thousands of changes is returned by polls of 5,000, page by page', async () => {
	const since = { startFrom: 'time', startTime: '2031-01-01' };
	const { poll, insert, sent, state } = await activate(
		{ event: 'workOrderAction', actionTypes: ['Message'], returns: 'event', ...since },
		{ workOrders: 0 },
	);
	let time = Date.UTC(2031, 0, 1);
	for (let index = 0; index < BACKLOG; index++) {
		// Ten rows share each time, and of the last ones a few thousand share a second.
		if (index % 10 === 0) time += index < 0.6 * BACKLOG ? 1000 : 2;
		const SystemDateUtc = new Date(time).toISOString();
		insert('WoActionLog', { WorkOrderId: 1, TypeId: 'Message', SystemDateUtc });
	}
	const found: number[] = [];
	let polls = 0;
	let pages = 0;
	for (let items = await poll(); items.length > 0; items = await poll()) {
		polls += 1;
		pages += sent();
		expect(sent()).toBeLessThanOrEqual(7);
		expect(items.length).toBeLessThanOrEqual(5000);
		expect(JSON.stringify(state()).length).toBeLessThan(50_000);
		found.push(...items.map(({ Id }) => Number(Id)));
	}
	expect(found).toEqual([...new Set(found)].sort((a, b) => a - b));
	expect(found).toHaveLength(BACKLOG);
	expect(polls).toBe(POLLS);
	// A page leaves its last second to the next one, and a second that fills a page is read by ID.
	expect(pages).toBeLessThanOrEqual(6 * POLLS);
	expect(sent()).toBeLessThanOrEqual(7);
});
