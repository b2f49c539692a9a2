import { inputsFor, type MemberField } from '../operations/members';
import { commandOperation } from '../operations/command';
import { subjects } from '../../form/subjects';
import { operationsOn } from '../operations';
import type { Resource } from '../../run/operation';

const AP_CHANGE = 'ApStatusChangeCommand';
const PAYMENT = 'ApSubmitPaymentCommand';
const COST_CHANGE = 'CostStatusChangeCommand';

const guards = (
	command: typeof AP_CHANGE | typeof PAYMENT | typeof COST_CHANGE,
	currentStatus: 'apStatus' | 'costStatus',
): MemberField[] => [
	inputsFor(command).reference('CurrentStatusId', 'expectedStatus', currentStatus, {
		displayName: 'Expected Status',
		description: 'Status that the invoice must have. Otherwise, the operation fails.',
	}),
	inputsFor(command).field(
		'FinancialConcurrencyId',
		'expectedConcurrencyId',
		'Version of the costs that you have read. The operation fails if they have changed since.',
		{ typeOptions: { minValue: 1 } },
	),
	inputsFor(command).field(
		'KeepCommentIntact',
		'keepCommentIntact',
		'Whether to keep the existing comment',
		{ default: true },
	),
];

const comment = (command: typeof AP_CHANGE | typeof PAYMENT) =>
	inputsFor(command).field('Comment', 'comment', 'Comment on the change', {
		typeOptions: { rows: 2 },
	});

const changeApStatus = commandOperation({
	value: 'changeApStatus',
	action: 'Change the AP status of a vendor invoice',
	description: 'Submit, authorize, dispute or export the vendor invoice of a work order',
	command: AP_CHANGE,
	members: [
		inputsFor(AP_CHANGE).reference('VendorInvoiceStatusId', 'apStatus', 'apStatus', {
			required: true,
			description: 'New AP (accounts payable) status. IDs differ between Companies.',
		}),
	],
	added: [...guards(AP_CHANGE, 'apStatus'), comment(AP_CHANGE)],
});

const changeCostStatus = commandOperation({
	value: 'changeCostStatus',
	action: 'Change the cost status of a work order',
	description: 'Change the internal cost status of a work order',
	command: COST_CHANGE,
	members: [
		inputsFor(COST_CHANGE).reference('CostStatusId', 'costStatus', 'costStatus', {
			required: true,
			description: 'New internal cost status',
		}),
	],
	added: guards(COST_CHANGE, 'costStatus'),
});

const submitPayment = commandOperation({
	value: 'submitPayment',
	action: 'Submit the payment of a vendor invoice',
	description: 'Record a payment of the vendor invoice of a work order',
	command: PAYMENT,
	members: [
		inputsFor(PAYMENT).referenceOrName('VendorInvoiceStatusId', 'apStatus', 'apStatus', {
			example: 'Paid',
			description: 'AP (accounts payable) status after the payment. IDs differ between Companies.',
		}),
		inputsFor(PAYMENT).money('PaymentAmount', 'paymentAmount', 'Amount paid'),
		inputsFor(PAYMENT).field('CheckNumber', 'checkNumber', 'Number of the check or transfer'),
		inputsFor(PAYMENT).field('CheckCutDate', 'checkCutDate', 'When the check was written'),
	],
	added: [...guards(PAYMENT, 'apStatus'), comment(PAYMENT)],
});

export const invoice: Resource = {
	name: 'Invoice',
	value: 'invoice',
	description: 'Vendor invoice and costs of a work order',
	operations: [
		changeApStatus,
		changeCostStatus,
		...operationsOn(subjects.invoice, 'count', 'get', 'getMany', 'update'),
		submitPayment,
	],
};
