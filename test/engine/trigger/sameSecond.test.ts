/** A second action within the second that Corrigo shows for the first one, with a poll between them. */
import { activate } from '../../support/activeTrigger';
import { idsOf } from '../../support/company';

const byDate = (dateProperty: string) => ({
	...{ event: 'record', dateProperty },
	entity: { mode: 'id', value: 'WorkOrder' },
});

// Promise: A second change within the second that Corrigo shows for the first one is delivered
it.each([
	['Work Order Updated', { event: 'workOrderUpdated' }],
	['Record Added or Changed (by Date)', byDate('LastActionDateUtc')],
])('%s tells an order that changes again within the second of the poll', async (_, parameters) => {
	const { poll, change, orders, now, pass } = await activate(parameters);
	await poll();
	const [{ Id }] = orders().filter(({ StatusId }) => StatusId === 'New');
	const act = (StatusId: string) =>
		change('WorkOrder', Id, { StatusId, LastActionDateUtc: new Date(now()).toISOString() });
	act('OnHold');
	const first = await poll();
	expect(first).toMatchObject([{ Id, Status: 'On Hold' }]);
	act('Open');
	const second = await poll();
	expect(second).toMatchObject([{ Id, Status: 'Open' }]);
	// A node that removes duplicates lets both through.
	expect(second[0].ChangeKey).not.toBe(first[0].ChangeKey);
	expect(await poll()).toEqual([]);
	pass(60_000);
	act('Cancelled');
	expect(await poll()).toMatchObject([{ Id, Status: 'Cancelled' }]);
	expect(await poll()).toEqual([]);
});

it('tells a new record once by the date of its creation, however soon it is edited', async () => {
	const { poll, person, change } = await activate(byDate('CreatedDateUtc'));
	await poll();
	const { Id } = person({});
	expect(idsOf(await poll())).toEqual([Id]);
	change('WorkOrder', Id, { PoNumber: 'edited' });
	expect(await poll()).toEqual([]);
});
