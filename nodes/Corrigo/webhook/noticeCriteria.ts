import { getMemberTypes } from '../catalogue/entities';
import type { RecordNotice, ChangeNotice } from './changeNotices';
import { batches } from '../values/tools';
import { and, equal, isIn, or, type Condition, type Criteria } from '../wire/criteria';

/** A lookup is one way to find rows by the ID of a record that a push names. */
interface Lookup {
	/** The entities of such records. A record without an entity may belong to any of them. */
	entities: readonly string[];
	condition: (ids: number[]) => Condition | Criteria;
}

/** The costs of a work order share its ID. */
const ORDERS = ['WorkOrder', 'WorkOrderCost'];

function getLookups(entity: string): Lookup[] {
	const order = ['WorkOrderId', 'WoId'].find((name) => name in getMemberTypes(entity));
	const own: Lookup = {
		entities: entity === 'WorkOrder' ? ORDERS : [entity],
		condition: (ids) => isIn('Id', ids),
	};
	if (order !== undefined) return [own, { entities: ORDERS, condition: (ids) => isIn(order, ids) }];
	return entity === 'Document'
		? [own, { entities: ORDERS, condition: buildDocumentCondition }]
		: [own];
}

const buildDocumentCondition = (ids: number[]) =>
	and(equal('ActorTypeId', 'WO'), isIn('ActorId', ids));

const covers =
	({ entities }: Lookup) =>
	({ entity }: ChangeNotice) =>
		entity === undefined || entities.includes(entity);

/** Keeps the change notices that may concern rows of the entity. */
export function filterRelevant(entity: string, notices: readonly ChangeNotice[]): ChangeNotice[] {
	const lookups = getLookups(entity);
	return notices.filter((notice) => lookups.some((lookup) => covers(lookup)(notice)));
}

/**
 * Builds criteria for the rows that the change notices concern, in batches because a condition
 * takes a limited number of IDs.
 */
export function buildNoticeCriteria(entity: string, notices: readonly RecordNotice[]): Criteria[] {
	return batches(notices, { values: ({ id }) => [id] }).map((batch) => {
		const conditions = getLookups(entity).flatMap((lookup) => {
			const ids = [...new Set(batch.filter(covers(lookup)).map(({ id }) => id))];
			return ids.length > 0 ? [lookup.condition(ids)] : [];
		});
		return or(...conditions);
	});
}
