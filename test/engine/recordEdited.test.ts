/** Record Added, Edited or Deleted: all records of an entity, compared with what they were. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { Row, SandboxOptions } from '../../sandbox';
import { activate, loadTrigger, type Active } from './activeTrigger';
import { byName, isLimitProbe, jsonOf } from './desk';
import { HOST_VERSION } from './host';

const OLD_HOST = HOST_VERSION.startsWith('2.0.');

let active: Active;

afterEach(async () => await active.sandbox.close());

/** Activates the trigger, which learns what is there. */
async function start(parameters: object, options: SandboxOptions = {}) {
	active = await activate({ event: 'recordEdited', ...parameters }, { workOrders: 5, ...options });
	expect(await active.poll()).toEqual([]);
	return { ...active, store: active.sandbox.store };
}

const contacts: INodeParameters = { entity: byName('Contact') };
const notes: INodeParameters = { entity: byName('Note'), output: 'raw' };

const changesIn = (items: IDataObject[]) => items.map(({ Id, Change }) => [Id, Change]);

const queriesOf = (entity: string) =>
	active.sandbox
		.requestsTo('api')
		.filter((one) => one.path === `/api/v1/query/${entity}` && !isLimitProbe(one))
		.map(({ body }) => (body as { QueryExpression: IDataObject }).QueryExpression);

/** Conditions of the form. */
const where = (property: string, operator: string, value: unknown) =>
	({
		searchBy: 'conditions',
		conditions: { values: [{ property: byName(property), operator, value }] },
	}) as unknown as INodeParameters;

it('returns each record that is added, edited, deleted or restored once, as it is now', async () => {
	const { poll, store } = await start(contacts);
	const [edited, removed, gone] = store.rows('Contact');
	store.change('Contact', edited.Id, { LastName: 'A' });
	store.change('Contact', edited.Id, { LastName: 'B' });
	store.change('Contact', removed.Id, { IsRemoved: true });
	store.remove('Contact', gone.Id);
	const { Id } = store.insert('Contact', { LastName: 'New' });
	const items = await poll();
	expect(items).toMatchObject([
		{ Id: edited.Id, LastName: 'B', Change: 'edited' },
		{ Id: removed.Id, Change: 'deleted' },
		{ Id: gone.Id, Change: 'deleted' },
		{ Id, LastName: 'New', Change: 'added' },
	]);
	expect(items[1]).toEqual({ EntityType: 'Contact', Id: removed.Id, Change: 'deleted' });
	expect(await poll()).toEqual([]);

	store.change('Contact', removed.Id, { IsRemoved: false });
	store.remove('Contact', Id);
	expect(changesIn(await poll())).toEqual([
		[removed.Id, 'added'],
		[Id, 'deleted'],
	]);
	expect(await poll()).toEqual([]);
});

it('returns records that begin or cease to pass the conditions as added or deleted', async () => {
	const only = where('Comment', 'Equal', 'Manager');
	const { poll, store } = await start({ ...contacts, ...only });
	const [one, other] = store.rows('Contact');
	const promote = (id: number, Comment: string) => store.change('Contact', id, { Comment });
	promote(one.Id, 'Manager');
	expect(changesIn(await poll())).toEqual([[one.Id, 'added']]);
	promote(one.Id, 'Director');
	promote(other.Id, 'Manager');
	expect(changesIn(await poll())).toEqual([
		[one.Id, 'deleted'],
		[other.Id, 'added'],
	]);
	expect(changesIn(await poll(where('Comment', 'Equal', 'Director')))).toEqual([
		[one.Id, 'added'],
		[other.Id, 'deleted'],
	]);
});

it('returns only the changes that are chosen, and reads no others', async () => {
	const { poll, store, sent } = await start({ ...contacts, changes: ['deleted'] });
	const [edited, removed] = store.rows('Contact');
	const pages = sent();
	store.change('Contact', edited.Id, { LastName: 'A' });
	store.insert('Contact', { LastName: 'New' });
	expect(await poll()).toEqual([]);
	expect(sent()).toBe(pages);
	store.remove('Contact', removed.Id);
	expect(changesIn(await poll())).toEqual([[removed.Id, 'deleted']]);
	store.change('Contact', edited.Id, { LastName: 'B' });
	expect(changesIn(await poll({ changes: ['added', 'edited'] }))).toEqual([[edited.Id, 'edited']]);
});

describe('records without a version', () => {
	const note = (text: string) => ({
		ActorTypeId: 'Customer',
		ActorId: 1,
		NoteText: text,
		IsResolved: false,
	});

	it('are compared by all of their properties', async () => {
		const { poll, store } = await start(notes);
		const { Id } = store.insert('Note', note('one'));
		expect(await poll()).toMatchObject([{ Id, NoteText: 'one', Change: 'added' }]);
		store.change('Note', Id, { IsResolved: true });
		expect(await poll()).toMatchObject([{ Id, IsResolved: true, Change: 'edited' }]);
		expect(await poll()).toEqual([]);
		store.remove('Note', Id);
		expect(changesIn(await poll())).toEqual([[Id, 'deleted']]);
	});

	it('are compared by the chosen properties alone, which no other item has', async () => {
		const chosen = {
			...notes,
			compare: ['NoteText'],
			output: 'selected',
			properties: ['IsResolved'],
		};
		const { poll, store } = await start(chosen);
		expect(queriesOf('Note')[0]).toMatchObject({ PropertySet: { Properties: ['Id', 'NoteText'] } });
		const { Id } = store.insert('Note', note('one'));
		expect(await poll()).toEqual([{ Id, IsResolved: false, Change: 'added' }]);
		store.change('Note', Id, { IsResolved: true });
		expect(await poll()).toEqual([]);
		store.change('Note', Id, { NoteText: 'two' });
		expect(await poll()).toEqual([{ Id, IsResolved: true, Change: 'edited' }]);
	});
});

it('compares records that have a version by chosen properties, too', async () => {
	const { poll, store } = await start({ ...contacts, compare: ['Comment', 'LastName'] });
	const [{ Id }] = store.rows('Contact');
	store.change('Contact', Id, { FirstName: 'A' });
	expect(await poll()).toEqual([]);
	store.change('Contact', Id, { LastName: 'B' });
	expect(changesIn(await poll())).toEqual([[Id, 'edited']]);
});

it('compares rows next to all properties, whatever their order', async () => {
	const { poll, store } = await start({ ...contacts, compare: ['*', 'ContactAddresses.*'] });
	expect(queriesOf('Contact')[0]).toMatchObject({
		PropertySet: { Properties: ['*', 'ContactAddresses.*'] },
	});
	const [{ Id }] = store.rows('Contact');
	const rows = [
		{ Id: 1, Address: 'a@example.com' },
		{ Id: 2, Address: 'b@example.com' },
	];
	store.change('Contact', Id, { ContactAddresses: rows });
	expect(changesIn(await poll())).toEqual([[Id, 'edited']]);
	store.rows('Contact')[0].ContactAddresses = [...rows].reverse();
	expect(await poll()).toEqual([]);
});

it.each<[string, INodeParameters]>([
	['entity', { entity: byName('Customer') }],
	['properties to compare', { compare: ['LastName'] }],
	['event', { event: 'record' }],
])('starts over with another choice of %s, and says so in the log', async (_, another) => {
	const { poll, store, warnings } = await start(contacts);
	store.change('Contact', store.rows('Contact')[0].Id, { LastName: 'A' });
	store.change('Customer', store.rows('Customer')[0].Id, { Name: 'A' });
	expect(await poll(another)).toEqual([]);
	expect(warnings).toEqual([expect.stringContaining('starts over')]);
});

it('compares the same after the properties to compare are put in another order', async () => {
	const { poll, warnings } = await start({ ...contacts, compare: ['Comment', 'LastName'] });
	expect(await poll({ compare: ['LastName', 'Comment'] })).toEqual([]);
	expect(warnings).toEqual([]);
});

it.each<[string, (state: IDataObject) => IDataObject]>([
	['gone', ({ feed }) => ({ feed })],
	['cut off', ({ feed, records }) => ({ feed, records: String(records).slice(0, -9) })],
	['another text', ({ feed }) => ({ feed, records: 'AAAAAAAA' })],
])('starts over and warns where what was stored is %s', async (_, spoil) => {
	const { state, store, sandbox } = await start(contacts);
	store.change('Contact', store.rows('Contact')[0].Id, { LastName: 'A' });
	const parameters = { event: 'recordEdited', ...contacts };
	const { items, staticData, warnings } = await active.engine.poll('corrigoTrigger', {
		parameters,
		staticData: spoil(state()),
	});
	expect(items).toBeNull();
	expect(warnings).toEqual([expect.stringContaining('starts over')]);
	store.change('Contact', store.rows('Contact')[1].Id, { LastName: 'B' });
	const again = await loadTrigger(sandbox, parameters, { staticData })();
	expect(changesIn(again)).toEqual([[store.rows('Contact')[1].Id, 'edited']]);
});

it('returns links with the names of both records', async () => {
	const { poll, store } = await start({ entity: byName('LinkUserAndTeam') });
	store.insert('LinkUserAndTeam', { UserId: 325, TeamId: 2 });
	expect(await poll()).toMatchObject([
		{ User: { DisplayAs: 'Mechanical Partners, Inc.' }, Change: 'added' },
	]);
});

it('adds ChangeKey, Lag and Change in this order, with another key each time that a record leaves', async () => {
	const options = { delivery: 'atLeastOnce', lag: true };
	const { poll, store } = await start({ ...contacts, ...where('Id', 'GreaterThan', 0), options });
	const Id = store.ids('Contact')[0];
	const keys: unknown[] = [];
	// The record itself stays as it is.
	for (const lowest of [Id, 0, Id, 0]) {
		const [item] = await poll(where('Id', 'GreaterThan', lowest));
		expect(Object.keys(item).slice(-3)).toEqual(['ChangeKey', 'Lag', 'Change']);
		expect(item).toMatchObject({ Id, Lag: null });
		keys.push(item.ChangeKey);
	}
	expect(new Set(keys).size).toBe(4);
	expect(keys[0]).toMatch(new RegExp(`^Contact ${Id} deleted `));
});

it('returns the last changes again with the same keys after n8n was killed', async () => {
	const parameters = {
		event: 'recordEdited',
		...contacts,
		options: { delivery: 'atLeastOnce' },
	} as INodeParameters;
	const { poll, state, store, sandbox } = await start(parameters);
	const [one, other] = store.rows('Contact');
	store.change('Contact', one.Id, { LastName: 'A' });
	store.remove('Contact', other.Id);
	const items = await poll();
	expect(items).toHaveLength(2);
	const killed = { ...state(), process: 'another' };
	const again = loadTrigger(sandbox, parameters, { activation: 'init', staticData: killed });
	expect(await again()).toEqual(items);
	expect(await again()).toEqual([]);
});

// Older hosts have no such scheduler.
if (!OLD_HOST) {
	it("returns changes again if n8n's durable scheduler has discarded them with the state", async () => {
		const { poll, tryPoll, store } = await start({
			...contacts,
			options: { delivery: 'atLeastOnce' },
		});
		const polled = { activation: 'update', budgetMs: 36_000 } as const;
		await poll({}, polled.budgetMs);
		const { Id } = store.insert('Contact', { LastName: 'New' });
		const discarded = await tryPoll(polled);
		expect(changesIn(jsonOf(discarded.items ?? []))).toEqual([[Id, 'added']]);
		expect(changesIn(await poll({}, polled.budgetMs))).toEqual([[Id, 'added']]);
		expect(await poll({}, polled.budgetMs)).toEqual([]);
	});
}

const ABOUT_EDITS = { event: 'recordEdited', ...contacts, changes: ['edited'] } as INodeParameters;

it('returns the edit of a record that was added before n8n restarted', async () => {
	const { poll, state, store, sandbox } = await start(ABOUT_EDITS);
	const stored = { ...state(), process: 'another' };
	const { Id } = store.insert('Contact', { LastName: 'New' });
	expect(await poll()).toEqual([]);
	store.change('Contact', Id, { LastName: 'B' });
	const again = loadTrigger(sandbox, ABOUT_EDITS, { activation: 'init', staticData: stored });
	expect(changesIn(await again())).toEqual([[Id, 'edited']]);
	store.insert('Contact', { LastName: 'Newer' });
	expect(await again()).toEqual([]);
});

it('returns no record that other conditions find as edited', async () => {
	const parameters = (comment: string) => ({
		...ABOUT_EDITS,
		...where('Comment', 'Equal', comment),
	});
	const { state, store, sandbox } = await start(parameters('Manager'));
	store.change('Contact', store.ids('Contact')[0], { Comment: 'Director' });
	const staticData = { ...state(), process: 'another' };
	const other = loadTrigger(sandbox, parameters('Director'), { staticData });
	expect(await other()).toEqual([]);
});

it.each<[string, (store: Active['sandbox']['store'], id: number) => unknown, string]>([
	['addition', (store) => store.insert('Contact', { LastName: 'New' }).Id, 'deleted'],
	['deletion', (store, id) => store.change('Contact', id, { IsRemoved: true }), 'added'],
])('returns what undoes an %s while n8n is down, with delivery at least once', async (...one) => {
	const [, change, name] = one;
	const parameters = {
		event: 'recordEdited',
		...contacts,
		options: { delivery: 'atLeastOnce' },
	} as INodeParameters;
	const { poll, state, store, sandbox } = await start(parameters);
	change(store, store.ids('Contact')[0]);
	const [{ Id }] = await poll();
	if (name === 'deleted') store.remove('Contact', Number(Id));
	else store.change('Contact', Number(Id), { IsRemoved: false });
	const killed = { ...state(), process: 'another' };
	const again = loadTrigger(sandbox, parameters, { activation: 'init', staticData: killed });
	expect(changesIn(await again())).toEqual([[Id, name]]);
});

it('takes no missing row of a page for a deleted record', async () => {
	const { poll, store, sandbox } = await start(contacts);
	const page = { kind: 'wrongShape', body: { Entities: [] }, match: { server: 'api' } } as const;
	sandbox.fault(page);
	expect(await poll()).toEqual([]);
	const [{ Id }] = store.rows('Contact');
	store.remove('Contact', Id);
	expect(changesIn(await poll())).toEqual([[Id, 'deleted']]);
});

it('keeps what a second look has confirmed if the next one fails', async () => {
	const { poll, store, sandbox } = await start(contacts);
	const added = Array.from({ length: 1200 }, () => store.insert('Contact', { LastName: 'x' }).Id);
	const found: unknown[] = [];
	for (let polls = 1; found.length < added.length; polls++) {
		expect(polls).toBeLessThan(5);
		sandbox.fault({ kind: 'status', status: 400, match: { server: 'api' }, after: 4, times: 99 });
		const items = await poll({ options: { batchSize: 5000 } });
		sandbox.clearFaults();
		expect(items.length).toBeGreaterThan(0);
		found.push(...items.map(({ Id }) => Id));
	}
	expect(found).toEqual(added);
});

// Older hosts allow five minutes, whatever the test sets.
if (!OLD_HOST) {
	it('a second look without an answer says that a smaller Batch Size helps, and is tried again', async () => {
		const { poll, tryPoll, store, sandbox, sent } = await start(contacts);
		const ids = store.ids('Contact').slice(0, 3);
		for (const id of ids) store.change('Contact', id, { LastName: 'A' });
		sandbox.fault({ kind: 'hang', match: { server: 'api' }, after: 2 });
		const { error } = await tryPoll({ budgetMs: 1000 });
		expect(error).toMatchObject({
			message: 'Corrigo did not answer in time',
			description: expect.stringContaining("Lower 'Batch Size'") as string,
		});
		expect(sent()).toBe(3);
		sandbox.clearFaults();
		const options = { batchSize: 2 };
		const found = [...(await poll({ options })), ...(await poll({ options }))];
		expect(found.map(({ Id }) => Id)).toEqual(ids);
	});
}

it('goes on after the page before one that fails', async () => {
	const { poll, store, sandbox, sent } = await start(contacts, { mostRows: 50 });
	const added = Array.from({ length: 120 }, () => store.insert('Contact', { LastName: 'x' }).Id);
	sandbox.fault({ kind: 'status', status: 400, match: { server: 'api' }, after: 2 });
	const first = await poll();
	expect(first.length).toBeGreaterThan(0);
	sandbox.clearFaults();
	const rest = await poll();
	expect([...first, ...rest].map(({ Id }) => Id)).toEqual(added);

	const parameters = { event: 'recordEdited', ...contacts };
	const next = loadTrigger(sandbox, parameters, { staticData: active.state() });
	await next();
	sandbox.forgetRequests();
	await next();
	const pages = sent();
	sandbox.fault({ kind: 'status', status: 400, match: { server: 'api' }, after: 2, times: 99 });
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

it('takes two requests for the changes of all pages', async () => {
	const { poll, store, sent } = await start(contacts, { mostRows: 50 });
	for (let count = 0; count < 250; count++) store.insert('Contact', { LastName: 'x' });
	await poll();
	await poll();
	const pages = sent();
	const some = store.ids('Contact').filter((_, index) => index % 60 === 0);
	for (const id of some) store.change('Contact', id, { LastName: 'A' });
	expect(changesIn(await poll())).toEqual(some.map((id) => [id, 'edited']));
	expect(sent()).toBe(pages + 2);
});

it('returns up to Batch Size changes, and the others with the next polls', async () => {
	const { poll, store } = await start({ ...contacts, options: { batchSize: 3 } });
	const ids = store
		.rows('Contact')
		.slice(0, 7)
		.map(({ Id }) => Id);
	for (const id of ids) store.change('Contact', id, { LastName: 'A' });
	const found = [await poll(), await poll(), await poll()];
	expect(found.map((items) => items.length)).toEqual([3, 3, 1]);
	expect(found.flat().map(({ Id }) => Id)).toEqual(ids);
	expect(await poll()).toEqual([]);
});

it('polls that overlap return each change once', async () => {
	const { store, sandbox, state } = await start(contacts);
	const parameters = { event: 'recordEdited', ...contacts };
	const poll = loadTrigger(sandbox, parameters, { staticData: state() });
	const [{ Id }] = store.rows('Contact');
	store.change('Contact', Id, { LastName: 'A' });
	const found = await Promise.all([poll(), poll(), poll()]);
	expect(changesIn(found.flat())).toEqual([[Id, 'edited']]);
});

it('returns each change once when the workflow is published again while a poll runs', async () => {
	const { store, sandbox, state } = await start(contacts);
	const parameters = { event: 'recordEdited', ...contacts };
	const [{ Id }] = store.rows('Contact');
	store.change('Contact', Id, { LastName: 'A' });
	const load = () => loadTrigger(sandbox, parameters, { staticData: state() });
	const [before, after] = [load(), load()];
	const running = before();
	expect(await after()).toEqual([]);
	expect(changesIn(await running)).toEqual([[Id, 'edited']]);
	expect(await after()).toEqual([]);
	store.remove('Contact', Id);
	expect(changesIn(await after())).toEqual([[Id, 'deleted']]);
});

it('a Company with 9,000 records takes a request for each 4,000 and one more, and two for changes', async () => {
	const { poll, store, sent, state } = await start(contacts);
	const missing = 9000 - store.count('Contact');
	for (let count = 0; count < missing; count++) store.insert('Contact', { LastName: 'x' });
	await poll({ options: { batchSize: 20_000 } });
	expect(await poll()).toEqual([]);
	expect(sent()).toBe(3 + 1);
	const [{ Id }] = store.rows('Contact');
	store.change('Contact', Id, { LastName: 'A' });
	expect(changesIn(await poll())).toEqual([[Id, 'edited']]);
	expect(sent()).toBe(3 + 1 + 2);
	expect(JSON.stringify(state()).length).toBeLessThan(30_000);
});

it.each<[string, INodeParameters, Partial<Row>]>([
	['added', {}, { Change: 'added' }],
	['edited', { changes: ['edited', 'deleted'] }, { Change: 'edited' }],
	['deleted', { changes: ['deleted'] }, { Change: 'deleted', EntityType: 'Contact' }],
])('a manual test shows recent records as %s', async (_, changes, expected) => {
	const { store, tryPoll } = await start({ ...contacts, options: { delivery: 'atLeastOnce' } });
	const { items } = await tryPoll({ mode: 'manual', and: changes });
	const shown = jsonOf(items ?? []);
	const Id = store.rows('Contact').at(-1)?.Id as number;
	const ChangeKey = `Test Contact ${Id} ${String(expected.Change)}`;
	expect(shown.at(-1)).toMatchObject({ ...expected, Id, ChangeKey });
	expect(shown).toHaveLength(10);
});

it('wrong settings are refused before any request, naming the field', async () => {
	active = await activate({ event: 'recordEdited' });
	const refusal = async (and: INodeParameters) => (await active.tryPoll({ and })).error;
	expect((await refusal({}))?.message).toContain("'Entity'");
	expect(await refusal({ entity: byName('Attachment') })).toMatchObject({
		description: 'Use Document.',
	});
	expect((await refusal({ entity: byName('AssetTree') }))?.message).toContain(
		'several records share an ID',
	);
	expect(await refusal({ ...contacts, compare: ['LastName', 'Nickname'] })).toMatchObject({
		message: '\'Compare Field Names or IDs\' has "Nickname", which Contact does not have',
	});
	expect((await refusal({ ...contacts, changes: ['moved'] }))?.message).toBe(
		'\'Changes\' must be one of added, edited, deleted, but it is "moved"',
	);
	expect((await refusal({ ...contacts, ...where('LastName', 'About', 'x') }))?.message).toContain(
		'Operator',
	);
	expect(active.sent()).toBe(0);
});
