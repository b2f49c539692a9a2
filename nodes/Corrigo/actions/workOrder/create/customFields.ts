import type { INodeProperties } from 'n8n-workflow';

import { getEntityTarget, type Target } from '../../../catalogue/targets';
import { readCells } from '../../../columns/columns';
import { isCustomField } from '../../../wire/criteria';
import { buildCustomFields, type CustomValue } from '../../../compare/customFields';
import type { ItemContext } from '../../../run/context';
import { resolveFieldId } from '../../../run/resolve';
import { splitCustomFields } from '../../../operations/write/record';

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

const ORDER_CUSTOM_FIELDS: Target = {
	...getEntityTarget('CustomFieldDescriptor', { ActorTypeId: 'WO' }),
	noun: 'custom field of work orders',
};

/** Language models and expressions may identify a field by its name alone. */
export function readOrderCustomFields(context: ItemContext): CustomValue[] {
	const mapping = { ...context.collection('customFields'), mappingMode: 'defineBelow' };
	const cells = readCells([], mapping, {}).map((cell) =>
		isCustomField(cell.id)
			? cell
			: {
					...cell,
					id: `CustomFields.${resolveFieldId(context, TITLE, cell.id, ORDER_CUSTOM_FIELDS)}`,
				},
	);
	return splitCustomFields(context, LABEL, cells).custom;
}

export const readNewOrderCustomFields = (context: ItemContext) =>
	buildCustomFields(readOrderCustomFields(context));
