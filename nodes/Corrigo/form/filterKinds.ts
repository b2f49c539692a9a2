import type { INodeProperties } from 'n8n-workflow';

import { fieldType } from '../catalogue/entities';
import { isEnumerationName, type EnumerationName } from '../catalogue/enumerations';
import { localPath } from '../catalogue/localTimes';
import type { Target } from '../catalogue/targets';
import { batches } from '../protocol/batches';
import { isObject, ValidationError } from '../protocol/checks';
import {
	and,
	atLeast,
	equal,
	isIn,
	lessThan,
	like,
	or,
	type Condition,
	type Criteria,
} from '../protocol/criteria';
import type { RecordNames } from '../protocol/names';
import { dateTime, isZoned, plainText, booleanOf, valueOf, wholeNumber } from '../protocol/values';
import { A_TIME, choices } from './fields';
import { reference, targetOfKind, type KnownKind } from './references';

/** Where it stands in the table. */
interface Place {
	entity: string;
	name: string;
}

type Part = Condition | Criteria;

/** One row of the table: a search that people make often, ready to be filled in. */
export interface Filter<Property extends string = string> {
	label: string;
	property: Property;
	field: (place: Place) => Omit<INodeProperties, 'displayName' | 'name'>;
	criteria: (value: unknown, place: Place, lookups: RecordNames) => Part;
}

/** % and [ mean something to Like: who writes the first knows it, and nobody means the second. */
const pattern = (text: string) =>
	text.includes('%') ? text : `%${text.trim().replace(/\[/g, '%')}%`;

export const text = <Property extends string>(
	label: string,
	property: Property,
): Filter<Property> => ({
	label,
	property,
	field: () => ({
		type: 'string',
		default: '',
		description: 'A part of it is enough; % stands for any text',
	}),
	criteria: (value) => like(property, pattern(plainText(label, value))),
});

const enumerationOf = (entity: string, property: string): EnumerationName => {
	const type = fieldType(entity, property) ?? '';
	if (!isEnumerationName(type)) throw new TypeError(`${entity}.${property} has no members`);
	return type;
};

/** Members of an enumeration, all of them unless said otherwise. */
export const anyOf = <Property extends string>(
	label: string,
	property: Property,
	only?: readonly string[],
): Filter<Property> => ({
	label,
	property,
	field: ({ entity }) => ({
		type: 'multiOptions',
		options: choices(enumerationOf(entity, property)).filter(
			({ value }) => only?.includes(value) ?? true,
		),
		default: [],
		description: 'One of these',
	}),
	criteria: (value, { entity }) =>
		isIn(
			property,
			(Array.isArray(value) ? (value as unknown[]) : String(value).split(','))
				.map((one) => (typeof one === 'string' ? one.trim() : one))
				.map((one) => valueOf(label, enumerationOf(entity, property), one)),
		),
});

/** A record, of the kind that the filter is called after unless said otherwise. */
export const ofRecord = <Property extends string>(
	label: string,
	property: Property,
	{ kind, description }: { kind?: KnownKind; description?: string } = {},
): Filter<Property> => ({
	label,
	property,
	field: ({ name }) => {
		const { type, default: none, modes, ...usual } = reference(kind ?? (name as KnownKind), name);
		return { type, default: none, modes, description: description ?? usual.description };
	},
	criteria: (value, { name }, { idOf }) =>
		equal(property, idOf(label, value, targetOfKind(kind ?? (name as KnownKind)))),
});

const SPACE: Target = { entity: 'Space', by: ['Id'], read: ['Asset.Id'], includeRemoved: true };
const BELOW: Target = { entity: 'AssetTree', by: ['ParentId'], read: ['ChildId'] };

/** Orders name assets only: those of a space are its own and all below. */
export const inSpace = <Property extends string>(
	label: string,
	property: Property,
	description: string,
): Filter<Property> => ({
	...ofRecord(label, property, { kind: 'space', description }),
	criteria: (value, _, { idOf, rowsOf }) => {
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

const now = () => Date.now();
/** Whole seconds: what was changed in this one is not later than now. */
const SECOND = 1000;
const instant = (time: number) => `${new Date(time).toISOString().slice(0, 19)}Z`;

/** The conditions for yes and for no; by default, the property itself is compared. */
type Either = (property: string, now: string) => Record<'yes' | 'no', Part>;

export const yesNo = <Property extends string>(
	label: string,
	property: Property,
	description: string,
	either: Either = () => ({ yes: equal(property, true), no: equal(property, false) }),
): Filter<Property> => ({
	label,
	property,
	field: () => ({ type: 'boolean', default: true, description }),
	criteria: (value) => either(property, instant(now()))[booleanOf(label, value) ? 'yes' : 'no'],
});

/** Dates that are not set may be stored as one that is long ago. */
export const NEVER = '1900-01-01T00:00:00';

export const before = (property: string, time: string): Criteria =>
	and(atLeast(property, NEVER), lessThan(property, time));

/** An instant is compared with the member that has the time in UTC. */
const inUtc = (entity: string, property: string) => localPath(entity, property)?.utc ?? property;

const moment = <Property extends string>(
	label: string,
	property: Property,
	compare: (property: string, time: string) => Part,
): Filter<Property> => ({
	label,
	property,
	field: ({ entity }) => ({
		type: 'dateTime',
		default: '',
		description: localPath(entity, property)
			? 'On the clock of the work zone, unless the value carries a time zone'
			: A_TIME,
	}),
	criteria: (value, { entity }) => {
		const time = dateTime(label, value);
		return compare(isZoned(time) ? inUtc(entity, property) : property, time);
	},
});

const DAY = 24 * 60 * 60_000;
const CENTURY = 36_500;

const lastDays = <Property extends string>(
	label: string,
	property: Property,
): Filter<Property> => ({
	label,
	property,
	field: () => ({
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 7,
		description: 'So many days back from now, and not later than now',
	}),
	criteria: (value, { entity }) => {
		const from = now() - DAY * wholeNumber(label, value, 1, CENTURY);
		const path = inUtc(entity, property);
		return and(atLeast(path, instant(from)), lessThan(path, instant(now() + SECOND)));
	},
});

/** Three ways to name a stretch of time. */
export const dateRange = <Name extends string, Property extends string>(
	name: Name,
	label: string,
	property: Property,
) =>
	({
		[`${name}After`]: moment(`${label} After`, property, atLeast),
		[`${name}Before`]: moment(`${label} Before`, property, before),
		[`${name}LastDays`]: lastDays(`${label} in Last Days`, property),
	}) as Record<`${Name}${'After' | 'Before' | 'LastDays'}`, Filter<Property>>;
