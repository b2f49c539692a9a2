import { fieldsOf } from '../catalogue/entities';
import type { ChangeHint, PushedHint } from '../protocol/changeHints';
import { batches } from '../protocol/batches';
import { and, equal, isIn, or, type Condition, type Criteria } from '../protocol/criteria';

/** A lookup is one way to find rows by the ID of a record that a push names. */
interface Lookup {
	/** The entities of such records. A record without an entity may belong to any of them. */
	entities: readonly string[];
	condition: (ids: number[]) => Condition | Criteria;
}

/** The costs of a work order share its ID. */
const ORDERS = ['WorkOrder', 'WorkOrderCost'];

function lookupsFor(entity: string): Lookup[] {
	const order = ['WorkOrderId', 'WoId'].find((name) => name in fieldsOf(entity));
	const own: Lookup = {
		entities: entity === 'WorkOrder' ? ORDERS : [entity],
		condition: (ids) => isIn('Id', ids),
	};
	if (order !== undefined) return [own, { entities: ORDERS, condition: (ids) => isIn(order, ids) }];
	return entity === 'Document' ? [own, { entities: ORDERS, condition: documentsOfOrders }] : [own];
}

const documentsOfOrders = (ids: number[]) => and(equal('ActorTypeId', 'WO'), isIn('ActorId', ids));

const covers =
	({ entities }: Lookup) =>
	({ entity }: PushedHint) =>
		entity === undefined || entities.includes(entity);

/** Keeps the change notices that may concern rows of the entity. */
export function relevantTo(entity: string, hints: readonly PushedHint[]): PushedHint[] {
	const lookups = lookupsFor(entity);
	return hints.filter((hint) => lookups.some((lookup) => covers(lookup)(hint)));
}

/**
 * Builds criteria for the rows that the change notices concern, in batches because a condition
 * takes a limited number of IDs.
 */
export function criteriaFor(entity: string, hints: readonly ChangeHint[]): Criteria[] {
	return batches(hints, { values: ({ id }) => [id] }).map((batch) => {
		const conditions = lookupsFor(entity).flatMap((lookup) => {
			const ids = [...new Set(batch.filter(covers(lookup)).map(({ id }) => id))];
			return ids.length > 0 ? [lookup.condition(ids)] : [];
		});
		return or(...conditions);
	});
}
