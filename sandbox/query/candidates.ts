import { isObject, type EntityType } from '../schema';
import { lowerBound, type Store } from '../store/store';
import type { Condition, Filter } from './shape';
import { toOperand } from './values';

/** The first position whose Id is at least (or, with `after`, greater than) the given one. */
const position = (ids: readonly number[], id: number, after: boolean): number =>
	lowerBound(ids.length, (at) => (after ? ids[at] > id : ids[at] >= id));

function narrowById(ids: readonly number[], { Operator, Values }: Condition): readonly number[] {
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

const sortedUnique = (ids: Iterable<number>): number[] => [...new Set(ids)].sort((a, b) => a - b);

/** Conditions that every result must meet: those under And, or alone under Or, at any depth. */
function requiredConditions(filter?: Filter): Condition[] {
	const { FilterOperator, Conditions = [], Filters = [] } = filter ?? {};
	if (FilterOperator === 'Or' && Conditions.length + Filters.length > 1) return [];
	return [...Conditions, ...Filters.flatMap(requiredConditions)];
}

/**
 * Narrows the rows to scan by the indexes on Id, on times and on members that hold Ids; the result is
 * ascending. All conditions are evaluated later.
 */
export function candidateIds(store: Store, type: EntityType, filter?: Filter): readonly number[] {
	let found = store.ids(type.name);
	for (const condition of requiredConditions(filter)) {
		const field = type.field(condition.PropertyName);
		if (!field || isObject(field)) continue;
		const { storedAs = field.name } = field;
		if (field.kind === 'datetime' && /^Greater/.test(condition.Operator)) {
			const time = String(toOperand(field, condition.Values[0]));
			const later = store.idsSince(type.name, storedAs, time);
			if (later.length < found.length) found = sortedUnique(later);
			continue;
		}
		if (field.kind !== 'integer' || !field.name.endsWith('Id')) continue;
		const exact = condition.Operator === 'Equal' || condition.Operator === 'In';
		if (storedAs === 'Id') {
			if (!exact) found = narrowById(found, condition);
			else {
				return sortedUnique(condition.Values.map(Number)).filter((id) => store.get(type.name, id));
			}
		} else if (exact && !condition.Values.some((value) => Number(value) === 0)) {
			return sortedUnique(
				condition.Values.flatMap((value) => store.idsWhere(type.name, storedAs, Number(value))),
			);
		}
	}
	return found;
}
