/**
 * Several events in one node return what one node for each of them returns. The same changes happen to
 * all, in one order; what items hold varies.
 */
import fc from 'fast-check';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import {
	events,
	isCombinable,
	listEventNames,
	type EventName,
} from '../../../nodes/Corrigo/trigger/events';
import type { Row } from '../../../sandbox';
import { previousStatus } from '../../../sandbox/base/actionDetails';
import { logAction } from '../../../sandbox/base/actionLog';
import { countHistories } from '../../cases';
import { loadTrigger, openCompany } from '../../support/activeTrigger';
import { byId, where } from '../../support/company';

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

/** A second person starts, which does not change the status. */
const REPEATED_START = { TypeId: 'Start', details: previousStatus('InProgress') };

/** Makes a change for each event, and some that are several events. */
function makeChanges({ store, sandbox, ordersIn, person }: Company): void {
	const [made] = ordersIn('New');
	const [own, visited, failed] = ordersIn('Open');
	const [employee] = store.rows('Employee');
	const vendor = store.rows('Employee').find((one) => one.ActorTypeId === 'Provider') as Row;
	person({});
	for (const TypeId of ['EstimateRejected', 'QuoteSubmitted', 'Message']) {
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
	return found;
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
])('several events are those of one node for each, with %j', async (common: object) => {
	const nodes = [several(combinable), ...combinable.map(single)].map((one) => ({
		...one,
		...common,
	}));
	const [together, ...apart] = await pollAll(nodes);
	const expected = apart.map(({ items }, index) => items.map(nameItem(combinable[index])));
	const found = combinable.map((event) =>
		together.items.filter(({ Event }) => Event === events[event].name).map(hideLimit),
	);
	expect(found).toEqual(expected);
	const counts = expected.map(({ length }) => length);
	if ('output' in common) expect(counts).not.toContain(0);
	expect(together.items).toHaveLength(expected.flat().length);
	// Items come in order of time, and those of one action in the order of the menu.
	const ids = together.items.map(({ ChangeKey }) => Number(String(ChangeKey).split(' ')[1]));
	expect(ids).toEqual([...ids].sort((a, b) => a - b));
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
	do: 'approve' | 'assign' | 'create' | 'flag' | 'log' | 'work';
	which: number;
	/** One of several ways to do it. */
	way: number;
	/** The seconds that pass before. */
	after: number;
}

function happen({ store, sandbox, orders, person, pass }: Company, step: Step): void {
	const all = orders().filter((one) => String(one.StatusId) in NEXT_COMMANDS);
	const { Id, StatusId } = all[step.which % all.length];
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
	do: fc.constantFrom('approve', 'assign', 'create', 'flag', 'log', 'work', 'work', 'work'),
	which: fc.nat(3),
	way: fc.nat(5),
	after: fc.constantFrom(0, 0, 1, 100),
});
const rounds = fc.array(fc.array(step, { maxLength: 6 }), { minLength: 1, maxLength: 4 });
const sizes = fc.constantFrom(1, 2, 5000);
const numRuns = countHistories(5, 100);

jest.setTimeout(60_000 + numRuns * 10_000);

// Promise: A node for several events returns what a node for each of them returns
it('several events are those of one node for each, in every history and whatever Batch Size is', async () => {
	const chosen = fc.shuffledSubarray(combinable, { minLength: 1 });
	await fc.assert(
		fc.asyncProperty(rounds, chosen, sizes, async (all, names, batchSize) => {
			const company = await openCompany({ workOrders: 8 });
			const common = { returns: 'event', options: { batchSize } };
			const polls = [several(names), ...names.map(single)].map((one, index) =>
				loadTrigger(company.sandbox, { ...one, ...common }, { id: String(index) }),
			);
			const found: IDataObject[][][] = polls.map(() => []);
			const pollEach = async () => {
				for (const [index, poll] of polls.entries()) found[index].push(await poll());
			};
			await pollEach();
			for (const steps of all) {
				for (const one of steps) happen(company, one);
				// Items show records as they are, so what Batch Size has left comes before these change again.
				for (let before = -1; before < found.flat(2).length; ) {
					before = found.flat(2).length;
					await pollEach();
				}
			}
			await company.sandbox.close();
			const [batches, ...apart] = found;
			const inMenu = combinable.filter((name) => names.includes(name));
			const expected = inMenu.flatMap((name) =>
				apart[names.indexOf(name)].flat().map(nameItem(name)),
			);
			const readPlace = ({ Id, Event }: IDataObject) =>
				Number(Id) * 100 + inMenu.findIndex((name) => events[name].name === Event);
			expected.sort((a, b) => readPlace(a) - readPlace(b));
			expect(batches.flat().map(hideLimit)).toEqual(expected);
			const actions = batches.map((batch) => [...new Set(batch.map(({ Id }) => Id))]);
			expect(new Set(actions.flat()).size).toBe(actions.flat().length);
			expect(Math.max(...actions.map(({ length }) => length))).toBeLessThanOrEqual(batchSize);
		}),
		{ numRuns, endOnFailure: !process.env.SHRINK },
	);
});

it('a node goes on from its place when it changes from one event to several, and when one is added', async () => {
	const company = await openCompany({});
	const { person, ordersIn, pass } = company;
	let staticData: IDataObject = {};
	const publish = async (parameters: object): Promise<IDataObject[]> => {
		const poll = loadTrigger(company.sandbox, { returns: 'event', ...parameters }, { staticData });
		const items = await poll();
		staticData = poll.stored() ?? staticData;
		return items;
	};
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
