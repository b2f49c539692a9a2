import type { Row, Store } from '../store/store';

/** The tree of assets is in AssetTree alone: a row for every pair of an asset and one above it. */
export function addToTree(store: Store, child: number, parent: number): void {
	const above = store.children('AssetTree', 'ChildId', parent);
	const pair = (ParentId: unknown, Distance: number): void => {
		store.insert('AssetTree', { ParentId, ChildId: child, Child: { Id: child }, Distance });
	};
	pair(child, 0);
	for (const { ParentId, Distance } of above) pair(ParentId, Number(Distance) + 1);
}

/** The assets right below one. */
export const childAssets = (store: Store, parent: number): Row[] =>
	store
		.children('AssetTree', 'ParentId', parent)
		.filter(({ Distance }) => Distance === 1)
		.map(({ ChildId }) => store.existing('Location', Number(ChildId)));
