import type { Row, Store } from '../store/store';

/** AssetTree has a row for every pair of an asset and one of its ancestors, the asset itself included. */
export function addToTree(store: Store, child: number, parent: number): void {
	const ancestors = store.children('AssetTree', 'ChildId', parent);
	const addPair = (ParentId: unknown, Distance: number): void => {
		store.insert('AssetTree', { ParentId, ChildId: child, Child: { Id: child }, Distance });
	};
	addPair(child, 0);
	for (const { ParentId, Distance } of ancestors) addPair(ParentId, Number(Distance) + 1);
}

export const childAssets = (store: Store, parent: number): Row[] =>
	store
		.children('AssetTree', 'ParentId', parent)
		.filter(({ Distance }) => Distance === 1)
		.map(({ ChildId }) => store.existing('Location', Number(ChildId)));
