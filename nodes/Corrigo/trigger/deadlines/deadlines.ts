import type { Path } from '../../catalogue/entities';
import { timeZones } from '../../catalogue/times';
import { toLocalTime } from '../../values/times';
import {
	addMs,
	compareKeys,
	buildCursor,
	isNewTo,
	later,
	toMillis,
	OVERLAP,
	getSecond,
	type Cursor,
	type Key,
} from '../feed/cursor';

interface DeadlineType {
	name: string;
	description: string;
	/** The property that holds the time in UTC. */
	time: Path<'WorkOrder'>;
	/** The deadline counts only in these statuses, in which the work is not done yet. */
	statuses: readonly string[];
}

/** Lists all deadlines in the order of the menu. */
export const deadlines = {
	acknowledgeBy: {
		name: 'Acknowledge By',
		description: 'Until the work order is picked up',
		time: 'AcknowledgeByUtc',
		statuses: ['New'],
	},
	due: {
		name: 'Due',
		description: 'Until the work is completed',
		time: 'DueDateUtc',
		statuses: ['New', 'Open', 'InProgress', 'Paused'],
	},
	onSiteBy: {
		name: 'On Site By',
		description: 'Until the work is started',
		time: 'DtUtcOnSiteBy',
		statuses: ['New', 'Open'],
	},
	scheduledStart: {
		name: 'Scheduled Start',
		description: 'Unless the work is in progress',
		time: 'ScheduledStartUtc',
		statuses: ['New', 'Open', 'Paused'],
	},
} as const satisfies Record<string, DeadlineType>;

/** Work orders in these statuses count only if they are chosen in the form. */
export const OPTIONAL_STATUSES = ['OnHold', 'Completed', 'Cancelled'] as const;

export type DeadlineName = keyof typeof deadlines;

/** Says which deadline triggers the workflow, and when. */
export interface DeadlineRule {
	name: DeadlineName;
	/** Time after the deadline; negative to trigger before it. */
	offsetMs: number;
	/** Maximum age of that moment; older ones do not trigger the workflow. */
	ageMs: number;
}

/** Deadlines later than `after` and up to `until` trigger the workflow at one moment. */
export interface DeadlineWindow {
	after: Key;
	until: Key;
}

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

/** Corrigo's clock may be set back this far before a page has to be read again. */
export const SLACK_MS = OVERLAP.seconds * 1000;

/**
 * Moves `current`, the latest cursor, because an overlapping poll may have moved it since this poll
 * began. `claimed` holds the deadlines that this poll still has to deliver.
 *
 * A delivered deadline stays known as long as it is read again. The edge moves only past keys that
 * are forgotten, so a clock that is wrong for a while hides nothing afterwards.
 */
export function commit(
	current: Cursor,
	{ window, keys }: { window: DeadlineWindow; keys: readonly Key[] },
	maxKeys = OVERLAP.keys,
	slackMs = SLACK_MS,
): { cursor: Cursor; claimed: Key[] } {
	const claimed = keys.filter(isNewTo(current));
	const all = [...current.known, ...claimed];
	const oldest = moveBack(window.after, slackMs);
	const edge = all.filter((key) => compareKeys(key, oldest) <= 0).reduce(later, current.edge);
	const newest = { time: window.until.time, id: 0 };
	return { claimed, cursor: buildCursor(edge, newest, all, maxKeys) };
}

export const moveBack = ({ time, id }: Key, ms: number): Key => ({ time: addMs(time, -ms), id });

const MINUTE_MS = 60_000;

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
