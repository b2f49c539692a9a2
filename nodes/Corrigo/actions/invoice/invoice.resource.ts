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
		description: 'Only act if this is still the current status',
	}),
	inputsFor(command).field(
		'FinancialConcurrencyId',
		'expectedConcurrencyId',
		'Only act if the costs still have this version, as you have read it',
		{ typeOptions: { minValue: 1 } },
	),
	inputsFor(command).field(
		'KeepCommentIntact',
		'keepCommentIntact',
		'Whether to leave the comment that is there as it is',
		{ default: true },
	),
];

const comment = (command: typeof AP_CHANGE | typeof PAYMENT) =>
	inputsFor(command).field('Comment', 'comment', 'What there is to say about the change', {
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
			description: 'The new AP status. Its ID differs from Company to Company.',
		}),
	],
	added: [...guards(AP_CHANGE, 'apStatus'), comment(AP_CHANGE)],
});

const changeCostStatus = commandOperation({
	value: 'changeCostStatus',
	action: 'Change the cost status of a work order',
	description: 'Set the internal cost status of a work order',
	command: COST_CHANGE,
	members: [
		inputsFor(COST_CHANGE).reference('CostStatusId', 'costStatus', 'costStatus', {
			required: true,
			description: 'The new internal cost status',
		}),
	],
	added: guards(COST_CHANGE, 'costStatus'),
});

const submitPayment = commandOperation({
	value: 'submitPayment',
	action: 'Submit the payment of a vendor invoice',
	description: 'Record what was paid for the vendor invoice of a work order, and how',
	command: PAYMENT,
	members: [
		inputsFor(PAYMENT).referenceOrName('VendorInvoiceStatusId', 'apStatus', 'apStatus', {
			example: 'Paid',
			description:
				'The AP status that the payment leads to. Its ID differs from Company to Company.',
		}),
		inputsFor(PAYMENT).money('PaymentAmount', 'paymentAmount', 'What was paid'),
		inputsFor(PAYMENT).field(
			'CheckNumber',
			'checkNumber',
			'What the check, or the transfer, is known by',
		),
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
