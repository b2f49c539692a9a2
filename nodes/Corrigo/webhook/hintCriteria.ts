import { fieldsOf } from '../catalogue/entities';
import type { ChangeHint, PushedHint } from '../protocol/changeHints';
import { batches } from '../protocol/batches';
import { and, equal, isIn, or, type Condition, type Criteria } from '../protocol/criteria';

/** One way to find rows by the Id of a record that a push names. */
interface Lookup {
	/** The entities of such records. A record of unknown kind may be of any of them. */
	entities: readonly string[];
	condition: (ids: number[]) => Condition | Criteria;
}

/** The costs of a work order have its Id. */
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

/** The hints that may be about rows of the entity. */
export function relevantTo(entity: string, hints: readonly PushedHint[]): PushedHint[] {
	const lookups = lookupsFor(entity);
	return hints.filter((hint) => lookups.some((lookup) => covers(lookup)(hint)));
}

/** Criteria for the rows that the hints are about, each with no more Ids than a condition may have. */
export function criteriaFor(entity: string, hints: readonly ChangeHint[]): Criteria[] {
	return batches(hints, { values: ({ id }) => [id] }).map((batch) => {
		const conditions = lookupsFor(entity).flatMap((lookup) => {
			const ids = [...new Set(batch.filter(covers(lookup)).map(({ id }) => id))];
			return ids.length > 0 ? [lookup.condition(ids)] : [];
		});
		return or(...conditions);
	});
}
