import type { INodeParameters } from 'n8n-workflow';

import type { Row } from '../../../sandbox';
import { activate, OLD_HOST, type Active } from '../../support/activeTrigger';
import { byId, byName, idsOf } from '../../support/company';

const HOUR = 3_600_000;

let active: Active;

const start = async (parameters: object) => {
	active = await activate(parameters);
	await active.poll();
	return active;
};

const lag = { options: { lag: true } };

it('Lag counts seconds from the action in the log to its delivery', async () => {
	const { poll, person, pass } = await start({ event: 'workOrderAction', ...lag });
	person({});
	pass(90_000);
	const items = await poll();
	expect(items.map(({ Lag }) => Lag)).toEqual(items.map(() => 90));
	expect(items.length).toBeGreaterThan(0);
});

it('Lag of a note counts from when it was written, whatever the output', async () => {
	const event = { event: 'noteAdded', returns: 'record' };
	const { poll, person, orders, pass } = await start({ ...event, ...lag });
	person({ id: orders()[0].Id, note: 'Bring a ladder' });
	pass(7000);
	expect(await poll()).toMatchObject([{ Id: orders()[0].Id, Lag: 7 }]);
});

it('Lag of a deadline counts from the moment at which it should trigger', async () => {
	const event = { event: 'workOrderDeadline', offset: 10 };
	const { poll, sandbox, orders, now, pass } = await start({ ...event, ...lag });
	const order = orders().find(({ StatusId }) => StatusId === 'Open') as Row;
	const DueDateUtc = new Date(now() + 20 * 60_000).toISOString();
	sandbox.store.change('WorkOrder', order.Id, { DueDateUtc });
	pass(12 * 60_000);
	expect(await poll()).toMatchObject([{ Lag: 120, Deadline: { MinutesLeft: 8 } }]);
});

it('Lag is shown in a manual test as well, and only with the option', async () => {
	active = await activate({ event: 'workOrderCreated' });
	const { tryPoll, person, pass } = active;
	person({});
	pass(5000);
	const newest = async (and: INodeParameters) =>
		(await tryPoll({ mode: 'manual', and })).items?.at(-1)?.json;
	expect(await newest(lag)).toMatchObject({ Lag: 5 });
	expect(await newest({})).not.toHaveProperty('Lag');
});

// Promise: A trigger that is far behind says so once in n8n's log
it('a lag of more than an hour is logged, once until the trigger has caught up', async () => {
	const { poll, person, pass, warnings } = await start({
		event: 'workOrderCreated',
		options: { batchSize: 1 },
	});
	const after = (ms: number) => {
		person({});
		person({});
		pass(ms);
	};
	after(3 * HOUR);
	expect(await poll()).toHaveLength(1);
	expect(warnings).toEqual([
		'This trigger is far behind: it returns changes from up to 3 hours ago, and more are waiting (Corrigo Trigger)',
	]);
	expect(await poll()).toHaveLength(1);
	expect(await poll()).toHaveLength(0);
	expect(warnings).toHaveLength(1);
	after(HOUR);
	await poll();
	await poll();
	expect(warnings).toHaveLength(1);
	after(72 * HOUR);
	await poll();
	expect(warnings[1]).toContain('up to 3 days ago');
	await poll();
	expect(await poll()).toEqual([]);
	after(3 * HOUR);
	await poll({ options: { batchSize: 9 } });
	expect(warnings[2]).toContain('up to 3 hours ago (');
});

// Older hosts set no budget.
if (!OLD_HOST) {
	it('a poll that had no time to read 9,000 changes of other customers logs the lag', async () => {
		await start({ event: 'workOrderAction', returns: 'event', options: { batchSize: 1 } });
		const { orders, insert, person, pass, now, poll, warnings } = active;
		const getCustomer = ({ Customer }: Row) => (Customer as Row).Id;
		const [other, own] = [...new Map(orders().map((one) => [getCustomer(one), one])).values()];
		for (let index = 0; index < 9000; index++) {
			const SystemDateUtc = new Date(now() + index).toISOString();
			insert('WoActionLog', { WorkOrderId: other.Id, TypeId: 'Message', SystemDateUtc });
		}
		pass(2 * HOUR);
		// A test opens a new session.
		await active.tryPoll({ mode: 'manual' });
		person({ id: own.Id, note: 'own' });
		const filters = { filters: { customer: byId(getCustomer(own)) } };
		expect(await poll(filters, 1)).toEqual([]);
		expect(warnings).toEqual([
			'This trigger is far behind: it returns changes from up to 2 hours ago, and more are waiting (Corrigo Trigger)',
		]);
		expect(await poll(filters)).toMatchObject([{ TypeId: 'Note' }]);
	});
}

// Promise: A record with a date in the future is delivered at once
it('a date that is nearer than 1,000 others comes, also if those existed at the first poll', async () => {
	const byDate = { entity: byName('Document'), dateProperty: 'UpdatedDate' };
	const { poll, insert, warnings, now } = await activate({ event: 'record', ...byDate });
	const add = (hours: number) =>
		insert('Document', {
			Title: 'x',
			UpdatedDate: new Date(now() + hours * HOUR).toISOString(),
		});
	for (let index = 0; index < 1_005; index++) add(48 + index);
	expect(await poll()).toEqual([]);
	const near = [add(1), add(0)];
	add(2000);
	expect(idsOf(await poll())).toEqual(near.reverse());
	expect(warnings).toEqual([expect.stringContaining('the farthest ones wait')]);
});
