import type { INodeProperties } from 'n8n-workflow';

import { parseKind } from '../values/kinds';
import { createEmptyError, ValidationError } from '../values/errors';
import {
	fromLocalTime,
	toLocalTime,
	DAY_MS,
	isZoned,
	toInstant,
	toSecondsUtc,
} from '../values/times';
import type { FilterContext } from '../values/references';
import { parseInteger } from '../values/input';
import { buildField, buildNumber, defineField } from './fields';
import type { Form } from './form';

/** Times without a zone are on the clock of each record; the end is not part of the range. */
export interface TimeRange {
	from?: string;
	until?: string;
}

/**
 * A member may hold a day, a time on the local clock only, or one whose clock is not known and which
 * counts as UTC.
 */
export type ComparedTime = 'day' | 'instant' | 'localTime' | 'time';

type Clock = Pick<FilterContext, 'now' | 'timeZone'>;

const SECOND_MS = 1000;
const MAX_DAYS = 36_500;

/** A day is a number of milliseconds, at midnight in UTC. */
const toMidnight = (day: number) => `${new Date(day).toISOString().slice(0, 10)}T00:00:00`;

type Place = Pick<Inputs, 'clock' | 'kind'>;

/** The range begins with the first day, and ends before the other. */
function toDayRange(first: number, other: number, { kind, clock }: Place): TimeRange {
	const [from, until] = [first, other]
		.map(toMidnight)
		.map((local) =>
			kind === 'instant' ? toSecondsUtc(fromLocalTime(local, clock.timeZone)) : local,
		);
	return { from, until };
}

const toDay = (local: string) => Date.parse(local.slice(0, 10));

/** Days, weeks, months, quarters and years are those of the workflow's calendar; 0 is the current one. */
const readToday = ({ now, timeZone }: Clock) => toDay(toLocalTime(toSecondsUtc(now()), timeZone));

function getDayRange(offset: number, place: Place): TimeRange {
	const day = readToday(place.clock) + offset * DAY_MS;
	return toDayRange(day, day + DAY_MS, place);
}

function getWeekRange(offset: number, place: Place): TimeRange {
	const today = readToday(place.clock);
	const sinceMonday = (new Date(today).getUTCDay() + 6) % 7;
	const monday = today + (7 * offset - sinceMonday) * DAY_MS;
	return toDayRange(monday, monday + 7 * DAY_MS, place);
}

/** A range has 1, 3 or 12 months: those of a month, a quarter or a year. */
function getMonthRange(offset: number, months: number, place: Place): TimeRange {
	const today = new Date(readToday(place.clock));
	const current = Math.floor(today.getUTCMonth() / months);
	const getStart = (after: number) =>
		Date.UTC(today.getUTCFullYear(), (current + offset + after) * months, 1);
	return toDayRange(getStart(0), getStart(1), place);
}

/** A day is 24 hours from now, and one of the calendar only for a member that holds a day. */
function getDaysRange(days: number, place: Place): TimeRange {
	const { now, timeZone } = place.clock;
	const time = now();
	const [from, to] = [time, time + days * DAY_MS].sort((a, b) => a - b);
	const toLocal = (at: number) => toLocalTime(toSecondsUtc(at), timeZone);
	if (place.kind === 'day') {
		const [first, last] = [from, to].map((at) => toDay(toLocal(at)));
		return toDayRange(first, last + DAY_MS, place);
	}
	// The clock of the workflow is the nearest one if no member has the time in UTC.
	const toText = place.kind === 'localTime' ? toLocal : toSecondsUtc;
	// The last second is a whole one, so a range that ends now includes the current second.
	return { from: toText(from), until: toText(to + SECOND_MS) };
}

interface Inputs {
	time: () => string;
	until: () => string;
	days: () => number;
	kind: ComparedTime;
	clock: Clock;
}

interface Choice {
	name: string;
	/** Other fields that the choice needs. */
	fields: ReadonlyArray<'days' | 'time' | 'until'>;
	read: (inputs: Inputs) => TimeRange;
}

const CHOICES = {
	after: { name: 'After', fields: ['time'], read: ({ time }) => ({ from: time() }) },
	before: { name: 'Before', fields: ['time'], read: ({ time }) => ({ until: time() }) },
	between: {
		name: 'Between',
		fields: ['time', 'until'],
		read: ({ time, until }) => ({ from: time(), until: until() }),
	},
	lastDays: {
		name: 'In the Last Days',
		fields: ['days'],
		read: ({ days, ...place }) => getDaysRange(-days(), place),
	},
	nextDays: {
		name: 'In the Next Days',
		fields: ['days'],
		read: ({ days, ...place }) => getDaysRange(days(), place),
	},
	lastMonth: { name: 'Last Month', fields: [], read: (place) => getMonthRange(-1, 1, place) },
	lastQuarter: { name: 'Last Quarter', fields: [], read: (place) => getMonthRange(-1, 3, place) },
	lastWeek: { name: 'Last Week', fields: [], read: (place) => getWeekRange(-1, place) },
	lastYear: { name: 'Last Year', fields: [], read: (place) => getMonthRange(-1, 12, place) },
	thisMonth: { name: 'This Month', fields: [], read: (place) => getMonthRange(0, 1, place) },
	thisQuarter: { name: 'This Quarter', fields: [], read: (place) => getMonthRange(0, 3, place) },
	thisWeek: { name: 'This Week', fields: [], read: (place) => getWeekRange(0, place) },
	thisYear: { name: 'This Year', fields: [], read: (place) => getMonthRange(0, 12, place) },
	today: { name: 'Today', fields: [], read: (place) => getDayRange(0, place) },
	yesterday: { name: 'Yesterday', fields: [], read: (place) => getDayRange(-1, place) },
} as const satisfies Record<string, Choice>;

type When = keyof typeof CHOICES;

const choices = Object.keys(CHOICES) as When[];

const buildRule = (field: Choice['fields'][number]) => ({
	displayOptions: {
		show: { when: choices.filter((when) => (CHOICES[when] as Choice).fields.includes(field)) },
	},
});

const whenField = defineField({
	displayName: 'When',
	name: 'when',
	type: 'options',
	options: choices.map((value) => ({ name: CHOICES[value].name, value })),
	default: 'lastDays',
	description: 'A week begins on Monday, and a quarter in January, April, July or October',
});

const timeField = buildField('time', 'dateTime', '', buildRule('time'));

const untilField = buildField(
	'until',
	'dateTime',
	'End of the period, which is not included itself',
	{
		displayName: 'End',
		...buildRule('until'),
	},
);

const daysField = defineField({
	name: 'days',
	...buildNumber(
		'Days',
		'Counted from now. A day is 24 hours, or a calendar day for dates without a time.',
		7,
	),
	...buildRule('days'),
});

/** A model tells fields apart by their titles, and a form may have several ranges. */
export const buildRangeFields = (timeDescription: string, prefix = ''): INodeProperties[] => [
	whenField,
	...[{ ...timeField, description: timeDescription }, untilField, daysField].map((field) => ({
		...field,
		displayName: `${prefix}${field.displayName}`,
	})),
];

/** Messages name the date with its comparison, such as "Due After". */
export const getRangeLabel = (date: string, row: Form): string =>
	`${date} ${CHOICES[row.read(whenField)].name}`;

export function readRange(row: Form, date: string, kind: ComparedTime, clock: Clock): TimeRange {
	const label = getRangeLabel(date, row);
	const readTime = (field: INodeProperties) => {
		if (row.isEmpty(field)) throw createEmptyError(label, 'Enter a time.', field.displayName);
		return String(parseKind(kind === 'day' ? 'day' : 'time', label, row.getInput(field)));
	};
	const range = CHOICES[row.read(whenField)].read({
		time: () => readTime(timeField),
		until: () => readTime(untilField),
		days: () => parseInteger(label, row.getInput(daysField), 1, MAX_DAYS),
		kind,
		clock,
	});
	checkOrder(label, range);
	return range;
}

/** An instant and a local time cannot be compared, because each record may have another clock. */
function checkOrder(label: string, { from, until }: TimeRange): void {
	if (from === undefined || until === undefined || isZoned(from) !== isZoned(until)) return;
	if (toInstant(from) < toInstant(until)) return;
	throw new ValidationError(`'${label}' ends at ${until}, which is not after ${from}`);
}
