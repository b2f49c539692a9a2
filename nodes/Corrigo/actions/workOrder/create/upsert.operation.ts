import type { INodeProperties } from 'n8n-workflow';

import { toOptionalText } from '../../../form/form';
import { ValidationError } from '../../../values/checks';
import type { KeyColumn } from '../../../compare/keys';
import type { ItemContext } from '../../../run/context';
import { buildForm } from '../../../operations/members';
import { buildFormUpsert } from '../../../operations/upsert/upsert';
import { createOrder, newOrder, newOrderBody } from './create.operation';
import { readOrderCustomFields } from './customFields';
import { X_NUMBER } from './externalNumbers';
import { readOrderChanges } from './order';

const LABEL = 'External Number';

const externalNumber: INodeProperties = {
	displayName: LABEL,
	name: 'externalNumber',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. TICKET-4711',
	description:
		'Number of the order in your own system. If an order has it, in any status, that order is updated. Otherwise, a new one is created.',
};

const NUMBER_COLUMN: KeyColumn = { id: X_NUMBER, type: 'string', label: LABEL };

function readNumber(context: ItemContext): string {
	const number = toOptionalText(LABEL, context.param('externalNumber', '')).trim();
	if (number === '') throw new ValidationError(`'${LABEL}' is empty`, 'It identifies the order.');
	return number;
}

export const upsert = buildFormUpsert({
	entity: 'WorkOrder',
	action: 'Create or update a work order',
	description:
		'Create a work order, or update the one with the same external number (upsert). An existing order keeps its type, customer, items and notes.',
	fields: buildForm({ ...newOrder, fields: [externalNumber, ...(newOrder.fields ?? [])] }),
	describe: (context) => ({
		entity: 'WorkOrder',
		columns: [NUMBER_COLUMN],
		read: ['Number'],
		input: {
			field: 'Additional Fields',
			isPasted: false,
			members: { ...readOrderChanges(context), [X_NUMBER]: readNumber(context) },
			utc: {},
			rows: {},
			custom: readOrderCustomFields(context),
		},
	}),
	checkNew: async ({ context }) => await newOrderBody.readBody(context),
	create: async ({ context }, once) =>
		await once(async () => await createOrder(context, readNumber(context))),
});
