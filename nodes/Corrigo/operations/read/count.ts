import {
	findEntityMemberType,
	getEntity,
	getKeyProperties,
	isCollection,
} from '../../catalogue/entities';
import { buildField, buildPropertyField } from '../../form/fields';
import type { Form } from '../../form/form';
import { createEmptyError, quote, ValidationError } from '../../values/errors';
import { type JsonObject, readPath } from '../../values/objects';
import { isBlank, parsePropertyPath } from '../../values/input';

const returnField = buildField(
	'return',
	'options',
	'Whether to return the records or only their number',
	{
		options: [
			{ name: 'Count', value: 'count', description: 'The number of records' },
			{
				name: 'Count by Group',
				value: 'groups',
				description:
					"The number of records for each value of a field, the largest first. For sums, return the records to n8n's Summarize node.",
			},
			{ name: 'Records', value: 'records', description: 'The records themselves' },
		],
		default: 'records',
	},
);

const groupByField = buildPropertyField('searchGroups', {
	displayName: 'Group By',
	name: 'groupBy',
	required: true,
	displayOptions: { show: { return: ['groups'] } },
	description: 'A field of the records, or of what they refer to',
});

const GROUP_BY = groupByField.displayName;

export const returnFields = [returnField, groupByField];

/** Fields without effect on a count are shown only for records. */
export const FOR_RECORDS = { show: { return: ['records'] } };

/** A search that counts; without a grouping, it counts all records together. */
export interface Count {
	grouping?: Grouping;
}

/** Undefined if the records themselves are returned. */
export function readCount(form: Form, entity: string): Count | undefined {
	const way = form.read(returnField);
	if (way === 'records') return undefined;
	if (way === 'count') return {};
	if (form.isEmpty(groupByField)) throw createEmptyError(GROUP_BY, 'Choose a field.');
	return { grouping: parseGrouping(entity, form.read(groupByField)) };
}

/**
 * The API cannot count, so rows are read with only their keys. Without a known key, whole rows are
 * read, because nothing less tells them apart.
 */
export const listCountedPaths = (entity: string, { grouping }: Count): string[] => [
	...new Set([...(getKeyProperties(entity) ?? ['*']), ...(grouping?.paths ?? [])]),
];

/** Labels of the fields that name properties, each with one of the properties. */
export const listGroupPaths = ({ grouping }: Count): Array<[string, string]> =>
	(grouping?.paths ?? []).map((path) => [GROUP_BY, path]);

const collator = new Intl.Collator('en', { numeric: true });

/**
 * Rows without a value are one group as well. The largest group comes first, and groups of equal size
 * are sorted by value.
 */
export async function countRows(
	pages: AsyncIterable<JsonObject[]> | Iterable<JsonObject[]>,
	{ grouping }: Count,
): Promise<JsonObject[]> {
	const groups = new Map<string, { value: unknown; Count: number }>();
	let Count = 0;
	for await (const rows of pages) {
		Count += rows.length;
		if (grouping === undefined) continue;
		for (const row of rows) {
			const read = readPath(row, grouping.property);
			const value = isBlank(read) ? null : read;
			const key = JSON.stringify(value);
			const group = groups.get(key) ?? { value, Count: 0 };
			groups.set(key, group);
			group.Count += 1;
		}
	}
	if (grouping === undefined) return [{ Count }];
	return [...groups]
		.sort(([a, one], [b, other]) => other.Count - one.Count || collator.compare(a, b))
		.map(([, group]) => ({ [grouping.property]: group.value, Count: group.Count }));
}

/** The property to group by, and the paths that have to be read for it. */
interface Grouping {
	property: string;
	paths: string[];
}

/** References are grouped by Id and shown by name. */
export function parseGrouping(entity: string, input: unknown): Grouping {
	const property = parsePropertyPath(GROUP_BY, input);
	const collection = property
		.split('.')
		.map((_, index, parts) => parts.slice(0, index + 1).join('.'))
		.find((path) => isCollection(findEntityMemberType(entity, path)));
	if (collection !== undefined) {
		throw new ValidationError(
			`'${GROUP_BY}' is ${quote(property)}, but a record may have several ${collection}`,
			"Choose a field of the record itself, or of a record that it refers to. To count by a custom field or by rows, return the records to n8n's Summarize node.",
		);
	}
	const referred = getEntity(findEntityMemberType(entity, property) ?? '');
	if (referred === undefined) return { property, paths: [property] };
	const { key = ['Id'], display } = referred;
	const names = [...key, ...(display === undefined ? [] : [display])];
	return { property, paths: names.map((name) => `${property}.${name}`) };
}
