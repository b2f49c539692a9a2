import { filterCriteria, repeatRows } from '../../form/filters';
import type { Form } from '../../form/form';
import { chosenProperties } from '../../form/properties';
import { targetOfKind } from '../../form/references';
import { allOf, and, isIn, type Criteria } from '../../protocol/criteria';
import type { IdOf, RecordNames } from '../../protocol/names';
import { ownCriteria } from './form';

type Output = 'event' | 'both' | 'record';

export interface OrderPlan {
	output: Output;
	properties: string[];
	/** What the order of a change must fulfil; changes of other orders are passed over. */
	criteria?: Criteria;
	distinct: boolean;
}

export function workOrdersOf(form: Form, names: RecordNames, output: Output): OrderPlan {
	const own = ownCriteria(form, 'WorkOrder', names.idOf);
	return {
		output,
		properties: orderProperties(form),
		criteria: allOf(
			filterCriteria('WorkOrder', form.collection('filters'), names),
			apStatuses(form, names.idOf),
			own,
		),
		distinct: own !== undefined || repeatRows('WorkOrder', form.collection('filters')),
	};
}

const orderProperties = (form: Form) =>
	chosenProperties(
		'WorkOrder',
		() => form.param('propertySet', 'summary'),
		() => form.param('properties', '*'),
	);

function apStatuses(form: Form, idOf: IdOf): Criteria | undefined {
	const target = targetOfKind('apStatus');
	const ids = form.rows('apStatuses').map(({ status }) => idOf('AP Statuses', status, target));
	return ids.length > 0 ? and(isIn('WorkOrderCost.ApStatusId', ids)) : undefined;
}
