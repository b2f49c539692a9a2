import { buildFilterCriteria, mayRepeatRows, readConditions } from '../../form/filters';
import { type Form, readOutputProperties } from '../../form/form';
import { getRecordTarget } from '../../catalogue/targets';

import type { FilterContext, IdResolver } from '../../values/names';
import { joinCriteria, and, isIn, type Criteria } from '../../wire/criteria';

/** Says how the work orders of changes are read, and which of the two an item contains. */
export interface OrderPlan {
	returns: 'event' | 'both' | 'record';
	properties: string[];
	/** Changes of work orders that do not match are ignored. */
	criteria?: Criteria;
	distinct: boolean;
}

export function buildOrderPlan(
	form: Form,
	context: FilterContext,
	returns: OrderPlan['returns'],
): OrderPlan {
	const own = readConditions(form, 'WorkOrder', context.resolveId);
	return {
		returns,
		properties: readOutputProperties(form, 'WorkOrder'),
		criteria: joinCriteria(
			buildFilterCriteria('WorkOrder', form.collection('filters'), context),
			buildApStatusCriteria(form, context.resolveId),
			own,
		),
		distinct: own !== undefined || mayRepeatRows('WorkOrder', form.collection('filters')),
	};
}

function buildApStatusCriteria(form: Form, resolveId: IdResolver): Criteria | undefined {
	const target = getRecordTarget('apStatus');
	const ids = form.rows('apStatuses').map(({ status }) => resolveId('AP Statuses', status, target));
	return ids.length > 0 ? and(isIn('WorkOrderCost.ApStatusId', ids)) : undefined;
}
