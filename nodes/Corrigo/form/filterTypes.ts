import type { INodeProperties } from 'n8n-workflow';

import { findEntityMemberType } from '../catalogue/entities';
import { isEnumerationName, type EnumerationName } from '../catalogue/enumerations';
import { toTitle } from '../catalogue/enumerations/labels';
import { findLocalPath, isDay } from '../catalogue/times';
import { defineRows, getRecordTarget } from '../catalogue/targets';
import type { RecordType } from '../catalogue/views';
import {
	type Condition,
	type Criteria,
	batches,
	and,
	atLeast,
	atMost,
	equal,
	findComparedPath,
	isIn,
	lessThan,
	like,
	or,
} from '../wire/criteria';
import { canCompare, matches, parseDescribed, requireAttribute } from '../compare/customFields';
import { createEmptyError, ValidationError, quote } from '../values/errors';
import { parseList } from '../values/json';
import { isObject, toRows, type JsonObject } from '../values/objects';
import { isBlank, parseBoolean, parseMember, parseText } from '../values/input';
import { DAY_MS, NEVER, toSecondsUtc } from '../values/times';
import { parseKind } from '../values/kinds';
import type { FilterContext } from '../values/references';
import { Form, parseInput } from './form';
import { buildReferenceField } from './subjects';
import {
	TIME_DESCRIPTION,
	WORK_ZONE_TIME,
	addRow,
	buildField,
	defineField,
	listChoices,
} from './fields';
import {
	buildRangeFields,
	getRangeLabel,
	readRange,
	type ComparedTime,
	type TimeRange,
} from './timeRanges';

type Part = Condition | Criteria;

/** A filter is a search that people make often, ready to be filled in. */
export interface Filter {
	entity: string;
	name: string;
	label: string;
	property: string;
	type: FilterType | RowsType;
}

type Compared = Pick<Filter, 'entity' | 'label' | 'property'>;
type BuildCriteria = (value: unknown, filter: Compared, context: FilterContext) => Part | undefined;
type BuildField = (filter: Filter) => Omit<INodeProperties, 'displayName' | 'name'>;

/** A filter type defines a field, and builds criteria from its value. */
export interface FilterType {
	buildField: BuildField;
	buildCriteria: BuildCriteria;
}

/** The field has rows, each of which is a filter of its own. */
interface RowsType {
	buildField: BuildField;
	/** Properties that the rows can compare. */
	properties: readonly string[];
	readRows: (value: unknown, filter: Filter) => AddedFilter[];
}

/** A filter with what was filled in. */
export interface AddedFilter extends Compared {
	value: unknown;
	buildCriteria: BuildCriteria;
}

export const createEmptyFilterError = (label: string) =>
	createEmptyError(label, 'Fill in the filter, or remove it.');

/** % is a wildcard of Like; [ is replaced, because it would begin a set of characters. */
function toPattern(label: string, input: string): string {
	if (input.includes('%')) return input;
	const text = input.trim().replace(/\[/g, '%');
	if (/[^%\s]/.test(text)) return `%${text}%`;
	throw new ValidationError(
		`'${label}' is ${quote(input)}, which would find every text`,
		'Corrigo cannot search for this bracket alone: add the text next to it.',
	);
}

export const text: FilterType = {
	buildField: () => ({
		type: 'string',
		default: '',
		description: 'Part of the text, or a pattern with %',
	}),
	buildCriteria: (value, { label, property }) =>
		like(property, toPattern(label, parseText(label, value))),
};

const parseTexts = ({ label }: Compared, value: unknown): Set<string> => {
	const texts = new Set(parseList(label, value).map((one) => parseText(label, one).trim()));
	if (texts.size === 0 || texts.has('')) throw createEmptyError(label);
	return texts;
};

/** Texts match as a whole, so that 47 does not find 4711. */
export const anyText = (description: string): FilterType => ({
	buildField: () => ({ type: 'string', default: '', description }),
	buildCriteria: (value, filter) =>
		or(...batches(parseTexts(filter, value)).map((some) => isIn(filter.property, some))),
});

function getEnumeration({ entity, property }: Compared): EnumerationName {
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

export const recordFilter = (recordType: RecordType, own?: string): FilterType => ({
	buildField: ({ name }) => {
		const { type, default: none, modes, description } = buildReferenceField(recordType, name);
		return { type, default: none, modes, description: own ?? description };
	},
	buildCriteria: (value, { label, property }, { resolveId }) =>
		equal(property, resolveId(label, value, getRecordTarget(recordType))),
});

const SPACE_ASSET = defineRows('Space', 'Id', ['Asset.Id'], { includeRemoved: true });

const CHILD_ASSETS = defineRows('AssetTree', 'ParentId', ['ChildId'], { isData: true });

/** Orders refer to assets only, so a space means its own asset and all assets below it. */
export const spaceAssets: FilterType = {
	...recordFilter('space', 'Space whose unit, or an asset in it, is in one of the items'),
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
};

/** Vendor invoices and costs have the Ids of their work orders. */
const ORDERS_BY_ASSIGNEE = defineRows('WorkOrder', 'Assignments.EmployeeId', [], {
	isData: true,
});

export const vendor: FilterType = {
	...recordFilter('provider', 'Vendor who is assigned to the work order'),
	buildCriteria: (value, { label, property }, { resolveId, findRows }) => {
		const id = resolveId(label, value, getRecordTarget('provider'));
		const orders = new Set(findRows(ORDERS_BY_ASSIGNEE, id).map(({ Id }) => Id));
		// No record has the ID 0.
		return or(...batches(orders.size > 0 ? orders : [0]).map((some) => isIn(property, some)));
	},
};

const ATTRIBUTE_VALUES = defineRows('AssetAttribute', 'Descriptor.Id', ['AssetId', 'Value'], {
	isData: true,
});

const attributeField = buildReferenceField('attribute', 'attribute');

const comparisonField = defineField({
	displayName: 'Comparison',
	name: 'comparison',
	type: 'options',
	options: [
		{ name: 'At Least', value: 'atLeast', description: 'For numbers and dates' },
		{ name: 'At Most', value: 'atMost', description: 'For numbers and dates' },
		{ name: 'Contains', value: 'contains', description: 'For texts' },
		{ name: 'Is', value: 'is' },
	],
	default: 'is',
	description: 'How the value is compared',
});

const comparedField = buildField(
	'attributeValue',
	'string',
	'Text, number, date or true/false, depending on the type of the attribute',
);

/** The newest value of an asset counts. */
function findAssets(row: JsonObject, label: string, { findRows }: FilterContext) {
	const getLabel = ({ displayName }: INodeProperties) => `${label} > ${displayName}`;
	const descriptor = requireAttribute(getLabel(attributeField), row.attribute, findRows);
	const { comparison = comparisonField.default, attributeValue: value } = row;
	const compared = parseInput(comparisonField, comparison, getLabel(comparisonField));
	if (isBlank(value)) throw createEmptyFilterError(getLabel(comparedField));
	if (!canCompare(descriptor, compared)) {
		const title = comparisonField.options.find((one) => one.value === compared)?.name;
		throw new ValidationError(
			`'${label}' compares ${quote(descriptor.Name)} by '${title}', which its type ${String(descriptor.Type)} does not have`,
		);
	}
	const wanted =
		compared === 'contains'
			? parseText(getLabel(comparedField), value)
			: parseDescribed(getLabel(comparedField), descriptor, value);
	const rows = findRows(ATTRIBUTE_VALUES, Number(descriptor.Id));
	const newest = new Map(rows.map((one) => [one.AssetId, one]));
	return [...newest.values()]
		.filter((one) => matches(descriptor, one, compared, wanted))
		.map(({ AssetId }) => AssetId);
}

/** Corrigo keeps the values as text and apart from the assets, so the assets are found by them first. */
export const attributes: RowsType = {
	properties: ['Attributes'],
	buildField: () => ({
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: 'Add attribute',
		default: {},
		options: [
			{
				displayName: 'Attribute',
				name: 'values',
				values: [attributeField, comparisonField, comparedField],
			},
		],
		description: 'Assets must match every attribute',
	}),
	readRows: (input, { entity, label, property }) => {
		const rows = toRows(isObject(input) ? input.values : undefined);
		if (rows.length === 0) throw createEmptyFilterError(label);
		return rows.map((value) => ({
			entity,
			label,
			property,
			value,
			buildCriteria: (_, __, context) => {
				const assets = new Set(findAssets(value, label, context));
				// No record has the ID 0.
				return or(...batches(assets.size > 0 ? assets : [0]).map((some) => isIn('Id', some)));
			},
		}));
	},
};

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
		buildConditions(property, () => toSecondsUtc(now()))[parseBoolean(label, value) ? 'yes' : 'no'],
});

const answerField = defineField({
	displayName: 'Answer',
	name: 'answer',
	type: 'options',
	options: [
		{ name: 'Any', value: 'any' },
		{ name: 'No', value: 'no' },
		{ name: 'Yes', value: 'yes' },
	],
	default: 'any',
});

/** A filter by a property that the search compares without it, too, unless the answer is *Any*. */
export const yesNoAny = (description: string, buildConditions: BuildConditions): FilterType => {
	const { type, options, default: answer } = answerField;
	const { buildCriteria } = yesNo(description, buildConditions);
	return {
		buildField: () => ({ type, options, default: answer, description }),
		buildCriteria: (value, filter, context) => {
			const given = parseInput(answerField, value, filter.label);
			return given === 'any' ? undefined : buildCriteria(given === 'yes', filter, context);
		},
	};
};

export const before = (property: string, time: string): Criteria =>
	and(atLeast(property, NEVER), lessThan(property, time));

const parseTime = ({ entity, property, label }: Compared, value: unknown): string =>
	String(parseKind(isDay(entity, property) ? 'day' : 'time', label, value));

const toComparedTime = ({ entity, property }: Compared): ComparedTime => {
	if (isDay(entity, property)) return 'day';
	const local = findLocalPath(entity, property);
	if (local === undefined) return 'instant';
	return local.utc === undefined ? 'localTime' : 'time';
};

function compareRange({ entity, property, label }: Compared, { from, until }: TimeRange): Part {
	const times = [from, until].filter((time) => time !== undefined);
	const path = findComparedPath(entity, property, label, times);
	if (until === undefined) return atLeast(path, from ?? NEVER);
	return from === undefined ? before(path, until) : and(atLeast(path, from), lessThan(path, until));
}

/** The Company sets the first day of a week, which is one of the seven days up to this one. */
export const week: FilterType = {
	buildField: () => ({ type: 'dateTime', default: '', description: 'Any day of the week' }),
	buildCriteria: (value, filter) => {
		const { property } = filter;
		const [day] = parseTime(filter, value).split('T');
		const sixBefore = new Date(Date.parse(day) - 6 * DAY_MS).toISOString().slice(0, 10);
		return and(atLeast(property, sixBefore), atMost(property, `${day}T23:59:59`));
	},
};

export type FilterDefinition<Property extends string> = readonly [
	Property,
	FilterType | RowsType,
	label?: string,
];

/** Dates by the value of their choice: the property, and the label if it is not that value. */
type Dates<Property extends string> = Readonly<Record<string, readonly [Property, label?: string]>>;

/** Compares one of the dates with a time, or with a number of days from now. */
export function dates<Property extends string>(
	choices: Dates<Property>,
): Record<'dates', FilterDefinition<Property>> {
	const names = Object.keys(choices);
	const getTitle = (date: string) => choices[date][1] ?? toTitle(date);
	const properties = Object.values(choices).map(([property]) => property);
	const dateField = defineField({
		displayName: 'Which Date',
		name: 'date',
		type: 'options' as const,
		options: names.map((value) => ({ name: getTitle(value), value })),
		default: names[0],
		description: 'Which date of the record to compare',
	});
	const label = names.length === 1 ? getTitle(names[0]) : 'Date';
	const type: RowsType = {
		properties,
		buildField: ({ entity }) =>
			addRow({
				type: 'fixedCollection',
				placeholder: 'Add date',
				default: {},
				options: [
					{
						displayName: label,
						name: 'values',
						values: [
							...(names.length === 1 ? [] : [dateField]),
							...buildRangeFields(
								properties.some((property) => findLocalPath(entity, property)?.utc)
									? WORK_ZONE_TIME
									: TIME_DESCRIPTION,
							),
						],
					},
				],
				description: 'Compares a date',
			}),
		readRows: (input, { entity }) => {
			const value = isObject(input) ? input.values : undefined;
			if (!isObject(value)) throw createEmptyFilterError(label);
			// n8n leaves out a value that is the default; an expression may give none.
			const row = new Form(
				(name, fallback) => (name in value ? value[name] : fallback),
				`${label} > `,
			);
			const date = row.read(dateField);
			const [property] = choices[date];
			const title = getTitle(date);
			return [
				{
					entity,
					label: getRangeLabel(title, row),
					property,
					value: row,
					buildCriteria: (_, compared, clock) =>
						compareRange(compared, readRange(row, title, toComparedTime(compared), clock)),
				},
			];
		},
	};
	return { dates: [properties[0], type, label] };
}
