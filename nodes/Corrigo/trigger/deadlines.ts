import type { Path } from '../catalogue/entities';
import { timeZones } from '../catalogue/timeZones';
import { toLocalTime } from '../protocol/localTimes';
import {
	addMs,
	compare,
	cursorAt,
	isNewTo,
	later,
	millisOf,
	OVERLAP,
	secondOf,
	type Cursor,
	type Key,
} from './cursor';

interface DeadlineType {
	name: string;
	description: string;
	/** The UTC property of the time. */
	time: Path<'WorkOrder'>;
	/** Statuses in which the work that is due has not been done yet. */
	statuses: readonly string[];
}

/** Every deadline there is, in the order of the menu. */
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

/** Orders in these statuses count only if they are chosen in the form. */
export const OPTIONAL_STATUSES = ['OnHold', 'Completed', 'Cancelled'] as const;

export type DeadlineName = keyof typeof deadlines;

/** Which deadline triggers the workflow, and when. */
export interface DeadlineRule {
	name: DeadlineName;
	/** Time after the deadline; negative for a time before it. */
	offsetMs: number;
	/** How long ago that moment may be. */
	ageMs: number;
}

/** The range of deadlines that trigger the workflow at one moment: later than `after`, up to `until`. */
export interface Window {
	after: Key;
	until: Key;
}

/** The window at the time that the clock of the service shows. */
export function windowAt(clock: string | undefined, { offsetMs, ageMs }: DeadlineRule): Window {
	if (clock === undefined) {
		throw new TypeError(
			"Corrigo's answer has no 'Date', so nobody can tell which deadlines have passed",
		);
	}
	const until = addMs(clock, -offsetMs);
	return { after: { time: addMs(until, -ageMs), id: 0 }, until: { time: until, id: Infinity } };
}

/** How far the clock of Corrigo may be set back without a page being read once more. */
export const SLACK_MS = OVERLAP.seconds * 1000;

/**
 * Moves the cursor as it is by now, which an overlapping poll may have moved since this one began.
 * `claimed` are the deadlines that are left for this poll to deliver.
 *
 * A deadline that was delivered is known as long as it is read again. The edge moves only past keys
 * that are forgotten, so a clock that is wrong for a while hides nothing afterwards.
 */
export function commit(
	current: Cursor,
	{ window, keys }: { window: Window; keys: readonly Key[] },
	maxKeys = OVERLAP.keys,
	slackMs = SLACK_MS,
): { cursor: Cursor; claimed: Key[] } {
	const claimed = keys.filter(isNewTo(current));
	const all = [...current.known, ...claimed];
	const oldest = earlierBy(window.after, slackMs);
	const edge = all.filter((key) => compare(key, oldest) <= 0).reduce(later, current.edge);
	const newest = { time: window.until.time, id: 0 };
	return { claimed, cursor: cursorAt(edge, newest, all, maxKeys) };
}

export const earlierBy = ({ time, id }: Key, ms: number): Key => ({ time: addMs(time, -ms), id });

const MINUTE_MS = 60_000;

/** The member `Deadline` of an item. Its minutes count from the clock of Corrigo. */
export function deadlineDetails({ name }: DeadlineRule, key: Key, clock: string, zone: unknown) {
	const Utc = `${secondOf(key)}Z`;
	const TimeZone = timeZones[String(zone)] ?? null;
	const minutes = (millisOf(key.time) - millisOf(clock)) / MINUTE_MS;
	return {
		Type: name,
		Utc,
		Local: TimeZone && toLocalTime(Utc, TimeZone),
		TimeZone,
		MinutesLeft: Math.max(0, Math.floor(minutes)),
		MinutesOver: Math.max(0, Math.floor(-minutes)),
	};
}
