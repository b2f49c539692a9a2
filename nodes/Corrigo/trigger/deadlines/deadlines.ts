import type { Path } from '../../catalogue/entities';
import { getMemberLabel } from '../../catalogue/enumerations/labels';
import { timeZones } from '../../catalogue/times';
import { buildNumber, defineField, listChoices } from '../../form/fields';
import type { Form } from '../../form/form';
import { optionsField } from '../../form/options';
import type { FilterContext } from '../../values/references';
import { DAY_MS, HOUR_MS, toLocalTime } from '../../values/times';
import { joinCriteria, and, atMost, isIn } from '../../wire/criteria';
import { pollCursor } from '../changes/changes';
import { buildOrderFeed } from '../changes/records';
import {
	addMs,
	compareKeys,
	buildCursor,
	claimChanges,
	later,
	toMillis,
	OVERLAP,
	getSecond,
	startCursor,
	toKeyText,
	type Cursor,
	type Key,
} from '../../feed/cursor';
import {
	buildNewestQuery,
	getBeginning,
	getSpare,
	narrowFeed,
	readKey,
	collectChanges,
	type ChangeSource,
	type Feed,
	type FeedPosition,
	type Sizes,
} from '../../feed/feed';
import type { PlanParts } from '../plan';
import { fetchRecords, toResult } from '../service';

/**
 * Lists all deadlines in the order of the menu, with the property that holds the time in UTC. They
 * count only in these statuses, in which the work is not done yet.
 */
const deadlines = {
	acknowledgeBy: {
		name: 'Acknowledge By',
		time: 'AcknowledgeByUtc',
		statuses: ['New'],
	},
	due: {
		name: 'Due',
		time: 'DueDateUtc',
		statuses: ['New', 'Open', 'InProgress', 'Paused'],
	},
	onSiteBy: {
		name: 'On Site By',
		time: 'DtUtcOnSiteBy',
		statuses: ['New', 'Open'],
	},
	scheduledStart: {
		name: 'Scheduled Start',
		time: 'ScheduledStartUtc',
		statuses: ['New', 'Open', 'Paused'],
	},
} as const satisfies Record<
	string,
	{ name: string; time: Path<'WorkOrder'>; statuses: readonly string[] }
>;

/** Work orders in these statuses count only if they are chosen in the form. */
const OPTIONAL_STATUSES = ['OnHold', 'Completed', 'Cancelled'];

type DeadlineName = keyof typeof deadlines;

/** Says which deadline triggers the workflow, and when. */
export interface DeadlineRule {
	name: DeadlineName;
	/** Time after the deadline; negative to trigger before it. */
	offsetMs: number;
	/** Maximum age of that moment; older ones do not trigger the workflow. */
	ageMs: number;
}

/** A deadline that has not passed is never too old. */
export const createRule = (name: DeadlineName, offsetMs: number, ageMs: number): DeadlineRule => ({
	...{ name, offsetMs },
	ageMs: Math.max(ageMs, -offsetMs),
});

/** Limits the delivered deadlines that a trigger keeps. */
const MAX_KEYS = 5000;

const DEFAULT_AGE_HOURS = 24;
const MAX_HOURS = 366 * 24;
const MINUTE_MS = 60_000;
const UNITS_MS = { minutes: MINUTE_MS, hours: HOUR_MS, days: DAY_MS };

const deadlineField = defineField({
	displayName: 'Deadline',
	name: 'deadline',
	type: 'options',
	options: (Object.keys(deadlines) as DeadlineName[]).map((value) => {
		const { name, statuses } = deadlines[value];
		const labels = statuses.map((status) => getMemberLabel('WorkOrderStatus', status));
		return { name, value, description: `Statuses: ${labels.join(', ')}` };
	}),
	default: 'due',
	description: 'Time of a work order to watch',
	hint: `Test events may be older. A published workflow looks back ${DEFAULT_AGE_HOURS} hours, unless 'Oldest (Hours)' says otherwise.`,
});

const offsetField = defineField({
	name: 'offset',
	...buildNumber('Notify', 'How long before or after the deadline', 0, { minValue: 0 }),
});

const unitField = defineField({
	displayName: 'Unit',
	name: 'offsetUnit',
	type: 'options',
	options: [
		{ name: 'Minutes', value: 'minutes' },
		{ name: 'Hours', value: 'hours' },
		{ name: 'Days', value: 'days' },
	],
	default: 'minutes',
	description: 'A day has 24 hours',
});

const directionField = defineField({
	displayName: 'When',
	name: 'offsetDirection',
	type: 'options',
	options: [
		{ name: 'After the Deadline', value: 'after' },
		{ name: 'Before the Deadline', value: 'before' },
	],
	default: 'before',
	description: 'Whether the workflow starts before or after the deadline',
});

const alsoField = defineField({
	displayName: 'Also Include Statuses',
	name: 'alsoStatuses',
	type: 'multiOptions',
	options: listChoices('WorkOrderStatus').filter(({ value }) => OPTIONAL_STATUSES.includes(value)),
	default: [],
	description: "Statuses that count in addition to those under 'Deadline'",
});

export const deadlineFields = [deadlineField, offsetField, unitField, directionField, alsoField];

export const oldestField = defineField({
	name: 'oldest',
	...buildNumber(
		'Oldest (Hours)',
		'How long after the time set by Notify a deadline still triggers the workflow. One that has not passed always does. Applies to Work Order Due Soon or Overdue only.',
		DEFAULT_AGE_HOURS,
	),
});

/** The changes are deadlines that pass. */
export function buildDeadlinePlan(form: Form, context: FilterContext): PlanParts {
	const name = form.read(deadlineField);
	const { time, statuses } = deadlines[name];
	const own = buildOrderFeed(form, context);
	const criteria = joinCriteria(
		and(isIn('StatusId', [...statuses, ...form.read(alsoField)])),
		own.criteria,
	);
	const rule = createRule(name, readOffset(form), readAge(form));
	const feed: Feed = { ...own, time, properties: [], criteria, checks: [] };
	const orders = { ...own, criteria, properties: [...own.properties, time, 'TimeZone'] };
	return {
		strategy: {
			watch: async (plan, session) =>
				await pollCursor(plan, session, {
					startsNow: false,
					fetchFirst: async () => startCursor(getBeginning(feed)),
					fetch: async (_feed, cursor) => {
						const found = await pollDeadlines(feed, cursor, session.service, rule, plan);
						const { changes, window, tooOld, hasMore } = found;
						if (tooOld > 0) session.warn(buildAgeWarning(tooOld, window));
						return { hasMore, move: (current) => commit(current, { window, changes }) };
					},
				}),
			narrowExamples: async (all, service) => {
				// Only an answer tells Corrigo's clock.
				await service.load(buildNewestQuery(all, { count: 1 }));
				const { until } = getWindow(service.clock(), rule);
				return narrowFeed(all, and(atMost(time, getSecond(until))));
			},
		},
		sequence: { entity: feed.entity, order: time },
		feed,
		related: [orders],
		// Drops work orders that were finished or rescheduled after the rows were read.
		complete: async (requester, rows) => {
			const ids = rows.map(({ Id }) => Number(Id));
			const records = await fetchRecords(requester, orders, ids);
			return rows.map((row, index) => {
				const record = records.get(ids[index]);
				const key = readKey(feed, row);
				if (!record || compareKeys(readKey(feed, record), key) !== 0) return undefined;
				return {
					...toResult(feed, row, record, ids[index]),
					changeKey: `${rule.name} ${toKeyText(key)}`,
					at: addMs(key.time, rule.offsetMs),
					describe: (clock) => ({ Deadline: describeDeadline(rule, key, clock, record.TimeZone) }),
				};
			});
		},
	};
}

/** A time that is farther away has no date. */
const limit = <Field extends typeof offsetField | typeof oldestField>(
	field: Field,
	maxValue: number,
) => ({ ...field, typeOptions: { ...field.typeOptions, maxValue } });

function readOffset(form: Form): number {
	const unit = UNITS_MS[form.read(unitField)];
	const offset = form.read(limit(offsetField, (MAX_HOURS * HOUR_MS) / unit)) * unit;
	return form.read(directionField) === 'before' ? -offset : offset;
}

const readAge = (form: Form): number =>
	(form.readAdded(optionsField, limit(oldestField, MAX_HOURS)) ?? DEFAULT_AGE_HOURS) * HOUR_MS;

/** Deadlines later than `after` and up to `until` trigger the workflow at one moment. */
export interface DeadlineWindow {
	after: Key;
	until: Key;
}

const buildAgeWarning = (count: number, { after }: DeadlineWindow) =>
	`${count} or more deadlines of ${getSecond(after)} UTC and before are left out, as they are older than 'Oldest (Hours)'`;

/** Returns the window for the time on Corrigo's clock. */
export function getWindow(
	clock: string | undefined,
	{ offsetMs, ageMs }: DeadlineRule,
): DeadlineWindow {
	if (clock === undefined) {
		throw new TypeError(
			"Corrigo's answer has no 'Date', so nobody can tell which deadlines have passed",
		);
	}
	const until = addMs(clock, -offsetMs);
	return { after: { time: addMs(until, -ageMs), id: 0 }, until: { time: until, id: Infinity } };
}

/**
 * Reads deadlines that have passed and were not delivered yet. Every poll checks again whether a
 * work order counts, so one that qualifies late (committed late, rescheduled, taken off hold) comes
 * with the next poll. The query has no upper bound because only the answer tells Corrigo's time.
 */
export async function pollDeadlines<T>(
	feed: Feed,
	cursor: Cursor,
	source: ChangeSource<T> & { clock(): string | undefined },
	rule: DeadlineRule,
	{ slackMs = SLACK_MS, ...sizes }: Sizes & { slackMs?: number },
) {
	const { edge, newest, known } = cursor;
	const { fetchFresh, take, loadPages } = collectChanges(feed, cursor, source, sizes);
	const toPosition = (key: Key): FeedPosition => ({ after: later(edge, key), dense: false });
	// The clock is not known yet, so reading begins with the window of the previous poll.
	const start = toPosition(moveBack(newest, rule.ageMs + slackMs));
	/** Counts the deadlines that passed too long ago to be delivered; there may be more of them. */
	let tooOld = 0;
	const { changes, rest } = await loadPages(start, async (from) => {
		const isFirst = from === start;
		// Most polls find no deadline that has newly passed: the known rows and the next few suffice.
		const shown = known.filter((key) => compareKeys(key, start.after) > 0).length;
		const few = { count: shown + getSpare(sizes.page) };
		const { fresh, next } = await fetchFresh(from, isFirst ? few : {});
		const { after, until } = getWindow(source.clock(), rule);
		const begin = toPosition(after);
		const wasClockSetBack = compareKeys(begin.after, start.after) < 0;
		if (isFirst && wasClockSetBack) return begin;
		const select = (low: Key, high: Key) =>
			fresh.filter(({ key }) => compareKeys(key, low) > 0 && compareKeys(key, high) <= 0);
		if (isFirst) tooOld = select(moveBack(newest, rule.ageMs), after).length;
		// Work orders that have changed since they were read are left to the next poll.
		const left = await take(select(after, until), (item) => item !== undefined);
		if (left !== undefined) return left;
		if (next === undefined || compareKeys(next.after, until) > 0) return undefined;
		return getSecond(next.after) < getSecond(begin.after) ? begin : next;
	});
	return {
		changes,
		window: getWindow(source.clock(), rule),
		tooOld,
		hasMore: rest !== undefined,
	};
}

/** Corrigo's clock may be set back this far before a page has to be read again. */
const SLACK_MS = OVERLAP.seconds * 1000;

/**
 * Moves `current`, the latest cursor, because an overlapping poll may have moved it since this poll
 * began. `claimed` holds the deadlines that this poll still has to deliver.
 *
 * A delivered deadline stays known, as an edit or a wrong clock may make it count again. The edge
 * moves only past keys that are forgotten because there are too many.
 */
export function commit<T extends { key: Key }>(
	current: Cursor,
	{ window, changes }: { window: DeadlineWindow; changes: readonly T[] },
	maxKeys = MAX_KEYS,
): { cursor: Cursor; claimed: T[] } {
	const { claimed, known, rows } = claimChanges(current, changes);
	const newest = { time: window.until.time, id: 0 };
	return { claimed, cursor: { ...buildCursor(current.edge, newest, known, maxKeys), ...rows } };
}

const moveBack = ({ time, id }: Key, ms: number): Key => ({ time: addMs(time, -ms), id });

/** Builds the member `Deadline` of an item. Minutes are counted from Corrigo's clock. */
export function describeDeadline({ name }: DeadlineRule, key: Key, clock: string, zone: unknown) {
	const Utc = `${getSecond(key)}Z`;
	const TimeZone = timeZones[String(zone)] ?? null;
	const minutes = (toMillis(key.time) - toMillis(clock)) / MINUTE_MS;
	return {
		Type: name,
		Utc,
		Local: TimeZone && toLocalTime(Utc, TimeZone),
		TimeZone,
		MinutesLeft: Math.max(0, Math.floor(minutes)),
		MinutesOver: Math.max(0, Math.floor(-minutes)),
	};
}
