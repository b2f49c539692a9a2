import { createFieldBuilder, type MemberField } from '../../operations/members';
import { buildCommandOperation } from '../../operations/write/command';
import { subjects } from '../../form/subjects';
import { buildOperations } from '../../operations';
import type { Resource } from '../../run/operation';

const AP_CHANGE = 'ApStatusChangeCommand';
const PAYMENT = 'ApSubmitPaymentCommand';
const COST_CHANGE = 'CostStatusChangeCommand';

const buildGuardFields = (
	command: typeof AP_CHANGE | typeof PAYMENT | typeof COST_CHANGE,
	currentStatus: 'apStatus' | 'costStatus',
): MemberField[] => [
	createFieldBuilder(command).reference('CurrentStatusId', 'expectedStatus', currentStatus, {
		displayName: 'Expected Status',
		description: 'Status that the invoice must have. Otherwise, the operation fails.',
	}),
	createFieldBuilder(command).field(
		'FinancialConcurrencyId',
		'expectedConcurrencyId',
		'Version of the costs that you have read. The operation fails if they have changed since.',
		{ typeOptions: { minValue: 1 } },
	),
	createFieldBuilder(command).field(
		'KeepCommentIntact',
		'keepCommentIntact',
		'Whether to keep the existing comment',
		{ default: true },
	),
];

const buildCommentField = (command: typeof AP_CHANGE | typeof PAYMENT) =>
	createFieldBuilder(command).field('Comment', 'comment', 'Comment on the change', {
		typeOptions: { rows: 2 },
	});

const changeApStatus = buildCommandOperation({
	value: 'changeApStatus',
	action: 'Change the AP status of a vendor invoice',
	description: 'Submit, authorize, dispute or export the vendor invoice of a work order',
	command: AP_CHANGE,
	members: [
		createFieldBuilder(AP_CHANGE).reference('VendorInvoiceStatusId', 'apStatus', 'apStatus', {
			required: true,
			description: 'New AP (accounts payable) status. IDs differ between Companies.',
		}),
	],
	added: [...buildGuardFields(AP_CHANGE, 'apStatus'), buildCommentField(AP_CHANGE)],
});

const changeCostStatus = buildCommandOperation({
	value: 'changeCostStatus',
	action: 'Change the cost status of a work order',
	description: 'Change the internal cost status of a work order',
	command: COST_CHANGE,
	members: [
		createFieldBuilder(COST_CHANGE).reference('CostStatusId', 'costStatus', 'costStatus', {
			required: true,
			description: 'New internal cost status',
		}),
	],
	added: buildGuardFields(COST_CHANGE, 'costStatus'),
});

const submitPayment = buildCommandOperation({
	value: 'submitPayment',
	action: 'Submit the payment of a vendor invoice',
	description: 'Record a payment of the vendor invoice of a work order',
	command: PAYMENT,
	members: [
		createFieldBuilder(PAYMENT).referenceOrName('VendorInvoiceStatusId', 'apStatus', 'apStatus', {
			example: 'Paid',
			description: 'AP (accounts payable) status after the payment. IDs differ between Companies.',
		}),
		createFieldBuilder(PAYMENT).money('PaymentAmount', 'paymentAmount', 'Amount paid'),
		createFieldBuilder(PAYMENT).field(
			'CheckNumber',
			'checkNumber',
			'Number of the check or transfer',
		),
		createFieldBuilder(PAYMENT).field('CheckCutDate', 'checkCutDate', 'When the check was written'),
	],
	added: [...buildGuardFields(PAYMENT, 'apStatus'), buildCommentField(PAYMENT)],
});

export const invoice: Resource = {
	name: 'Invoice',
	value: 'invoice',
	description: 'Vendor invoice and costs of a work order',
	operations: [
		changeApStatus,
		changeCostStatus,
		...buildOperations(subjects.invoice, 'count', 'get', 'getMany', 'update'),
		submitPayment,
	],
};
