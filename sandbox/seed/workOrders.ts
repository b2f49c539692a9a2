import { insertDetails, previousStatus } from '../base/actionDetails';
import { toActor, recordVisit } from '../commands/visits';
import { toLocalTime, isoWithoutZone } from '../runtime/times';
import type { Row, Store, Values } from '../store/store';
import { seedCustomFields } from './customFields';
import { FIRST_ID } from './lookups';
import type { Staff } from './people';
import { TASK_IDS_BY_MODEL, type Place } from './places';
import type { Random } from './random';
import { COMPLAINTS, MODELS, ZONES } from './sampleData';

const DAY = 86_400_000;
const HOUR = 3_600_000;
const MINUTE = 60_000;

/** The newest orders are in any status; older ones are done, and their invoices paid. */
const NEWEST = 60;
const ORDERS_PER_DAY = 16;

const ACTIONS_BY_STATUS: Readonly<Record<string, readonly string[]>> = {
	New: ['Create'],
	Open: ['Create', 'Assign', 'PickUp'],
	InProgress: ['Create', 'Assign', 'PickUp', 'Start'],
	Paused: ['Create', 'Assign', 'PickUp', 'Start', 'Stop'],
	OnHold: ['Create', 'Assign', 'PickUp', 'OnHold'],
	Cancelled: ['Create', 'Cancel'],
	Completed: ['Create', 'Assign', 'PickUp', 'Start', 'Complete'],
};

/** An order that the customer was not content with. */
const REOPENED = [...ACTIONS_BY_STATUS.Completed, 'Reopen', 'PickUp', 'Start', 'Complete'];
const REOPENED_EVERY = 15;

/** Ratings by customers, who rate few of the settled orders. */
const RATINGS = ['Positive', 'Positive', 'Neutral', 'Positive', 'Negative'] as const;
const RATED_EVERY = 3;

/** Actions of the assignee on site. */
const ON_SITE: readonly string[] = ['Start', 'Stop', 'Complete'];

const CLOSED: readonly string[] = ['Completed', 'Cancelled'];

/** Statuses of open orders that are assigned. */
const WITH_VENDOR: readonly string[] = ['Open', 'InProgress', 'Paused', 'OnHold'];

/** The statuses to which actions lead. */
const NEXT_STATUS: Readonly<Record<string, string>> = {
	PickUp: 'Open',
	Start: 'InProgress',
	Stop: 'Paused',
	OnHold: 'OnHold',
	Cancel: 'Cancelled',
	Complete: 'Completed',
	Reopen: 'New',
};

const STATUSES = [
	...['New', 'New', 'Open', 'Open', 'InProgress', 'InProgress', 'Paused', 'OnHold'],
	...['Cancelled', 'Completed', 'Completed', 'Completed', 'Completed'],
] as const;

const HISTORY_ACTOR = { Id: 1, TypeId: 'Employee', DisplayAs: 'Dispatcher' };
const PIXEL =
	'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

interface SeedContext {
	store: Store;
	random: Random;
	places: readonly Place[];
	staff: Staff;
}

export function seedWorkOrders(sources: SeedContext, count: number, until: number): void {
	const { store, places } = sources;
	const span = Math.max(30, Math.min(365, count / ORDERS_PER_DAY)) * DAY;
	for (let index = 0; index < count && places.length > 0; index += 1) {
		const age = varyAge(span * (1 - index / count));
		const created = Math.floor((until - age) / MINUTE) * MINUTE;
		const order = seedOrder(sources, { index, created, until, isSettled: count - index > NEWEST });
		if (index % 3 === 0) seedCustomFields(store, order.Id, index);
		if (index % 4 === 0) seedNotes(store, order, index, created);
		if (index % 20 === 0 && index < 2000) seedDocument(store, order, created);
		if (index % 50 === 0) seedFlag(store, order, created);
		if (index % 4 === 1 && index < 2000) seedFinancials(store, order, index);
	}
	seedReceivedInvoices(store, until);
	seedSubmittedQuotes(store, until);
}

/** Busy weeks and quiet weeks follow each other: evenly spread ages move by up to a day. */
const varyAge = (even: number): number => even - DAY * Math.sin((2 * Math.PI * even) / (35 * DAY));

interface Moment {
	index: number;
	created: number;
	until: number;
	isSettled: boolean;
}

function seedOrder({ store, random, places, staff }: SeedContext, moment: Moment): Row {
	const { index, created, until, isSettled } = moment;
	const place = places[random.below(places.length)];
	const model = random.below(MODELS.length);
	const drawn = STATUSES[random.below(STATUSES.length)];
	const status = isSettled && drawn !== 'Cancelled' ? 'Completed' : drawn;
	const zoneIndex = place.zone - FIRST_ID.zone;
	const { prefix, zone } = ZONES[zoneIndex];
	const at = random.below(TASK_IDS_BY_MODEL[model].length);
	const isSettledWork = isSettled && status === 'Completed';
	const actions =
		isSettledWork && index % REOPENED_EVERY === 0 ? REOPENED : ACTIONS_BY_STATUS[status];
	const assignee = actions.includes('Assign')
		? random.pick(staff.get(place.zone) ?? [])
		: undefined;
	const Id = FIRST_ID.workOrder + index;
	const past = { status, actions, created, until, zone, index, assignee };
	const history = seedHistory(store, Id, past);
	const reason = findReason(store, status);
	const isOpen = !CLOSED.includes(status);
	const priority = 1 + ((model + at) % 4);
	const allowance = random.below(5);
	const due = isOpen
		? openDueTime(moment, priority, allowance)
		: created + 8 * HOUR * (1 + allowance);
	const zoneRow = store.existing('WorkZone', place.zone);
	const number = Number(zoneRow.$lastNumber ?? 0) + 1;
	zoneRow.$lastNumber = number;
	const order = store.insert('WorkOrder', {
		Id,
		Number: prefix + String(number).padStart(7, '0'),
		TypeCategory: 'Request',
		StatusId: status,
		Priority: { Id: priority },
		RequestorContact: { Id: place.contact },
		ContactName: place.contactName,
		Access: 'NotApplicable',
		MainAsset: { Id: place.equipment[model] },
		ShortLocation: place.unit,
		TaskRefinement: MODELS[model].tasks[at],
		WorkZone: { Id: place.zone },
		Employee: assignee === undefined ? undefined : { Id: assignee },
		Duration: 60,
		VendorNte: { CurrencyTypeId: 'USD', Value: 250 },
		Specialty: { Id: MODELS[model].specialty + 1 },
		PoNumber: index % 6 === 0 ? `PO-${index}` : undefined,
		SubType: { Id: FIRST_ID.subType + 3 },
		Customer: { Id: place.customer },
		TimeZone: zone,
		CurrencyTypeId: 'USD',
		DtCreated: toLocalTime(created, zone),
		CreatedDateUtc: isoWithoutZone(created),
		LastActionDate: toLocalTime(history.time, zone),
		LastActionDateUtc: isoWithoutZone(history.time),
		DtDue: toLocalTime(due, zone),
		DueDateUtc: isoWithoutZone(due),
		...(isOpen && due > until ? plannedVisit(due, zone) : {}),
		InductionAndSafetyStatusID: 'NotRequired',
	});
	store.insert('WoLastAction', {
		Id,
		WorkOrderId: Id,
		BillStatus: 'NotBilled',
		LastAction: { Id: history.log },
		Reason: reason === 0 ? undefined : { Id: reason },
		XNumber: externalNumber(index),
	});
	store.insert('WoItem', {
		WorkOrderId: Id,
		SortOrderIdx: 1,
		Asset: { Id: place.equipment[model] },
		Task: { Id: TASK_IDS_BY_MODEL[model][at] },
		Comment: COMPLAINTS[index % COMPLAINTS.length],
	});
	if (assignee !== undefined) {
		store.insert('WoAssignment', { WorkOrderId: Id, EmployeeId: assignee, IsPrimary: true });
	}
	if (isSettledWork && index % RATED_EVERY === 0) {
		store.insert('WoVerification', {
			WorkOrderId: Id,
			Idx: 0,
			WoRatingId: RATINGS[(index / RATED_EVERY) % RATINGS.length],
			EditedDate: toLocalTime(history.time, zone),
			Actor: HISTORY_ACTOR,
		});
	}
	seedCosts(store, Id, {
		completed: status === 'Completed' ? history.time : undefined,
		...{ isSettled, until, zone, customer: place.customer, index },
	});
	return order;
}

/** A few open orders are overdue, more of the emergencies. */
function openDueTime({ index, created, until }: Moment, priority: number, drawn: number): number {
	if (index % (priority === 1 ? 3 : 12) === 0) {
		return Math.max(created + HOUR, until - 9 * HOUR * (1 + drawn));
	}
	return until + HOUR * (1 + (index % 24)) + DAY * drawn;
}

/** Somebody comes four hours before the order is due, and is expected on site two hours later. */
function plannedVisit(due: number, zone: number): Values {
	const [start, onSite] = [due - 4 * HOUR, due - 2 * HOUR];
	return {
		DtScheduledStart: toLocalTime(start, zone),
		ScheduledStartUtc: isoWithoutZone(start),
		DtOnSiteBy: toLocalTime(onSite, zone),
		DtUtcOnSiteBy: isoWithoutZone(onSite),
	};
}

/** The number that an order has in a ticket system or, as an incident, in ServiceNow. */
function externalNumber(index: number): string | undefined {
	if (index % 10 === 0) return `EXT-${index}`;
	return index % 20 === 15 ? `INC${String(10_000 + index).padStart(7, '0')}` : undefined;
}

/** The reason why an order is on hold or was cancelled. */
function findReason(store: Store, status: string): number {
	const action = status === 'Cancelled' ? 'Cancel' : status;
	return store.children('WoActionReasonLookup', 'ActionId', action)[0]?.Id ?? 0;
}

interface OrderHistory {
	status: string;
	actions: readonly string[];
	created: number;
	until: number;
	zone: number;
	index: number;
	assignee?: number;
}

function seedHistory(
	store: Store,
	WorkOrderId: number,
	past: OrderHistory,
): { time: number; log: number } {
	const { status, actions, created, until, zone, index, assignee } = past;
	// Actions that lie ahead have not happened yet.
	const step = Math.min(HOUR * (1 + (index % 5)), Math.floor((until - created) / actions.length));
	let time = created;
	let log = 0;
	let current = 'New';
	const worker = assignee === undefined ? undefined : toActor(store.existing('Employee', assignee));
	const reason = findReason(store, status);
	for (const TypeId of actions) {
		const action = store.insert('WoActionLog', {
			WorkOrderId,
			TypeId,
			Actor: worker && ON_SITE.includes(TypeId) ? worker : HISTORY_ACTOR,
			UiTypeId: 'Corp',
			TimeZone: zone,
			ActionReasonId: TypeId === actions.at(-1) ? reason : 0,
			ActionDate: toLocalTime(time, zone),
			SystemDateUtc: isoWithoutZone(time),
		});
		log = action.Id;
		if (worker) recordVisit(store, action);
		if (TypeId === 'Assign') insertDetails(store, log, { AssignmentAdded: assignee });
		if (TypeId in NEXT_STATUS) {
			insertDetails(store, log, previousStatus(current));
			current = NEXT_STATUS[TypeId];
		}
		time += step;
	}
	return { time: time - step, log };
}

interface OrderCosts {
	/** The time at which the order was completed, if it is. */
	completed: number | undefined;
	isSettled: boolean;
	until: number;
	zone: number;
	customer: number;
	index: number;
}

/** The states of the invoices of completed orders, in turn, and of those that are settled. */
const INVOICE_STATES = ['None', 'Received', 'Paid', 'None', 'Received', 'Authorized'] as const;
const SETTLED_STATES = ['None', 'Paid', 'Paid'] as const;

function seedCosts(store: Store, Id: number, order: OrderCosts): void {
	const { completed, isSettled, customer, index } = order;
	const Value = completed === undefined ? 0 : 75 + ((37 * index) % 200);
	const states = isSettled ? SETTLED_STATES : INVOICE_STATES;
	const ApStateId = completed === undefined ? 'None' : states[index % states.length];
	const [{ Id: ApStatusId }] = store.children('ApInvoiceStatus', 'ApStateId', ApStateId);
	store.insert('WorkOrderCost', {
		Id,
		CurrencyTypeId: 'USD',
		ApStatusId,
		ApStateId,
		CostStatusId: 1,
		CostState: 'Pending',
		ChargeCode: { Id: 1 },
		VendorInvoiceTotal: { CurrencyTypeId: 'USD', Value },
		CostsTotal: { CurrencyTypeId: 'USD', Value },
		CustomerNte: { CurrencyTypeId: 'USD', Value: 500 },
		BillingAccount: { Id: FIRST_ID.billingAccount + ((customer - FIRST_ID.customer) % 2) },
		...(ApStateId === 'None' ? {} : vendorInvoice(Id, order, completed ?? 0)),
	});
}

/** A vendor writes an invoice when the work is done, and it arrives an hour later. */
const vendorInvoice = (Id: number, { until, zone }: OrderCosts, completed: number): Values => ({
	Number: `INV-${Id}`,
	VendorInvoiceDate: `${toLocalTime(completed, zone).slice(0, 10)}T00:00:00`,
	VendorInvoiceReceivedDate: toLocalTime(receiptTime(completed, until), zone),
});

const receiptTime = (completed: number, until: number): number => Math.min(completed + HOUR, until);

/** Logs the receipt of vendor invoices; each other one exceeds its limit. The IDs follow those of all other actions. */
function seedReceivedInvoices(store: Store, until: number): void {
	for (const [index, { Id }] of store
		.children('WorkOrderCost', 'ApStateId', 'Received')
		.entries()) {
		const last = store.existing('WorkOrder', Id).LastActionDateUtc;
		const time = receiptTime(Date.parse(`${String(last)}Z`), until);
		const log = appendAction(store, Id, time, { TypeId: 'APInvStatus', Actor: HISTORY_ACTOR });
		insertDetails(store, log, { ApInvoiceName: 'Received' });
		if (index % 2 === 0) {
			store.change('WorkOrder', Id, { VendorNte: { CurrencyTypeId: 'USD', Value: 50 } });
		}
	}
}

/** Logs the quotes that wait for an answer, which their vendors have submitted within the last day. */
function seedSubmittedQuotes(store: Store, until: number): void {
	for (const [index, { WoId }] of store
		.children('WoQuote', 'StatusId', 'WaitingForApproval')
		.entries()) {
		const { Employee, LastActionDateUtc } = store.existing('WorkOrder', Number(WoId));
		const last = Date.parse(`${String(LastActionDateUtc)}Z`);
		const time = Math.max(last, until - HOUR * (1 + (index % 24)));
		const vendor = toActor(store.existing('Employee', (Employee as Row).Id));
		appendAction(store, Number(WoId), time, { TypeId: 'QuoteSubmitted', Actor: vendor });
	}
}

/** Logs a last action of an order, and returns its ID. */
function appendAction(store: Store, WorkOrderId: number, time: number, action: Values): number {
	const zone = Number(store.existing('WorkOrder', WorkOrderId).TimeZone);
	const [local, utc] = [toLocalTime(time, zone), isoWithoutZone(time)];
	const log = store.insert('WoActionLog', {
		...{ WorkOrderId, UiTypeId: 'Corp', TimeZone: zone, ...action },
		...{ ActionDate: local, SystemDateUtc: utc },
	});
	store.change('WoLastAction', WorkOrderId, { LastAction: { Id: log.Id } });
	store.change('WorkOrder', WorkOrderId, { LastActionDate: local, LastActionDateUtc: utc });
	return log.Id;
}

/** Adds cost lines, a quote and an estimate without touching the order, whose totals recorded tests rely on. */
function seedFinancials(store: Store, order: Row, index: number): void {
	const usd = (Value: number) => ({ CurrencyTypeId: 'USD', Value });
	const line = { WoId: order.Id, CurrencyTypeId: 'USD', TypeId: 'Cost' };
	store.insert('FinancialItem', {
		...line,
		CostCategoryId: 'Labor',
		Comment: 'On site',
		Employee: order.Employee,
		LaborCode: { Id: 1 },
		InvoiceItem: { Id: 1 },
		Duration: 90,
		Quantity: 1.5,
		Rate: usd(60),
		Amount: usd(90),
	});
	store.insert('FinancialItem', {
		...line,
		CostCategoryId: 'Material',
		InvoiceItem: { Id: 2 },
		Product: { Id: 1 + (index % 2) },
		Quantity: 1,
		Amount: usd(20 + (index % 30)),
	});
	const Amount = usd(120 + (index % 30));
	const offer = { CurrencyTypeId: 'USD', Amount, StatusId: 'Approved', IsMultiline: true };
	const isWaiting = index % 8 === 5 && WITH_VENDOR.includes(String(order.StatusId));
	const quote = store.insert('WoQuote', {
		...offer,
		...{ WoId: order.Id, Description: 'Repair' },
		...(isWaiting ? { StatusId: 'WaitingForApproval' } : {}),
	});
	const { Id: ContactId } = order.RequestorContact as { Id: number };
	const estimate = store.insert('WoEstimate', { ...offer, WorkOrderId: order.Id, ContactId });
	Object.assign(order, { Quote: { Id: quote.Id }, Estimate: { Id: estimate.Id } });
	for (const [ParentTypeId, ParentId] of [
		['Quote', quote.Id],
		['Estimate', estimate.Id],
	]) {
		store.insert('QuoteOrEstimateItem', {
			...{ WorkOrderId: order.Id, ParentId, ParentTypeId, CurrencyTypeId: 'USD' },
			...{ InvoiceItem: { Id: 1 }, Description: 'All inclusive', Quantity: 1, Amount },
		});
	}
}

function seedNotes(store: Store, order: Row, index: number, created: number): void {
	store.insert('WoNote', {
		WorkOrderId: order.Id,
		Body: COMPLAINTS[index % COMPLAINTS.length],
		NoteTypeId: index % 8 === 0 ? 'Public' : 'Private',
		CreatedDate: isoWithoutZone(created),
		CreatedBy: HISTORY_ACTOR,
	});
}

function seedDocument(store: Store, order: Row, created: number): void {
	const blob = store.insert('Blob', { FileName: `photo-${order.Id}.png`, Body: PIXEL });
	store.insert('Document', {
		ActorId: order.Id,
		ActorTypeId: 'WO',
		Title: `Photo of ${String(order.Number)}`,
		DocType: { Id: 3 },
		StorageTypeId: 'Cloud',
		MimeType: 'image/png',
		IsPublic: true,
		UpdatedDate: isoWithoutZone(created),
		Blob: { Id: blob.Id },
	});
}

function seedFlag(store: Store, order: Row, created: number): void {
	const reason = store.children('WoActionReasonLookup', 'ActionId', 'Attention')[1];
	store.insert('WoFlag', { WoId: order.Id, FlagId: reason.Id, UtcStamp: isoWithoutZone(created) });
	store.change('WorkOrder', order.Id, { FlagId: reason.Id, Flag: { Id: reason.Id } });
}
