import { keyPropertiesOf } from '../../catalogue/entities';
import { propertyField } from '../../form/fields';
import { isEmpty } from '../../form/form';
import { optionsOn } from '../../form/options';
import { searchFields } from '../../form/search';
import type { Subject } from '../../form/subjects';
import { Groups, groupingOf } from '../../protocol/groups';
import { itemOf, type ItemContext } from '../../run/context';
import type { Operation } from '../../run/operation';
import {
	criteriaOf,
	hintOfRemoved,
	pageSizeOf,
	rowsOfSearch,
	searchFor,
	type Variant,
} from './search';
import { entityFields, entityOf } from './subject';

const groupByField = propertyField('searchGroups', {
	displayName: 'Group By',
	name: 'groupBy',
	description:
		'Gives a count for each value of this property, the largest first. Leave it empty for one count of all.',
});

/** The API cannot count, so rows are read with only their keys. */
export const countOperation = (subject: Subject, variant: Variant = {}): Operation => ({
	name: 'Count',
	value: 'count',
	action: `Count ${subject.many}`,
	description: `Count the ${subject.many} that match filters or conditions, in total or by group`,
	address: 'POST /query',
	fields: [
		...(variant.fields ?? []),
		...entityFields(subject),
		groupByField,
		...searchFields(subject.entity),
		optionsOn(
			subject.entity,
			'includeRemoved',
			'isolationLevel',
			'pageSize',
			'parallelRequests',
			'timeout',
		),
	],
	reads: true,
	each: async (context) => {
		const entity = entityOf(subject, context);
		const groupBy = context.param('groupBy', '');
		const grouping = isEmpty(groupBy) ? undefined : groupingOf(entity, groupBy);
		const search = await searchFor(context, variant, (one) => ({
			entity: entityOf(subject, one),
			query: queryOf(entityOf(subject, one), one, grouping?.paths),
			shaped: (row) => row,
		}));
		const groups = grouping && new Groups(grouping.property);
		let Count = 0;
		for await (const rows of rowsOfSearch(context, search)) {
			Count += rows.length;
			for (const row of groups ? rows : []) groups?.add(search.shaped(row));
		}
		hintOfRemoved(entity, context);
		return groups ? groups.rows().map(itemOf) : [itemOf({ Count })];
	},
});

/** Without a known key, whole rows are read, because nothing less tells them apart. */
function queryOf(entity: string, context: ItemContext, grouped: string[] = []) {
	const key = keyPropertiesOf(entity);
	return {
		key,
		properties: [...new Set([...(key ?? ['*']), ...grouped])],
		criteria: criteriaOf(entity, context),
		limit: Infinity,
		...pageSizeOf(context),
	};
}
