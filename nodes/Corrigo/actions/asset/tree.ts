import { reference } from '../../descriptions/references';
import { isObject, positiveId } from '../../protocol/checks';
import { allOf, type Criteria } from '../../protocol/criteria';
import { itemOf, type Call } from '../call';
import { isEmpty } from '../command/values';
import { subjects } from '../entities';
import { propertiesOf } from '../entity/properties';
import { givenCriteria, searchOf, searchUnder } from '../narrowed';
import type { Operation } from '../types';

const { asset } = subjects;

/** A row for each pair of an asset and one above it; the asset itself is `Child`. */
const TREE = { ...asset, entity: 'AssetTree' };

const TITLE = 'Tree of';
const treeField = reference('asset', 'treeOf', {
	displayName: TITLE,
	description:
		'Only return what lies below this asset, at whatever depth. Depth in the output tells how far below.',
});

const searchAssets = searchOf(asset);
const searchTree = searchUnder(TREE);

/** Get Many of assets, of all or of those below one (AssetTree). */
export const getMany: Operation = {
	...searchAssets,
	description: `${searchAssets.description}, or all below one of them`,
	fields: [treeField, ...searchAssets.fields],
	each: async (call) => {
		const parent = call.param('treeOf', '');
		return isEmpty(parent)
			? await searchAssets.each(call)
			: await below(call, positiveId(TITLE, parent));
	},
};

async function below(call: Call, parent: number) {
	const own: Criteria = {
		FilterOperator: 'And',
		Conditions: [
			{ PropertyName: 'ParentId', Operator: 'Equal', Values: [parent] },
			// The asset itself is at depth 0 of its own tree.
			{ PropertyName: 'Distance', Operator: 'GreaterThan', Values: [0] },
		],
	};
	const given = givenCriteria(asset.entity, call);
	const rows = await searchTree(call, allOf(given && ofChild(given), own), {
		properties: () => [...propertiesOf(asset, asset.entity, call).map(childPath), 'Distance'],
		'sort.values': () =>
			call.rows('sort').map((rule) => ({ ...rule, property: childPath(rule.property) })),
	});
	return rows.map(({ json: { Child, Distance } }) =>
		itemOf({ ...(isObject(Child) ? Child : {}), Depth: Distance }),
	);
}

const childPath = (path: unknown) => `Child.${String(path ?? '').trim()}`;

const ofChild = ({ FilterOperator, Conditions = [], Filters = [] }: Criteria): Criteria => ({
	FilterOperator,
	Conditions: Conditions.map((one) => ({ ...one, PropertyName: childPath(one.PropertyName) })),
	Filters: Filters.map(ofChild),
});
