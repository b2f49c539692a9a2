import { hasInvoice } from '../../form/filters';
import { subjects } from '../../form/subjects';
import { buildOperations } from '../../operations';
import { createFieldBuilder } from '../../operations/members';
import { buildGetManyOperation } from '../../operations/read/search';
import { createOutputBuilder } from '../../operations/output';
import { buildCommandOperation } from '../../operations/write/command';
import type { ItemContext } from '../../run/context';
import type { Resource } from '../../run/operation';
import type { JsonObject } from '../../values/objects';

const COSTS = 'WorkOrderCost';

const apStatusFields = createFieldBuilder('ApStatusChangeCommand');
const paymentFields = createFieldBuilder('ApSubmitPaymentCommand');
const costStatusFields = createFieldBuilder('CostStatusChangeCommand');

/** The three commands have these members in common. */
const buildGuardFields = (currentStatus: 'apStatus' | 'costStatus') => [
	costStatusFields.reference('CurrentStatusId', 'expectedStatus', currentStatus, {
		displayName: 'Expected Status',
		description: `${currentStatus === 'apStatus' ? 'AP status that the invoice' : 'Cost status that the order'} must have. Otherwise, the operation fails.`,
	}),
	costStatusFields.field(
		'FinancialConcurrencyId',
		'expectedConcurrencyId',
		'Version of the costs that you have read. The operation fails if they have changed since.',
		{ typeOptions: { minValue: 1 } },
	),
	costStatusFields.field(
		'KeepCommentIntact',
		'keepCommentIntact',
		'Whether to keep the existing comment',
		{ default: true },
	),
];

const commentField = apStatusFields.field('Comment', 'comment', 'Comment on the change', {
	typeOptions: { rows: 2 },
});

/** The answer to these commands has a part of the costs alone. */
const returning = {
	options: ['returnRecord'],
	buildOutput: async (context: ItemContext, _: unknown, body: JsonObject) => {
		if (!context.isOn('returnRecord')) return undefined;
		const Id = Number(body.WorkOrderId ?? body.WorkOrderid);
		return await createOutputBuilder(context, COSTS)({ EntityType: COSTS, Id }, {});
	},
} as const;

const changeApStatus = buildCommandOperation({
	value: 'changeApStatus',
	action: 'Change AP status of vendor invoice',
	description: 'Submit, authorize, dispute or export the vendor invoice of a work order',
	command: 'ApStatusChangeCommand',
	...returning,
	shown: [
		apStatusFields.reference('VendorInvoiceStatusId', 'apStatus', 'apStatus', {
			required: true,
			description: 'New AP (accounts payable) status. IDs differ between Companies.',
		}),
	],
	added: [...buildGuardFields('apStatus'), commentField],
	goal: {
		entity: COSTS,
		paths: ['ApStatusId'],
		actions: ['APInvStatus'],
		isReached: (costs, { VendorInvoiceStatusId }) => costs.ApStatusId === VendorInvoiceStatusId,
		findGiven: (_, action) => ({ Comment: action?.Comment }),
	},
});

const changeCostStatus = buildCommandOperation({
	value: 'changeCostStatus',
	action: 'Change cost status of work order',
	description: 'Change the internal cost status of a work order',
	command: 'CostStatusChangeCommand',
	...returning,
	shown: [
		costStatusFields.reference('CostStatusId', 'costStatus', 'costStatus', {
			required: true,
			description: 'New internal cost status',
		}),
	],
	added: buildGuardFields('costStatus'),
	goal: {
		entity: COSTS,
		paths: ['CostStatusId'],
		actions: ['CostStatus'],
		isReached: (costs, { CostStatusId }) => costs.CostStatusId === CostStatusId,
	},
});

const submitPayment = buildCommandOperation({
	value: 'submitPayment',
	action: 'Submit payment of vendor invoice',
	description: 'Record a payment of the vendor invoice of a work order',
	command: 'ApSubmitPaymentCommand',
	...returning,
	shown: [
		paymentFields.reference(
			'VendorInvoiceStatusId',
			'apStatus',
			'apStatus',
			{
				description:
					'AP (accounts payable) status after the payment. IDs differ between Companies.',
			},
			'Paid',
		),
		paymentFields.money('PaymentAmount', 'paymentAmount', 'Amount paid', { required: true }),
		paymentFields.field('CheckNumber', 'checkNumber', 'Number of the check or transfer'),
		paymentFields.field('CheckCutDate', 'checkCutDate', 'When the check was written'),
	],
	added: [...buildGuardFields('apStatus'), commentField],
});

/** Every order has costs, so those without an invoice are left out unless the search is about them. */
const getMany = buildGetManyOperation(subjects.invoice, {
	exclusion: {
		property: 'ApStateId',
		condition: hasInvoice('ApStateId'),
		notice: 'Orders without a vendor invoice are left out.',
		advice: "Add the filter 'Has Invoice' to see them, too.",
	},
});

export const invoice: Resource = {
	value: 'invoice',
	description: 'Vendor invoice and costs of a work order',
	operations: [
		changeApStatus,
		changeCostStatus,
		...buildOperations(subjects.invoice, 'get', 'update'),
		getMany,
		submitPayment,
	],
};
