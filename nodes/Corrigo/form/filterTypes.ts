import type { INodeProperties } from 'n8n-workflow';

import { findEntityMemberType } from '../catalogue/entities';
import { isEnumerationName, type EnumerationName } from '../catalogue/enumerations';
import { findLocalPath } from '../catalogue/times';
import { getRecordTarget, type Target } from '../catalogue/targets';
import type { RecordType } from '../catalogue/views';
import { batches } from '../values/tools';
import {
	isObject,
	parseList,
	ValidationError,
	parseDateTime,
	isZoned,
	parseText,
	parseBoolean,
	parseMember,
	parseInteger,
} from '../values/checks';
import type { FilterContext } from '../values/names';
import { buildReferenceField } from './subjects';
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
} from '../wire/criteria';
import { TIME_DESCRIPTION, listChoices } from './fields';

type Part = Condition | Criteria;

/** A filter is a search that people make often, ready to be filled in. */
export interface Filter {
	entity: string;
	name: string;
	label: string;
	property: string;
	type: FilterType;
}

/** A filter type defines a field, and builds criteria from its value. */
export interface FilterType {
	buildField: (filter: Filter) => Omit<INodeProperties, 'displayName' | 'name'>;
	buildCriteria: (value: unknown, filter: Filter, context: FilterContext) => Part;
}

/** % is a wildcard of Like; [ is replaced, because it would begin a set of characters. */
const toPattern = (input: string) =>
	input.includes('%') ? input : `%${input.trim().replace(/\[/g, '%')}%`;

export const text: FilterType = {
	buildField: () => ({
		type: 'string',
		default: '',
		description: 'Matches part of the text; % is a wildcard',
	}),
	buildCriteria: (value, { label, property }) => like(property, toPattern(parseText(label, value))),
};

const parseTexts = ({ label }: Filter, value: unknown): Set<string> => {
	const texts = new Set(parseList(label, value).map((one) => parseText(label, one).trim()));
	if (texts.size === 0 || texts.has('')) throw new ValidationError(`'${label}' is empty`);
	return texts;
};

/** Texts match as a whole, so that 47 does not find 4711. */
export const anyText = (description: string): FilterType => ({
	buildField: () => ({ type: 'string', default: '', description }),
	buildCriteria: (value, filter) =>
		or(...batches(parseTexts(filter, value)).map((some) => isIn(filter.property, some))),
});

function getEnumeration({ entity, property }: Filter): EnumerationName {
	const type = findEntityMemberType(entity, property) ?? '';
	if (!isEnumerationName(type)) throw new TypeError(`${entity}.${property} has no members`);
	return type;
}

/** The field offers all values of the enumeration unless `only` limits them. */
export const anyValue = (only?: readonly string[]): FilterType => ({
	buildField: (filter) => ({
		type: 'multiOptions',
		options: listChoices(getEnumeration(filter)).filter(
			({ value }) => only?.includes(value) ?? true,
		),
		default: [],
		description: 'Values to include',
	}),
	buildCriteria: (value, filter) =>
		isIn(
			filter.property,
			[...parseTexts(filter, value)].map((one) =>
				parseMember(filter.label, one, getEnumeration(filter)),
			),
		),
});

export const record = (recordType: RecordType, own?: string): FilterType => ({
	buildField: ({ name }) => {
		const { type, default: none, modes, description } = buildReferenceField(recordType, name);
		return { type, default: none, modes, description: own ?? description };
	},
	buildCriteria: (value, { label, property }, { resolveId }) =>
		equal(property, resolveId(label, value, getRecordTarget(recordType))),
});

const SPACE_ASSET: Target = {
	entity: 'Space',
	by: ['Id'],
	read: ['Asset.Id'],
	includeRemoved: true,
};
const CHILD_ASSETS: Target = { entity: 'AssetTree', by: ['ParentId'], read: ['ChildId'] };

/** Orders refer to assets only, so a space means its own asset and all assets below it. */
export const spaceAssets = (description: string): FilterType => ({
	...record('space', description),
	buildCriteria: (value, { label, property }, { resolveId, findRows }) => {
		const id = resolveId(label, value, getRecordTarget('space'));
		const [space] = findRows(SPACE_ASSET, id);
		const top = isObject(space?.Asset) ? space.Asset.Id : undefined;
		if (top === undefined)
			throw new ValidationError(`'${label}': there is no space with the ID ${id}`);
		const tree = findRows(CHILD_ASSETS, top as number);
		const assets = new Set([top, ...tree.map(({ ChildId }) => ChildId)]);
		return or(...batches(assets).map((some) => isIn(property, some)));
	},
});

/** Times are sent in whole seconds, so a range that ends now includes the current second. */
const SECOND_MS = 1000;
const toInstant = (time: number) => `${new Date(time).toISOString().slice(0, 19)}Z`;

/** Some properties need more than a comparison with true or false. */
type BuildConditions = (property: string, now: () => string) => Record<'yes' | 'no', Part>;

export const yesNo = (
	description: string,
	buildConditions: BuildConditions = (property) => ({
		yes: equal(property, true),
		no: equal(property, false),
	}),
): FilterType => ({
	buildField: () => ({ type: 'boolean', default: true, description }),
	buildCriteria: (value, { label, property }, { now }) =>
		buildConditions(property, () => toInstant(now()))[parseBoolean(label, value) ? 'yes' : 'no'],
});

/** A date that is not set may be stored as one from long ago. */
export const NEVER = '1900-01-01T00:00:00';

export const before = (property: string, time: string): Criteria =>
	and(atLeast(property, NEVER), lessThan(property, time));

/** An instant is compared with the member that has the time in UTC. */
const getUtcPath = ({ entity, property }: Filter) =>
	findLocalPath(entity, property)?.utc ?? property;

const moment = (compare: (property: string, time: string) => Part): FilterType => ({
	buildField: ({ entity, property }) => ({
		type: 'dateTime',
		default: '',
		description: findLocalPath(entity, property)
			? 'In the time zone of the work zone, unless the value has a time zone'
			: TIME_DESCRIPTION,
	}),
	buildCriteria: (value, filter) => {
		const time = parseDateTime(filter.label, value);
		return compare(isZoned(time) ? getUtcPath(filter) : filter.property, time);
	},
});

const DAY_MS = 24 * 60 * 60_000;
const MAX_DAYS = 36_500;

/** A day is 24 hours from now, not a calendar day. */
const days = (direction: -1 | 1, description: string): FilterType => ({
	buildField: () => ({ type: 'number', typeOptions: { minValue: 1 }, default: 7, description }),
	buildCriteria: (value, filter, context) => {
		const now = context.now();
		const other = now + direction * DAY_MS * parseInteger(filter.label, value, 1, MAX_DAYS);
		const path = getUtcPath(filter);
		const [from, to] = [Math.min(now, other), Math.max(now, other)];
		return and(atLeast(path, toInstant(from)), lessThan(path, toInstant(to + SECOND_MS)));
	},
});

const lastDays = days(-1, 'Number of days to look back');
export const nextDays = days(1, 'Number of days to look ahead');

/** The Company sets the first day of a week, which is one of the seven days up to this one. */
export const week: FilterType = {
	buildField: () => ({ type: 'dateTime', default: '', description: 'Any day of the week' }),
	buildCriteria: (value, { label, property }) => {
		const [day] = parseDateTime(label, value).split('T');
		const sixBefore = new Date(Date.parse(day) - 6 * DAY_MS).toISOString().slice(0, 10);
		return and(atLeast(property, sixBefore), atMost(property, `${day}T23:59:59`));
	},
};

export type FilterDefinition<Property extends string> = readonly [string, Property, FilterType];

/** People search a date by its earliest value, its latest value, or a number of days. */
export function dateRange<Name extends string, Property extends string>(
	name: Name,
	label: string,
	property: Property,
) {
	const defineFilter = (end: string, type: FilterType): FilterDefinition<Property> => [
		`${label} ${end}`,
		property,
		type,
	];
	return {
		[`${name}After`]: defineFilter('After', moment(atLeast)),
		[`${name}Before`]: defineFilter('Before', moment(before)),
		[`${name}LastDays`]: defineFilter('in Last Days', lastDays),
	} as Record<`${Name}${'After' | 'Before' | 'LastDays'}`, FilterDefinition<Property>>;
}
