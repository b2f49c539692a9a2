import type { INodeProperties } from 'n8n-workflow';

import { targetOfKind, type Target } from '../../catalogue/targets';
import { isEmpty } from '../../form/form';
import { reference } from '../../form/references';
import { subjects } from '../../form/subjects';
import { ValidationError, type JsonObject } from '../../protocol/checks';
import { updateRequest } from '../../protocol/requests';
import { decimal } from '../../protocol/values';
import { valuesAt } from '../../records/lookup';
import type { ItemContext } from '../../run/context';
import type { Operation } from '../../run/operation';
import { idIn, named, rowsIn } from '../../run/resolve';
import { repeated } from '../operations/members';
import { idFields, idOf, recordKey } from '../operations/subject';
import { outputOfWrite, writeFields } from '../operations/writeOutput';

const { purchaseOrder: subject } = subjects;

const LINES: Target = {
	entity: 'ReplenishmentOrderItem',
	by: ['ReplenishmentOrderId'],
	read: ['Product.Id', 'Product.DisplayAs', 'QtyOrdered'],
};

const PRODUCT_FIELDS: INodeProperties[] = [
	reference('product', 'product', { required: true, description: 'Product that was received' }),
	{
		displayName: 'Quantity',
		name: 'quantity',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 0,
		description: 'Quantity received so far, in all deliveries together',
	},
];

/** The lines of the order, each with the quantity that it has then. */
function receivedLines(context: ItemContext, order: number): JsonObject[] {
	const lines = rowsIn(context)(LINES, order);
	if (lines.length === 0) {
		throw new ValidationError(`The purchase order ${order} has no items to receive`);
	}
	if (context.param('received', 'all') === 'all') {
		return lines.map(({ Id, QtyOrdered }) => ({ Id, QtyReceived: QtyOrdered }));
	}
	const given = context.rows('products');
	if (given.length === 0) throw new ValidationError("'Products' is empty", 'Add at least one.');
	const received = given.map(({ product, quantity }) => {
		if (isEmpty(product)) throw new ValidationError("'Product' is empty", 'Choose a product.');
		const id = idIn(context, 'Product', product, targetOfKind('product'));
		const [line, ...others] = lines.filter((one) => valuesAt(one, 'Product.Id').includes(id));
		if (line === undefined || others.length > 0) {
			throw new ValidationError(
				`The purchase order ${order} has ${others.length === 0 ? 'no item' : 'several items'} with the product ${id}`,
				others.length === 0
					? `Its products are ${lines.flatMap((one) => valuesAt(one, 'Product.DisplayAs')).join(', ')}.`
					: "Set their quantities by 'Update' with 'Items' in 'Fields (JSON)'.",
			);
		}
		return { Id: line.Id, QtyReceived: decimal('Quantity', quantity) };
	});
	return received;
}

/** Quantities are totals, so that a delivery that is recorded twice counts once. */
export const receive: Operation = {
	name: 'Receive',
	value: 'receive',
	action: 'Receive the items of a purchase order',
	description: 'Record which items of a purchase order were delivered',
	address: 'PUT /base',
	fields: [
		...idFields(subject),
		{
			displayName: 'Received',
			name: 'received',
			type: 'options',
			options: [
				{ name: 'Everything', value: 'all', description: 'All items, as ordered' },
				{ name: 'Chosen Products', value: 'chosen', description: 'Quantities that you enter' },
			],
			default: 'all',
			description: 'What was delivered',
		},
		repeated('products', 'Product', PRODUCT_FIELDS, {
			required: true,
			default: { values: [{}] },
			displayOptions: { show: { received: ['chosen'] } },
			description: 'Products that were delivered',
		}),
		...writeFields,
	],
	changes: recordKey(subject),
	each: async (context) => {
		const output = outputOfWrite(context, subject.entity);
		const Id = await idOf(subject, context);
		const Items = await named(context, (one) => receivedLines(one, Id));
		const changes = { Properties: ['Items.QtyReceived'], Entity: { Id, Items } };
		const request = updateRequest(subject.entity, changes, context.requestId());
		return await output(await context.send(request), { Items });
	},
};
