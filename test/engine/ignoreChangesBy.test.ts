/** Triggers that leave out what some employees did, above all the user of their own credential. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { CorrigoWebhookTrigger } from '../../nodes/Corrigo/CorrigoWebhookTrigger.node';
import { listEventNames, type EventName } from '../../nodes/Corrigo/trigger/events';
import type { Row } from '../../sandbox';
import { logAction, SERVICE_ACTOR } from '../../sandbox/base/actionLog';
import { SERVICE_USER } from '../../sandbox/seed/lookups';
import type { Values } from '../../sandbox/store/store';
import { activate, type Active } from './activeTrigger';
import { byId, byName } from './desk';
import { listen } from './webhook';

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
	active.sandbox.store.insert('WoNote', { WorkOrderId, Body: 'x', CreatedBy }).Id;
const document: Happens = ({ Id: ActorId }, { Actor: UpdatedBy }) =>
	active.sandbox.store.insert('Document', { ActorTypeId: 'WO', ActorId, UpdatedBy }).Id;
const logged =
	(TypeId: string): Happens =>
	(order, members) => {
		log(order, { ...members, TypeId });
		return active.sandbox.store.ids('WoActionLog').at(-1);
	};
const orderItself =
	(TypeId: string): Happens =>
	(order, members) =>
		log(order, { ...members, TypeId });

const vendors = (members: Values): Values =>
	members.Actor === ERP ? { ...members, Actor: { ...ERP, TypeId: 'Provider' } } : members;

/** Events with the field; those of visits count the changes of service providers alone. */
const cases: Partial<Record<EventName, { happens: Happens; and?: object; foreign?: Values[] }>> = {
	documentAdded: { happens: document },
	invoiceEnteredApStatus: { happens: logged('APInvStatus') },
	noteAdded: { happens: note },
	estimateDecided: { happens: logged('EstimateRejected') },
	quoteSubmitted: { happens: logged('QuoteSubmitted') },
	vendorCheckedIn: { happens: logged('Start'), foreign: [vendors(FOREIGN[0])] },
	vendorCheckedOut: { happens: logged('Stop'), foreign: [vendors(FOREIGN[0])] },
	workOrderAction: { happens: logged('Message') },
	workOrderAssigned: { happens: logged('Assign') },
	workOrderCompleted: { happens: logged('Complete') },
	workOrderCreated: { happens: orderItself('Create') },
	workOrderEnteredStatus: { happens: logged('OnHold'), and: { statuses: ['OnHold'] } },
	workOrderUpdated: { happens: orderItself('Message') },
};

it('every event that knows its author has a case', () => {
	const known = listEventNames(
		({ author, actionTypes }) => author !== undefined || actionTypes !== undefined,
	);
	expect(Object.keys(cases).sort()).toEqual([...known].sort());
});

it.each(Object.entries(cases))(
	'%s leaves out changes by an ignored employee, and no others',
	async (event, { happens, and = {}, foreign = FOREIGN }) => {
		const { poll } = await start({ event, returns: 'event', ...and, ...ownUser });
		expect(await poll()).toEqual([]);
		const expected = foreign.map((members, index) => happens(orders()[index], members));
		for (const members of OWN) happens(orders()[10], members);
		const items = await poll();
		expect(items.map(({ Id }) => Id)).toEqual(expected);
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
	expect((await poll()).map(({ Id }) => Id)).toEqual([first.Id]);
});

it('several employees are ignored, by name, number or ID, and looked up once', async () => {
	const { poll, sandbox, read } = await start({
		event: 'workOrderAction',
		returns: 'event',
		...ignoring(byName(' web services user '), byName('E100'), byId(303)),
	});
	await poll();
	const employees = sandbox.store.rows('Employee').filter(({ Id }) => Id <= 304);
	for (const { Id, ActorTypeId: TypeId } of employees) {
		log(orders()[0], { Actor: { Id, TypeId }, Comment: String(Id) });
	}
	log(orders()[0], {});
	expect((await poll()).map(({ Comment }) => Comment)).toEqual(['302', '304']);
	expect(read()).toEqual(['WoActionLog']);
});

it('an unknown employee is refused before the log is read', async () => {
	const { tryPoll, read } = await start({ event: 'workOrderAction' });
	for (const [employee, message] of [
		[byId(777_777), "'Ignore Changes By': no employee has the ID 777777"],
		[byName('Nobody at all'), `'Ignore Changes By': no employee is named "Nobody at all"`],
		[byId(''), "'Ignore Changes By' is empty"],
	] as const) {
		const { error } = await tryPoll({ and: ignoring(employee) as unknown as INodeParameters });
		expect(error?.message).toBe(message);
	}
	expect(read()).not.toContain('WoActionLog');
});

it('pushes leave out changes by an ignored employee as well', async () => {
	await start({ event: 'workOrderUpdated' });
	const { sandbox } = active;
	const parameters = { event: 'workOrderUpdated', ...ownUser } as unknown as INodeParameters;
	const listener = await listen({ sandbox, parameters, node: CorrigoWebhookTrigger });
	try {
		await listener.activate();
		const [own, foreign] = orders();
		log(own, {});
		log(foreign, FOREIGN[0]);
		await listener.push([{ WorkOrderId: own.Id }, { WorkOrderId: foreign.Id }]);
		await listener.idle();
		expect(listener.items().map(({ Id }) => Id)).toEqual([foreign.Id]);
	} finally {
		await listener.close();
	}
});

describe('two workflows that write to each other', () => {
	const ROUNDS = 20;
	const EDITS = 50;
	it('lose no foreign change and return none of their own, in 1,000 edits on both sides', async () => {
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
			const items: IDataObject[] = await systems[side].poll();
			for (const { Comment } of items) {
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
});
