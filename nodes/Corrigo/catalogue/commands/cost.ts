import { buildIdCommand, type CommandRows } from './command';

/** The caller expects CurrentStatusId and FinancialConcurrencyId to be the current values. */
const costCheck = {
	KeepCommentIntact: 'boolean',
	CurrentStatusId: 'integer',
	FinancialConcurrencyId: 'integer',
} as const;

const vendorInvoice = {
	VendorInvoiceStatusId: 'integer',
	Comment: 'string',
	...costCheck,
} as const;

const invoiceAction = { Timestamp: 'datetime', Comment: 'string' } as const;

export const costCommands = {
	ApStatusChangeCommand: {
		label: 'Change AP Status',
		// The contract spells this one key with a lowercase d.
		fields: { WorkOrderid: 'integer', ...vendorInvoice },
		required: ['WorkOrderid', 'VendorInvoiceStatusId'],
		answer: 'Financial',
	},
	ApSubmitPaymentCommand: {
		label: 'Submit AP Payment',
		fields: {
			WorkOrderId: 'integer',
			...vendorInvoice,
			PaymentAmount: 'MoneyValue',
			CheckNumber: 'string',
			CheckCutDate: 'datetime',
		},
		required: ['WorkOrderId'],
		answer: 'Financial',
	},
	CostStatusChangeCommand: {
		label: 'Change Cost Status',
		fields: { WorkOrderId: 'integer', CostStatusId: 'integer', ...costCheck },
		required: ['WorkOrderId', 'CostStatusId'],
		answer: 'Financial',
	},
	UpdateInvoiceStateCommand: {
		label: 'Update Customer Invoice State',
		fields: { InvoiceId: 'integer', ...invoiceAction, State: 'CiInvoiceState' },
		required: ['InvoiceId', 'State'],
		answer: 'Invoice',
	},
	InvoiceDisputeCommand: buildIdCommand('Dispute Customer Invoice', 'InvoiceId', invoiceAction),
	InvoiceRecallCommand: buildIdCommand('Recall Customer Invoice', 'InvoiceId', invoiceAction),
	PostPaymentCommand: buildIdCommand('Post Payment', 'PaymentId', { Timestamp: 'datetime' }),
} as const satisfies CommandRows;
