import { filterCriteria, repeatRows } from '../../form/filters';
import { allOf } from '../../protocol/criteria';
import type { Query } from '../../protocol/paging';
import type { ItemContext } from '../../run/context';
import { named, namesIn } from '../../run/resolve';

/** A search with what the filters of the form add to it. */
export async function filtered<Search extends { entity: string; query: Query }>(
	context: ItemContext,
	search: Search,
): Promise<Search> {
	const { entity, query } = search;
	const criteria = await named(context, (one) =>
		filterCriteria(entity, one.collection('filters'), namesIn(one)),
	);
	if (criteria === undefined) return search;
	return {
		...search,
		query: {
			...query,
			criteria: allOf(query.criteria, criteria),
			...(repeatRows(entity, context.collection('filters')) ? once(query) : {}),
		},
	};
}

/** Each record once; distinct columns would be other rows without the Id. */
const once = ({ distinct = true, properties }: Query): Partial<Query> => ({
	distinct,
	properties:
		properties.includes('*') || properties.includes('Id') ? properties : ['Id', ...properties],
});
