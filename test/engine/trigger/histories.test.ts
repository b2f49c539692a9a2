/** Generated histories of a Company that polls, deadlines and pushes of one n8n follow at the same time, and that are replayed afterwards. */
import fc from 'fast-check';
import type { IDataObject, INodeParameters, WorkflowActivateMode } from 'n8n-workflow';

import { Corrigo } from '../../../nodes/Corrigo/Corrigo.node';
import { events, type EventName } from '../../../nodes/Corrigo/trigger/events';
import type { Fault, Row, Sandbox } from '../../../sandbox';
import { previousStatus } from '../../../sandbox/base/actionDetails';
import { logAction } from '../../../sandbox/base/actionLog';
import { countHistories } from '../../cases';
import { loadNodes, loadTrigger, openCompany } from '../../support/activeTrigger';
import type { CredentialStore } from '../../support/credentials';
import { byName, connectEngine, credentialsOf, jsonOf } from '../../support/company';
import { Database, listen, type Listener } from '../../support/webhook';

const SECOND = 1000;
const DAY = 86_400 * SECOND;
/** Statuses in which a work order can be late. */
const DUE_STATUSES = ['New', 'Open', 'InProgress', 'Paused'];

/** How work goes on; a vendor does what follows after the pick-up. */
const NEXT_COMMAND: Readonly<Record<string, string>> = {
	New: 'WoPickUpCommand',
	Open: 'WoStartCommand',
	InProgress: 'WoPauseCommand',
	Paused: 'WoStartCommand',
};

/** An event, and the rows that it returns. */
interface Watched {
	event: EventName;
	own?: INodeParameters;
	/** Tells which actions of the log it returns, unless it returns all rows of an entity. */
	covers?: (action: Row, hasMoved: boolean) => boolean;
	entity?: 'Document' | 'WoNote';
}

/** The events that polls and pushes follow. */
type WatchedBy = Record<'byPolls' | 'byPushes', Watched[]>;

const anyAction: Watched = { event: 'workOrderAction', covers: () => true };
const checkIns: Watched = {
	event: 'vendorCheckedIn',
	covers: ({ TypeId, UiTypeId }) => TypeId === 'Start' && UiTypeId === 'Corp',
};
const statuses: Watched = {
	event: 'workOrderEnteredStatus',
	own: { statuses: ['InProgress', 'Open'] },
	covers: ({ TypeId }, hasMoved) => hasMoved && ['PickUp', 'Start'].includes(String(TypeId)),
};

const notes: Watched = { event: 'noteAdded', entity: 'WoNote' };
const documents: Watched = { event: 'documentAdded', entity: 'Document' };

/** One node follows one of these events, or several. */
const buildForm = (watched: Watched[]): INodeParameters => {
	const own = Object.assign({}, ...watched.map((one) => one.own)) as INodeParameters;
	const chosen = watched.map(({ event }) => event);
	return chosen.length === 1
		? { ...own, event: chosen[0] }
		: { ...own, event: 'severalEvents', events: chosen };
};

/** Shows an item of one event as a node returns it that follows these. */
function nameItem(watched: Watched[], { event }: Watched, item: IDataObject): IDataObject {
	const { name: Event } = events[event];
	if (watched.length === 1) return item;
	return { ...item, Event, ChangeKey: `${String(item.ChangeKey)} ${Event}` };
}

/** Names what one node returns of an action. */
const nameChanges = (watched: Watched[], action: Row, hasMoved: boolean): string[] =>
	watched
		.filter(({ covers }) => covers?.(action, hasMoved))
		.map((one) => nameChange(nameItem(watched, one, { Id: action.Id })));

type Step =
	| { do: 'create'; lateBy: number }
	| { do: 'work'; which: number; steps: number; again: boolean }
	| { do: 'schedule'; which: number; dueIn: number }
	| { do: 'attach'; which: number; entity: 'Document' | 'WoNote' }
	| { do: 'pass'; seconds: number };

interface Round {
	/** Whether n8n restarts first, after it was stopped or killed. */
	start: 'none' | 'stopped' | 'killed';
	before: Step[];
	/** Happens while the triggers read. */
	meanwhile: Step[];
	fault?: Fault;
	/** Whether a poll begins before the last one has ended. */
	overlaps: boolean;
	/** Whether the workflow is published again while the triggers read. */
	publishes: boolean;
	push: 'none' | 'new' | 'again';
	revokes: boolean;
}

const step: fc.Arbitrary<Step> = fc.oneof(
	fc.record({
		do: fc.constant('create' as const),
		// Within the overlap of five minutes, together with the time that passes until it is read.
		lateBy: fc.constantFrom(0, 0, 0, 200),
	}),
	fc.record({
		do: fc.constant('work' as const),
		which: fc.nat(20),
		steps: fc.integer({ min: 1, max: 3 }),
		again: fc.boolean(),
	}),
	fc.record({
		do: fc.constant('schedule' as const),
		which: fc.nat(20),
		dueIn: fc.constantFrom(-3600, -1, 0, 5, 60),
	}),
	fc.record({
		do: fc.constant('attach' as const),
		which: fc.nat(20),
		entity: fc.constantFrom('Document' as const, 'WoNote' as const),
	}),
	fc.record({ do: fc.constant('pass' as const), seconds: fc.constantFrom(0, 1, 5, 90) }),
);
const steps = fc.array(step, { maxLength: 4 });

const fault: fc.Arbitrary<Fault> = fc.record({
	kind: fc.constantFrom('status' as const, 'html' as const, 'truncated' as const),
	status: fc.constantFrom(401, 403, 404, 429, 500, 502, 503),
	match: fc.constantFrom({}, { server: 'token' as const }, { server: 'api' as const }),
	after: fc.nat(4),
	times: fc.constantFrom(1, 99),
	headers: fc.constant({ 'retry-after': '0' }),
});

const round: fc.Arbitrary<Round> = fc.record({
	start: fc.constantFrom('none', 'none', 'stopped', 'killed'),
	before: steps,
	meanwhile: steps,
	fault: fc.option(fault, { nil: undefined }),
	overlaps: fc.boolean(),
	publishes: fc.boolean(),
	push: fc.constantFrom('none', 'new', 'new', 'again'),
	revokes: fc.boolean(),
});

const rounds = fc.array(round, { minLength: 1, maxLength: 6 });
const parameters = { numRuns: countHistories(5, 20), endOnFailure: true };

jest.setTimeout(60_000 + parameters.numRuns * 60_000);

/** The nodes as several processes of n8n have loaded them. */
const processes: Array<Awaited<ReturnType<typeof loadNodes>>> = [];

beforeAll(async () => {
	while (processes.length < 3) processes.push(await loadNodes());
});

interface Delivered {
	item: IDataObject;
	process: number;
	round: number;
	/** Whether n8n was killed after it had saved the state, and before it had an execution. */
	isLost: boolean;
}

/** What a trigger has returned. */
class Log {
	readonly all: Delivered[] = [];

	add(items: IDataObject[], process: number, atRound: number): void {
		this.all.push(...items.map((item) => ({ item, process, round: atRound, isLost: false })));
	}

	lose(atRound: number): void {
		for (const one of this.all) one.isLost ||= one.round === atRound;
	}
}

const comparison: INodeParameters = {
	event: 'recordEdited',
	entity: byName('WorkOrder'),
	returns: 'both',
	output: 'selected',
	properties: ['ConcurrencyId'],
};

/** A Company whose clock is years ahead, and its work orders since the activation. */
async function company() {
	const { sandbox, store, now, pass, person } = await openCompany({ workOrders: 5 });
	const text = (ms: number) => new Date(ms).toISOString();
	const seeded = {
		orders: store.count('WorkOrder'),
		WoActionLog: store.ids('WoActionLog').at(-1) ?? 0,
		WoNote: store.ids('WoNote').at(-1) ?? 0,
		Document: store.ids('Document').at(-1) ?? 0,
	};
	const added = (entity: 'Document' | 'WoActionLog' | 'WoNote') =>
		store.rows(entity).filter(({ Id }) => Id > seeded[entity]);
	const orders = () => store.rows('WorkOrder').slice(seeded.orders);
	const vendor = store.rows('Employee').find((one) => one.ActorTypeId === 'Provider') as Row;

	function create(lateBy: number): void {
		const { Id } = person({});
		for (const action of store.children('WoActionLog', 'WorkOrderId', Number(Id))) {
			const at = Date.parse(String(action.SystemDateUtc)) - lateBy * SECOND;
			if (lateBy > 0) store.change('WoActionLog', action.Id, { SystemDateUtc: text(at) });
		}
	}

	function work(order: Row, steps: number, again: boolean): void {
		for (let step = 0; step < steps; step += 1) {
			const command = NEXT_COMMAND[String(order.StatusId)];
			const actor = order.StatusId === 'New' ? undefined : vendor.Id;
			person({ id: order.Id, command, actor });
		}
		if (!again || order.StatusId !== 'InProgress') return;
		// A second person starts.
		logAction(sandbox.world, order, { TypeId: 'Start', details: previousStatus('InProgress') });
	}

	function attach(entity: 'Document' | 'WoNote', { Id }: Row): void {
		const of =
			entity === 'WoNote'
				? { WorkOrderId: Id, CreatedDate: text(now()) }
				: { ActorTypeId: 'WO', ActorId: Id, UpdatedDate: text(now()) };
		store.insert(entity, of);
	}

	return {
		sandbox,
		added,
		orders,
		/** Deadlines that have passed in the last day, by the final dates and statuses of their orders. */
		passed: () =>
			orders()
				.filter(({ StatusId }) => DUE_STATUSES.includes(String(StatusId)))
				.map(({ Id, DueDateUtc }) => ({ Id, utc: `${String(DueDateUtc).slice(0, 19)}Z` }))
				.filter(({ utc }) => Date.parse(utc) <= now() && Date.parse(utc) > now() - DAY)
				.map(({ Id, utc }) => deadlineName(Id, utc)),
		happen(one: Step): void {
			if (one.do === 'pass') pass(one.seconds * SECOND);
			if (one.do === 'create') create(one.lateBy);
			const all = orders();
			if (!('which' in one) || all.length === 0) return;
			const order = all[one.which % all.length];
			if (one.do === 'schedule') {
				store.change('WorkOrder', order.Id, { DueDateUtc: text(now() + one.dueIn * SECOND) });
			} else if (one.do === 'attach') {
				attach(one.entity, order);
			} else {
				work(order, one.steps, one.again);
			}
		},
	};
}

/** A polling trigger through all processes of n8n. */
function polled(sandbox: Sandbox, parameters: INodeParameters, store: CredentialStore) {
	const log = new Log();
	let saved: IDataObject | undefined;
	let isGivenUp = false;
	let current: { process: number; run: ReturnType<typeof loadTrigger>; isFirst: boolean };
	return {
		log,
		/** Loads what is saved, also if a poll with another copy of it is running. */
		start(process: number, activation: WorkflowActivateMode): void {
			const trigger = new processes[process].CorrigoTrigger();
			const id = String(parameters.event);
			const loading = { activation, staticData: saved, trigger, store, id } as const;
			const run = loadTrigger(sandbox, parameters, loading);
			current = { process, run, isFirst: true };
			isGivenUp = false;
		},
		async poll(atRound: number): Promise<void> {
			const { process, run, isFirst } = current;
			if (isGivenUp) return;
			current.isFirst = false;
			const before = run.state();
			const items = await run().catch((failure: unknown) => {
				// n8n gives a trigger up whose first poll fails.
				isGivenUp = isFirst;
				throw failure;
			});
			log.add(items, process, atRound);
			// n8n saves the state of polls that find something, and that which an activation changes.
			const isChanged = isFirst && JSON.stringify(run.state()) !== JSON.stringify(before);
			if (items.length > 0 || isChanged) saved = run.state();
		},
	};
}

async function play(rounds: Round[], delivery: string, { byPolls, byPushes }: WatchedBy) {
	const { sandbox, happen, added, orders, passed } = await company();
	const common: INodeParameters = { returns: 'event', options: { delivery } };
	const store = credentialsOf(sandbox);
	const changes = polled(sandbox, { ...common, ...buildForm(byPolls) }, store);
	const deadlines = polled(sandbox, { ...common, event: 'workOrderDeadline' }, store);
	const compared = polled(sandbox, { ...common, ...comparison }, store);
	const triggers = [changes, deadlines, compared];
	const pushed = new Log();
	const database = new Database();
	let listener: Listener | undefined;
	let process = -1;

	async function start(): Promise<void> {
		process += 1;
		const activation = process === 0 ? 'activate' : 'init';
		for (const trigger of triggers) trigger.start(process, activation);
		await listener?.close();
		const parameters = { ...common, ...buildForm(byPushes) };
		const { CorrigoWebhookTrigger: node } = processes[process];
		listener = await listen({ sandbox, parameters, node, database, store });
		await listener.activate(activation);
		// The sender repeats its pushes: what a process could not read, no other one knows of.
		await listener.push(orders().map(({ Id }) => ({ WorkOrderId: Id })));
	}

	/** Reads with everything at once; only an announced fault may make a read fail. */
	async function read(
		atRound: number,
		{ overlaps, publishes, push, meanwhile, fault: hasFault }: Round,
	) {
		const { url, idle, items, failures } = listener as Listener;
		const polls = [...triggers, ...(overlaps ? triggers : [])];
		const running: Array<Promise<unknown>> = polls.map(async ({ poll }) => await poll(atRound));
		for (const trigger of publishes ? triggers : []) {
			trigger.start(process, 'update');
			running.push(trigger.poll(atRound));
		}
		if (push !== 'none') {
			const again = push === 'again';
			running.push(sandbox.push({ url, again, times: 2, shuffled: true, atOnce: 3 }));
		}
		meanwhile.forEach(happen);
		const settled = await Promise.allSettled(running);
		await idle();
		pushed.add(items(), process, atRound);
		const errors = [...settled, ...failures.splice(0)].filter(
			(one) => one instanceof Error || one.status === 'rejected',
		);
		if (hasFault === undefined) expect(errors).toEqual([]);
	}

	try {
		await start();
		await Promise.all(triggers.map(async ({ poll }) => await poll(-1)));
		for (const [index, one] of rounds.entries()) {
			one.before.forEach(happen);
			if (one.revokes) sandbox.revokeTokens();
			if (one.fault !== undefined) sandbox.fault(one.fault);
			if (one.start !== 'none' && process < processes.length - 1) {
				if (one.start === 'killed') {
					for (const { log } of [...triggers, { log: pushed }]) log.lose(index - 1);
				}
				await start();
			}
			await read(index, one);
			sandbox.clearFaults();
		}
		const calm: Round = {
			start: 'none',
			before: [],
			meanwhile: [],
			overlaps: false,
			publishes: false,
			push: 'new',
			revokes: false,
		};
		happen({ do: 'pass', seconds: 3600 });
		for (let extra = 0; extra < 3; extra++) {
			happen({ do: 'create', lateBy: 0 });
			happen({ do: 'work', which: orders().length - 1, steps: 2, again: true });
			await read(rounds.length + extra, calm);
		}
		const engine = connectEngine(sandbox, { corrigo: Corrigo });
		const replay = { operation: 'getChanges', from: '2031-05-05', returns: 'event' };
		const replayed: IDataObject[] = [];
		for (const one of byPolls) {
			const { items } = await engine.run({ parameters: { ...replay, ...buildForm([one]) } });
			replayed.push(...jsonOf(items).map((item) => nameItem(byPolls, one, item)));
		}
		const made = (watched: Watched[]) => [
			...added('WoActionLog').flatMap((action) =>
				nameChanges(watched, action, !isRepeated(sandbox, action)),
			),
			...watched.flatMap((one) =>
				(one.entity ? added(one.entity) : []).map(({ Id }) =>
					nameChange(nameItem(watched, one, { Id })),
				),
			),
		];
		return {
			logs: [changes.log, deadlines.log, pushed],
			made: [made(byPolls), passed(), made(byPushes)],
			compared: compared.log,
			versions: orders().map(({ Id, ConcurrencyId }) => [Id, ConcurrencyId]),
			replayed,
		};
	} finally {
		await listener?.close();
		await sandbox.close();
	}
}

/** Whether the order was in progress before it was started. */
const isRepeated = ({ store }: Sandbox, { Id, TypeId }: Row) =>
	TypeId === 'Start' &&
	store
		.children('WoActionLogProp', 'WoActionLogId', Id)
		.some(({ ValueInt }) => ValueInt === previousStatus('InProgress').PrevWoStatus);

/** Returns one name for a change, however often and by whichever trigger it is returned. */
function nameChange({ Id, Deadline, Event = '' }: IDataObject): string {
	return Deadline === undefined
		? `${String(Id)} ${String(Event)}`.trim()
		: deadlineName(Id, (Deadline as IDataObject).Utc);
}

const deadlineName = (id: unknown, utc: unknown) => `${String(id)} ${String(utc)}`;

const repeated = (names: string[]) => names.filter((name, index) => names.indexOf(name) < index);

/** Whatever a process of n8n has returned twice. */
const repeatedWithin = ({ all }: Log, toName: (item: IDataObject) => string) =>
	repeated(all.map(({ item, process }) => `${toName(item)} in process ${process}`));

/** The versions of the orders since the activation, as the executions know them. */
function versionsIn({ all }: Log) {
	const executed = all.filter(({ isLost }) => !isLost);
	return [...new Map(executed.map(({ item }) => [item.Id, item.ConcurrencyId]))].sort(
		([a], [b]) => Number(a) - Number(b),
	);
}

function missing(made: string[], { all }: Log): string[] {
	const executed = new Set(all.filter(({ isLost }) => !isLost).map(({ item }) => nameChange(item)));
	return made.filter((name) => !executed.has(name));
}

/** Expects each change that was made, and none twice; returns the names of all. */
function expectOnce({ all }: Log, made: string[]): string[] {
	const names = all.map(({ item }) => nameChange(item));
	expect(repeated(names)).toEqual([]);
	expect(names).toEqual(expect.arrayContaining(made));
	return names;
}

const SEVERAL = [anyAction, statuses, checkIns];
/** Pushes of several events are read in the log alone. */
const WITH_NOTES = [...SEVERAL, notes, documents];

/** Polls and pushes follow one event, or several. */
const anyWatched = fc.record({
	byPolls: fc.constantFrom([anyAction], WITH_NOTES),
	byPushes: fc.constantFrom([anyAction], SEVERAL),
});

const checkHistories = async (check: (some: Round[], watched: WatchedBy) => Promise<void>) =>
	await fc.assert(fc.asyncProperty(rounds, anyWatched, check), parameters);

it('returns each change once by polls and once by pushes, and each deadline once', async () => {
	await checkHistories(async (some, watched) => {
		const { logs, made, compared } = await play(some, 'once', watched);
		const versions = compared.all.map(({ item }) => `${item.Id} ${item.ConcurrencyId}`);
		expect(repeated(versions)).toEqual([]);
		logs.forEach((log, index) => expectOnce(log, made[index]));
	});
});

// Promise: The promises of this section hold together
it('has executions for each change, whenever n8n is killed, and repeats only the last ones', async () => {
	await checkHistories(async (some, watched) => {
		const { logs, made, compared, versions, replayed } = await play(some, 'atLeastOnce', watched);
		expect(versionsIn(compared)).toEqual(versions);
		expect(repeatedWithin(compared, ({ ChangeKey }) => String(ChangeKey))).toEqual([]);
		const keys = new Map<string, unknown>();
		for (const [index, log] of logs.entries()) {
			expect(missing(made[index], log)).toEqual([]);
			expect(repeatedWithin(log, nameChange)).toEqual([]);
			for (const { item } of log.all) {
				const key = keys.get(nameChange(item)) ?? item.ChangeKey;
				expect([item.ChangeKey, typeof key]).toEqual([key, 'string']);
				keys.set(nameChange(item), key);
			}
		}
		expect(repeated([...keys.values()].map(String))).toEqual([]);
		const [changes, deadlines] = logs;
		const known = replayed.map((item) => [nameChange(item), item.ChangeKey]);
		expect(known.map(([name]) => name).sort()).toEqual([...made[0]].sort());
		expect(known.map(([name]) => [name, keys.get(String(name))])).toEqual(known);
		expect([...unexpectedRepeats(changes), ...unexpectedRepeats(deadlines)]).toEqual([]);
	});
});

it('returns each check-in of a vendor once, and each change of status', async () => {
	await checkHistories(async (some) => {
		// The actions that an event leaves out come between those that it returns.
		const watched = { byPolls: [statuses], byPushes: [checkIns] };
		const { logs, made, replayed } = await play(some, 'once', watched);
		expect(replayed.map(nameChange).sort()).toEqual([...made[0]].sort());
		const [entered, , arrived] = logs.map((log, index) => expectOnce(log, made[index]).sort());
		expect(arrived).toEqual([...made[2]].sort());
		// Each action counts as a change of status where the details are refused.
		const isReadable = some.every(({ fault: one }) => ![403, 404].includes(Number(one?.status)));
		if (isReadable) expect(entered).toEqual([...made[0]].sort());
	});
});

/** A poll may only repeat what the last poll with items in a process before has returned. */
function unexpectedRepeats({ all }: Log): Delivered[] {
	return all.filter(({ item, process }) => {
		const before = all.filter((one) => one.process < process);
		const last = before.at(-1)?.round;
		return (
			before.some((one) => nameChange(one.item) === nameChange(item) && one.round !== last) &&
			!before.some((one) => nameChange(one.item) === nameChange(item) && one.round === last)
		);
	});
}
