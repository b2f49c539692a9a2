import { isObject, type EntityType } from '../schema';
import type { Store } from '../store/store';
import type { Condition, Filter } from './shape';

/** The first position whose id is not below (or, when `after`, above) the given one. */
function position(ids: readonly number[], id: number, after: boolean): number {
	let low = 0;
	let high = ids.length;
	while (low < high) {
		const middle = (low + high) >> 1;
		if (after ? ids[middle] <= id : ids[middle] < id) low = middle + 1;
		else high = middle;
	}
	return low;
}

function byId(ids: readonly number[], { Operator, Values }: Condition): readonly number[] {
	const values = Values.map(Number);
	switch (Operator) {
		case 'GreaterThan':
			return ids.slice(position(ids, values[0], true));
		case 'GreaterOrEqual':
			return ids.slice(position(ids, values[0], false));
		case 'LessThan':
			return ids.slice(0, position(ids, values[0], false));
		case 'LessOrEqual':
			return ids.slice(0, position(ids, values[0], true));
		default:
			return ids;
	}
}

const ascending = (ids: Iterable<number>): number[] => [...new Set(ids)].sort((a, b) => a - b);

/** What a row must fulfil in any case, however deep it stands. */
function necessary(filter?: Filter): Condition[] {
	if (!filter || filter.FilterOperator === 'Or') return [];
	return [...(filter.Conditions ?? []), ...(filter.Filters ?? []).flatMap(necessary)];
}

/**
 * Ids of the rows that can fit at all, ascending, found through the index on Id and on members
 * that hold ids. Conditions are judged in full later: this only saves walking through the rest.
 */
export function candidates(store: Store, type: EntityType, filter?: Filter): readonly number[] {
	let found = store.ids(type.name);
	for (const condition of necessary(filter)) {
		const field = type.field(condition.PropertyName);
		if (!field || isObject(field) || field.kind !== 'integer' || !field.name.endsWith('Id'))
			continue;
		const { held = field.name } = field;
		const exact = condition.Operator === 'Equal' || condition.Operator === 'In';
		if (held === 'Id') {
			if (!exact) found = byId(found, condition);
			else {
				return ascending(condition.Values.map(Number)).filter((id) => store.get(type.name, id));
			}
		} else if (exact && !condition.Values.some((value) => Number(value) === 0)) {
			return ascending(
				condition.Values.flatMap((value) => store.having(type.name, held, Number(value))),
			);
		}
	}
	return found;
}
