import { subjects } from '../../form/subjects';
import type { Resource } from '../../run/operation';
import { buildOperations } from '../../operations';
import { buildGetManyOperation } from '../../operations/read/search';
import { buildFormCreate } from '../../operations/write/formCreate';
import { createFieldBuilder } from '../../operations/members';
import { buildOrderVariant, readOrderId, orderField } from '../workOrder/chosenOrder';

const lineFields = createFieldBuilder('FinancialItem');

const create = buildFormCreate({
	value: 'create',
	action: 'Create work order cost',
	description: 'Create a new cost of a work order, such as labor or material',
	entity: subjects.cost.entity,
	shown: [
		orderField,
		lineFields.field('CostCategoryId', 'category', 'Category of the expense', {
			required: true,
		}),
		lineFields.field('TypeId', 'type', 'Which total of the order the line adds to', {
			required: true,
		}),
		lineFields.money('Amount', 'amount', 'Total of the line', { required: true }),
	],
	added: [
		lineFields.field('Comment', 'comment', 'Description of the work or material', {
			typeOptions: { rows: 2 },
		}),
		lineFields.field('Duration', 'duration', 'Time spent'),
		lineFields.reference('Employee', 'employee', 'employee', {
			description: 'Employee who did the work',
		}),
		lineFields.reference('InvoiceItem', 'invoiceItem', 'invoiceItem'),
		lineFields.reference('LaborCode', 'laborCode', 'laborCode'),
		lineFields.field('MerchantName', 'merchantName', 'Store or supplier'),
		lineFields.field(
			'NonBillable',
			'nonBillable',
			'Whether to exclude the line from customer billing',
			{
				displayName: 'Non-Billable',
				default: true,
			},
		),
		lineFields.reference('Product', 'product', 'product'),
		lineFields.field('Quantity', 'quantity', 'Number of units or hours', { default: 1 }),
		lineFields.money('Rate', 'rate', 'Price of one unit or hour'),
		lineFields.field('StartDate', 'startDate', 'Date of the work or purchase'),
	],
	buildRecord: (context, members) => ({ WoId: readOrderId(context), ...members }),
});

export const cost: Resource = {
	value: 'cost',
	description: 'Cost lines of work orders: labor, material and other expenses',
	operations: [
		create,
		...buildOperations(subjects.cost, 'delete', 'get', 'update'),
		buildGetManyOperation(subjects.cost, buildOrderVariant('WoId', 'costs')),
	],
};
