import { isEmpty } from '../../form/form';
import { reference } from '../../form/references';
import { subjects } from '../../form/subjects';
import { isObject } from '../../protocol/checks';
import { allOf, and, equal, greaterThan, type Criteria } from '../../protocol/criteria';
import type { Resource } from '../../run/operation';
import { named, recordIn } from '../../run/resolve';
import { operationsOn, searchesOn } from '../operations';
import type { Search } from '../operations/search';

const TITLE = 'Tree of';
const treeField = reference('asset', 'treeOf', {
	displayName: TITLE,
	description:
		'Only return assets below this one, at any level. Depth in the output is the number of levels.',
});

const [count, getMany] = searchesOn(subjects.asset, {
	fields: [treeField],
	adapt: async (context, all) => {
		if (isEmpty(context.param('treeOf', ''))) return all;
		return below(await named(context, (one) => recordIn(one, 'asset', TITLE, 'treeOf')), all);
	},
});

/**
 * AssetTree has a row for each pair of an asset (`Child`) and one above it. All rows below an asset
 * have the Id of that asset, so the Id of the child is the key.
 */
function below(parent: number, { query, shaped }: Search): Search {
	const { properties, criteria, orders = [] } = query;
	// Each tree contains its own root, at distance 0.
	const inTree = and(equal('ParentId', parent), greaterThan('Distance', 0));
	return {
		entity: 'AssetTree',
		query: {
			...query,
			properties: [...properties.map(childPath), 'Distance'],
			criteria: allOf(criteria && ofChild(criteria), inTree),
			orders: orders.map((one) => ({ ...one, PropertyName: childPath(one.PropertyName) })),
			key: ['ChildId'],
		},
		shaped: ({ Child, Distance }) => ({
			...shaped(isObject(Child) ? Child : {}),
			Depth: Distance,
		}),
	};
}

const childPath = (path: string) => `Child.${path}`;

const ofChild = ({ FilterOperator, Conditions = [], Filters = [] }: Criteria): Criteria => ({
	FilterOperator,
	Conditions: Conditions.map((one) => ({ ...one, PropertyName: childPath(one.PropertyName) })),
	Filters: Filters.map(ofChild),
});

export const asset: Resource = {
	name: 'Asset',
	value: 'asset',
	description: 'Buildings, units, rooms and equipment',
	operations: [
		...operationsOn(subjects.asset, 'create', 'delete', 'get', 'update', 'upsert'),
		count,
		{ ...getMany, description: `${getMany.description}, anywhere or below one asset` },
	],
};
