import type { EntityName, Path } from './entities';
import { createTable } from './table';

/** Records that show what somebody decides about, beyond the record that a write changes. */
export interface Content {
	entity: string;
	/** Path to the Id of the record that the decision names. */
	by: string;
	/** Member with the amount; several records have their sum. */
	amount: string;
	properties: readonly string[];
	/** Member of the command that the records must have, too. */
	within?: string;
}

const select = <Entity extends EntityName>(
	entity: Entity,
	by: Path<Entity>,
	amount: Path<Entity>,
	properties: ReadonlyArray<Path<Entity>>,
	within?: Path<Entity>,
): Content => ({ entity, by, amount, properties: [amount, ...properties], within });

const selectEstimate = (by: 'Id' | 'WorkOrderId') =>
	select('WoEstimate', by, 'Amount', [
		...(['StatusId', 'Comment', 'ContactId', 'IsMultiline', 'ConcurrencyId'] as const),
		...(['Items.Description', 'Items.Quantity', 'Items.Rate', 'Items.Amount'] as const),
	]);
const selectQuote = (by: 'Id' | 'WoId') =>
	select('WoQuote', by, 'Amount', [
		...(['StatusId', 'Description', 'IsMultiline', 'ConcurrencyId'] as const),
		...(['Items.Description', 'Items.Quantity', 'Items.Rate', 'Items.Amount'] as const),
	]);
const invoice = select('WorkOrderCost', 'Id', 'VendorInvoiceTotal', [
	...(['CostsTotal', 'ExpensesTotal', 'ServiceFeesTotal', 'PaymentAmount'] as const),
	...(['Items.Amount', 'Items.Comment', 'Items.Quantity', 'Items.Rate'] as const),
	...(['Items.TypeId', 'Items.CostCategoryId'] as const),
]);
const customerInvoice = select('Invoice', 'Id', 'AmtTotal', [
	...(['State', 'LineItems.Descr', 'LineItems.Qty', 'LineItems.Rate'] as const),
	'LineItems.AmtTotal',
]);
const week = select(
	'TimeCardItem',
	'Employee.Id',
	'Duration',
	['StartDate', 'EndDate', 'TypeId', 'Comment', 'WorkOrder.Id', 'LaborCode.Id', 'ConcurrencyId'],
	'WeekStartDate',
);

/** Keys are commands, entities that a command changes, or members that an update sets. */
const contents = createTable<Content>({
	'WorkOrder.Estimate': selectEstimate('WorkOrderId'),
	'WorkOrder.Quote': selectQuote('WoId'),
	'WoEstimate.StatusId': selectEstimate('Id'),
	'WoQuote.StatusId': selectQuote('Id'),
	'WorkOrderCost.ApStatusId': invoice,
	'WorkOrderCost.CostStatusId': invoice,
	'Invoice.State': customerInvoice,
	WorkOrderCost: invoice,
	Invoice: customerInvoice,
	TimeCardActionCommand: week,
});

const byName = new Map(
	Object.entries(contents).map(([name, content]) => [name.toLowerCase(), content]),
);

export const findContents = (names: readonly string[]): Content[] => [
	...new Set(names.flatMap((name) => byName.get(name.toLowerCase()) ?? [])),
];
