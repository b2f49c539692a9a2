import { filterCriteria, repeatRows } from '../../form/filters';
import { targetOfKind } from '../../form/references';
import { allOf, type Criteria } from '../../protocol/criteria';
import type { Query } from '../../protocol/paging';
import { allRows } from '../../records/query';
import { oncePerRun, type ItemContext } from '../../run/context';
import { idIn, named } from '../../run/resolve';

interface Asked {
	entity: string;
	criteria: Criteria;
	properties: string[];
}

/** Items that look for the same look it up together. */
const looked = oncePerRun(async (context, asked: string) => {
	const { entity, criteria, properties } = JSON.parse(asked) as Asked;
	return await allRows(context.caller, entity, criteria, properties, context.sendOptions);
});

/** A search with what the filters of the form add to it. */
export async function filtered<Search extends { entity: string; query: Query }>(
	context: ItemContext,
	search: Search,
): Promise<Search> {
	const { entity, query } = search;
	const given = context.collection('filters');
	const criteria = await named(
		context,
		async (one) =>
			await filterCriteria(entity, one.collection('filters'), {
				idOf: (kind, label, value) => idIn(one, label, value, targetOfKind(kind)),
				rows: async (...[of, which, properties]) =>
					await looked(one, JSON.stringify({ entity: of, criteria: which, properties })),
			}),
	);
	if (criteria === undefined) return search;
	return {
		...search,
		query: {
			...query,
			criteria: allOf(query.criteria, criteria),
			...(repeatRows(entity, given) ? once(query) : {}),
		},
	};
}

/** Each record once; distinct columns would be other rows without the Id. */
const once = ({ distinct = true, properties }: Query): Partial<Query> => ({
	distinct,
	properties:
		properties.includes('*') || properties.includes('Id') ? properties : ['Id', ...properties],
});
