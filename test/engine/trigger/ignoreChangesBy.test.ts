/** Triggers that leave out what some employees did, above all the user of their own credential. */
import type { INodeParameters } from 'n8n-workflow';

import {
	isOfAnyEntity,
	isPushed,
	listEventNames,
	type EventName,
} from '../../../nodes/Corrigo/trigger/events';
import type { Row } from '../../../sandbox';
import { logAction, SERVICE_ACTOR } from '../../../sandbox/base/actionLog';
import { SERVICE_USER } from '../../../sandbox/seed/lookups';
import type { Values } from '../../../sandbox/store/store';
import { cases } from '../../cases';
import { activate, type Active } from '../../support/activeTrigger';
import { byId, byName, idsOf } from '../../support/company';
import { forLoggedEvents, listMissingKinds } from '../../support/loggedEvents';

const ERP = { Id: 201, TypeId: 'Employee', DisplayAs: 'ERP' };
const CONTACT = { Id: SERVICE_USER.Id, TypeId: 'LeaseUser', DisplayAs: 'A tenant' };
const FOREIGN: Values[] = [
	// Another integration, through the same API.
	{ Actor: ERP },
	{ Actor: CONTACT, UiTypeId: 'Corp' },
	{ Actor: { Id: 2, TypeId: 'Employee', DisplayAs: 'Colleague' }, UiTypeId: 'Corp' },
	{ Actor: null, UiTypeId: 'Corp' },
];
const OWN: Values[] = [
	{ Actor: SERVICE_ACTOR },
	{ Actor: SERVICE_USER },
	{ Actor: { ...SERVICE_USER, TypeId: 'Provider', DisplayAs: 'Renamed' }, UiTypeId: 'Corp' },
];

const ignoring = (...employees: INodeParameters[]) => ({
	ignoreChangesBy: { values: employees.map((employee) => ({ employee })) },
});
const ownUser = ignoring(byId(SERVICE_USER.Id));

let active: Active;

const start = async (parameters: object) => (active = await activate(parameters));

const orders = () => active.orders();
const log = (order: Row, members: Values) => {
	active.pass(1000);
	logAction(active.sandbox.world, order, { TypeId: 'Message', ...members });
	return order.Id;
};

/** Makes a change of the event with these authors; returns what identifies its item. */
type Happens = (order: Row, members: Values) => unknown;

const note: Happens = ({ Id: WorkOrderId }, { Actor: CreatedBy }) =>
	active.insert('WoNote', { WorkOrderId, Body: 'x', CreatedBy });
const document: Happens = ({ Id: ActorId }, { Actor: UpdatedBy }) =>
	active.insert('Document', { ActorTypeId: 'WO', ActorId, UpdatedBy });
const logged =
	(TypeId: string): Happens =>
	(order, members) => {
		log(order, { ...members, TypeId });
		return active.store.ids('WoActionLog').at(-1);
	};
const orderItself =
	(TypeId: string): Happens =>
	(order, members) =>
		log(order, { ...members, TypeId });

const VENDORS = [{ Actor: { ...ERP, TypeId: 'Provider' } }];

/** Events with the field; those of visits count the changes of service providers alone. */
const eventCases: Partial<
	Record<EventName, { happens: Happens; and?: object; foreign?: Values[] }>
> = {
	...forLoggedEvents((type) => ({ happens: logged(type) })),
	documentAdded: { happens: document },
	noteAdded: { happens: note },
	vendorCheckedIn: { happens: logged('Start'), foreign: VENDORS },
	vendorCheckedOut: { happens: logged('Stop'), foreign: VENDORS },
	workOrderAction: { happens: logged('Message') },
	workOrderCreated: { happens: orderItself('Create') },
	workOrderEnteredStatus: { happens: logged('OnHold'), and: { statuses: ['OnHold'] } },
	workOrderUpdated: { happens: orderItself('Message') },
};

it('every kind of event that knows its author has a case', () => {
	const known = listEventNames((event) => isPushed(event) && !isOfAnyEntity(event));
	expect(listMissingKinds(known, Object.keys(eventCases) as EventName[])).toEqual([]);
});

// Promise: *Ignore Changes By* leaves out what these employees did and nothing else
it.each(Object.entries(eventCases))(
	'%s leaves out changes by an ignored employee, and no others',
	async (event, { happens, and = {}, foreign = FOREIGN }) => {
		const { poll } = await start({ event, returns: 'event', ...and, ...ownUser });
		expect(await poll()).toEqual([]);
		const expected = foreign.map((members, index) => happens(orders()[index], members));
		for (const members of OWN) happens(orders()[10], members);
		expect(idsOf(await poll())).toEqual(expected);
		expect(await poll()).toEqual([]);
	},
);

it('an order that others and an ignored employee changed is returned', async () => {
	const { poll } = await start({ event: 'workOrderUpdated', ...ownUser });
	await poll();
	const [first, second] = orders();
	log(first, FOREIGN[0]);
	log(first, {});
	log(second, {});
	expect(idsOf(await poll())).toEqual([first.Id]);
});

it('a document counts as made by whoever changed it last before the poll', async () => {
	const { poll, change } = await start({ event: 'documentAdded', returns: 'event', ...ownUser });
	expect(await poll()).toEqual([]);
	const [edited, read] = orders()
		.slice(0, 2)
		.map((order) => document(order, { Actor: ERP }));
	change('Document', Number(edited), { UpdatedBy: SERVICE_ACTOR });
	expect(idsOf(await poll())).toEqual([read]);
	for (const UpdatedBy of [ERP, SERVICE_ACTOR]) {
		for (const id of [edited, read]) change('Document', Number(id), { UpdatedBy });
		expect(await poll()).toEqual([]);
	}
});

it('several employees are ignored, by name, number or ID, and looked up once', async () => {
	const three = ignoring(byName(' web services user '), byName('E100'), byId(303));
	const { poll, store, read } = await start({
		event: 'workOrderAction',
		returns: 'event',
		...three,
	});
	await poll();
	const employees = store.rows('Employee').filter(({ Id }) => Id <= 304);
	for (const { Id, ActorTypeId: TypeId } of employees) {
		log(orders()[0], { Actor: { Id, TypeId }, Comment: String(Id) });
	}
	log(orders()[0], {});
	expect(idsOf(await poll(), 'Comment')).toEqual(['302', '304']);
	expect(read()).toEqual(['WoActionLog']);
});

it('an unknown employee is refused before the log is read', async () => {
	const { tryPoll, read } = await start({ event: 'workOrderAction' });
	for (const [employee, message] of [
		[byId(777_777), "'Ignore Changes By': no employee has the ID 777777"],
		[byName('Nobody at all'), `'Ignore Changes By': no employee is named "Nobody at all"`],
		[byId(''), "'Ignore Changes By' is empty"],
	] as const) {
		const { error } = await tryPoll({ and: ignoring(employee) });
		expect(error?.message).toBe(message);
	}
	expect(read()).not.toContain('WoActionLog');
});

// Promise: *Ignore Changes By* leaves out what these employees did and nothing else
it('two workflows that write to each other lose no foreign change and return none of their own, in hundreds of edits on both sides', async () => {
	const ROUNDS = cases(6, 20);
	const EDITS = 50;
	const event = { event: 'workOrderAction', returns: 'event', ...ownUser };
	const systems = [await start(event), await start(event)];
	const made: string[][] = [[], []];
	const written: string[][] = [[], []];
	const edit = (side: number, Comment: string, members: Values = {}) => {
		const { sandbox, orders: all, pass } = systems[side];
		const rows = all();
		if (made[side].length % 7 === 0) pass(900);
		const order = rows[(made[side].length * 13) % rows.length];
		logAction(sandbox.world, order, { TypeId: 'Message', ...members, Comment });
	};
	const colleagues = (side: number, count: number) => {
		for (let index = 0; index < count; index++) {
			const text = `edit ${made[side].length} on side ${side}`;
			edit(side, text, FOREIGN[made[side].length % FOREIGN.length]);
			made[side].push(text);
		}
	};
	/** What one side returns is written to the other one. */
	const synchronize = async (side: number) => {
		for (const { Comment } of await systems[side].poll()) {
			written[1 - side].push(String(Comment));
			edit(1 - side, String(Comment));
		}
	};
	for (const { poll } of systems) await poll();
	for (let round = 0; round < ROUNDS; round++) {
		[0, 1].forEach((side) => colleagues(side, EDITS / 2));
		const both = Promise.all([0, 1].map(synchronize));
		[0, 1].forEach((side) => colleagues(side, EDITS / 2));
		await both;
	}
	await Promise.all([0, 1].map(synchronize));
	expect(made.map(({ length }) => length)).toEqual([ROUNDS * EDITS, ROUNDS * EDITS]);
	expect([written[1].sort(), written[0].sort()]).toEqual(made.map((all) => all.sort()));
	for (const { poll } of systems) expect(await poll()).toEqual([]);
});
