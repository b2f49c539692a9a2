import type { INodeProperties } from 'n8n-workflow';

import { targetOn, type Target } from '../../catalogue/targets';
import { optionalText } from '../../form/form';
import { inVersion } from '../../form/versions';
import type { JsonObject } from '../../protocol/checks';
import { cellsOf } from '../../protocol/columns';
import { isCustomField } from '../../protocol/criteria';
import { newCustomFields, sortCells } from '../../protocol/customFields';
import type { ItemContext } from '../../run/context';
import { idIn } from '../../run/resolve';

const LABEL = 'Custom Fields';
const TITLE = `${LABEL} > Custom Field`;

/** As they were given before they could be chosen. */
const typedField: INodeProperties = {
	displayName: LABEL,
	name: 'customFields',
	type: 'fixedCollection',
	typeOptions: { multipleValues: true },
	placeholder: 'Add custom field',
	default: {},
	description: 'Custom fields that the Company has for work orders',
	options: [
		{
			displayName: 'Custom Field',
			name: 'values',
			values: [
				{
					displayName: 'Custom Field',
					name: 'descriptor',
					type: 'resourceLocator',
					default: { mode: 'name', value: '' },
					modes: [
						{
							displayName: 'By Name',
							name: 'name',
							type: 'string',
							placeholder: 'e.g. Cost Center',
						},
						{ displayName: 'By ID', name: 'id', type: 'string', placeholder: 'e.g. 1234' },
					],
					description: 'Name of a custom field of work orders, or the ID of its descriptor',
				},
				{
					displayName: 'Value',
					name: 'value',
					type: 'string',
					default: '',
					description: 'What the field is to hold, as a text',
				},
			],
		},
	],
};

const chosenField: INodeProperties = {
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
	description: 'Custom fields that the Company has for work orders, each by the type of its value',
};

export const customFieldsFields = [inVersion(1, typedField), inVersion(2, chosenField)];

const OF_ORDERS: Target = {
	...targetOn('CustomFieldDescriptor', { ActorTypeId: 'WO' }),
	called: 'custom field of work orders',
};

export function customFieldsOf(context: ItemContext): JsonObject[] {
	const given = context.collection('customFields');
	return 'mappingMode' in given ? chosenIn(context, given) : typedIn(context);
}

/** What writes the form in place of a person may know a field by its name alone. */
function chosenIn(context: ItemContext, mapping: JsonObject): JsonObject[] {
	const cells = cellsOf([], { ...mapping, mappingMode: 'defineBelow' }, {}).map((cell) =>
		isCustomField(cell.id)
			? cell
			: { ...cell, id: `CustomFields.${idIn(context, TITLE, cell.id, OF_ORDERS)}` },
	);
	return newCustomFields(sortCells(LABEL, cells).custom);
}

/** The values of custom fields are texts, whatever their type. */
const typedIn = (context: ItemContext): JsonObject[] =>
	context.rows('customFields').map(({ descriptor, value }) => ({
		Descriptor: { Id: idIn(context, TITLE, descriptor, OF_ORDERS) },
		Value: optionalText(`${LABEL} > Value`, value),
	}));
