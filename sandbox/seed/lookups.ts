import type { Store } from '../store/store';
import { SPECIALTIES } from './sampleData';

/** First Ids of the tables, far apart so that an Id of one entity is never valid for another. */
export const FIRST_ID = {
	zone: 11,
	subType: 21,
	reason: 41,
	repairCode: 81,
	customer: 101,
	employee: 301,
	model: 401,
	purchaseOrder: 451,
	insurance: 471,
	priceList: 481,
	stockLocation: 491,
	task: 501,
	attribute: 601,
	descriptor: 701,
	approvalTemplate: 801,
	procedureTemplate: 821,
	timeCard: 841,
	toDo: 861,
	billingAccount: 881,
	space: 1001,
	contact: 2001,
	location: 10_001,
	workOrder: 50_001,
} as const;

/** The user of the credential, and author of notes and documents created through the API. */
export const SERVICE_USER = {
	Id: 330,
	TypeId: 'Employee',
	DisplayAs: 'Web Services User',
} as const;

const withIds = (first: number, names: readonly string[]) =>
	names.map((DisplayAs, index) => ({ Id: first + index, DisplayAs }));

const REASONS: Readonly<Record<string, ReadonlyArray<readonly [reasonId: number, name: string]>>> =
	{
		OnHold: [
			[3, 'Waiting for approval'],
			[4, 'Other'],
			[6, 'Waiting for estimate'],
			[9, 'Dependency'],
			[23, 'Deferred'],
		],
		Cancel: [
			[2, 'Customer cancelled'],
			[4, 'Other'],
			[6, 'Recalled'],
		],
		Attention: [
			[1, 'Message'],
			[4, 'Negative verification'],
			[6, 'Other'],
			[9, 'Failed send'],
			[12, 'New or missing equipment'],
		],
	};

/** Lookup tables are the same in every seeded Company. */
export function seedLookups(store: Store): void {
	const add = (entity: string, rows: ReadonlyArray<Record<string, unknown>>): void => {
		for (const row of rows) store.insert(entity, row);
	};
	add('WoPriority', [
		priority(1, 'Emergency', [15, 60, 240]),
		priority(2, 'High', [60, 240, 1440]),
		priority(3, 'Standard', [240, 1440, 4320]),
		priority(4, 'Low', [1440, 4320, 20160]),
	]);
	add(
		'WorkOrderType',
		['Basic', 'PMRM', 'Turn', 'Request', 'Request'].map((TypeId, index) => ({
			Id: FIRST_ID.subType + index,
			DisplayAs: ['Internal', 'Preventive', 'Turn', 'Service Request', 'Recall (old)'][index],
			TypeId,
			Abbr: ['INT', 'PM', 'TRN', 'SR', 'RCL'][index],
			IsDefBasic: index === 0,
			IsDefSR: index === 3,
			IsRemoved: index === 4,
		})),
	);
	add(
		'Specialty',
		withIds(1, SPECIALTIES).map((row) => ({ ...row, WONServiceId: 0, IsNteAuto: false })),
	);
	seedReasons(store);
	seedRepairCodes(store);
	seedStatuses(store);
	add('DocumentType', [
		{ Id: 1, DisplayAs: 'Signature' },
		{ Id: 3, DisplayAs: 'Picture' },
		{ Id: 4, DisplayAs: 'Invoice' },
		{ Id: 5, DisplayAs: 'Manual & warranty' },
		{ Id: 32, DisplayAs: 'PDF' },
	]);
	add('ChargeCodeLookup', [
		{ Id: 1, DisplayAs: 'Repair and maintenance', Code: 'RM-100' },
		{ Id: 2, DisplayAs: 'Capital', Code: 'CX-200' },
	]);
	add('Role', withIds(1, ['System Administrator', 'WSDK', 'Technician', 'Provider', 'Dispatcher']));
	add('Team', withIds(1, ['Day Shift', 'Night Shift', 'On Call']));
	add('Portfolio', [
		{ Id: 1, DisplayAs: 'East', TypeId: 'Primary', ParentPortfolioId: 0 },
		{ Id: 2, DisplayAs: 'West', TypeId: 'Primary', ParentPortfolioId: 0 },
	]);
	add('CustomerNoteType', withIds(1, ['General', 'Billing']));
	add('PrintoutTemplate', [
		{
			Id: 1,
			DisplayAs: 'Work Order Summary',
			IsDefault: true,
			StatusId: 'Valid',
			ActorTypeId: 'WO',
		},
	]);
	add('LaborCode', [
		{ Id: 1, DisplayAs: 'Regular', TypeId: 'Time', IsDefault: true, ShowForWo: true, IsPaid: true },
		{ Id: 2, DisplayAs: 'Overtime', TypeId: 'Time', ShowForWo: true, IsPaid: true },
		{ Id: 3, DisplayAs: 'Std (deleted)', TypeId: 'Time', IsRemoved: true },
	]);
	add('InvoiceDictionaryItem', [
		{ Id: 1, DisplayAs: 'Labor', Descr: 'Labor', CostCategory: 'Labor' },
		{ Id: 2, DisplayAs: 'Parts', Descr: 'Parts and materials', CostCategory: 'Material' },
	]);
	add('Product', [
		{ Id: 1, DisplayAs: 'Pump seal', PartNumber: 'PS-1', Manufacturer: 'Maker 1' },
		{ Id: 2, DisplayAs: 'Air filter', PartNumber: 'AF-20', Manufacturer: 'Maker 2' },
	]);
	add('Invoice', [{ Id: 1, Number: 'CI-1', State: 'Draft', CurrencyTypeId: 'USD' }]);
	add('Disposition', withIds(1, ['Repaired', 'Replaced']));
	add('Organization', withIds(1, ['Sandbox Facilities Group', 'Mechanical Partners, Inc.']));
}

function priority(Id: number, DisplayAs: string, minutes: readonly number[]) {
	const [AcknowledgeInMinutes, RespondInMinutes, DueInMinutes] = minutes;
	return {
		Id,
		DisplayAs,
		IsEmergency: Id === 1,
		AcknowledgeInMinutes,
		RespondInMinutes,
		DueInMinutes,
	};
}

function seedReasons(store: Store): void {
	let Id = FIRST_ID.reason;
	for (const [ActionId, reasons] of Object.entries(REASONS)) {
		for (const [ReasonId, DisplayAs] of reasons) {
			store.insert('WoActionReasonLookup', {
				Id,
				DisplayAs,
				ActionId,
				ReasonId,
				Hide: false,
				Descr: `${DisplayAs}.`,
			});
			Id += 1;
		}
	}
	const old = { ActionId: 'Cancel', ReasonId: 4 };
	store.insert('WoActionReasonLookup', { Id, DisplayAs: 'Hidden reason', Hide: true, ...old });
	store.insert('WoActionReasonLookup', {
		Id: Id + 1,
		DisplayAs: 'Duplicate (deleted)',
		IsRemoved: true,
		...old,
	});
}

function seedRepairCodes(store: Store): void {
	for (const [index, DisplayAs] of ['Mechanical', 'Electrical'].entries()) {
		const ParentId = FIRST_ID.repairCode + index * 10;
		store.insert('RepairCode', { Id: ParentId, DisplayAs, ParentId: 0 });
		for (const [inner, part] of ['Replaced part', 'Adjusted', 'No fault found'].entries()) {
			store.insert('RepairCode', { Id: ParentId + 1 + inner, DisplayAs: part, ParentId });
		}
	}
}

function seedStatuses(store: Store): void {
	const states = ['None', 'Received', 'Paid', 'Waiting', 'Authorized', 'Exported', 'Disputed'];
	for (const [index, ApStateId] of states.entries()) {
		store.insert('ApInvoiceStatus', { Id: index + 1, DisplayAs: ApStateId, ApStateId });
	}
	const costs = ['Pending', 'Submitted', 'Approved', 'Exported'];
	for (const [index, InternalCostStateId] of costs.entries()) {
		store.insert('InternalCostStatus', {
			Id: index + 1,
			Name: InternalCostStateId,
			InternalCostStateId,
		});
	}
}
