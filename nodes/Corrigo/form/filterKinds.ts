import type { INodeProperties } from 'n8n-workflow';

import { fieldType } from '../catalogue/entities';
import { isEnumerationName, type EnumerationName } from '../catalogue/enumerations';
import { localPath } from '../catalogue/localTimes';
import type { Target } from '../catalogue/targets';
import { batches } from '../protocol/batches';
import { isObject, parseList, ValidationError } from '../protocol/checks';
import {
	and,
	atLeast,
	atMost,
	equal,
	isIn,
	lessThan,
	like,
	or,
	type Condition,
	type Criteria,
} from '../protocol/criteria';
import type { FilterContext } from '../protocol/names';
import { dateTime, isZoned, plainText, booleanOf, valueOf, wholeNumber } from '../protocol/values';
import { A_TIME, choices } from './fields';
import { reference, targetOfKind, type KnownKind } from './references';

type Part = Condition | Criteria;

/** A filter is a search that people make often, ready to be filled in. */
export interface Filter {
	entity: string;
	name: string;
	label: string;
	property: string;
	kind: Kind;
}

/** A filter type defines a field, and builds criteria from its value. */
export interface Kind {
	field: (filter: Filter) => Omit<INodeProperties, 'displayName' | 'name'>;
	criteria: (value: unknown, filter: Filter, context: FilterContext) => Part;
}

/** % is a wildcard of Like; [ is replaced, because it would begin a set of characters. */
const pattern = (given: string) =>
	given.includes('%') ? given : `%${given.trim().replace(/\[/g, '%')}%`;

export const text: Kind = {
	field: () => ({
		type: 'string',
		default: '',
		description: 'Matches part of the text; % is a wildcard',
	}),
	criteria: (value, { label, property }) => like(property, pattern(plainText(label, value))),
};

/** Texts match as a whole, so that 47 does not find 4711. */
export const anyText = (description: string): Kind => ({
	field: () => ({ type: 'string', default: '', description }),
	criteria: (value, { label, property }) => {
		const texts = new Set(parseList(label, value).map((one) => plainText(label, one).trim()));
		if (texts.size === 0 || texts.has('')) throw new ValidationError(`'${label}' is empty`);
		return or(...batches(texts).map((some) => isIn(property, some)));
	},
});

function enumerationOf({ entity, property }: Filter): EnumerationName {
	const type = fieldType(entity, property) ?? '';
	if (!isEnumerationName(type)) throw new TypeError(`${entity}.${property} has no members`);
	return type;
}

/** The field offers all values of the enumeration unless `only` limits them. */
export const anyOf = (only?: readonly string[]): Kind => ({
	field: (filter) => ({
		type: 'multiOptions',
		options: choices(enumerationOf(filter)).filter(({ value }) => only?.includes(value) ?? true),
		default: [],
		description: 'Values to include',
	}),
	criteria: (value, filter) =>
		isIn(
			filter.property,
			(Array.isArray(value) ? (value as unknown[]) : String(value).split(','))
				.map((one) => (typeof one === 'string' ? one.trim() : one))
				.map((one) => valueOf(filter.label, enumerationOf(filter), one)),
		),
});

/** The name of the filter is the type of the record, unless `own` says otherwise. */
export const ofRecord = (own: { kind?: KnownKind; description?: string } = {}): Kind => ({
	field: ({ name }) => {
		const { type, default: none, modes, description } = reference(own.kind ?? asKind(name), name);
		return { type, default: none, modes, description: own.description ?? description };
	},
	criteria: (value, { name, label, property }, { idOf }) =>
		equal(property, idOf(label, value, targetOfKind(own.kind ?? asKind(name)))),
});

const asKind = (name: string) => name as KnownKind;

const SPACE: Target = { entity: 'Space', by: ['Id'], read: ['Asset.Id'], includeRemoved: true };
const BELOW: Target = { entity: 'AssetTree', by: ['ParentId'], read: ['ChildId'] };

/** Orders refer to assets only, so a space means its own asset and all assets below it. */
export const inSpace = (description: string): Kind => ({
	...ofRecord({ kind: 'space', description }),
	criteria: (value, { label, property }, { idOf, rowsOf }) => {
		const id = idOf(label, value, targetOfKind('space'));
		const [space] = rowsOf(SPACE, id);
		const top = isObject(space?.Asset) ? space.Asset.Id : undefined;
		if (top === undefined)
			throw new ValidationError(`'${label}': there is no space with the ID ${id}`);
		const tree = rowsOf(BELOW, top as number);
		const assets = new Set([top, ...tree.map(({ ChildId }) => ChildId)]);
		return or(...batches(assets).map((some) => isIn(property, some)));
	},
});

/** Times are sent in whole seconds, so a range that ends now includes the current second. */
const SECOND = 1000;
const instant = (time: number) => `${new Date(time).toISOString().slice(0, 19)}Z`;

/** Some properties need more than a comparison with true or false. */
type Either = (property: string, now: () => string) => Record<'yes' | 'no', Part>;

export const yesNo = (
	description: string,
	either: Either = (property) => ({ yes: equal(property, true), no: equal(property, false) }),
): Kind => ({
	field: () => ({ type: 'boolean', default: true, description }),
	criteria: (value, { label, property }, { now }) =>
		either(property, () => instant(now()))[booleanOf(label, value) ? 'yes' : 'no'],
});

/** A date that is not set may be stored as one from long ago. */
export const NEVER = '1900-01-01T00:00:00';

export const before = (property: string, time: string): Criteria =>
	and(atLeast(property, NEVER), lessThan(property, time));

/** An instant is compared with the member that has the time in UTC. */
const inUtc = ({ entity, property }: Filter) => localPath(entity, property)?.utc ?? property;

const moment = (compare: (property: string, time: string) => Part): Kind => ({
	field: ({ entity, property }) => ({
		type: 'dateTime',
		default: '',
		description: localPath(entity, property)
			? 'In the time zone of the work zone, unless the value has a time zone'
			: A_TIME,
	}),
	criteria: (value, filter) => {
		const time = dateTime(filter.label, value);
		return compare(isZoned(time) ? inUtc(filter) : filter.property, time);
	},
});

const DAY = 24 * 60 * 60_000;
const CENTURY = 36_500;

/** A day is 24 hours from now, not a calendar day. */
const days = (direction: -1 | 1, description: string): Kind => ({
	field: () => ({ type: 'number', typeOptions: { minValue: 1 }, default: 7, description }),
	criteria: (value, filter, context) => {
		const now = context.now();
		const other = now + direction * DAY * wholeNumber(filter.label, value, 1, CENTURY);
		const path = inUtc(filter);
		const [from, to] = [Math.min(now, other), Math.max(now, other)];
		return and(atLeast(path, instant(from)), lessThan(path, instant(to + SECOND)));
	},
});

const lastDays = days(-1, 'Number of days to look back');
export const nextDays = days(1, 'Number of days to look ahead');

/** The Company sets the first day of a week, which is one of the seven days up to this one. */
export const ofWeek: Kind = {
	field: () => ({ type: 'dateTime', default: '', description: 'Any day of the week' }),
	criteria: (value, { label, property }) => {
		const [day] = dateTime(label, value).split('T');
		const sixBefore = new Date(Date.parse(day) - 6 * DAY).toISOString().slice(0, 10);
		return and(atLeast(property, sixBefore), atMost(property, `${day}T23:59:59`));
	},
};

export type Row<Property extends string> = readonly [string, Property, Kind];

/** People search a date by its earliest value, its latest value, or a number of days. */
export function dateRange<Name extends string, Property extends string>(
	name: Name,
	label: string,
	property: Property,
) {
	const row = (end: string, kind: Kind): Row<Property> => [`${label} ${end}`, property, kind];
	return {
		[`${name}After`]: row('After', moment(atLeast)),
		[`${name}Before`]: row('Before', moment(before)),
		[`${name}LastDays`]: row('in Last Days', lastDays),
	} as Record<`${Name}${'After' | 'Before' | 'LastDays'}`, Row<Property>>;
}
