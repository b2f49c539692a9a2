import type { INodeProperties } from 'n8n-workflow';

import { getRecordTarget } from '../../catalogue/targets';
import { defineField } from '../../form/fields';
import {
	buildFilterChecks,
	buildFilterCriteria,
	filtersField,
	mayRepeatRows,
	readConditionChecks,
	readConditions,
} from '../../form/filters';
import { type Form, isSimplified, readOutputProperties } from '../../form/form';
import { buildReferenceField } from '../../form/subjects';
import type { FilterContext, IdResolver } from '../../values/references';
import { and, isIn, joinCriteria } from '../../wire/criteria';
import type { Feed } from '../feed/feed';

type Own = Pick<INodeProperties, 'description' | 'displayName' | 'name'>;

/** Each row of the field holds one record. */
export function defineRecordList(
	type: 'apStatus' | 'employee',
	row: 'Status' | 'Employee',
	{ displayName, name, description }: Own,
) {
	const recordField = buildReferenceField(type, row.toLowerCase(), { required: true });
	const field = defineField({
		displayName,
		name,
		type: 'fixedCollection',
		typeOptions: { multipleValues: true },
		placeholder: `Add ${row.toLowerCase()}`,
		default: {},
		options: [{ displayName: row, name: 'values', values: [recordField] }],
		description,
	});
	const readIds = (form: Form, resolveId: IdResolver): number[] =>
		form
			.readRows(field)
			.map((one) => resolveId(displayName, one.getInput(recordField), getRecordTarget(type)));
	return { field, readIds };
}

export const apStatuses = defineRecordList('apStatus', 'Status', {
	displayName: 'AP Statuses',
	name: 'apStatuses',
	description: 'AP (accounts payable) statuses that trigger the workflow. Leave empty for all.',
});

/**
 * The work orders that pass the filters of the form; changes of others are ignored. Simplified
 * orders show the time of their change.
 */
export function buildOrderFeed(form: Form, context: FilterContext, time?: string): Feed {
	const own = readConditions(form, 'WorkOrder', context.resolveId);
	const filters = form.read(filtersField);
	const ids = apStatuses.readIds(form, context.resolveId);
	return {
		entity: 'WorkOrder',
		properties: [
			...readOutputProperties(form, 'WorkOrder'),
			...(time !== undefined && isSimplified(form) ? [time] : []),
		],
		criteria: joinCriteria(
			buildFilterCriteria('WorkOrder', filters, context),
			ids.length > 0 ? and(isIn('WorkOrderCost.ApStatusId', ids)) : undefined,
			own,
		),
		checks: [
			...buildFilterChecks('WorkOrder', filters, context),
			...readConditionChecks(form, 'WorkOrder', context.resolveId),
		],
		...((own !== undefined || mayRepeatRows('WorkOrder', filters)) && { distinct: true }),
	};
}
