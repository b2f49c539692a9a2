import type { INodeProperties } from 'n8n-workflow';

import { targetOn, type Target } from '../../catalogue/targets';
import { cellsOf } from '../../protocol/columns';
import { isCustomField } from '../../protocol/criteria';
import { newCustomFields, type CustomValue } from '../../protocol/customFields';
import type { ItemContext } from '../../run/context';
import { idIn } from '../../run/resolve';
import { customFieldsIn } from '../operations/given';

const LABEL = 'Custom Fields';
const TITLE = `${LABEL} > Custom Field`;

export const customFieldsField: INodeProperties = {
	displayName: LABEL,
	name: 'customFields',
	type: 'resourceMapper',
	noDataExpression: true,
	default: { mappingMode: 'defineBelow', value: null },
	typeOptions: {
		resourceMapper: {
			resourceMapperMethod: 'getOrderFields',
			mode: 'add',
			valuesLabel: LABEL,
			fieldWords: { singular: 'custom field', plural: 'custom fields' },
			addAllFields: false,
			supportAutoMap: false,
			refreshStaleSchemaOnOpen: true,
		},
	},
	description: 'Values of the custom fields of your Company',
};

const OF_ORDERS: Target = {
	...targetOn('CustomFieldDescriptor', { ActorTypeId: 'WO' }),
	called: 'custom field of work orders',
};

/** Language models and expressions may identify a field by its name alone. */
export function customFieldsOf(context: ItemContext): CustomValue[] {
	const mapping = { ...context.collection('customFields'), mappingMode: 'defineBelow' };
	const cells = cellsOf([], mapping, {}).map((cell) =>
		isCustomField(cell.id)
			? cell
			: { ...cell, id: `CustomFields.${idIn(context, TITLE, cell.id, OF_ORDERS)}` },
	);
	return customFieldsIn(context, LABEL, cells).custom;
}

export const newCustomFieldsOf = (context: ItemContext) => newCustomFields(customFieldsOf(context));
