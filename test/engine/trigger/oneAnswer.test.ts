/** One answer proves nothing: a trigger neither goes back nor floods because of it. */
import type { IDataObject } from 'n8n-workflow';

import { Corrigo } from '../../../nodes/Corrigo/Corrigo.node';
import { activate } from '../../support/activeTrigger';
import { byName, connectEngine, idsOf, jsonOf, rejection, where } from '../../support/company';

const DAY = 86_400_000;
const text = (ms: number) => new Date(ms).toISOString().slice(0, 19);

/** A workflow whose first poll has found nothing. */
async function start(parameters: object, options?: Parameters<typeof activate>[1]) {
	const active = await activate(parameters, options);
	expect(await active.poll()).toEqual([]);
	return active;
}

describe.each([
	['noteAdded', 'WoNote'],
	['documentAdded', 'Document'],
])('%s, after answers for one poll', (event, entity) => {
	it.each([
		['that are empty', []],
		['of a replica that is behind', [{ Data: { Id: 1 } }]],
	])('%s, returns only what is new', async (_, newest) => {
		const { poll, sandbox, insert, warnings } = await start({ event, returns: 'event' });
		for (let count = 0; count < 150; count++) insert(entity, { WorkOrderId: 1 });
		expect(await poll()).toHaveLength(150);
		expect(await poll()).toEqual([]);
		for (let times = 0; times < 2; times++) {
			const odd = { status: 200, times: 2 };
			sandbox.fault(rejection(entity, { Entities: [] }, odd));
			sandbox.fault(rejection(entity, { Entities: newest }, odd));
			// Two polls at the same time count as one, and a poll with regular answers ends the doubt.
			expect(await Promise.all([poll(), poll()])).toEqual([[], []]);
			sandbox.clearFaults();
			expect(await poll()).toEqual([]);
		}
		const Id = insert(entity, { WorkOrderId: 1 });
		expect(idsOf(await poll())).toEqual([Id]);
		expect(warnings).toEqual([]);
	});
});

it('goes on from the newest record of a restored Company once two polls have found it', async () => {
	const { poll, store, insert, warnings } = await start({
		event: 'record',
		entity: byName('Contact'),
	});
	const ids = Array.from({ length: 300 }, () => insert('Contact', { LastName: 'Miller' }));
	expect(await poll()).toHaveLength(300);
	expect(await poll()).toEqual([]);
	for (const half of [ids.slice(150), ids.slice(0, 150)]) {
		for (const id of half) store.remove('Contact', Number(id));
		expect([await poll(), warnings]).toEqual([[], []]);
	}
	expect(await poll()).toEqual([]);
	expect(warnings).toEqual([expect.stringContaining('lower ID')]);
});

it('repeats nothing when the clock of one answer, or of some, is 20 days behind', async () => {
	const { poll, person, pass, setClock } = await start({
		event: 'workOrderAction',
		returns: 'event',
	});
	for (let hour = 0; hour < 20; hour++) {
		person({});
		pass(3_600_000);
	}
	expect((await poll()).length).toBeGreaterThanOrEqual(20);
	for (const polls of [1, 3]) {
		setClock(-20 * DAY);
		for (let count = 0; count < polls; count++) expect(await poll()).toEqual([]);
		setClock(20 * DAY);
		const { Id } = person({});
		expect(idsOf(await poll(), 'WorkOrderId')).toEqual([Id]);
	}
});

it('goes on from the last poll when another event of the same source is chosen', async () => {
	const { poll, person, pass, setClock } = await start({
		event: 'quoteSubmitted',
		returns: 'event',
	});
	for (let day = 0; day < 90; day++) {
		person({});
		pass(DAY);
	}
	expect(await poll()).toEqual([]);
	// One answer has a wrong date.
	setClock(20 * DAY);
	expect(await poll()).toEqual([]);
	setClock(-20 * DAY);
	pass(60_000);
	const { Id } = person({});
	expect(idsOf(await poll({ event: 'workOrderAction' }), 'WorkOrderId')).toEqual([Id]);
});

describe('a given time three days ahead', () => {
	it.each([
		['workOrderAction', 'WoActionLog', 'SystemDateUtc'],
		['noteAdded', 'WoNote', 'CreatedDate'],
	])('is where %s begins', async (event, entity, time) => {
		const first = Date.UTC(2031, 4, 8, 6);
		const from = { startFrom: 'time', startTime: text(first) };
		const { poll, insert, now, pass, warnings } = await activate({
			event,
			returns: 'event',
			...from,
		});
		const add = () => insert(entity, { [time]: text(now()), WorkOrderId: 1, TypeId: 'Message' });
		for (let day = 0; day < 2; day++) {
			add();
			expect(await poll()).toEqual([]);
			pass(DAY);
		}
		pass(first - now());
		const Id = add();
		pass(1000);
		expect(idsOf(await poll())).toEqual([Id]);
		expect(warnings).toEqual([]);
	});
});

it('returns nearer dates although 1,100 farther ones came first, and says that others wait', async () => {
	const parameters = { event: 'record', entity: byName('Document'), dateProperty: 'UpdatedDate' };
	const { poll, insert, now, warnings } = await start(parameters);
	const add = (ms: number) => insert('Document', { Title: 'x', UpdatedDate: text(now() + ms) });
	for (let day = 0; day < 1100; day++) add((100 + day) * DAY);
	expect(await poll()).toHaveLength(1000);
	expect(warnings).toEqual([expect.stringContaining('in the future')]);
	const [later, sooner] = [add(50 * DAY), add(DAY)];
	expect(idsOf(await poll())).toEqual([sooner, later]);
	expect(await poll()).toEqual([]);
	expect(warnings).toHaveLength(1);
});

it('takes one request while nothing matches the conditions, whatever the page limit is', async () => {
	const parameters = { event: 'record', entity: byName('Contact'), ...where('LastName', 'Nobody') };
	const { poll, insert, sent } = await start(parameters, { mostRows: 100 });
	for (let count = 0; count < 300; count++) insert('Contact', { LastName: 'Miller' });
	for (let polls = 0; polls < 3; polls++) {
		expect(await poll()).toEqual([]);
		expect(sent()).toBe(1);
	}
	const Id = insert('Contact', { LastName: 'Nobody' });
	expect(idsOf(await poll())).toEqual([Id]);
});

it('gives updated orders the keys of Get Changes', async () => {
	const options = { delivery: 'atLeastOnce' };
	const active = await start({ event: 'workOrderUpdated', options });
	const { person, store, change, sandbox } = active;
	const { Id } = person({});
	const at = '2031-05-05T06:07:30.451';
	change('WorkOrder', Id, { LastActionDateUtc: `${at}2345` });
	const action = store.rows('WoActionLog').at(-1)?.Id;
	change('WoActionLog', action, { SystemDateUtc: `${at}2346` });
	const [polled] = await active.poll();
	const engine = connectEngine(sandbox, { corrigo: Corrigo });
	const form = { operation: 'getChanges', event: 'workOrderUpdated', from: '2031-05-05T06:07:30' };
	const { items } = await engine.run({ parameters: form });
	const replayed = jsonOf(items) as IDataObject[];
	expect(replayed.map(({ ChangeKey }) => ChangeKey)).toContain(polled.ChangeKey);
});
