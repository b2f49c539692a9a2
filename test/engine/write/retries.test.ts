/**
 * n8n's Retry On Fail runs the whole node again. A write that ran, or may have run, is not sent a
 * second time.
 */
import {
	byId,
	byName,
	eachId,
	hintsOf,
	itemsOf,
	jsonOf,
	quoteRefusal,
	rejection,
	shareCompany,
	some,
} from '../../support/company';
import type { RunOptions } from '../../support/engine';

const { n8n, records, requests } = shareCompany();

const RETRY = { settings: { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 } };

const RETRY_ONCE = { settings: { ...RETRY.settings, maxTries: 2 } };

const orders = (count: number) => records.ids('WorkOrder', count);
/** Creates a note for each item. */
const create = async (items: unknown[], more: RunOptions = {}, parameters: object = {}) =>
	await n8n.run(
		'note:create',
		{ workOrder: eachId, body: 'text', type: 'Public', ...parameters },
		{ items: itemsOf(...items), ...more },
	);
const listNotes = (order: number) =>
	records
		.rows('WoNote')
		.filter(({ WorkOrderId, Body }) => WorkOrderId === order && Body === 'text');
const writes = { server: 'api', method: 'POST' } as const;
const refused = { match: writes, kind: 'status', status: 400 } as const;

it('a retry continues with the items that did not run, and returns all', async () => {
	const ids = orders(4);
	requests.fault({ ...refused, after: 2 });
	const run = await create(ids, RETRY);
	expect(run.error).toBeUndefined();
	expect(run.items.map(({ pairedItem }) => pairedItem)).toEqual(
		[0, 1, 2, 3].map((item) => ({ item })),
	);
	for (const id of ids) expect(listNotes(id)).toHaveLength(1);
	expect(requests.sent()).toHaveLength(ids.length + 1);
});

// Promise: A request that may have run is never silently repeated
it('a retry does not resend what may have been carried out: it fails with an equal message', async () => {
	const ids = orders(3);
	requests.fault({ match: writes, after: 1, kind: 'resetAfter' });
	const run = await create(ids, RETRY);
	expect(run.error?.description).toContain('may have been carried out');
	expect(listNotes(ids[1])).toHaveLength(1);
	expect(requests.sent()).toHaveLength(2);
});

it('a retry resends nothing with Continue On Fail, too', async () => {
	const ids = orders(3);
	requests.fault({ match: writes, kind: 'resetAfter' });
	const run = await create(ids, { ...RETRY, onError: 'continueRegularOutput' });
	expect(jsonOf(run.items)[0].message).toContain('may have been carried out');
	for (const id of ids) expect(listNotes(id)).toHaveLength(1);
	expect(requests.sent()).toHaveLength(3);
});

it.each<[string, object, number]>([
	['are not sent again after one was refused', {}, 1],
	['are sent again if they are one transaction', { IsTransactional: true }, 2],
])('several commands %s', async (_, more, count) => {
	const [order] = orders(1);
	const Entity = { EntityType: 'WoNote', WorkOrderId: order, Body: 'text', NoteTypeId: 'Public' };
	const Commands = [
		{ $type: 'CreateCommand', Entity },
		{ $type: 'WoCancelCommand', WorkOrderId: order },
	];
	requests.fault(rejection('/cmd/CompositeCommand', { ErrorMessage: 'No reason' }, { times: 2 }));
	const form = {
		commandName: byName('CompositeCommand'),
		commandBody: { Commands, ...more },
	};
	const { error } = await n8n.run('command:execute', form, RETRY_ONCE);
	expect(error?.message).toBe(quoteRefusal('No reason'));
	expect(/may have been carried out/.test(String(error?.description))).toBe(count === 1);
	expect(requests.writes()).toHaveLength(count);
});

it.each([
	[
		'of one item among several is named at the end of the message, once for all tries',
		3,
		/"x" \[item 1\]$/,
	],
	['of the only item is not named', 1, /[^\]]$/],
])('an index %s', async (_, count, message) => {
	const ids = count === 1 ? ['x'] : [...orders(1), 'x', ...orders(1)];
	const run = await create(ids, RETRY);
	expect(run.error?.message).toMatch(message);
});

it('a retry leaves nothing behind for the next run', async () => {
	const [id] = orders(1);
	for (const count of [1, 2]) {
		await create([id], RETRY);
		expect(listNotes(id)).toHaveLength(count);
	}
});

// Promise: A run that stops sends nothing more
it('a run that stops reports what had been carried out', async () => {
	const ids = orders(4);
	requests.fault(rejection(writes, { ErrorMessage: 'No' }, { after: 2 }));
	const { error } = await create(ids);
	const notes = ids.slice(0, 2).map((id) => listNotes(id)[0].Id);
	expect(error?.description).toContain(
		`Counted from 1, this is item 3 of 4. 2 of 4 items had been carried out before (ID ${notes.join(', ')}).`,
	);
});

it('a bulk change names its orders by their numbers, without a request for them', async () => {
	const ids = orders(4);
	for (const [index, StatusId] of ['Open', 'Open', 'Paused', 'Open'].entries()) {
		records.change('WorkOrder', ids[index], { StatusId });
	}
	const [first, second, third] = ids.map((id) => String(records.get('WorkOrder', id).Number));
	const found = ids.map((Id) => ({ json: { Id, Number: records.get('WorkOrder', Id).Number } }));
	const form = { id: byId('={{ $json.Id }}'), reason: byId(41) };
	const hold = async (onError?: 'continueErrorOutput') =>
		await n8n.run('workOrder:hold', form, { items: structuredClone(found) as never, onError });
	const { error } = await hold();
	expect(error?.message).toMatch(/'Paused'.* \[item 2\]$/);
	expect(error?.description).toContain(
		`Counted from 1, this is item 3 of 4: ${third}. 2 of 4 items had been carried out before (${first}, ${second}).`,
	);
	expect(requests.paths()).toEqual(Array(3).fill('POST cmd/WoOnHoldCommand'));
	records.change('WorkOrder', ids[0], { StatusId: 'Open' });
	const { errorItems } = await hold('continueErrorOutput');
	const said = errorItems.map(({ json }) => /Counted from 1, .+$/.exec(String(json.message))?.[0]);
	expect(said).toEqual([
		`Counted from 1, this is item 2 of 4: ${second}.`,
		`Counted from 1, this is item 3 of 4: ${third}.`,
	]);
});

it.each([
	[50, /51 items had been carried out before \(ID (\d+, ){49}\d+\)\.$/],
	[51, /52 items had been carried out before \(ID (\d+, ){50}…\)\.$/],
])('a run that stops after %d items reports at most fifty IDs', async (count, ids) => {
	const [id] = orders(1);
	requests.fault({ ...refused, after: count, body: {} });
	const { error } = await create(Array.from({ length: count + 1 }, () => id));
	expect(error?.description).toMatch(ids);
});

it('a failure names the other items whose answers were lost as well, once in all tries', async () => {
	const ids = orders(4);
	requests.fault({ match: writes, after: 1, times: 3, kind: 'empty' });
	const options = { advanced: { parallelRequests: 4 } };
	const { error } = await create(ids, RETRY, { options });
	for (const id of ids) expect(listNotes(id)).toHaveLength(1);
	const text = String(error?.description);
	expect(text.match(/1 of 4 items had been carried out before/g)).toHaveLength(1);
	expect(text).toMatch(
		/2 other items may have been carried out, too \(item (1, 2|1, 3|1, 4|2, 3|2, 4|3, 4), counted from 1\)\.$/,
	);
});

it('a failed read reports nothing as carried out', async () => {
	requests.fault(rejection('/query/WorkOrder', { ErrorMessage: 'No' }, { after: 1 }));
	const { error } = await n8n.run('workOrder:getMany', { limit: 1 }, { items: itemsOf(1, 2) });
	expect(error?.message).toBe(`${quoteRefusal('No')} [item 1]`);
	expect(error?.description).not.toContain('carried out');
});

it('a write returns its answer when the record cannot be read afterwards', async () => {
	const [id] = orders(1);
	requests.fault(rejection({ method: 'GET' }, { ErrorMessage: 'No' }));
	const run = await create([id], {}, { options: { returnRecord: true } });
	const [made] = listNotes(id);
	expect(jsonOf(run.items)).toEqual([some({ Id: made.Id })]);
	expect(hintsOf(run).join()).toContain('could not be read afterwards');
});
