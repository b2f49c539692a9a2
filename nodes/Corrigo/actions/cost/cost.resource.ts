import { subjects } from '../../form/subjects';
import type { Resource } from '../../run/operation';
import { operationsOn, searchesOn } from '../operations';
import { createByForm } from '../operations/create';
import { inputsFor } from '../operations/members';
import { ofOneOrder, orderChosen, orderField } from '../workOrder/chosenOrder';

const line = inputsFor('FinancialItem');

const create = createByForm({
	value: 'create',
	action: 'Create a work order cost',
	description: 'Add labor, material or another expense to a work order',
	entity: subjects.cost.entity,
	fields: [orderField],
	members: [
		line.field('CostCategoryId', 'category', 'What the money is for', {
			required: true,
			default: 'Labor',
		}),
		line.field('TypeId', 'type', 'Which of the sums of the order it counts for', {
			required: true,
			default: 'Cost',
		}),
		line.money('Amount', 'amount', 'What the line comes to'),
	],
	added: [
		line.field('Comment', 'comment', 'What was done or used', { typeOptions: { rows: 2 } }),
		line.field('Duration', 'duration', 'How long it took'),
		line.reference('Employee', 'employee', 'employee', { description: 'Whose work it was' }),
		line.reference('InvoiceItem', 'invoiceItem', 'invoiceItem'),
		line.reference('LaborCode', 'laborCode', 'laborCode'),
		line.field('MerchantName', 'merchantName', 'Where it was bought'),
		line.field('NonBillable', 'nonBillable', 'Whether the customer is not billed for it', {
			displayName: 'Non-Billable',
			default: true,
		}),
		line.reference('Product', 'product', 'product'),
		line.field('Quantity', 'quantity', 'How many, or how many hours', { default: 1 }),
		line.money('Rate', 'rate', 'What one of them costs, such as an hour'),
		line.field('StartDate', 'startDate', 'When the work was begun, or the thing bought'),
	],
	record: async (context, members) => ({ WoId: await orderChosen(context), ...members }),
});

export const cost: Resource = {
	name: 'Cost',
	value: 'cost',
	description: 'Cost lines of work orders: labor, material and other expenses',
	operations: [
		create,
		...operationsOn(subjects.cost, 'delete', 'get', 'update'),
		...searchesOn(subjects.cost, ofOneOrder('WoId', 'costs')),
	],
};
