import { getKeyProperties } from '../../catalogue/entities';
import { buildPropertyField } from '../../form/fields';
import { isEmpty } from '../../form/form';
import { buildOptions } from '../../form/options';
import { buildSearchFields } from '../../form/filters';
import type { Subject } from '../../form/subjects';
import { Groups, parseGrouping } from './groups';
import { toItem, type ItemContext } from '../../run/context';
import type { Operation } from '../../run/operation';
import {
	buildCriteria,
	addRemovedNotice,
	readPageSize,
	loadRows,
	buildSearch,
	type SearchVariant,
} from './search';
import { getEntityFields, readEntity } from '../subject';

const groupByField = buildPropertyField('searchGroups', {
	displayName: 'Group By',
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
		const search = await buildSearch(context, variant, (one) => ({
			entity: readEntity(subject, one),
			query: readQuery(readEntity(subject, one), one, grouping?.paths),
			shapeRow: (row) => row,
		}));
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

/** Without a known key, whole rows are read, because nothing less tells them apart. */
function readQuery(entity: string, context: ItemContext, grouped: string[] = []) {
	const key = getKeyProperties(entity);
	return {
		key,
		properties: [...new Set([...(key ?? ['*']), ...grouped])],
		criteria: buildCriteria(entity, context),
		limit: Infinity,
		...readPageSize(context),
	};
}
