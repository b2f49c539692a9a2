/**
 * Several events in one node return what one node for each of them returns. The same changes happen to
 * all, in one order; what items hold varies.
 */
import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { toUtcText } from '../../../nodes/Corrigo/feed/cursor';
import {
	events,
	isCombinable,
	listEventNames,
	type EventName,
} from '../../../nodes/Corrigo/trigger/events';
import type { Row } from '../../../sandbox';
import { previousStatus } from '../../../sandbox/base/actionDetails';
import { logAction, SERVICE_ACTOR } from '../../../sandbox/base/actionLog';
import { SERVICE_USER } from '../../../sandbox/seed/lookups';
import { countHistories } from '../../cases';
import { activate, loadNodes, loadTrigger, openCompany } from '../../support/activeTrigger';
import { byId, rejection, where } from '../../support/company';
import { forLoggedEvents } from '../../support/loggedEvents';

const combinable = listEventNames(isCombinable);

/** Fields of single events, which apply to these alone. */
const OWN: INodeParameters = {
	actionTypes: ['PickUp', 'Start', 'Complete', 'APInvStatus'],
	statuses: ['Completed', 'InProgress'],
	apStatuses: { values: [{ status: byId(2) }] } as unknown as INodeParameters,
};

/** A created order is an action here. */
const single = (event: EventName): INodeParameters =>
	event === 'workOrderCreated'
		? { ...OWN, event: 'workOrderAction', actionTypes: ['Create'] }
		: { ...OWN, event };
const several = (chosen: EventName[]): INodeParameters => ({
	...OWN,
	event: 'severalEvents',
	events: chosen,
});

type Company = Awaited<ReturnType<typeof openCompany>>;

const COLLEAGUE = { Id: 2, TypeId: 'Employee', DisplayAs: 'Colleague at the desktop' };

/** Someone adds a note or a document. */
function attach(company: Company, entity: 'Document' | 'WoNote', { Id }: Row, by: object): void {
	const { insert, now, sandbox, store } = company;
	const at = new Date(now()).toISOString();
	const UiTypeId = by === COLLEAGUE ? 'Corp' : 'IntegrationWS';
	if (entity === 'Document') {
		insert(entity, { ActorTypeId: 'WO', ActorId: Id, UpdatedDate: at, UpdatedBy: by });
		return;
	}
	const ObjectId = insert(entity, { WorkOrderId: Id, CreatedDate: at, CreatedBy: by });
	const order = store.get('WorkOrder', Id) as Row;
	logAction(sandbox.world, order, { TypeId: 'Note', ObjectId, UiTypeId, Actor: by });
}

/** A second person starts, which does not change the status. */
const REPEATED_START = { TypeId: 'Start', details: previousStatus('InProgress') };

/** Makes a change for each event, and some that are several events. */
function makeChanges(company: Company): void {
	const { store, sandbox, ordersIn, person, pass, insert } = company;
	const [made] = ordersIn('New');
	const [own, visited, failed] = ordersIn('Open');
	const [employee] = store.rows('Employee');
	const vendor = store.rows('Employee').find((one) => one.ActorTypeId === 'Provider') as Row;
	person({});
	const attachAll = () => {
		for (const by of [COLLEAGUE, SERVICE_ACTOR]) {
			for (const order of [made, failed]) {
				pass(1000);
				attach(company, 'WoNote', order, by);
				attach(company, 'Document', order, by);
				pass(1000);
			}
		}
		insert('Document', { ActorTypeId: 'Asset', ActorId: 1, UpdatedDate: at() });
	};
	const at = () => new Date(company.now()).toISOString();
	attachAll();
	const logged = Object.values(forLoggedEvents((...types) => types)).flat();
	for (const TypeId of [...logged, 'Message']) {
		logAction(sandbox.world, made, { TypeId });
	}
	for (const VendorInvoiceStatusId of [2, 3]) {
		person({ id: made.Id, command: 'ApStatusChangeCommand', members: { VendorInvoiceStatusId } });
	}
	person({ id: made.Id, command: 'WoAssignCommand', members: { Assignees: [employee.Id] } });
	person({ id: made.Id, command: 'WoPickUpCommand' });
	for (const command of ['WoStartCommand', 'WoPauseCommand']) {
		person({ id: visited.Id, command, actor: vendor.Id });
		person({ id: own.Id, command });
	}
	logAction(sandbox.world, own, REPEATED_START);
	const inOrder = { WorkOrderId: failed.Id, Index: 1 };
	const { Id: WoProcedureId } = store.insert('WoProcedure', { ...inOrder, DisplayAs: 'Door' });
	const step = { ...inOrder, Description: 'The door closes', WoProcedureId };
	store.insert('WoProcedureStep', { ...step, Flag: { Id: 2 } });
	for (const { Id } of [failed, own]) {
		person({ id: Id, command: 'WoStartCommand' });
		person({ id: Id, command: 'WoCompleteCommand' });
	}
	attachAll();
}

/** Polls nodes with these parameters before and after the same changes. */
async function pollAll(all: INodeParameters[]) {
	const company = await openCompany({});
	const { sandbox, requests } = company;
	const polls = all.map((one, index) => loadTrigger(sandbox, one, { id: String(index) }));
	for (const poll of polls) expect(await poll()).toEqual([]);
	makeChanges(company);
	const found = [];
	for (const poll of polls) {
		sandbox.forgetRequests();
		const items = await poll();
		found.push({ items, requests: requests().length });
	}
	return { store: company.store, found };
}

const TIMES: Readonly<Record<string, string>> = {
	Document: 'UpdatedDate',
	WoActionLog: 'SystemDateUtc',
	WoNote: 'CreatedDate',
};

/** Returns the entity, the ID and the time of the row that an item comes from. */
function readRow({ store }: Pick<Company, 'store'>, { ChangeKey }: IDataObject) {
	const [entity, id] = String(ChangeKey).split(' ');
	const time = toUtcText(store.get(entity, Number(id))?.[TIMES[entity]]);
	return { entity, id: Number(id), time: String(time) };
}

/** Expects items in order of time, and those of one entity in order of their rows. */
function expectInOrder(company: Pick<Company, 'store'>, items: IDataObject[]): void {
	const rows = items.map((item) => readRow(company, item));
	const times = rows.map(({ time }) => time);
	expect(times).toEqual([...times].sort());
	for (const entity of Object.keys(TIMES)) {
		const ids = rows.filter((row) => row.entity === entity).map(({ id }) => id);
		expect(ids).toEqual([...ids].sort((a, b) => a - b));
	}
}

/** The limit of an invoice is shown with all orders if one of the events is about invoices. */
const hideLimit = (item: IDataObject): IDataObject =>
	JSON.parse(
		JSON.stringify(item, (name, value: unknown) => (name === 'VendorNte' ? undefined : value)),
	) as IDataObject;

/** Shows an item of one node for one event as it is among several. */
const nameItem =
	(event: EventName) =>
	({ ChangeKey, ...item }: IDataObject): IDataObject => ({
		...{ Event: events[event].name, ...hideLimit(item) },
		ChangeKey: `${String(ChangeKey)} ${events[event].name}`,
	});

it.each([
	...['both', 'event', 'record'].map((returns) => ({ output: 'simplified', returns })),
	{ output: 'raw' },
	{ ...where('StatusId', ['Completed', 'InProgress'], 'In') },
	{ ignoreApi: true, options: { lag: false } },
	{ ignoreChangesBy: { values: [{ employee: byId(SERVICE_USER.Id) }] }, returns: 'event' },
])('several events are those of one node for each, with %j', async (common: object) => {
	const nodes = [several(combinable), ...combinable.map(single)].map((one) => ({
		...one,
		...common,
	}));
	const { store, found: all } = await pollAll(nodes);
	const [together, ...apart] = all;
	const expected = apart.map(({ items }, index) => items.map(nameItem(combinable[index])));
	const found = combinable.map((event) =>
		together.items.filter(({ Event }) => Event === events[event].name).map(hideLimit),
	);
	expect(found).toEqual(expected);
	const notMade = combinable.filter((_, index) => expected[index].length === 0);
	const place = 'no change of these is in makeChanges';
	if ('output' in common) expect({ [place]: notMade }).toEqual({ [place]: [] });
	expect(together.items).toHaveLength(expected.flat().length);
	expectInOrder({ store }, together.items);
	const keys = together.items.map(({ ChangeKey }) => ChangeKey);
	expect(new Set(keys).size).toBe(keys.length);
	const sum = apart.reduce((all, { requests }) => all + requests, 0);
	expect(together.requests).toBeLessThan(sum / 2);
});

/** How an order goes on from a status. */
const NEXT_COMMANDS: Readonly<Record<string, string[]>> = {
	New: ['WoPickUpCommand'],
	Open: ['WoStartCommand'],
	InProgress: ['WoPauseCommand', 'WoCompleteCommand'],
	Paused: ['WoStartCommand'],
	Completed: ['WoReopenCommand'],
};

interface Step {
	do: 'approve' | 'assign' | 'attach' | 'create' | 'flag' | 'log' | 'work';
	which: number;
	/** One of several ways to do it. */
	way: number;
	/** The seconds that pass before. */
	after: number;
}

function happen(company: Company, step: Step): void {
	const { store, sandbox, orders, person, pass } = company;
	const all = orders().filter((one) => String(one.StatusId) in NEXT_COMMANDS);
	const order = all[step.which % all.length];
	const { Id, StatusId } = order;
	const [employee] = store.rows('Employee');
	const vendor = store.rows('Employee').find((one) => one.ActorTypeId === 'Provider');
	const change = (command: string, members: IDataObject) => person({ id: Id, command, members });
	const VendorInvoiceStatusId = 2 + (step.way % 2);
	const inOrder = { WorkOrderId: Id, Index: 1 };
	const commands = NEXT_COMMANDS[String(StatusId)] ?? [];
	const command = commands[step.way % commands.length];
	const TypeId = ['EstimateRejected', 'QuoteSubmitted', 'Message', 'Start'][step.way % 4];
	const action = TypeId === 'Start' ? REPEATED_START : { TypeId };
	const ways: Record<Step['do'], () => unknown> = {
		approve: () => change('ApStatusChangeCommand', { VendorInvoiceStatusId }),
		assign: () =>
			StatusId !== 'Completed' && change('WoAssignCommand', { Assignees: [employee.Id] }),
		attach: () => attach(company, step.way % 2 === 0 ? 'WoNote' : 'Document', order, COLLEAGUE),
		create: () => person({}),
		flag: () => {
			const { Id: WoProcedureId } = store.insert('WoProcedure', inOrder);
			store.insert('WoProcedureStep', { ...inOrder, WoProcedureId, Flag: { Id: 2 } });
		},
		log: () => logAction(sandbox.world, store.get('WorkOrder', Id) as Row, action),
		work: () => command && person({ id: Id, command, ...(step.way > 2 && { actor: vendor?.Id }) }),
	};
	pass(step.after * 1000);
	ways[step.do]();
}

const step: fc.Arbitrary<Step> = fc.record({
	do: fc.constantFrom(
		'approve',
		'assign',
		'attach',
		'attach',
		'create',
		'flag',
		'log',
		'work',
		'work',
	),
	which: fc.nat(3),
	way: fc.nat(5),
	after: fc.constantFrom(0, 0, 1, 100),
});
/** Something happens between two polls. */
interface Round {
	steps: Step[];
	/** The entity that cannot be read at the first poll. */
	broken?: string;
	/** True if another process takes over, with the state that n8n has stored. */
	restarts: boolean;
}

const round: fc.Arbitrary<Round> = fc.record({
	steps: fc.array(step, { maxLength: 6 }),
	broken: fc.option(fc.constantFrom(...Object.keys(TIMES)), { nil: undefined }),
	restarts: fc.boolean(),
});
const rounds = fc.array(round, { minLength: 1, maxLength: 4 });
const sizes = fc.constantFrom(1, 2, 5000);
const numRuns = countHistories(5, 100);

jest.setTimeout(60_000 + numRuns * 10_000);

/** The node as two processes of n8n have loaded it, which take over from each other. */
const processes: Array<Awaited<ReturnType<typeof loadNodes>>> = [];

beforeAll(async () => {
	while (processes.length < 2) processes.push(await loadNodes());
});

/** A node through both processes. */
function follow({ sandbox }: Company, parameters: INodeParameters, id: string) {
	let process = 0;
	let staticData: IDataObject = {};
	const load = () => {
		const trigger = new processes[process].CorrigoTrigger();
		return loadTrigger(sandbox, parameters, { id, staticData, trigger });
	};
	let poll = load();
	const batches: IDataObject[][] = [];
	return {
		batches,
		async poll(): Promise<void> {
			batches.push(await poll());
		},
		restart(): void {
			staticData = poll.stored() ?? staticData;
			process = 1 - process;
			poll = load();
		},
	};
}

const dropRepeated = (items: IDataObject[]): IDataObject[] => {
	const keys = items.map(({ ChangeKey }) => ChangeKey);
	return items.filter(({ ChangeKey }, index) => keys.indexOf(ChangeKey) === index);
};

// Promise: A node for several events returns what a node for each of them returns
it('several events are those of one node for each, in every history and whatever Batch Size is', async () => {
	const chosen = fc.shuffledSubarray(combinable, { minLength: 1 });
	const deliveries = fc.constantFrom('once', 'atLeastOnce');
	await fc.assert(
		fc.asyncProperty(rounds, chosen, sizes, deliveries, async (all, names, batchSize, delivery) => {
			const company = await openCompany({ workOrders: 8 });
			const { sandbox } = company;
			const common = { returns: 'event', options: { batchSize, delivery } };
			const nodes = [several(names), ...names.map(single)].map((one, index) =>
				follow(company, { ...one, ...common }, String(index)),
			);
			const [together, ...apart] = nodes;
			const pollEach = async () => {
				for (const node of nodes) await node.poll();
			};
			// After a restart, a node looks again at what it has left out, and an order may have a flag then.
			const isFixed = all.some(({ restarts }) => restarts);
			const count = () => nodes.flatMap(({ batches }) => batches.flat()).length;
			await pollEach();
			for (const { steps, broken, restarts } of all) {
				for (const one of steps) if (!isFixed || one.do !== 'flag') happen(company, one);
				if (restarts) for (const node of nodes) node.restart();
				if (broken !== undefined) {
					sandbox.fault(rejection(`/query/${broken}`, { Message: 'No' }, { times: 99 }));
					// A feed that is not followed is not read.
					await together.poll().catch(({ message }: Error) => {
						expect(message).toContain('Corrigo refused the request');
					});
					sandbox.clearFaults();
				}
				// Items show records as they are, so what Batch Size has left comes before these change again.
				for (let before = -1; before < count(); ) {
					before = count();
					await pollEach();
				}
			}
			const repeats = delivery === 'atLeastOnce';
			const batches = together.batches;
			for (const batch of repeats ? [] : batches) expectInOrder(company, batch);
			const inMenu = combinable.filter((name) => names.includes(name));
			const expected = inMenu.flatMap((name) =>
				apart[names.indexOf(name)].batches.flat().map(nameItem(name)),
			);
			const found = batches.flat().map(hideLimit);
			for (const entity of Object.keys(TIMES)) {
				const isOwn = (item: IDataObject) => readRow(company, item).entity === entity;
				const readPlace = (item: IDataObject) =>
					readRow(company, item).id * 100 +
					inMenu.findIndex((name) => events[name].name === item.Event);
				const own = dropRepeated(expected).filter(isOwn);
				own.sort((a, b) => readPlace(a) - readPlace(b));
				const once = repeats ? dropRepeated(found) : found;
				expect(once.filter(isOwn)).toEqual(own);
				const rows = batches.map((batch) => [
					...new Set(batch.filter(isOwn).map((item) => readRow(company, item).id)),
				]);
				if (!repeats) expect(new Set(rows.flat()).size).toBe(rows.flat().length);
				expect(Math.max(...rows.map(({ length }) => length))).toBeLessThanOrEqual(batchSize);
			}
			await sandbox.close();
		}),
		{ numRuns, endOnFailure: !process.env.SHRINK },
	);
});

/** A workflow that is published again with each of the parameters, and keeps its state. */
async function publishEach() {
	const company = await openCompany({});
	let staticData: IDataObject = {};
	return {
		...company,
		async publish(parameters: object): Promise<IDataObject[]> {
			const all = { returns: 'event', ...parameters };
			const poll = loadTrigger(company.sandbox, all, { staticData });
			const items = await poll();
			staticData = poll.stored() ?? staticData;
			return items;
		},
		state: () => staticData,
		setState: (state: IDataObject) => (staticData = state),
	};
}

it('a node goes on from its place when it changes from one event to several, and when one is added', async () => {
	const { person, ordersIn, pass, publish } = await publishEach();
	const [{ Id }] = ordersIn('Open');
	const work = (command: string) => (pass(600_000), person({ id: Id, command }));
	await publish({ event: 'workOrderCompleted' });
	work('WoStartCommand');
	work('WoCompleteCommand');
	expect(await publish({ event: 'workOrderCompleted' })).toMatchObject([{ TypeId: 'Complete' }]);
	person({});
	const two = { event: 'severalEvents', events: ['workOrderCompleted', 'workOrderCreated'] };
	expect(await publish(two)).toMatchObject([{ Event: 'Work Order Created' }]);
	work('WoReopenCommand');
	const three = { ...two, events: [...two.events, 'workOrderEnteredStatus'], statuses: ['New'] };
	expect(await publish(three)).toMatchObject([
		{ Event: 'Work Order Entered Status', TypeId: 'Reopen' },
	]);
});

const ACTIONS = { event: 'severalEvents', events: ['workOrderAssigned', 'workOrderAction'] };
const ALL = { ...ACTIONS, events: [...ACTIONS.events, 'noteAdded', 'documentAdded'] };
const NOTES = { ...ACTIONS, events: ['noteAdded'] };

/** Makes an action, a note with an action, and a document, and returns the names of the events. */
function makeOneOfEach(company: Company): string[] {
	const [order] = company.ordersIn('Open');
	company.pass(600_000);
	attach(company, 'WoNote', order, COLLEAGUE);
	company.pass(1000);
	attach(company, 'Document', order, COLLEAGUE);
	company.pass(1000);
	logAction(company.sandbox.world, order, { TypeId: 'Message' });
	return ['Work Order Action', 'Note Added', 'Document Added', 'Work Order Action'];
}

const listEvents = (items: IDataObject[]) => items.map(({ Event }) => Event);

it('notes begin where a new trigger would when they are chosen, and actions go on', async () => {
	const company = await publishEach();
	const { publish, state } = company;
	const onlyActions = () => makeOneOfEach(company).filter((name) => name === 'Work Order Action');
	await publish(ACTIONS);
	onlyActions();
	const both = ['Work Order Action', 'Work Order Action'];
	expect(listEvents(await publish(ALL))).toEqual(both);
	const all = makeOneOfEach(company);
	expect(listEvents(await publish(ALL))).toEqual(all);
	makeOneOfEach(company);
	expect(listEvents(await publish(NOTES))).toEqual(['Note Added']);
	expect(state().edge).toBeUndefined();
	makeOneOfEach(company);
	// The notes of a node without notes are forgotten, and its actions begin.
	expect(await publish(ACTIONS)).toEqual([]);
	expect(state().feeds).toBeUndefined();
	onlyActions();
	expect(listEvents(await publish(ALL))).toEqual(both);
	makeOneOfEach(company);
	expect(listEvents(await publish(ALL))).toEqual(all);
});

it('notes that are chosen later begin at Start Time', async () => {
	const company = await publishEach();
	const from = { startFrom: 'time', startTime: new Date(company.now()).toISOString() };
	const all = makeOneOfEach(company);
	const actions = all.filter((name) => name === 'Work Order Action');
	expect(listEvents(await company.publish({ ...ACTIONS, ...from }))).toEqual(actions);
	const others = ['Note Added', 'Document Added'];
	expect(listEvents(await company.publish({ ...ALL, ...from }))).toEqual(others);
	expect(await company.publish({ ...ALL, ...from })).toEqual([]);
});

it('goes on from the state of a version without notes and documents', async () => {
	const company = await publishEach();
	const { publish, state, setState, now, store } = company;
	await publish(ACTIONS);
	const { feed } = state();
	const time = new Date(now()).toISOString().replace('Z', '0000');
	const edge = `${String(store.ids('WoActionLog').at(-1))} ${time}`;
	const old = { feed, selection: '1', polled: time, lead: 0, edge, newest: edge, known: '' };
	const expected = makeOneOfEach(company);
	setState({ ...old, process: 'a process', revision: Date.now() + 1000 });
	expect(listEvents(await publish(ALL))).toEqual([expected[0], expected[3]]);
	makeOneOfEach(company);
	expect(listEvents(await publish(ALL))).toEqual(expected);
	expect(state()).toMatchObject({ feed, edge: expect.any(String) as string });
	expect(Object.keys(state().feeds as object)).toEqual(['Document', 'WoNote']);
});

it('starts notes over, says so and goes on elsewhere when their place cannot be read', async () => {
	const active = await activate({ ...ALL, returns: 'event' });
	await active.poll();
	const state = active.state();
	// The process knows of no such state.
	state.revision = Number(state.revision) + 1000;
	(state.feeds as IDataObject).WoNote = { edge: 'gone', newest: 'gone', known: 'gone' };
	const expected = makeOneOfEach(active).filter((name) => name !== 'Note Added');
	expect(listEvents(await active.poll())).toEqual(expected);
	expect(active.warnings).toEqual([expect.stringContaining('starts over')]);
	expect(listEvents(await active.poll())).toEqual([]);
	const all = makeOneOfEach(active);
	expect(listEvents(await active.poll())).toEqual(all);
	expect(active.warnings).toHaveLength(1);
});

it.each(Object.keys(TIMES))(
	'keeps its place everywhere while %s cannot be read',
	async (entity) => {
		const company = await openCompany({});
		const { sandbox, requests } = company;
		const poll = loadTrigger(sandbox, { returns: 'event', ...ALL });
		await poll();
		sandbox.forgetRequests();
		expect(await poll()).toEqual([]);
		expect(requests()).toHaveLength(3);
		const expected = makeOneOfEach(company);
		sandbox.fault(rejection(`/query/${entity}`, { Message: 'No' }, { times: 99 }));
		const before = poll.state();
		await expect(poll()).rejects.toThrow('Corrigo refused the request');
		expect(poll.state()).toEqual(before);
		sandbox.clearFaults();
		expect(listEvents(await poll())).toEqual(expected);
		expect(await poll()).toEqual([]);
	},
);

it('returns the last changes of each feed again after a restart with At Least Once', async () => {
	const company = await openCompany({});
	const parameters = { ...ALL, returns: 'event', options: { delivery: 'atLeastOnce' } };
	const poll = loadTrigger(company.sandbox, parameters);
	await poll();
	makeOneOfEach(company);
	const items = await poll();
	const loading = { staticData: poll.stored(), trigger: new processes[1].CorrigoTrigger() };
	const again = loadTrigger(company.sandbox, parameters, { ...loading, activation: 'init' });
	const key = ({ ChangeKey }: IDataObject) => ChangeKey;
	expect((await again()).map(key)).toEqual(items.map(key));
	expect(await again()).toEqual([]);
});

it('shows the newest of all feeds in a test, in order of time', async () => {
	const active = await activate({ ...ALL, returns: 'event' });
	const expected = makeOneOfEach(active);
	const items = await active.test();
	expect(items).toHaveLength(10);
	expect(listEvents(items).slice(-expected.length)).toEqual(expected);
});
