/** Histories of a table that is compared: what happens between requests, and polls that fail, overlap or are lost. */
import fc from 'fast-check';
import type { IDataObject, IPollFunctions } from 'n8n-workflow';

import type { JsonObject } from '../../../nodes/Corrigo/values/objects';
import type { QueryExpression } from '../../../nodes/Corrigo/wire/requests';
import {
	pollComparison,
	snapshotCodec,
	type Comparison,
} from '../../../nodes/Corrigo/trigger/comparison/comparison';
import { createKeptFields, NO_FIELDS } from '../../../nodes/Corrigo/trigger/comparison/keptFields';
import { openStore } from '../../../nodes/Corrigo/trigger/state';
import {
	CHANGES,
	unpack,
	type ChangeName,
} from '../../../nodes/Corrigo/trigger/comparison/snapshot';
import { countHistories } from '../../cases';
import { CALM, player, roundsOf, type Round } from '../history';
import { CREDENTIALS, N8n } from '../n8n';
import { createAnswers, createPlan } from '../plan';
import { answerTo, endsBelow, timeText } from '../service';

/** What a record is: its version, or undefined where it is removed or does not pass the filters. */
type State = number | undefined;

/** Each of two fields changes with every second version. */
const getFields = (state: number) => ({ A: state >> 1, B: (state + 1) >> 1 });

type Fields = ReturnType<typeof getFields>;

const pick = (ids: Iterable<number>, which: number): number | undefined => {
	const all = [...ids];
	return all[which % all.length];
};

/** A table whose records come, change, go and come back, and whose pages may lack rows. */
class Table {
	readonly states = new Map<number, State>();
	/** All states that a record has had, each with the number of the step that led to it. */
	readonly past = new Map<number, Array<{ state: State; at: number }>>();
	step = 0;
	/** How the next answer is cut. */
	fault?: 'empty' | 'holes';
	/** The Company shows no record during this poll. */
	private isHidden = false;
	private willHide = false;
	/** An answer of this poll was empty. */
	private wasEmpty = false;
	/** The step before the poll that is running. */
	pollStart = 0;
	private lastVersion = 0;
	private lastId = -1;

	private set(id: number, state: State): void {
		this.step += 1;
		this.states.set(id, state);
		this.past.set(id, [...(this.past.get(id) ?? []), { state, at: this.step }]);
	}

	/** Rights are withdrawn for the next poll, unless an answer of this one is empty, too. */
	hide(): void {
		this.willHide = true;
	}

	recover(): void {
		this.fault = undefined;
		this.willHide = false;
	}

	startPoll(): void {
		this.isHidden = this.willHide && !this.wasEmpty;
		this.wasEmpty = this.isHidden;
		this.willHide = false;
	}

	/** Also changes a record that is there. */
	write(id: number): void {
		this.set(id, (this.lastVersion += 1));
	}

	add(which: number): void {
		this.lastId += 1 + (which % 3);
		this.write(this.lastId);
	}

	edit(which: number): void {
		const id = pick(this.present().keys(), which);
		if (id !== undefined) this.write(id);
	}

	remove(which: number): void {
		const id = pick(this.present().keys(), which);
		if (id !== undefined) this.set(id, undefined);
	}

	private gone = () => [...this.states.keys()].filter((id) => this.states.get(id) === undefined);

	restore(which: number): void {
		const id = pick(this.gone(), which);
		if (id !== undefined) this.write(id);
	}

	/** A record that left the filters comes back as it was. */
	passFilters(which: number): void {
		const id = pick(this.gone(), which);
		if (id === undefined) return;
		this.set(id, this.past.get(id)?.findLast(({ state }) => state !== undefined)?.state);
	}

	/** A record gets back the values that it had before its last edit, which a poll may have shown. */
	revert(which: number): void {
		const edited = [...this.present().keys()].filter((id) => {
			const [before, last] = this.past.get(id)?.slice(-2) ?? [];
			return before?.state !== undefined && last !== undefined && last.at <= this.pollStart;
		});
		const id = pick(edited, which);
		if (id !== undefined) this.set(id, this.past.get(id)?.at(-2)?.state);
	}

	present = () =>
		new Map([...this.states].filter((one): one is [number, number] => one[1] !== undefined));

	rows = (): Array<{ Id: number; At: string; ConcurrencyId: number }> =>
		[...this.present()].map(([Id, state]) => ({
			...{ Id, ConcurrencyId: state, At: timeText(0) },
			...getFields(state),
		}));

	shown = () => (this.isHidden ? [] : this.rows());

	answer(expression: QueryExpression, most: number): JsonObject[] {
		const rows = answerTo(this.shown(), expression).slice(0, most) as unknown as JsonObject[];
		const { fault } = this;
		this.fault = undefined;
		if (fault === undefined) return rows;
		this.wasEmpty ||= fault === 'empty';
		return fault === 'empty' ? [] : rows.filter((_, index) => index % 2 === 0);
	}
}

const WRITES = [
	'add',
	'add',
	'edit',
	'edit',
	'revert',
	'remove',
	'restore',
	'passFilters',
] as const;
const FAULTS = ['empty', 'holes', 'hide'] as const;

interface Step {
	do: (typeof WRITES | typeof FAULTS)[number];
	which: number;
}

function happen(table: Table, { do: what, which }: Step): void {
	if (what === 'empty' || what === 'holes') table.fault = what;
	else if (what === 'hide') table.hide();
	else table[what](which);
}

const roundsWith = (...names: Array<Step['do']>) =>
	roundsOf(fc.record({ do: fc.constantFrom(...names), which: fc.nat(30) }));
const rounds = roundsWith(...WRITES, ...FAULTS);

interface Item {
	Id: number;
	Change: ChangeName;
	ConcurrencyId?: number;
	ChangeKey?: string;
	ChangedFields?: string[];
	Before?: Partial<Fields>;
	/** Nothing has happened during the poll. */
	isCalm: boolean;
	/** The poll that has returned it. */
	poll: number;
	/** The number of the last step before the poll began. */
	at: number;
}

interface Sizes {
	limit: number;
	page: number;
	/** No page below this length is cut off. */
	min: number;
	most: number;
	changes: readonly ChangeName[];
	atLeastOnce: boolean;
	/** Whether Corrigo counts the versions of records. */
	hasVersions: boolean;
}

/** The trigger in an n8n that publishes the workflow, restarts or is killed, with polls side by side. */
class Trigger {
	/** Items of each execution. */
	private executed: Item[][] = [];
	/** Items of executions that n8n was killed before. */
	readonly lost: Item[] = [];
	private readonly n8n = new N8n();
	private polls = 0;
	private isRunning = false;
	/** The activation that has begun the newest poll. */
	private newest?: IPollFunctions;
	/** The versions of records that pages have shown once all records were learned. */
	private readonly shown: Array<[id: number, version: number]> = [];
	/** Those of polls that n8n has discarded, which this process alone knows. */
	private remembered: Array<[id: number, version: number]> = [];

	constructor(
		private readonly table: Table,
		private readonly sizes: Sizes,
	) {}

	async poll(between: () => Promise<void>, maxPages: number): Promise<void> {
		const { table, sizes } = this;
		const at = table.step;
		table.pollStart = at;
		const isOverlapping = this.isRunning;
		if (!isOverlapping) table.startPoll();
		this.isRunning = true;
		const pages: Array<Map<number, number>> = [];
		let requests = 0;
		const feed = { entity: 'Contact', properties: ['ConcurrencyId'] };
		const { changes, hasVersions } = sizes;
		const readVersion = ({ ConcurrencyId }: JsonObject) => Number(ConcurrencyId) + 1;
		const options = { shown: ['B'], show: (values: JsonObject) => values };
		// Corrigo's own version does not tell which field was edited.
		const kept = hasVersions ? NO_FIELDS : createKeptFields(['A', 'B'], options);
		const comparison: Comparison = { feed, readVersion, hasVersions, changes, kept };
		const plan = createPlan({ ...sizes, feed });
		const answers = {
			load: async (expression: QueryExpression) => {
				await between();
				requests += 1;
				const rows = table.answer(expression, sizes.most);
				pages.push(new Map(rows.map((row) => [Number(row.Id), Number(row.ConcurrencyId)])));
				return rows;
			},
			find: async (ids: number[]) => {
				await between();
				const wanted = table.shown().filter(({ Id }) => ids.includes(Id));
				return new Map(wanted.map((row) => [row.Id, { ...row }]));
			},
			complete: async (rows: JsonObject[]) =>
				rows.map((row) => ({
					...{ entity: feed.entity, changeKey: '' },
					item: { json: row as IDataObject },
				})),
			...endsBelow(sizes.min),
			hasTime: () => requests < maxPages,
		};
		const warn = (message: string) => {
			throw new Error(message);
		};
		let own: IPollFunctions | undefined;
		let hasItems = false;
		const items = await this.n8n
			.poll(async (caller, isStored) => {
				own = this.newest = caller;
				const opening = { caller, credentials: CREDENTIALS, activation: caller };
				const store = openStore(opening, plan, snapshotCodec);
				const service = createAnswers(caller, answers);
				const found = await pollComparison(store, { plan, comparison, service, warn, isStored });
				hasItems = found !== null && found[0].length > 0;
				return found;
			})
			.finally(() => (this.isRunning = isOverlapping));
		this.polls += 1;
		const found = (items ?? []).map(({ json }) => json as unknown as Item);
		if (found.length > sizes.limit) throw new Error('The poll returned more than its limit');
		// An activation that has polled meanwhile knows nothing of these pages, and nobody knows what
		// was read together with items that n8n has discarded.
		const isTaken = this.n8n.isActive(own);
		if (this.isReady && this.newest === own && (isTaken || !hasItems)) {
			const known = isTaken ? this.shown : this.remembered;
			known.push(...pages.flatMap((page) => [...page]));
		}
		if (items !== undefined) {
			const isCalm = table.step === at;
			this.executed.push(found.map((one) => ({ ...one, poll: this.polls, at, isCalm })));
		}
	}

	publish(isSaved: boolean): void {
		this.n8n.publish(isSaved);
	}

	/** With delivery at least once, the last items are lost, as they may come again in any case. */
	restart(): void {
		this.n8n.restart(this.sizes.atLeastOnce);
		this.remembered = [];
		this.lost.push(...this.executed.splice(this.n8n.executed.length).flat());
	}

	/** Whether a poll has shown another version of this record. */
	hasShownOther(id: number, state: State): boolean {
		return [...this.shown, ...this.remembered].some(
			([one, version]) => one === id && version !== state,
		);
	}

	get delivered(): Item[] {
		return this.executed.flat();
	}

	/** Whether all records have been learned. */
	get isReady(): boolean {
		return (unpack(this.n8n.state.records)?.passes ?? 0) > 0;
	}
}

async function play(rounds: Array<Round<Step>>, records: number, sizes: Sizes): Promise<Played> {
	const table = new Table();
	for (let count = 0; count < records; count++) table.add(count % 2);
	const trigger = new Trigger(table, sizes);
	const from = table.step;
	let until = from;
	let wasReady = false;
	const note = () => {
		if (!wasReady) until = table.step;
		wasReady = trigger.isReady;
		if (!wasReady) table.recover();
	};
	const { play: playAll, settle } = player<Step>(
		trigger,
		(one) => {
			happen(table, one);
			if (trigger.isReady) return;
			until = table.step;
			// Rows that no page shows are not learned, so that they are added later.
			table.recover();
		},
		note,
	);
	for (const round of rounds) {
		await playAll([round]);
		// A restart may go back to where the records are learned.
		note();
	}
	table.recover();
	// One pass to its end, and a whole one; before them, what was lost comes again.
	for (let times = 0; times < 3; times++) await settle();
	return { table, trigger, learning: [from, until] };
}

const chosen: fc.Arbitrary<readonly ChangeName[]> = fc.subarray([...CHANGES], { minLength: 1 });

const anyChanges = fc.oneof(fc.constant(CHANGES), chosen);

const sizes = (atLeastOnce: boolean, changes = anyChanges): fc.Arbitrary<Sizes> =>
	fc.record({
		limit: fc.integer({ min: 1, max: 12 }),
		page: fc.integer({ min: 2, max: 9 }),
		min: fc.constantFrom(1, 2),
		most: fc.oneof(fc.constant(Infinity), fc.integer({ min: 2, max: 9 })),
		changes,
		atLeastOnce: fc.constant(atLeastOnce),
		hasVersions: fc.boolean(),
	});

/** What the workflow knows of a record after these items; undefined if it has had none. */
function knownOf(items: Item[], id: number): { state: State } | undefined {
	const last = items.filter(({ Id }) => Id === id).at(-1);
	return last && { state: last.ConcurrencyId };
}

interface Played {
	table: Table;
	trigger: Trigger;
	/** All records were learned between these two steps. */
	learning: [from: number, until: number];
}

/** The last state of each record is the one that the workflow has had, or else one that was learned. */
function expectUpToDate({ table, trigger, learning: [from, until] }: Played): void {
	const outdated = [...table.states].filter(([id, state]) => {
		const known = knownOf(trigger.delivered, id);
		if (known !== undefined) return known.state !== state;
		const past = [{ state: undefined, at: 0 }, ...(table.past.get(id) ?? [])];
		const learned = past
			.filter(({ at }, index) => at <= until && (past[index + 1]?.at ?? Infinity) > from)
			.map((one) => one.state);
		return !learned.includes(state);
	});
	expect(outdated).toEqual([]);
}

/** An edit counts if a poll has shown the record before it, and nothing has undone it. */
function expectEditsTold({ table, trigger }: Played): void {
	const edited = [...table.present()].filter(([id, state]) => {
		const states = table.past.get(id)?.map((one) => one.state) ?? [];
		const isEdited = trigger.hasShownOther(id, state);
		return isEdited && !states.includes(undefined) && states.indexOf(state) === states.length - 1;
	});
	expect(edited.map(([id]) => [id, knownOf(trigger.delivered, id)?.state])).toEqual(edited);
}

/** A deletion counts if n8n has stored the record, as it has those that were there at first. */
function expectDeletionsTold({ table, trigger, learning: [from, until] }: Played): void {
	const deleted = [...table.past].filter(([, [first, last, ...more]]) => {
		const isDeleted = last !== undefined && last.state === undefined && more.length === 0;
		return isDeleted && first.at <= from && last.at > until;
	});
	const known = deleted.map(([id]) => knownOf(trigger.delivered, id));
	expect(known).toEqual(deleted.map(() => ({ state: undefined })));
}

/** An edit names the fields in which the record differs from what an earlier poll has read. */
function expectFieldsTold({ table, trigger }: Played): void {
	for (const { Id, Change, ConcurrencyId, ChangedFields, Before, isCalm } of trigger.delivered) {
		const states = table.past.get(Id)?.flatMap(({ state }) => state ?? []) ?? [];
		const matching = states.filter((state) => getFields(state).B === Before?.B);
		expect([Change, matching.length > 0]).toEqual([Change, Change !== 'added']);
		const now = getFields(ConcurrencyId ?? 0);
		const names = matching.map((state) =>
			(['A', 'B'] as const).filter((name) => getFields(state)[name] !== now[name]),
		);
		if (Change === 'edited' && isCalm) expect(names).toContainEqual(ChangedFields);
	}
}

const one = (name: Step['do']): Step[] => [{ do: name, which: 0 }];

type Example = [Array<Round<Step>>, number, Sizes];
const FEW: Sizes = {
	...{ limit: 5, page: 2, min: 2, most: Infinity, changes: CHANGES },
	...{ atLeastOnce: false, hasVersions: false },
};

/** A record that changes after its digest was read goes back. */
const GOES_BACK: Example = [
	[CALM, { ...CALM, steps: [one('add'), [], one('edit')] }, { ...CALM, steps: [one('revert')] }],
	0,
	FEW,
];

/** The workflow is published, and polls again, while a poll runs that finds a change. */
const OVERTAKEN: Example = [
	[CALM, { ...CALM, steps: [one('add')], publishAt: 0, overlapAt: 0 }],
	1,
	FEW,
];

/** n8n is killed after a poll that finds an edit. */
const KILLED: Example = [
	[CALM, { ...CALM, steps: [one('edit')], restart: true, kills: true }],
	1,
	{ ...FEW, atLeastOnce: true },
];

const parameters = (runs: number, all: number) => ({ numRuns: countHistories(runs, all) });

// Promise: A comparison delivers each change once
it('delivers each change once, so that the workflow knows the last state of each record', async () => {
	await fc.assert(
		fc.asyncProperty(rounds, fc.nat(20), sizes(false), async (history, records, some) => {
			const played = await play(history, records, some);
			const { table, trigger } = played;
			if (!some.hasVersions) expectFieldsTold(played);
			if (some.changes.length < CHANGES.length) return;
			expectUpToDate(played);
			const wrong = [...table.past].filter(([id, past]) => {
				const items = trigger.delivered.filter(({ Id }) => Id === id);
				const isWrong = ({ Change: change, ConcurrencyId }: Item, index: number) =>
					// A record that is gone can only be added, and one that is there cannot.
					(index > 0 && (change === 'added') !== (items[index - 1].Change === 'deleted')) ||
					(ConcurrencyId === undefined) !== (change === 'deleted') ||
					// A record without versions may be read again after its digest, and differs the next time.
					(some.hasVersions && ConcurrencyId === items[index - 1]?.ConcurrencyId && index > 0) ||
					index >= past.length;
				return items.some(isWrong);
			});
			expect(wrong).toEqual([]);
		}),
		{ ...parameters(60, 1_000), examples: [GOES_BACK, OVERTAKEN] },
	);
});

it.each([true, false])(
	'delivers a record with every poll that is edited before each request (versions: %s)',
	async (hasVersions) => {
		const edit: Step = { do: 'edit', which: 0 };
		const edited = [1, 2, 3].map(() => ({ ...CALM, steps: [[edit], [edit], [edit]] }));
		const { trigger } = await play([CALM, ...edited], 1, { ...FEW, hasVersions });
		expect(trigger.delivered.slice(0, 3)).toMatchObject([{ poll: 2 }, { poll: 3 }, { poll: 4 }]);
	},
);

it('delivers nothing of a record that is as before when it is read again', async () => {
	const edited = { ...CALM, steps: [[], [], [], one('edit')] };
	const reverted = { ...CALM, steps: [[], one('revert')] };
	const { table, trigger } = await play([CALM, edited, reverted], 1, FEW);
	expect(table.past.get(0)).toMatchObject([{ state: 1 }, { state: 2 }, { state: 1 }]);
	expect(trigger.delivered).toEqual([]);
});

it('delivers nothing while it learns the records, and nothing if nothing changes', async () => {
	const still = roundsWith(...FAULTS);
	await fc.assert(
		fc.asyncProperty(still, fc.nat(20), sizes(false, chosen), async (history, records, some) => {
			const { trigger } = await play(history, records, some);
			expect(trigger.delivered).toEqual([]);
		}),
		parameters(150, 1_000),
	);
});

it('delivers only the changes that are chosen', async () => {
	await fc.assert(
		fc.asyncProperty(rounds, fc.nat(20), sizes(false, chosen), async (history, records, some) => {
			const { trigger } = await play(history, records, some);
			const changes = trigger.delivered.map(({ Change }) => Change);
			expect(changes.filter((change) => !some.changes.includes(change))).toEqual([]);
		}),
		parameters(40, 1_000),
	);
});

it('tells each edit and deletion of a record that was known before a restart', async () => {
	// A record that no page shows after a restart is taken for a new one later.
	const written = roundsWith(...WRITES);
	// Few records are learned by the first poll, so that later ones may be forgotten.
	const records = fc.oneof(fc.constant(1), fc.nat(20));
	const changes = chosen.filter((names) => names.includes('edited'));
	const size = fc.boolean().chain((atLeastOnce) => sizes(atLeastOnce, changes));
	await fc.assert(
		fc.asyncProperty(written, records, size, async (history, count, some) => {
			const played = await play(history, count, some);
			expectEditsTold(played);
			if (some.changes.includes('deleted')) expectDeletionsTold(played);
		}),
		parameters(150, 5_000),
	);
});

it('delivers what a kill has lost again, with the same ChangeKey, and no key for two changes', async () => {
	const histories = fc.oneof(rounds, roundsWith(...WRITES));
	await fc.assert(
		fc.asyncProperty(histories, fc.nat(20), sizes(true), async (history, records, some) => {
			const played = await play(history, records, some);
			const { delivered, lost } = played.trigger;
			if (some.changes.length === CHANGES.length) expectUpToDate(played);
			const keys = delivered.map(({ ChangeKey }) => ChangeKey);
			expect(keys.filter((key, index) => keys.indexOf(key) < index)).toEqual([]);
			// A record that no page shows when it is to be delivered again comes with a later pass.
			const isFault = (one: Step) => FAULTS.some((name) => name === one.do);
			if (history.some(({ steps }) => steps.flat().some(isFault))) return;
			for (const { Id, ChangeKey, at } of lost) {
				const isLast = (played.table.past.get(Id)?.at(-1)?.at ?? 0) <= at;
				if (isLast) expect(keys).toContain(ChangeKey);
			}
		}),
		{ ...parameters(60, 1_000), examples: [KILLED] },
	);
});
