import {
	findEntityMemberType,
	getEntity,
	getKeyProperties,
	isCollection,
} from '../../catalogue/entities';
import { buildPropertyField } from '../../form/fields';
import { isEmpty } from '../../form/form';
import { buildOptions } from '../../form/options';
import { buildSearchFields } from '../../form/filters';
import type { Subject } from '../../form/subjects';
import { toItem } from '../../run/context';
import type { Operation } from '../../run/operation';
import {
	parsePropertyPath,
	quote,
	ValidationError,
	type JsonObject,
	readPath,
} from '../../values/checks';
import {
	buildCriteria,
	addRemovedNotice,
	loadRows,
	buildSearch,
	type SearchVariant,
} from './search';
import { getEntityFields, readEntity } from '../subject';

const GROUP_BY = 'Group By';

const groupByField = buildPropertyField('searchGroups', {
	displayName: GROUP_BY,
	name: 'groupBy',
	description:
		'Gives a count for each value of this property, the largest first. Leave it empty for one count of all.',
});

/** The API cannot count, so rows are read with only their keys. */
export const buildCountOperation = (subject: Subject, variant: SearchVariant = {}): Operation => ({
	name: 'Count',
	value: 'count',
	action: `Count ${subject.many}`,
	description: `Count the ${subject.many} that match filters or conditions, in total or by group`,
	address: 'POST /query',
	fields: [
		...(variant.fields ?? []),
		...getEntityFields(subject),
		groupByField,
		...buildSearchFields(subject.entity),
		buildOptions(
			['includeRemoved', 'isolationLevel', 'pageSize', 'parallelRequests', 'timeout'],
			subject.entity,
		),
	],
	reads: true,
	each: async (context) => {
		const entity = readEntity(subject, context);
		const groupBy = context.param('groupBy', '');
		const grouping = isEmpty(groupBy) ? undefined : parseGrouping(entity, groupBy);
		const search = await buildSearch(context, variant, (one) => {
			const own = readEntity(subject, one);
			// Without a known key, whole rows are read, because nothing less tells them apart.
			const key = getKeyProperties(own);
			const query = {
				key,
				properties: [...new Set([...(key ?? ['*']), ...(grouping?.paths ?? [])])],
				criteria: buildCriteria(own, one),
				limit: Infinity,
				pageSize: one.option('pageSize'),
			};
			return { entity: own, query, shapeRow: (row) => row };
		});
		const groups = grouping && new Groups(grouping.property);
		let Count = 0;
		for await (const rows of loadRows(context, search)) {
			Count += rows.length;
			for (const row of groups ? rows : []) groups?.add(search.shapeRow(row));
		}
		addRemovedNotice(entity, context);
		return groups ? groups.toRows().map(toItem) : [toItem({ Count })];
	},
});

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
			'Choose a property of the record itself, or of one of its references.',
		);
	}
	const referred = getEntity(findEntityMemberType(entity, property) ?? '');
	if (referred === undefined) return { property, paths: [property] };
	const { key = ['Id'], display } = referred;
	const names = [...key, ...(display === undefined ? [] : [display])];
	return { property, paths: names.map((name) => `${property}.${name}`) };
}

/** Counts rows by value; rows without a value are a group as well. */
export class Groups {
	private readonly counts = new Map<string, { value: unknown; Count: number }>();

	constructor(private readonly property: string) {}

	add(row: JsonObject): void {
		const value = readPath(row, this.property) ?? null;
		const key = JSON.stringify(value);
		const group = this.counts.get(key);
		if (group === undefined) this.counts.set(key, { value, Count: 1 });
		else group.Count += 1;
	}

	/** Sorts the largest group first, and groups of equal size by value. */
	toRows(): JsonObject[] {
		return [...this.counts]
			.sort(([a, one], [b, other]) => other.Count - one.Count || collator.compare(a, b))
			.map(([, { value, Count }]) => ({ [this.property]: value, Count }));
	}
}

const collator = new Intl.Collator('en', { numeric: true });
