import type { INodeParameters } from 'n8n-workflow';

import { activate, type Active } from './activeTrigger';
import { byName } from './desk';

const HOUR = 3_600_000;

let active: Active;

const start = async (parameters: INodeParameters) => {
	active = await activate(parameters);
	await active.tick();
	return active;
};

afterEach(async () => {
	await active.sandbox.close();
});

const lag = { options: { lag: true } };

it('counts the seconds from the action in the log to its delivery', async () => {
	const { tick, person, pass } = await start({ event: 'workOrderAction', ...lag });
	person({});
	pass(90_000);
	const items = await tick();
	expect(items.map(({ Lag }) => Lag)).toEqual(items.map(() => 90));
	expect(items.length).toBeGreaterThan(0);
});

it('of a note counts from when it was written, whatever the output', async () => {
	const { tick, person, orders, pass } = await start({
		event: 'noteAdded',
		output: 'record',
		...lag,
	});
	person({ id: orders()[0].Id, note: 'Bring a ladder' });
	pass(7000);
	expect(await tick()).toMatchObject([{ Id: orders()[0].Id, Lag: 7 }]);
});

it('of a deadline counts from when it was to be told of', async () => {
	const { tick, sandbox, orders, now, pass } = await start({
		event: 'workOrderDeadline',
		offsetMinutes: 10,
		...lag,
	});
	const order = orders().find(({ StatusId }) => StatusId === 'Open');
	const DueDateUtc = new Date(now() + 20 * 60_000).toISOString();
	sandbox.store.change('WorkOrder', Number(order?.Id), { DueDateUtc });
	pass(12 * 60_000);
	expect(await tick()).toMatchObject([{ Lag: 120, Deadline: { MinutesLeft: 8 } }]);
});

it('is unknown of records that have no time, and never below zero', async () => {
	const { tick, sandbox } = await start({ event: 'record', entity: byName('Contact'), ...lag });
	sandbox.store.insert('Contact', { LastName: 'Miller' });
	expect(await tick()).toMatchObject([{ Lag: null }]);
	const byDate: INodeParameters = { entity: byName('Document'), dateProperty: 'UpdatedDate' };
	await tick(undefined, byDate);
	sandbox.store.insert('Document', { Title: 'ahead', UpdatedDate: '2040-01-01T00:00:00' });
	expect(await tick(undefined, byDate)).toMatchObject([{ Lag: 0 }]);
});

it('is shown by a test by hand as well, and by nothing that does not ask for it', async () => {
	active = await activate({ event: 'workOrderCreated' });
	const { poll, person, pass } = active;
	person({});
	pass(5000);
	const newest = async (and: INodeParameters) =>
		(await poll({ mode: 'manual', and })).items?.at(-1)?.json;
	expect(await newest(lag)).toMatchObject({ Lag: 5 });
	expect(await newest({})).not.toHaveProperty('Lag');
});

it('of more than an hour is said in the log, once until the trigger has caught up', async () => {
	const { tick, person, pass, warnings } = await start({
		event: 'workOrderCreated',
		options: { batchSize: 1 },
	});
	const after = (ms: number) => {
		person({});
		person({});
		pass(ms);
	};
	after(3 * HOUR);
	expect(await tick()).toHaveLength(1);
	expect(warnings).toEqual([
		'This trigger is far behind: it hands out what happened up to 3 hours ago, and more is waiting (Corrigo Trigger)',
	]);
	expect(await tick()).toHaveLength(1);
	expect(await tick()).toHaveLength(0);
	expect(warnings).toHaveLength(1);
	after(HOUR);
	await tick();
	await tick();
	expect(warnings).toHaveLength(1);
	after(72 * HOUR);
	await tick();
	expect(warnings[1]).toContain('up to 3 days ago');
	await tick();
	expect(await tick()).toEqual([]);
	after(3 * HOUR);
	await tick(undefined, { options: { batchSize: 9 } });
	expect(warnings[2]).toContain('up to 3 hours ago (');
});
