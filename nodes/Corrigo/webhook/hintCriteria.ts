import { fieldsOf } from '../catalogue/entities';
import { batches } from '../protocol/batches';
import { and, equal, isIn, or, type Condition, type Criteria } from '../protocol/criteria';
import type { ChangeHint } from '../protocol/changeHints';

/** How rows of an entity are found by the Id of a record that a push names. */
interface Way {
	/** The records whose Id it is. One whose kind is not told may be any of them. */
	entities: readonly string[];
	found: (ids: number[]) => Condition | Criteria;
}

/** The costs of a work order have its Id. */
const ORDERS = ['WorkOrder', 'WorkOrderCost'];

/** Documents say of which kind of record they are. */
const ofOrders = (ids: number[]) => and(equal('ActorTypeId', 'WO'), isIn('ActorId', ids));

function waysTo(entity: string): Way[] {
	const order = ['WorkOrderId', 'WoId'].find((name) => name in fieldsOf(entity));
	return [
		{
			entities: entity === 'WorkOrder' ? ORDERS : [entity],
			found: (ids) => isIn('Id', ids),
		},
		...(order === undefined
			? []
			: [{ entities: ORDERS, found: (ids: number[]) => isIn(order, ids) }]),
		...(entity === 'Document' ? [{ entities: ORDERS, found: ofOrders }] : []),
	];
}

const fits =
	({ entities }: Way) =>
	({ entity }: ChangeHint) =>
		entity === undefined || entities.includes(entity);

/** Those of the nudges that may be about rows of the entity. */
export function relevantTo(entity: string, hints: readonly ChangeHint[]): ChangeHint[] {
	const ways = waysTo(entity);
	return hints.filter((hint) => ways.some((way) => fits(way)(hint)));
}

/** Conditions for the rows that the nudges are about, each with no more Ids than one may have. */
export function criteriaFor(entity: string, hints: readonly ChangeHint[]): Criteria[] {
	const ways = waysTo(entity);
	return batches(hints, { values: ({ id }) => [id] }).map((batch) => {
		const parts = ways.map((way) => ({ way, ids: idsOf(batch.filter(fits(way))) }));
		return or(...parts.filter(({ ids }) => ids.length > 0).map(({ way, ids }) => way.found(ids)));
	});
}

const idsOf = (hints: ChangeHint[]) => [...new Set(hints.map(({ id }) => id))];
