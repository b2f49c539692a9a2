import { getMemberLabel } from '../../catalogue/enumerations/labels';
import { defineRows } from '../../catalogue/targets';
import { buildField } from '../../form/fields';
import { isEmpty } from '../../form/form';
import { subjects } from '../../form/subjects';
import {
	buildRepeatedGroup,
	createFieldBuilder,
	getFormFields,
	readAddedMembers,
	readShownMembers,
} from '../../operations/members';
import {
	COMPANY_DEFAULT,
	currencyField,
	getFractionDigits,
	isNoCurrency,
	readCurrency,
} from '../../operations/amounts';
import { orderIdField } from '../../operations/write/command';
import { buildMemberUpdate } from '../../operations/write/write';
import { readRecordId, requireFirstItem, type ResolvingForm } from '../../run/context';
import type { Operation } from '../../run/operation';
import { multiplyDecimals, sumDecimals } from '../../values/decimals';
import { createEmptyError, quote, ValidationError } from '../../values/errors';
import { type JsonObject, filterMembers, readPath, toRows } from '../../values/objects';
import { parseChoice, parseNumber } from '../../values/input';
import { MONEY, NAMED, NUMBER, TEXT } from '../../operations/specimens';
import { BETA } from './linked';

const show = (amountAs: string) => ({ displayOptions: { show: { amountAs: [amountAs] } } });

const lineFields = createFieldBuilder('QuoteOrEstimateItem');
const quantityField = lineFields.field('Quantity', 'quantity', 'Number of units', { default: 1 });
const LINE_FIELDS = [
	lineFields.field('Description', 'description', 'What the line is for'),
	quantityField,
	lineFields.reference('InvoiceItem', 'invoiceItem', 'invoiceItem'),
];

const amountAs = buildField('amountAs', 'options', 'Whether to give the total or its lines', {
	options: [
		{ name: 'Lines', value: 'lines' },
		{ name: 'One Amount', value: 'amount' },
	],
	default: 'amount',
});

const amount = buildField('amount', 'number', 'Total of the estimate, such as 120.5', {
	required: true,
	...show('amount'),
});

const rateField = buildField('rate', 'number', 'Price of a unit', { required: true });

const linesField = buildRepeatedGroup('lines', 'Line', [...getFormFields(LINE_FIELDS), rateField], {
	required: true,
	description: 'All lines of the estimate. They replace those that it has.',
	...show('lines'),
});

const estimateFields = createFieldBuilder('WoEstimate');
const STATUS = 'Estimate Status';
/** Decisions have an operation of their own. */
const OPEN_STATUSES = ['NotSubmitted', 'WaitingForApproval'] as const;

const ESTIMATE_FIELDS = [
	estimateFields.reference('ContactId', 'contact', 'contact', {
		required: true,
		description: 'Contact of the customer who decides about the estimate',
	}),
	estimateFields.field(
		'StatusId',
		'status',
		'Status of the estimate. Approved and Rejected are set by Decide Estimate.',
		{
			displayName: STATUS,
			options: OPEN_STATUSES.map((value) => ({
				name: getMemberLabel('QuoteStatus', value),
				value,
			})),
			required: true,
		},
	),
	estimateFields.field('Comment', 'comment', 'Text for the customer', { typeOptions: { rows: 2 } }),
];

function parsePositive(label: string, input: unknown): number {
	const value = parseNumber(label, input);
	if (value <= 0) throw new ValidationError(`'${label}' must be more than 0`);
	return value;
}

function readLines(form: ResolvingForm) {
	const label = linesField.displayName;
	const lines = toRows(form.read(linesField).values).map((row) => {
		const filled = filterMembers(row, (_, value) => !isEmpty(value));
		const members = readAddedMembers(form, { quantity: 1, ...filled }, LINE_FIELDS);
		const quantity = parsePositive(
			`${label} > ${quantityField.property.displayName}`,
			members.Quantity,
		);
		const rate = parseNumber(`${label} > ${rateField.displayName}`, row.rate);
		return { members, quantity, rate };
	});
	if (lines.length === 0) throw createEmptyError(label, 'Add a line.');
	return lines;
}

const STORED = {
	Estimate: defineRows('WoEstimate', 'WorkOrderId', ['CurrencyTypeId', 'Items.Id']),
	Quote: defineRows('WoQuote', 'WoId'),
};

/** Corrigo adds lines without an Id, so those that the estimate has are deleted. */
const deleteLines = (stored: readonly JsonObject[]): JsonObject[] =>
	stored.flatMap(({ Items }) => toRows(Items)).map(({ Id }) => ({ Id, PerformDeletion: true }));

/** The currency of an estimate that exists changes only if somebody names another one. */
function requireSameCurrency(
	form: ResolvingForm,
	currency: unknown,
	stored: readonly JsonObject[],
): void {
	const other = stored
		.map(({ CurrencyTypeId }) => CurrencyTypeId)
		.find((one) => !isNoCurrency(one) && one !== currency);
	if (form.read(currencyField) !== COMPANY_DEFAULT || other === undefined) return;
	throw new ValidationError(
		`'${currencyField.displayName}' is that of the Company, ${quote(currency)}, but the estimate is in ${quote(other)}`,
		'Choose the one that is meant.',
	);
}

/** The stored lines are those before the run, so a second item would leave those of the first. */
const requireOnlyEstimate = (form: ResolvingForm, order: number): void =>
	requireFirstItem(
		form,
		`estimates ${order}`,
		() =>
			new ValidationError(
				`Another item sets the estimate of the work order ${order}`,
				'Give all lines in one item.',
			),
	);

/**
 * Corrigo requires the currency, the contact, the status, and whether there are lines. What is wrong by
 * itself is refused before the estimate is read.
 */
function readEstimate(form: ResolvingForm): JsonObject {
	const isMultiline = form.read(amountAs) === 'lines';
	const given = isMultiline ? readLines(form) : [];
	const whole = isMultiline ? 0 : parsePositive(amount.displayName, form.read(amount));
	const members = readShownMembers(form, ESTIMATE_FIELDS);
	parseChoice(STATUS, members.StatusId, OPEN_STATUSES);
	const order = readRecordId(form, orderIdField);
	requireOnlyEstimate(form, order);
	const CurrencyTypeId = readCurrency(
		form.run,
		currencyField.displayName,
		form.read(currencyField),
	);
	const digits = getFractionDigits(CurrencyTypeId);
	const lines = given.map((line) => ({
		...line,
		amount: multiplyDecimals(line.quantity, line.rate, digits),
	}));
	const sum = sumDecimals(lines.map((line) => line.amount));
	const total = isMultiline ? parsePositive(`${linesField.displayName} > Total`, sum) : whole;
	const stored = form.run.resolver.findRows(STORED.Estimate, order);
	requireSameCurrency(form, CurrencyTypeId, stored);
	const toAmount = (Value: number) => ({ Value, CurrencyTypeId });
	const newLines = lines.map((line) => ({
		...line.members,
		CurrencyTypeId,
		Rate: toAmount(line.rate),
		Amount: toAmount(line.amount),
	}));
	const Items = [...newLines, ...deleteLines(stored)];
	return {
		CurrencyTypeId,
		Amount: toAmount(total),
		IsMultiline: isMultiline,
		...members,
		...(Items.length > 0 ? { Items } : {}),
	};
}

export const setEstimate = buildMemberUpdate({
	subject: subjects.workOrder,
	value: 'setEstimate',
	action: 'Set estimate of work order',
	description: `Create the estimate of a work order, or change it. ${BETA}`,
	output: () => ({
		Number: TEXT,
		Id: 1,
		Estimate: {
			...{ CurrencyTypeId: TEXT, Amount: MONEY, IsMultiline: true },
			...{ ContactId: 1, Contact: NAMED, Status: TEXT, Comment: TEXT },
			Items: [
				{
					...{ Description: TEXT, Quantity: NUMBER, InvoiceItem: NAMED },
					...{ CurrencyTypeId: TEXT, Rate: MONEY, Amount: MONEY },
				},
			],
		},
		Url: TEXT,
	}),
	fields: [
		orderIdField,
		amountAs,
		amount,
		linesField,
		currencyField,
		...getFormFields(ESTIMATE_FIELDS),
	],
	read: (context) => ({
		id: readRecordId(context, orderIdField),
		members: { Estimate: readEstimate(context) },
	}),
});

const DECISIONS = { approve: 'Approved', reject: 'Rejected', request: 'Requested' } as const;

const decisionField = buildField('decision', 'options', 'Status to set', {
	options: [
		{ name: 'Approve', value: 'approve' },
		{ name: 'Reject', value: 'reject' },
		{ name: 'Request', value: 'request', description: 'Ask for a new one' },
	],
	required: true,
});

function buildDecision(part: 'Estimate' | 'Quote', advice: string): Operation {
	const noun = part.toLowerCase();
	const reason = createFieldBuilder(`Wo${part}`).field(
		'Reason',
		'reason',
		'Reason for the decision',
		{
			typeOptions: { rows: 2 },
		},
	);
	return buildMemberUpdate({
		subject: subjects.workOrder,
		value: `decide${part}`,
		action: `Decide ${noun} of work order`,
		description: `Approve, reject or request the ${noun} of a work order. ${BETA}`,
		output: () => ({
			Number: TEXT,
			Id: 1,
			[part]: { Status: TEXT, Reason: TEXT },
			Url: TEXT,
		}),
		fields: [orderIdField, decisionField, ...getFormFields([reason])],
		goal: {
			part,
			owner: `Wo${part}`,
			entity: 'WorkOrder',
			paths: [`${part}.StatusId`, `${part}.Reason`],
			actions: [`${part}Approved`, `${part}Rejected`],
			isReached: (order, { StatusId }) => readPath(order, `${part}.StatusId`) === StatusId,
			findGiven: (order) => ({ Reason: readPath(order, `${part}.Reason`) }),
		},
		read: (context) => {
			const decision = context.read(decisionField);
			const StatusId = DECISIONS[decision];
			const members = { [part]: { StatusId, ...readShownMembers(context, [reason]) } };
			const id = readRecordId(context, orderIdField);
			// An update through the order would create an empty one.
			if (context.run.resolver.findRows(STORED[part], id).length === 0) {
				throw new ValidationError(`The work order ${id} has no ${noun}`, advice);
			}
			return { id, members };
		},
	});
}

export const decideEstimate = buildDecision('Estimate', "'Set Estimate' creates one.");

export const decideQuote = buildDecision(
	'Quote',
	"'Send' with 'Request Quote' asks the vendor for one.",
);
