import { filterCriteria, repeatRows } from '../../form/filters';
import type { Form } from '../../form/form';
import { outputProperties } from '../../form/output';
import { targetOfKind } from '../../form/references';
import { criteriaIn } from '../../form/search';
import { allOf, and, isIn, type Criteria } from '../../protocol/criteria';
import type { FilterContext, IdOf } from '../../protocol/names';

/** Says how the work orders of changes are read, and which of the two an item contains. */
export interface OrderPlan {
	returns: 'event' | 'both' | 'record';
	properties: string[];
	/** Changes of work orders that do not match are ignored. */
	criteria?: Criteria;
	distinct: boolean;
}

export function orderPlan(
	form: Form,
	context: FilterContext,
	returns: OrderPlan['returns'],
): OrderPlan {
	const own = criteriaIn(form, 'WorkOrder', context.idOf);
	return {
		returns,
		properties: outputProperties(form, 'WorkOrder'),
		criteria: allOf(
			filterCriteria('WorkOrder', form.collection('filters'), context),
			apStatuses(form, context.idOf),
			own,
		),
		distinct: own !== undefined || repeatRows('WorkOrder', form.collection('filters')),
	};
}

function apStatuses(form: Form, idOf: IdOf): Criteria | undefined {
	const target = targetOfKind('apStatus');
	const ids = form.rows('apStatuses').map(({ status }) => idOf('AP Statuses', status, target));
	return ids.length > 0 ? and(isIn('WorkOrderCost.ApStatusId', ids)) : undefined;
}
