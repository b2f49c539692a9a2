import { buildReferenceField, subjects } from '../../form/subjects';
import { isObject } from '../../values/objects';
import { joinCriteria, and, equal, greaterThan, mapPaths } from '../../wire/criteria';
import type { Resource } from '../../run/operation';
import { resolveForm, readRecordId } from '../../run/context';
import { buildOperations } from '../../operations';
import { addReading, getReadings } from './readings';
import { buildGetManyOperation, type Search } from '../../operations/read/search';

const treeField = buildReferenceField('asset', 'treeOf', {
	displayName: 'Tree of',
	description:
		'Only return assets below this one, at any level. Depth in the output is the number of levels.',
});

const getMany = buildGetManyOperation(subjects.asset, {
	fields: [treeField],
	adapt: async (context, all) => {
		if (context.isEmpty(treeField)) return all;
		const parent = await resolveForm(context, (one) => readRecordId(one, treeField));
		return buildTreeSearch(parent, all);
	},
});

/** AssetTree has a row for each pair of an asset (`Child`) and one above it. */
function buildTreeSearch(parent: number, search: Search): Search {
	const { query } = search;
	const { properties, criteria, orders = [] } = query;
	// Each tree contains its own root, at distance 0.
	const inTree = and(equal('ParentId', parent), greaterThan('Distance', 0));
	return {
		...search,
		entity: 'AssetTree',
		query: {
			...query,
			properties: [...properties.map(toChildPath), 'Distance'],
			criteria: joinCriteria(criteria && mapPaths(criteria, toChildPath), inTree),
			orders: orders.map((one) => ({ ...one, PropertyName: toChildPath(one.PropertyName) })),
			// All rows below an asset have the Id of that asset, so the Id of the child is the key.
			key: ['ChildId'],
		},
		foldRow: ({ Child, Distance }) => ({ ...(isObject(Child) ? Child : {}), Depth: Distance }),
	};
}

const toChildPath = (path: string) => `Child.${path}`;

export const asset: Resource = {
	value: 'asset',
	description: 'Buildings, units, rooms and equipment',
	operations: [
		addReading,
		getReadings,
		...buildOperations(subjects.asset, 'create', 'delete', 'get', 'update', 'upsert'),
		{
			...getMany,
			description: 'Retrieve a list of assets, anywhere or below one asset, or count them',
		},
	],
};
