import { activate } from './activeTrigger';

it('a backlog of 50,000 changes is returned by ten polls, page by page', async () => {
	const { poll, sandbox, sent, state } = await activate(
		{
			event: 'workOrderAction',
			actionTypes: ['Message'],
			returns: 'event',
			startFrom: 'time',
			startTime: '2031-01-01',
		},
		{ workOrders: 0 },
	);
	const BACKLOG = 50_000;
	let time = Date.UTC(2031, 0, 1);
	for (let index = 0; index < BACKLOG; index++) {
		// Ten rows share each time, and of the last ones a few thousand share a second.
		if (index % 10 === 0) time += index < 30_000 ? 1000 : 2;
		sandbox.store.insert('WoActionLog', {
			WorkOrderId: 1,
			TypeId: 'Message',
			SystemDateUtc: new Date(time).toISOString(),
		});
	}
	const seen = new Set<unknown>();
	let last = 0;
	let polls = 0;
	let pages = 0;
	for (let items = await poll(); items.length > 0; items = await poll()) {
		polls += 1;
		pages += sent();
		expect(sent()).toBeLessThanOrEqual(5);
		expect(items.length).toBeLessThanOrEqual(5000);
		expect(JSON.stringify(state()).length).toBeLessThan(50_000);
		for (const { Id } of items) seen.add(Id);
		const ids = items.map(({ Id }) => Number(Id));
		expect(ids.every((id, index) => id > (ids[index - 1] ?? last))).toBe(true);
		last = ids.at(-1) ?? last;
	}
	expect(seen.size).toBe(BACKLOG);
	expect(polls).toBe(10);
	// 25 full pages, one look at the keys for each poll, and the rest of each last page.
	expect(pages).toBeLessThanOrEqual(45);
	// The thousand stored keys, and the rows after them that share one second.
	expect(sent()).toBe(3);
});
