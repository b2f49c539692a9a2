import type { Path } from '../catalogue/entities';
import { timeZones } from '../catalogue/timeZones';
import { localClock } from '../protocol/localTimes';
import {
	compare,
	toTheSecond,
	newTo,
	OVERLAP,
	secondOf,
	shifted,
	type Cursor,
	type Key,
} from './cursor';

interface DeadlineType {
	name: string;
	description: string;
	/** In UTC. */
	time: Path<'WorkOrder'>;
	/** In these, what it asks for has not been done yet. */
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

/** What is done with, or put off: orders that count if they are asked for. */
export const CLOSED = ['OnHold', 'Completed', 'Cancelled'] as const;

export type DeadlineName = keyof typeof deadlines;

/** When a deadline is told of. */
export interface DeadlineRule {
	deadline: DeadlineName;
	/** Behind its time; negative before it. */
	offsetMs: number;
	/** How long ago that may be. */
	ageMs: number;
}

/** The times of the deadlines that are told of at one moment: later than one, up to the other. */
export interface Window {
	after: Key;
	until: Key;
}

/** `clock` is that of the service, which stands in its answers only. */
export function windowAt(clock: string | undefined, { offsetMs, ageMs }: DeadlineRule): Window {
	if (clock === undefined) {
		throw new TypeError(
			"Corrigo's answer has no 'Date', so nobody can tell which deadlines have passed",
		);
	}
	const until = shifted(clock, -offsetMs);
	return { after: { time: shifted(until, -ageMs), id: 0 }, until: { time: until, id: Infinity } };
}

/** What one poll has handed out, and when it began. */
interface Told {
	window: Window;
	keys: readonly Key[];
}

/** How far the clock of Corrigo may be set back without something being read once more. */
export const SLACK_MS = OVERLAP.seconds * 1000;

/**
 * Brings what a poll hands out into the cursor as it is now: another poll may have moved it since.
 * `mine` are the deadlines this poll hands out.
 *
 * What was handed out is known as long as it is read again. The edge moves by what is forgotten and
 * by nothing else, so a clock that is wrong for a while hides nothing afterwards.
 */
export function commit(
	now: Cursor,
	{ window, keys }: Told,
	most = OVERLAP.keys,
	slackMs = SLACK_MS,
): { cursor: Cursor; mine: Key[] } {
	const mine = keys.filter(newTo(now));
	const all = [...now.known, ...mine].sort(compare);
	const oldest = earlierBy(window.after, slackMs);
	const past = all.filter((key) => compare(key, oldest) <= 0).length;
	const forgotten = Math.max(past, all.length - most);
	return {
		mine,
		cursor: {
			edge: forgotten > 0 ? all[forgotten - 1] : now.edge,
			newest: { time: window.until.time, id: 0 },
			known: all.slice(forgotten),
		},
	};
}

export const earlierBy = ({ time, id }: Key, ms: number): Key => ({ time: shifted(time, -ms), id });

const MINUTE_MS = 60_000;

/** What an item says of its deadline. The minutes count from the clock of Corrigo. */
export function deadlineOf(
	{ deadline }: DeadlineRule,
	{ time }: Key,
	clock: string,
	zone: unknown,
) {
	const Utc = `${secondOf({ time, id: 0 })}Z`;
	const TimeZone = timeZones[String(zone)] ?? null;
	const minutes = (toTheSecond(time) - toTheSecond(clock)) / MINUTE_MS;
	return {
		Type: deadline,
		Utc,
		Local: TimeZone && localClock(Utc, TimeZone),
		TimeZone,
		MinutesLeft: Math.max(0, Math.floor(minutes)),
		MinutesOver: Math.max(0, Math.floor(-minutes)),
	};
}
