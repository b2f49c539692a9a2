import type { INodeProperties } from 'n8n-workflow';

import { optionalText } from '../../form/form';
import { ValidationError } from '../../protocol/checks';
import type { KeyColumn } from '../../protocol/keys';
import type { ItemContext } from '../../run/context';
import { bodyOf } from '../operations/command';
import { formOf } from '../operations/members';
import { upsertByForm } from '../operations/upsert';
import { createNumbered, newOrder } from './create.operation';
import { customFieldsOf } from './customFields';
import { X_NUMBER } from './externalNumbers';
import { changesOfOrder } from './order';

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

const BY_NUMBER: KeyColumn = { id: X_NUMBER, type: 'string', label: LABEL };

function numberOf(context: ItemContext): string {
	const number = optionalText(LABEL, context.param('externalNumber', '')).trim();
	if (number === '') throw new ValidationError(`'${LABEL}' is empty`, 'It identifies the order.');
	return number;
}

export const upsert = upsertByForm({
	entity: 'WorkOrder',
	action: 'Create or update a work order',
	description:
		'Create a work order, or update the one with the same external number (upsert). An existing order keeps its type, customer, items and notes.',
	fields: formOf({ ...newOrder, fields: [externalNumber, ...(newOrder.fields ?? [])] }),
	describe: (context) => ({
		entity: 'WorkOrder',
		columns: [BY_NUMBER],
		read: ['Number'],
		given: {
			field: 'Additional Fields',
			isPasted: false,
			members: { ...changesOfOrder(context), [X_NUMBER]: numberOf(context) },
			utc: {},
			rows: {},
			custom: customFieldsOf(context),
		},
	}),
	checkNew: async ({ context }) => await bodyOf(context, newOrder),
	create: async ({ context }, once) =>
		await once(async () => await createNumbered(context, numberOf(context))),
});
