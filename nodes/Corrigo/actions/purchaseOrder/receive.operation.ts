import type { INodeProperties } from 'n8n-workflow';

import { targetOfKind, type Target } from '../../catalogue/targets';
import { reference } from '../../form/references';
import { subjects } from '../../form/subjects';
import { ValidationError, type JsonObject } from '../../protocol/checks';
import { updateRequest } from '../../protocol/requests';
import { decimal } from '../../protocol/values';
import { valuesAt } from '../../records/lookup';
import type { ItemContext } from '../../run/context';
import type { Operation } from '../../run/operation';
import { idIn, named, recordIn, rowsIn } from '../../run/resolve';
import { repeated } from '../operations/members';
import { storedRecords } from '../operations/stored';
import { idFields, recordKey } from '../operations/subject';
import { outputOfWrite, updateFields } from '../operations/writeOutput';

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

const stored = storedRecords((context) => {
	const { Id: id, Items } = received(context);
	return { entity: subject.entity, id, members: { Items } };
});

/** The quantity of each line is its new total. */
function received(context: ItemContext): { Id: number; Items: JsonObject[] } {
	const order = recordIn(context, subject.kind, subject.label);
	return { Id: order, Items: receivedLines(context, order) };
}

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
	const received = given.map(({ product, quantity }) => ({
		Id: lineOf(context, order, lines, product).Id,
		QtyReceived: quantityOf(quantity),
	}));
	if (new Set(received.map(({ Id }) => Id)).size < received.length) {
		throw new ValidationError("'Products' has the same product twice");
	}
	return received;
}

function lineOf(
	context: ItemContext,
	order: number,
	lines: readonly JsonObject[],
	product: unknown,
): JsonObject {
	const id = idIn(context, 'Product', product, targetOfKind('product'));
	const [line, ...others] = lines.filter((one) => valuesAt(one, 'Product.Id').includes(id));
	if (line === undefined) {
		const names = lines.flatMap((one) => valuesAt(one, 'Product.DisplayAs')).join(', ');
		throw new ValidationError(
			`The purchase order ${order} has no item with the product ${id}`,
			`Its products are ${names}.`,
		);
	}
	if (others.length > 0) {
		throw new ValidationError(
			`The purchase order ${order} has several items with the product ${id}`,
			"Set their quantities with 'Update' and 'Items' in 'Fields (JSON)'.",
		);
	}
	return line;
}

function quantityOf(given: unknown): number {
	const quantity = decimal('Quantity', given);
	if (quantity < 0) throw new ValidationError(`'Quantity' must not be negative: ${quantity}`);
	return quantity;
}

/** Quantities are totals, so a delivery that is recorded twice counts once. */
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
		...updateFields,
	],
	changes: recordKey(subject),
	each: async (context) => {
		const output = outputOfWrite(context, subject.entity);
		const order = await named(context, received);
		const changes = { Properties: ['Items.QtyReceived'], Entity: order };
		const record = await stored(context);
		const request = updateRequest(subject.entity, changes, context.requestId(), record);
		return await output(await context.send(request), { Items: order.Items });
	},
};
