import { insertDetails, previousStatus } from '../base/actionDetails';
import { actorOf, recordVisit } from '../commands/visits';
import { toLocalTime, isoWithoutZone } from '../runtime/times';
import type { Row, Store } from '../store/store';
import { seedCustomFields } from './customFields';
import { FIRST_ID } from './lookups';
import type { Staff } from './people';
import { TASK_IDS_BY_MODEL, type Place } from './places';
import type { Random } from './random';
import { COMPLAINTS, MODELS, ZONES } from './sampleData';

const DAY = 86_400_000;
const HOUR = 3_600_000;

const ACTIONS_BY_STATUS: Readonly<Record<string, readonly string[]>> = {
	New: ['Create'],
	Open: ['Create', 'Assign', 'PickUp'],
	InProgress: ['Create', 'Assign', 'PickUp', 'Start'],
	Paused: ['Create', 'Assign', 'PickUp', 'Start', 'Stop'],
	OnHold: ['Create', 'Assign', 'PickUp', 'OnHold'],
	Cancelled: ['Create', 'Cancel'],
	Completed: ['Create', 'Assign', 'PickUp', 'Start', 'Complete'],
};

/** Actions of the assignee on site. */
const ON_SITE: readonly string[] = ['Start', 'Stop', 'Complete'];

/** The statuses to which actions lead. */
const NEXT_STATUS: Readonly<Record<string, string>> = {
	PickUp: 'Open',
	Start: 'InProgress',
	Stop: 'Paused',
	OnHold: 'OnHold',
	Cancel: 'Cancelled',
	Complete: 'Completed',
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
	const span = Math.max(30, Math.min(365, count / 5)) * DAY;
	for (let index = 0; index < count && places.length > 0; index += 1) {
		const created = until - span + Math.floor((index * (span - 3 * DAY)) / count);
		const order = seedOrder(sources, index, created);
		if (index % 3 === 0) seedCustomFields(store, order.Id, index);
		if (index % 4 === 0) seedNotes(store, order, index, created);
		if (index % 20 === 0 && index < 2000) seedDocument(store, order, created);
		if (index % 50 === 0) seedFlag(store, order, created);
		if (index % 4 === 1 && index < 2000) seedFinancials(store, order, index);
	}
	seedReceivedInvoices(store);
}

function seedOrder(
	{ store, random, places, staff }: SeedContext,
	index: number,
	created: number,
): Row {
	const place = places[random.below(places.length)];
	const model = random.below(MODELS.length);
	const status = STATUSES[random.below(STATUSES.length)];
	const zoneIndex = place.zone - FIRST_ID.zone;
	const { prefix, zone } = ZONES[zoneIndex];
	const at = random.below(TASK_IDS_BY_MODEL[model].length);
	const assignee = ACTIONS_BY_STATUS[status].includes('Assign')
		? random.pick(staff.get(place.zone) ?? [])
		: undefined;
	const Id = FIRST_ID.workOrder + index;
	const history = seedHistory(store, Id, { status, created, zone, index, assignee });
	const reason = reasonFor(store, status);
	const due = created + DAY * (1 + random.below(5));
	const zoneRow = store.existing('WorkZone', place.zone);
	const number = Number(zoneRow.$lastNumber ?? 0) + 1;
	zoneRow.$lastNumber = number;
	const order = store.insert('WorkOrder', {
		Id,
		Number: prefix + String(number).padStart(7, '0'),
		TypeCategory: 'Request',
		StatusId: status,
		Priority: { Id: 1 + ((model + at) % 4) },
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
		InductionAndSafetyStatusID: 'NotRequired',
	});
	store.insert('WoLastAction', {
		Id,
		WorkOrderId: Id,
		BillStatus: 'NotBilled',
		LastAction: { Id: history.log },
		Reason: reason === 0 ? undefined : { Id: reason },
		XNumber: index % 10 === 0 ? `EXT-${index}` : undefined,
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
	seedCosts(store, Id, { completed: status === 'Completed', customer: place.customer, index });
	return order;
}

/** The reason why an order is on hold or was cancelled. */
function reasonFor(store: Store, status: string): number {
	const action = status === 'Cancelled' ? 'Cancel' : status;
	return store.children('WoActionReasonLookup', 'ActionId', action)[0]?.Id ?? 0;
}

interface OrderHistory {
	status: string;
	created: number;
	zone: number;
	index: number;
	assignee?: number;
}

function seedHistory(
	store: Store,
	WorkOrderId: number,
	past: OrderHistory,
): { time: number; log: number } {
	const { status, created, zone, index, assignee } = past;
	let time = created;
	let log = 0;
	let current = 'New';
	const worker = assignee === undefined ? undefined : actorOf(store.existing('Employee', assignee));
	const reason = reasonFor(store, status);
	for (const TypeId of ACTIONS_BY_STATUS[status]) {
		const action = store.insert('WoActionLog', {
			WorkOrderId,
			TypeId,
			Actor: worker && ON_SITE.includes(TypeId) ? worker : HISTORY_ACTOR,
			UiTypeId: 'Corp',
			TimeZone: zone,
			ActionReasonId: TypeId === ACTIONS_BY_STATUS[status].at(-1) ? reason : 0,
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
		time += HOUR * (1 + (index % 5));
	}
	return { time: time - HOUR * (1 + (index % 5)), log };
}

interface OrderCosts {
	completed: boolean;
	customer: number;
	index: number;
}

function seedCosts(store: Store, Id: number, { completed, customer, index }: OrderCosts): void {
	const Value = completed ? 75 + (index % 400) : 0;
	const state = completed ? index % 3 : 0;
	store.insert('WorkOrderCost', {
		Id,
		CurrencyTypeId: 'USD',
		ApStatusId: state + 1,
		ApStateId: ['None', 'Received', 'Paid'][state],
		CostStatusId: 1,
		CostState: 'Pending',
		ChargeCode: { Id: 1 },
		VendorInvoiceTotal: { CurrencyTypeId: 'USD', Value },
		CostsTotal: { CurrencyTypeId: 'USD', Value },
		CustomerNte: { CurrencyTypeId: 'USD', Value: 500 },
		BillingAccount: { Id: FIRST_ID.billingAccount + ((customer - FIRST_ID.customer) % 2) },
	});
}

/** Logs the receipt of vendor invoices; each other one exceeds its limit. The IDs follow those of all other actions. */
function seedReceivedInvoices(store: Store): void {
	for (const [index, { Id }] of store
		.children('WorkOrderCost', 'ApStateId', 'Received')
		.entries()) {
		const { TimeZone, LastActionDateUtc } = store.existing('WorkOrder', Id);
		const zone = Number(TimeZone);
		const time = Date.parse(`${String(LastActionDateUtc)}Z`) + HOUR;
		const dates = {
			LastActionDate: toLocalTime(time, zone),
			LastActionDateUtc: isoWithoutZone(time),
		};
		const log = store.insert('WoActionLog', {
			WorkOrderId: Id,
			TypeId: 'APInvStatus',
			Actor: HISTORY_ACTOR,
			UiTypeId: 'Corp',
			TimeZone: zone,
			ActionDate: dates.LastActionDate,
			SystemDateUtc: dates.LastActionDateUtc,
		});
		insertDetails(store, log.Id, { ApInvoiceName: 'Received' });
		store.change('WoLastAction', Id, { LastAction: { Id: log.Id } });
		store.change('WorkOrder', Id, dates);
		if (index % 2 === 0) {
			store.change('WorkOrderCost', Id, { CustomerNte: { CurrencyTypeId: 'USD', Value: 50 } });
		}
	}
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
	const quote = store.insert('WoQuote', { ...offer, WoId: order.Id, Description: 'Repair' });
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
