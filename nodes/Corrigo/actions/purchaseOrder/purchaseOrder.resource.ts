import { defineRows } from '../../catalogue/targets';
import { buildField } from '../../form/fields';
import type { Form } from '../../form/form';
import { buildReferenceField, subjects } from '../../form/subjects';
import { buildAllOperations } from '../../operations';
import { buildRepeatedGroup } from '../../operations/members';
import { getIdFields, readSubjectId } from '../../operations/subject';
import { buildMemberUpdate } from '../../operations/write/write';
import { collectValues, type JsonObject } from '../../values/objects';
import { oncePerRun, readRecordId, type ResolvingForm } from '../../run/context';
import type { Resource } from '../../run/operation';
import { createEmptyError, quote, ValidationError, formatNames } from '../../values/errors';
import { parseNumber } from '../../values/input';
import { TEXT } from '../../operations/specimens';

const { purchaseOrder: subject } = subjects;

const LINES = defineRows('ReplenishmentOrderItem', 'ReplenishmentOrderId', [
	'Product.Id',
	'Product.DisplayAs',
	'QtyOrdered',
	'QtyReceived',
]);

/** More is a barcode or a date in the wrong column. */
const MAX_QUANTITY = 999_999;

const product = buildReferenceField('product', 'product', {
	required: true,
	description: 'Product that was received',
});

const quantity = buildField(
	'quantity',
	'number',
	'Quantity received so far, in all deliveries together',
	{ required: true, typeOptions: { minValue: 0, maxValue: MAX_QUANTITY } },
);

const products = buildRepeatedGroup('products', 'Product', [product, quantity], {
	required: true,
	displayOptions: { show: { received: ['chosen'] } },
	description: 'Products that were delivered',
});

const received = buildField('received', 'options', 'What was delivered', {
	options: [
		{ name: 'Everything', value: 'all', description: 'Whatever was ordered and is still missing' },
		{ name: 'Chosen Products', value: 'chosen', description: 'Quantities that you enter' },
	],
	required: true,
});

/** The items of a run that choose products of a purchase order. */
const listChoosingItems = oncePerRun<Set<number>, number>(() => new Set());

/** The lines are those before the run, so 'Everything' could lower what an earlier item has entered. */
const createEarlierError = (order: number) =>
	new ValidationError(
		`An earlier item receives products of the purchase order ${order}, so 'Everything' does not know what is left`,
		"Receive 'Everything' first, or in another node.",
	);

function readLines(form: ResolvingForm, order: number): JsonObject[] {
	const given = form.read(received) === 'all' ? undefined : readProducts(form);
	const lines = form.run.resolver.findRows(LINES, order);
	if (lines.length === 0) {
		throw new ValidationError(`The purchase order ${order} has no items to receive`);
	}
	const choosing = listChoosingItems(form, order);
	if (given === undefined) {
		if ([...choosing].some((item) => item < form.index)) throw createEarlierError(order);
		return lines.map(receiveAll);
	}
	choosing.add(form.index);
	const chosen = given.map(({ id, QtyReceived }) => ({
		Id: requireLine(order, lines, form.run.resolver.requireKnown(id)).Id,
		QtyReceived,
	}));
	if (new Set(chosen.map(({ Id }) => Id)).size < chosen.length) {
		throw new ValidationError(`'${products.displayName}' has the same product twice`);
	}
	return chosen;
}

function readProducts(form: ResolvingForm) {
	const rows = form.readRows(products);
	if (rows.length === 0) throw createEmptyError(products.displayName, 'Add at least one.');
	return rows.map((row) => ({
		id: readRecordId(form, product, undefined, row),
		QtyReceived: readQuantity(row),
	}));
}

/** Suppliers deliver in excess, so a quantity is never lowered. */
function receiveAll(line: JsonObject): JsonObject {
	const { Id, QtyOrdered, QtyReceived } = line;
	if (typeof QtyOrdered === 'number') {
		return { Id, QtyReceived: Math.max(QtyOrdered, Number(QtyReceived ?? 0)) };
	}
	const [name = Id] = collectValues(line, 'Product.DisplayAs');
	throw new ValidationError(
		`The item ${quote(name)} has no ordered quantity, so 'Everything' does not say how much was received`,
		"Select 'Chosen Products' under 'Received', and enter the quantities.",
	);
}

function requireLine(order: number, lines: readonly JsonObject[], id: number): JsonObject {
	const [line, ...others] = lines.filter((one) => collectValues(one, 'Product.Id').includes(id));
	if (line === undefined) {
		const names = lines.flatMap((one) => collectValues(one, 'Product.DisplayAs'));
		throw new ValidationError(
			`The purchase order ${order} has no item with the product ${id}`,
			`Its products are ${formatNames(names)}.`,
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

function readQuantity(row: Form): number {
	const label = row.getLabel(quantity);
	const value = row.isEmpty(quantity) ? 0 : parseNumber(label, row.getInput(quantity));
	if (value > 0 && value <= MAX_QUANTITY) return value;
	// A row whose quantity nobody entered has 0, which would erase earlier deliveries.
	throw new ValidationError(
		`'${label}' must be above 0 and at most ${MAX_QUANTITY}, but it is ${value}`,
		'Enter how much has been received so far, in all deliveries together.',
	);
}

const markExported = buildMemberUpdate({
	subject,
	value: 'markExported',
	action: 'Mark purchase order as exported',
	description: 'Record that a purchase order was exported to another system',
	output: () => ({ Number: TEXT, Id: 1, IsExported: true }),
	fields: getIdFields(subject),
	read: (context) => ({ id: readSubjectId(subject, context), members: { IsExported: true } }),
});

/** The quantity of each line is its new total, so a delivery that is recorded twice counts once. */
const receive = buildMemberUpdate({
	subject,
	value: 'receive',
	action: 'Receive items of purchase order',
	description: 'Record which items of a purchase order were delivered',
	output: () => ({ Number: TEXT, Id: 1 }),
	fields: [...getIdFields(subject), received, products],
	read: (context) => {
		const id = readSubjectId(subject, context);
		return { id, members: { Items: readLines(context, id) }, properties: ['Items.QtyReceived'] };
	},
});

export const purchaseOrder: Resource = {
	value: 'purchaseOrder',
	description: 'Orders of products for stock locations',
	operations: [...buildAllOperations(subject), markExported, receive],
};
