import { toAnswer } from '../base/operations';
import { failBusinessLogic, conflict, term } from '../errors';
import type { World } from '../runtime/world';
import type { Json } from '../shapes';
import type { Row, Values } from '../store/store';
import type { ActionDetails } from '../base/actionDetails';
import { requireActive, type Arguments, type Handler } from './command';
import { logAction } from '../base/actionLog';

type StatusMember = 'ApStatusId' | 'CostStatusId';

/** Fails if status or version of the costs are not those that the caller expects. */
function requireCosts(
	world: World,
	args: Arguments,
	member: StatusMember,
): { order: Row; costs: Row } {
	const order = args.id('WorkOrderId', 'WorkOrder', world);
	const costs = world.store.existing('WorkOrderCost', order.Id);
	const status = args.int('CurrentStatusId');
	if (status !== 0 && status !== costs[member]) conflict();
	const version = args.int('FinancialConcurrencyId');
	if (version !== 0 && version !== costs.ConcurrencyId) conflict();
	return { order, costs };
}

function changeCosts(
	world: World,
	args: Arguments,
	{ order, costs }: { order: Row; costs: Row },
	{ action, changes, details }: { action: string; changes: Values; details: ActionDetails },
): Json {
	const comment = args.text('Comment');
	const keepNotes = args.bool('KeepCommentIntact') || comment === undefined;
	const notes = keepNotes ? {} : { PaymentNotes: comment };
	world.store.change('WorkOrderCost', costs.Id, { ...changes, ...notes });
	logAction(world, order, { TypeId: action, Comment: comment, details });
	return { Financial: toAnswer(world, 'WorkOrderCost', costs) };
}

/** Live Companies accept the name of a status (`Paid`) where the interface declares an integer. */
function statusId(world: World, args: Arguments): number {
	const name = args.get('VendorInvoiceStatusId');
	const [found] = world.store.children('ApInvoiceStatus', 'DisplayAs', name);
	return found?.Id ?? args.int('VendorInvoiceStatusId');
}

function requireApStatus(world: World, id: number): Row {
	if (id === 0) failBusinessLogic('VendorInvoiceStatusId is a required field');
	return requireActive(world, 'ApInvoiceStatus', id);
}

const apStatusChange = (status: Row, more: Values = {}) => ({
	action: 'APInvStatus',
	changes: { ApStatusId: status.Id, ApStateId: status.ApStateId, ...more },
	details: { ApInvoiceName: String(status.DisplayAs) },
});

export const changeApStatus: Handler = (world, args) => {
	const found = requireCosts(world, args, 'ApStatusId');
	const status = requireApStatus(world, args.int('VendorInvoiceStatusId'));
	return changeCosts(world, args, found, apStatusChange(status));
};

function paymentAmount(args: Arguments, costs: Row): Values {
	const sent = args.object('PaymentAmount');
	if (!sent) return {};
	const value = Number(sent.get('Value'));
	if (!Number.isFinite(value)) failBusinessLogic('PaymentAmount is not a valid amount');
	const currency = sent.enum('CurrencyTypeId', 'CurrencyType') ?? costs.CurrencyTypeId;
	return { PaymentAmount: { CurrencyTypeId: currency, Value: value } };
}

export const submitPayment: Handler = (world, args) => {
	const found = requireCosts(world, args, 'ApStatusId');
	args.time('CheckCutDate');
	const status = requireApStatus(world, statusId(world, args));
	const payment = {
		...paymentAmount(args, found.costs),
		...(args.has('CheckNumber') ? { CheckNumber: args.text('CheckNumber', 64) } : {}),
		...(args.has('CheckCutDate') ? { CheckCutDate: args.text('CheckCutDate') } : {}),
	};
	return changeCosts(world, args, found, apStatusChange(status, payment));
};

/** An invoice cannot go back to its first state, Draft. */
export const updateInvoiceState: Handler = (world, args) => {
	const invoice = args.id('InvoiceId', 'Invoice', world);
	const State = args.enum('State', 'CiInvoiceState') ?? 'Draft';
	if (State === 'Draft') {
		failBusinessLogic('No action associated with 0 invoice state.\r\nParameter name: state');
	}
	world.store.change('Invoice', invoice.Id, { State });
	return { Invoice: toAnswer(world, 'Invoice', invoice) };
};

export const changeCostStatus: Handler = (world, args) => {
	const found = requireCosts(world, args, 'CostStatusId');
	const id = args.int('CostStatusId');
	if (id === 0) failBusinessLogic(`${term('Cost Status')} is a required field`);
	const status = requireActive(world, 'InternalCostStatus', id);
	return changeCosts(world, args, found, {
		action: 'CostStatus',
		changes: { CostStatusId: status.Id, CostState: status.InternalCostStateId },
		details: { CostStatusId: status.Id },
	});
};
