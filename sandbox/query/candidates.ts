import { isObject, type EntityType } from '../schema';
import { lowest, type Store } from '../store/store';
import type { Condition, Filter } from './shape';
import { operand } from './values';

/** The first position whose id is not below (or, when `after`, above) the given one. */
const position = (ids: readonly number[], id: number, after: boolean): number =>
	lowest(ids.length, (at) => (after ? ids[at] > id : ids[at] >= id));

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
 * Ids of the rows that can fit at all, ascending, found through the index on Id, on times, and on
 * members that hold ids. Conditions are judged in full later: this only saves walking through the rest.
 */
export function candidates(store: Store, type: EntityType, filter?: Filter): readonly number[] {
	let found = store.ids(type.name);
	for (const condition of necessary(filter)) {
		const field = type.field(condition.PropertyName);
		if (!field || isObject(field)) continue;
		const { held = field.name } = field;
		if (field.kind === 'datetime' && /^Greater/.test(condition.Operator)) {
			const time = String(operand(field, condition.Values[0]));
			const later = store.from(type.name, held, time);
			if (later.length < found.length) found = ascending(later);
			continue;
		}
		if (field.kind !== 'integer' || !field.name.endsWith('Id')) continue;
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
