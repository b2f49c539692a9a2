import { findEntity } from '../catalogue/entities';
import { isEnumerationName, type EnumerationName } from '../catalogue/enumerations';
import { findTypeMember } from '../catalogue/members';
import { findMemberTarget, findActorTarget, type Target } from '../catalogue/targets';
import { isDay, isTimeZone, timeZones } from '../catalogue/times';
import { fail, ValidationError, quote } from './errors';
import { type IdResolver, isId, isName, toRecordId, isNamed } from './references';
import { unwrapLocator } from './objects';
import {
	isBlank,
	normalize,
	parseBoolean,
	parseInteger,
	parseMember,
	parseNumber,
	parseText,
} from './input';
import { parseDateTime, parseDay, parseTimeOfDay } from './times';
import { createTable } from '../catalogue/table';

/** Reads the single value that a person has written; the other kinds hold more than one. */
type Parse = (field: string, value: unknown, type: string) => unknown;

interface Kind {
	/** Inputs that a person may write, in the words of the guide. */
	takes: string;
	/** Description of the sent value, in the words of the guide. */
	sends: string;
	parse: Parse;
}

const zonesByName = new Map(
	Object.entries(timeZones).map(([index, name]) => [normalize(name), Number(index)]),
);

const parseAnyInteger: Parse = (field, value) =>
	parseInteger(field, value, Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER);

/** Members of this enumeration may be combined, so their numbers are sums. */
const SUMS: EnumerationName = 'WoScheduleOptions';

/** Every single value of a member is of one of these kinds, whichever way it comes in. */
export const kinds = {
	text: {
		takes: 'A text, a number, `true` and `false`, or a time, which becomes ISO 8601',
		sends: 'The text; an empty one clears the field',
		parse: parseText,
	},
	wholeNumber: {
		takes: 'A whole number, also as text: `12`, `"12"`, `"12.0"`',
		sends: 'The number',
		parse: parseAnyInteger,
	},
	number: {
		takes: 'A number, also as text: `12.5`, `"12.50"`',
		sends: 'The number',
		parse: parseNumber,
	},
	switch: {
		takes: '`true` or `false`, also as text, in any case',
		sends: '`true` or `false`',
		parse: parseBoolean,
	},
	choice: {
		takes:
			'The name, the label or the number of a choice, in any case: `InProgress`, `in progress`, `6`',
		sends: 'The name',
		parse: (field, value, type) =>
			type === SUMS && isId(value)
				? parseAnyInteger(field, value, type)
				: parseMember(field, value, type as EnumerationName),
	},
	time: {
		takes: 'A time in ISO 8601, with or without a time zone, or a date, which means midnight',
		sends: 'The time on the clock of the work zone',
		parse: parseDateTime,
	},
	day: {
		takes:
			'A date in ISO 8601, or a time, which means the day that it shows, whatever its time zone',
		sends: 'Midnight of the day; in custom fields and attributes, the day alone',
		parse: parseDay,
	},
	timeOfDay: {
		takes:
			'A time such as `7:30`, `07:30:00` or `7:30 PM`, or a date with a time, which means the time that it shows',
		sends: 'The time: `07:30`, `19:30`',
		parse: parseTimeOfDay,
	},
	timeZone: {
		takes: 'A time zone such as `America/New_York`, or its number in Corrigo',
		sends: 'The number',
		parse: (field, value) => parseAnyInteger(field, toZoneIndex(field, value), ''),
	},
	entity: {
		takes: 'The name or label of an entity, in any case: `WoNote`, `work order note`',
		sends: 'The name',
		parse: (field, value) => findEntity(String(value))?.name ?? parseText(field, value),
	},
} as const satisfies Record<string, Kind>;

/** Members that refer to records, or hold several values, take these. */
export const otherKinds = {
	record: {
		takes: 'The ID, number or name of a record, or a record that has its `Id` or name',
		sends: 'The ID',
	},
	listOfRecords: {
		takes: 'IDs or names, as an array or separated by commas',
		sends: 'The IDs; an update of a record adds those that it does not have yet',
	},
	rowsOfKinds: {
		takes: 'An array of rows, or values by kind: `{ "PrimEmail": "a@example.org" }`',
		sends: 'The rows; an update replaces the rows of the same kind',
	},
} as const satisfies Record<string, Omit<Kind, 'parse'>>;

export type KindName = keyof typeof kinds;

export const kindsByType = createTable<KindName | undefined>({
	boolean: 'switch',
	datetime: 'time',
	integer: 'wholeNumber',
	number: 'number',
	string: 'text',
});

/** Returns undefined for references, objects and members that the catalogue lacks. */
export function findKind(owner: string, path: string, type: string): KindName | undefined {
	if (isEnumerationName(type)) return 'choice';
	if (isTimeZone(path, type)) return 'timeZone';
	if (type === 'string' && /(^|\.)EntityType$/.test(path)) return 'entity';
	if (type === 'datetime' && isDay(owner, path)) return 'day';
	return kindsByType[type];
}

export function parseKind(kind: KindName, field: string, value: unknown, type = ''): unknown {
	const { parse }: Kind = kinds[kind];
	return parse(field, value, type);
}

/** Accepts the number of a zone or its IANA name. */
function toZoneIndex(field: string, value: unknown): unknown {
	if (!isName(value) && !isBlank(value)) return value;
	return (
		zonesByName.get(normalize(value)) ?? fail(field, value, 'a time zone such as America/New_York')
	);
}

/**
 * Reads a single value: a name becomes an ID where the member refers to a record. Values whose kind
 * is not known stay as they are.
 */
export function parseSingle(
	member: MemberContext,
	type: string,
	value: unknown,
	resolveId: IdResolver,
): unknown {
	const { owner, path, fieldLabel } = member;
	const kind = findKind(owner, path, type);
	const input = unwrapLocator(value);
	// A record that was read has 0 where it refers to no other.
	const isNone = typeof input !== 'object' && Number(input) <= 0;
	if ((kind === 'text' || kind === 'wholeNumber') && !isNone) {
		const target = member.target ?? resolveTarget(member, input);
		if (target !== undefined) {
			const id = resolveId(fieldLabel, value, target);
			// The service expects some Ids as text.
			return kind === 'text' ? String(id) : id;
		}
	}
	return kind === undefined ? value : parseKind(kind, fieldLabel, input, type);
}

/** A member of an entity or command, with access to the input next to it. */
export interface MemberContext {
	owner: string;
	path: string;
	fieldLabel: string;
	/** Records that the value can name, if not those of the catalogue. */
	target?: Target;
	/** Returns the input at another path. */
	getSibling: (path: string) => unknown;
}

/** Some members can refer to records of several types; another member says which type is meant. */
export function resolveTarget(
	{ owner, path, fieldLabel, getSibling }: MemberContext,
	value: unknown,
): Target | undefined {
	const typeMember = findTypeMember(owner, path);
	if (typeMember === undefined) return findMemberTarget(owner, path);
	const type = getSibling(typeMember);
	const target = !isBlank(type)
		? findActorTarget(parseMember(`${fieldLabel} (${typeMember})`, type, 'ActorType'))
		: findMemberTarget(owner, path);
	if (target === undefined && isNamed(value)) {
		throw new ValidationError(
			`'${fieldLabel}' is ${quote(toRecordId(value))}, which cannot be looked up`,
			isBlank(type)
				? `Give '${typeMember}' as well, such as Property for a work zone, or give the ID.`
				: 'Give the ID.',
		);
	}
	return target;
}
