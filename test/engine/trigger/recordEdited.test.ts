/** Record Added, Edited or Deleted (by Comparison): all records of an entity, compared with what they were. */
import type { IDataObject } from 'n8n-workflow';

import type { Row, SandboxOptions } from '../../../sandbox';
import { createSnapshot, pack, unpack } from '../../../nodes/Corrigo/trigger/comparison/snapshot';
import { activate, loadNodes, type Active } from '../../support/activeTrigger';
import { byName, idsOf, rejection, some, where } from '../../support/company';

let active: Active;

/** Activates the trigger for contacts or other records, which learns what is there. */
async function start(parameters: object = {}, options: SandboxOptions = {}) {
	const contacts = { event: 'recordEdited', entity: byName('Contact') };
	active = await activate({ ...contacts, ...parameters }, { workOrders: 5, ...options });
	expect(await active.poll()).toEqual([]);
	return active;
}

const anyKey = expect.any(String) as unknown;

const AT_LEAST_ONCE = { options: { delivery: 'atLeastOnce' } };

/** The workflow as n8n loads it after it was killed, with the state that it has stored. */
const restart = (staticData = active.state(), and?: object) =>
	active.load({ activation: 'init', staticData: { ...staticData, process: 'another' }, and });

const add = (LastName = 'New') => active.insert('Contact', { LastName });
const edit = (id: number, LastName = 'A') => active.change('Contact', id, { LastName });

/** Requests fail after so many others. */
const failAfter = (after: number, times = 99) =>
	active.sandbox.fault(rejection({ server: 'api' }, undefined, { after, times }));

const changesIn = (items: IDataObject[]) => items.map(({ Id, Change }) => [Id, Change]);

it('returns each record that is added, edited, deleted or restored once, as it is now', async () => {
	const { poll, store } = await start();
	const [edited, removed, gone] = store.ids('Contact');
	edit(edited, 'A');
	edit(edited, 'B');
	store.change('Contact', removed, { IsRemoved: true });
	store.remove('Contact', gone);
	const Id = add('New');
	expect(await poll()).toEqual([
		some({ Id: edited, LastName: 'B', Change: 'edited' }),
		{ EntityType: 'Contact', Id: removed, Change: 'deleted', ChangeKey: anyKey },
		{ EntityType: 'Contact', Id: gone, Change: 'deleted', ChangeKey: anyKey },
		some({ Id, LastName: 'New', Change: 'added' }),
	]);
	expect(await poll()).toEqual([]);

	store.change('Contact', removed, { IsRemoved: false });
	store.remove('Contact', Id);
	expect(changesIn(await poll())).toEqual([
		[removed, 'added'],
		[Id, 'deleted'],
	]);
	expect(await poll()).toEqual([]);
});

it('returns records that begin or cease to pass the conditions as added or deleted', async () => {
	const { poll, store } = await start(where('Comment', 'Manager'));
	const [one, other] = store.ids('Contact');
	const promote = (id: number, Comment: string) => store.change('Contact', id, { Comment });
	promote(one, 'Manager');
	expect(changesIn(await poll())).toEqual([[one, 'added']]);
	promote(one, 'Director');
	promote(other, 'Manager');
	expect(changesIn(await poll())).toEqual([
		[one, 'deleted'],
		[other, 'added'],
	]);
	expect(changesIn(await poll(where('Comment', 'Director')))).toEqual([
		[one, 'added'],
		[other, 'deleted'],
	]);
});

it('an edit is none if it is undone while the record does not pass the conditions', async () => {
	const conditions = where('LastName', 'Away', 'NotEqual');
	const { poll, store, duringPoll } = await start({ compare: ['FirstName'], ...conditions });
	const [{ Id, FirstName, LastName }] = store.rows('Contact');
	const change = (values: object) => active.change('Contact', Id, values);
	change({ FirstName: 'Other' });
	duringPoll(() => change({ LastName: 'Away' }));
	expect(await poll()).toEqual([]);
	change({ FirstName, LastName });
	expect(await poll()).toEqual([]);
	change({ FirstName: 'Other' });
	expect(changesIn(await poll())).toEqual([[Id, 'edited']]);
});

it('returns only the changes that are chosen, and reads no others', async () => {
	const { poll, store, sent } = await start({ changes: ['deleted'] });
	const [edited, removed] = store.ids('Contact');
	const pages = sent();
	edit(edited, 'A');
	add();
	expect(await poll()).toEqual([]);
	expect(sent()).toBe(pages);
	store.remove('Contact', removed);
	expect(changesIn(await poll())).toEqual([[removed, 'deleted']]);
	edit(edited, 'B');
	expect(changesIn(await poll({ changes: ['added', 'edited'] }))).toEqual([[edited, 'edited']]);
});

describe('records without a version', () => {
	const notes = { entity: byName('Note'), output: 'raw' };
	const note = { ActorTypeId: 'Customer', ActorId: 1, NoteText: 'one', IsResolved: false };

	it('are compared by all of their properties', async () => {
		const { poll, store } = await start(notes);
		const { Id } = store.insert('Note', { ...note });
		expect(await poll()).toMatchObject([{ Id, NoteText: 'one', Change: 'added' }]);
		store.change('Note', Id, { IsResolved: true });
		expect(await poll()).toMatchObject([{ Id, IsResolved: true, Change: 'edited' }]);
		expect(await poll()).toEqual([]);
		store.remove('Note', Id);
		expect(changesIn(await poll())).toEqual([[Id, 'deleted']]);
	});

	it('are compared by the chosen properties alone, which no other item has', async () => {
		const selected = { output: 'selected', properties: ['IsResolved'] };
		const { poll, store } = await start({ ...notes, compare: ['NoteText'], ...selected });
		expect(active.queriesOf('Note')[0]).toMatchObject({
			PropertySet: { Properties: ['Id', 'NoteText'] },
		});
		const { Id } = store.insert('Note', { ...note });
		expect(await poll()).toEqual([{ Id, IsResolved: false, Change: 'added', ChangeKey: anyKey }]);
		store.change('Note', Id, { IsResolved: true });
		expect(await poll()).toEqual([]);
		store.change('Note', Id, { NoteText: 'two' });
		expect(await poll()).toEqual([
			{ Id, IsResolved: true, ChangedFields: ['NoteText'], Change: 'edited', ChangeKey: anyKey },
		]);
	});
});

// Promise: An edit names the compared fields that differ
it('names the compared fields that were edited, and shows earlier values of those that are chosen', async () => {
	const compare = ['LastName', 'FirstName', 'CustomerId', 'ContactAddresses.*'];
	const { poll, store } = await start({
		compare,
		valuesBefore: ['LastName', 'CustomerId'],
	});
	const [{ Id, LastName, CustomerId }, other] = store.rows('Contact');
	const Before = { LastName, CustomerId };
	edit(Id, 'A');
	store.change('ContactInfo', 1, { ActorId: Id, Address: 'a@b.c' });
	store.remove('Contact', other.Id);
	const added = add();
	const [edited, gone, last] = await poll();
	expect(edited).toMatchObject({ ChangedFields: ['ContactAddresses.*', 'LastName'], Before });
	expect(gone).toMatchObject({ Change: 'deleted', Before: { LastName: other.LastName } });
	expect(Object.keys(last)).not.toContain('Before');
	store.change('Contact', added, { FirstName: 'B' });
	expect(await restart()()).toMatchObject([
		{ ChangedFields: ['FirstName'], Before: { LastName: 'New' } },
	]);

	// The digest of a field says nothing of its value, which is kept from the next poll on.
	const valuesBefore = ['FirstName'];
	const rename = (FirstName: string) => store.change('Contact', added, { FirstName });
	rename('C');
	expect(await poll({ valuesBefore })).toMatchObject([
		{ ChangedFields: ['FirstName'], Before: {} },
	]);
	rename('D');
	expect(await poll()).toMatchObject([{ Before: { FirstName: 'C' } }]);
});

it('compares custom fields as they are stored', async () => {
	const { poll, store } = await start({ compare: ['CustomFields.Value'] });
	const [Id] = store.ids('Contact');
	const field = { ActorTypeId: 'LeaseUser', Name: 'Load', Type: 'Decimal' };
	const descriptor = store.insert('CustomFieldDescriptor', field).Id;
	const row = { Descriptor: { Id: descriptor }, ObjectTypeId: 'LeaseUser', ObjectId: Id };
	const own = store.insert('CustomField2', { ...row, Value: '12.50' }).Id;
	expect(changesIn(await poll())).toEqual([[Id, 'edited']]);
	store.change('CustomField2', own, { Value: '12.5' });
	expect(changesIn(await poll())).toEqual([[Id, 'edited']]);
	expect(await poll()).toEqual([]);
});

it('what an earlier release has stored goes on, without the fields of the first edit', async () => {
	const { state, load, store } = await start({ compare: ['LastName', 'FirstName'] });
	const [first, second] = store.ids('Contact');
	const known = unpack(state().records) ?? createSnapshot();
	const records = pack({ ...known, fields: new Map() });
	const poll = load({ staticData: { ...state(), records, process: 'another' } });
	edit(first, 'A');
	expect(await poll()).toMatchObject([{ Id: first, Change: 'edited', ChangedFields: null }]);
	edit(first, 'B');
	edit(second, 'B');
	expect(await poll()).toMatchObject([
		{ Id: first, ChangedFields: ['LastName'] },
		{ Id: second, ChangedFields: ['LastName'] },
	]);
});

it('goes on without the fields if they take more than 1 MB, and says so once', async () => {
	const compare = ['LastName', 'Comment'];
	const { poll, store, warnings, state } = await start({ compare, valuesBefore: ['Comment'] });
	const [Id] = store.ids('Contact');
	store.change('Contact', Id, { Comment: 'x'.repeat(1_000_000) });
	expect(await poll()).toMatchObject([{ ChangedFields: ['Comment'] }]);
	edit(Id, 'A');
	expect(await poll()).toMatchObject([{ Id, ChangedFields: null, Before: {} }]);
	expect(JSON.stringify(state()).length).toBeLessThan(2000);
	expect(warnings).toEqual([expect.stringContaining('exceeds 1 MB')]);
});

it('compares records that have a version by chosen properties, too, in any order', async () => {
	const { poll, store, warnings } = await start({ compare: ['Comment', 'LastName'] });
	const [Id] = store.ids('Contact');
	store.change('Contact', Id, { FirstName: 'A' });
	expect(await poll({ compare: ['LastName', 'Comment'] })).toEqual([]);
	expect(warnings).toEqual([]);
	edit(Id, 'B');
	expect(changesIn(await poll())).toEqual([[Id, 'edited']]);
});

it('compares rows next to all properties, whatever their order', async () => {
	const { poll, store, queriesOf } = await start({ compare: ['*', 'ContactAddresses.*'] });
	expect(queriesOf('Contact')[0]).toMatchObject({
		PropertySet: { Properties: ['*', 'ContactAddresses.*'] },
	});
	const [Id] = store.ids('Contact');
	const rows = [
		{ Id: 1, Address: 'a@example.com' },
		{ Id: 2, Address: 'b@example.com' },
	];
	store.change('Contact', Id, { ContactAddresses: rows });
	expect(changesIn(await poll())).toEqual([[Id, 'edited']]);
	store.rows('Contact')[0].ContactAddresses = [...rows].reverse();
	expect(await poll()).toEqual([]);
});

it.each<[string, object]>([
	['entity', { entity: byName('Customer') }],
	['properties to compare', { compare: ['LastName'] }],
	['event', { event: 'record' }],
])('starts over with another choice of %s, and says so in the log', async (_, another) => {
	const { poll, store, warnings } = await start();
	edit(store.ids('Contact')[0]);
	store.change('Customer', store.ids('Customer')[0], { Name: 'A' });
	expect(await poll(another)).toEqual([]);
	expect(warnings).toEqual([expect.stringContaining('starts over')]);
});

it.each<[string, (state: IDataObject) => IDataObject]>([
	['gone', ({ feed }) => ({ feed })],
	['cut off', ({ feed, records }) => ({ feed, records: String(records).slice(0, -9) })],
	['another text', ({ feed }) => ({ feed, records: 'AAAAAAAA' })],
])('starts over and warns where what was stored is %s', async (_, spoil) => {
	const { tryPoll, load, state, store } = await start();
	const [first, second] = store.ids('Contact');
	edit(first);
	// Another process knows only what is stored.
	const settings = { name: 'Another' };
	const { items, staticData, warnings } = await tryPoll({ staticData: spoil(state()), settings });
	expect(items).toBeNull();
	expect(warnings).toEqual([expect.stringContaining('starts over')]);
	edit(second);
	expect(changesIn(await load({ staticData })())).toEqual([[second, 'edited']]);
});

it('adds Change at the beginning, ChangeKey and Lag at the end, with another key each time that a record leaves', async () => {
	const options = { delivery: 'atLeastOnce', lag: true };
	const { poll, store } = await start({ ...where('Id', 0, 'GreaterThan'), options });
	const [Id] = store.ids('Contact');
	const keys: unknown[] = [];
	// The record itself stays as it is.
	for (const lowest of [Id, 0, Id, 0]) {
		const [item] = await poll(where('Id', lowest, 'GreaterThan'));
		expect(Object.keys(item).indexOf('Change')).toBeLessThan(3);
		expect(Object.keys(item).slice(-2)).toEqual(['ChangeKey', 'Lag']);
		expect(item).toMatchObject({ Id, Lag: null });
		keys.push(item.ChangeKey);
	}
	expect(new Set(keys).size).toBe(4);
	expect(keys[0]).toMatch(new RegExp(`^Contact ${Id} deleted `));
});

it.each<[string, string, (id: number) => number, (id: number) => unknown]>([
	['the edit of a record that was added', 'edited', () => add(), (id) => edit(id)],
	[
		'the deletion of a record that was added',
		'deleted',
		() => add(),
		(id) => active.store.remove('Contact', id),
	],
	[
		'the return of a record that was deleted',
		'added',
		(id) => (active.change('Contact', id, { IsRemoved: true }), id),
		(id) => active.change('Contact', id, { IsRemoved: false }),
	],
])('returns %s before n8n restarted', async (_, name, change, then) => {
	const { load, store } = await start({ changes: [name] });
	const poll = load();
	expect(await poll()).toEqual([]);
	const id = change(store.ids('Contact')[0]);
	expect(await poll()).toEqual([]);
	then(id);
	const { CorrigoTrigger: trigger } = await loadNodes();
	const again = load({ activation: 'init', staticData: poll.stored(), trigger: new trigger() });
	expect(changesIn(await again())).toEqual([[id, name]]);
	expect(await again()).toEqual([]);
});

it('returns no record that other conditions find as edited', async () => {
	const { state, store } = await start({ changes: ['edited'], ...where('Comment', 'Manager') });
	store.change('Contact', store.ids('Contact')[0], { Comment: 'Director' });
	expect(await restart(state(), where('Comment', 'Director'))()).toEqual([]);
});

it('keeps what a second look has confirmed if the next one fails', async () => {
	const { poll, sandbox } = await start();
	const added = Array.from({ length: 1200 }, () => add());
	const found: unknown[] = [];
	for (let polls = 1; found.length < added.length; polls++) {
		expect(polls).toBeLessThan(5);
		failAfter(4);
		const items = await poll({ options: { batchSize: 5000 } });
		sandbox.clearFaults();
		expect(items.length).toBeGreaterThan(0);
		found.push(...idsOf(items));
	}
	expect(found).toEqual(added);
});

it('a second look without an answer says that a smaller Batch Size helps, and is tried again', async () => {
	const { poll, tryPoll, store, sandbox, sent } = await start();
	const ids = store.ids('Contact').slice(0, 3);
	for (const id of ids) edit(id);
	sandbox.fault({ kind: 'hang', match: { server: 'api' }, after: 2 });
	const { error } = await tryPoll({ budgetMs: 1000 });
	expect(error).toMatchObject({
		message: 'Corrigo did not answer in time',
		description: expect.stringContaining("Lower 'Batch Size'") as string,
	});
	expect(sent()).toBe(3);
	sandbox.clearFaults();
	const options = { batchSize: 2 };
	expect(idsOf([...(await poll({ options })), ...(await poll({ options }))])).toEqual(ids);
});

it('goes on after the page before one that fails', async () => {
	const { poll, load, sandbox, sent } = await start({}, { mostRows: 100 });
	const added = Array.from({ length: 220 }, () => add());
	// The second request finds out the page limit.
	failAfter(3, 1);
	const first = await poll();
	expect(first.length).toBeGreaterThan(0);
	sandbox.clearFaults();
	expect(idsOf([...first, ...(await poll())])).toEqual(added);

	const next = load();
	await next();
	sandbox.forgetRequests();
	await next();
	const pages = sent();
	failAfter(3);
	// The second poll begins before the first has ended.
	const polls = await Promise.allSettled([next(), next()]);
	expect(polls).toMatchObject([
		{ reason: { message: 'Corrigo refused the request' } },
		{ value: [] },
	]);
	sandbox.clearFaults();
	sandbox.forgetRequests();
	expect(await next()).toEqual([]);
	expect(sent()).toBe(pages - 2);
});

it('takes one request for the changes of all pages, and one for the names of their customers', async () => {
	const { poll, store, sent } = await start({}, { mostRows: 100 });
	for (let count = 0; count < 250; count++) add();
	await poll();
	await poll();
	const pages = sent();
	const some = store.ids('Contact').filter((_, index) => index % 60 === 0);
	for (const id of some) edit(id);
	expect(changesIn(await poll())).toEqual(some.map((id) => [id, 'edited']));
	expect(sent()).toBe(pages + 2);
});

it('a Company with 9,000 records takes a request for each 4,000, and two for changes', async () => {
	const { poll, store, sent, state } = await start();
	while (store.count('Contact') < 9000) add();
	await poll({ options: { batchSize: 20_000 } });
	expect(await poll()).toEqual([]);
	expect(sent()).toBe(3);
	const [Id] = store.ids('Contact');
	edit(Id);
	expect(changesIn(await poll())).toEqual([[Id, 'edited']]);
	// The second one is for the names of customers.
	expect(sent()).toBe(3 + 2);
	expect(JSON.stringify(state()).length).toBeLessThan(30_000);
});

it.each<[string, object, Partial<Row>]>([
	['added', {}, { Change: 'added' }],
	['edited', { changes: ['edited', 'deleted'] }, { Change: 'edited' }],
	['deleted', { changes: ['deleted'] }, { Change: 'deleted', EntityType: 'Contact' }],
])('a manual test shows recent records as %s', async (_, changes, expected) => {
	const { store, test } = await start(AT_LEAST_ONCE);
	const shown = await test(changes);
	const Id = store.ids('Contact').at(-1);
	const ChangeKey = `Test Contact ${Id} ${String(expected.Change)}`;
	expect(shown.at(-1)).toMatchObject({ ...expected, Id, ChangeKey });
	expect(shown).toHaveLength(10);
});

it('wrong settings are refused before any request, naming the field', async () => {
	const { tryPoll, sent } = await activate({ event: 'recordEdited', entity: byName('Contact') });
	const wrong: Array<[object, object]> = [
		[{ entity: byName('') }, { message: expect.stringContaining("'Entity'") }],
		[{ entity: byName('Attachment') }, { description: 'Use Document.' }],
		[
			{ entity: byName('AssetTree') },
			{ message: expect.stringContaining('several records share an ID') },
		],
		[
			{ compare: ['LastName', 'Nickname'] },
			{ message: '\'Compare Field Names or IDs\' has "Nickname", which Contact does not have' },
		],
		...[[], ['LastName'], ['*', 'FirstName']].map((compare): [object, object] => [
			{ compare, valuesBefore: ['FirstName'] },
			{ message: expect.stringContaining('not among the compared fields') },
		]),
		[
			{ changes: ['moved'] },
			{ message: '\'Changes\' must be one of added, edited, deleted, but it is "moved"' },
		],
		[where('LastName', 'x', 'About'), { message: expect.stringContaining('Operator') }],
	];
	for (const [and, error] of wrong) {
		expect(await tryPoll({ and })).toMatchObject({ error });
	}
	expect(sent()).toBe(0);
});
