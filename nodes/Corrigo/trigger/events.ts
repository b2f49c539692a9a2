import type { EntityName, Path } from '../catalogue/entities';
import type { enumerations } from '../catalogue/enumerations';

/** The property of a visit that holds the time at which an action begins or ends it. */
export type VisitTime = Extract<Path<'WoOnSite'>, 'DtCheckIn' | 'DtCheckOut'>;

interface Named {
	name: string;
	description: string;
}

/** The changes are rows that follow rising IDs and are attached to records. */
interface AttachedEvent<Name extends EntityName> extends Named {
	strategy: 'changes';
	rows: 'attached';
	/** The compiler checks that the properties are members of the entity. */
	entity: Name;
	/** The property with the time of a change. */
	timestamp: Path<Name>;
	/** Paths through references, which `*` does not include. */
	paths: ReadonlyArray<Path<Name>>;
	/** The member that says who made a change. */
	author: Path<Name>;
}

export interface ActionEvent extends Named {
	strategy: 'changes';
	rows: 'actions';
	/** Actions of these types count; an empty list means all. */
	actionTypes:
		| ReadonlyArray<(typeof enumerations)['WOActionType'][number]>
		| 'chosen'
		| 'enteredStatus';
	/** If a work order changes several times between two polls, the last change counts. */
	latestOnly?: true;
	/** Actions count if a service provider made them, and items contain the visit. */
	visit?: VisitTime;
}

/** The changes are work orders by the time of a change, or actions if an author is ignored. */
interface OrderEvent extends Named, Pick<ActionEvent, 'actionTypes' | 'latestOnly'> {
	strategy: 'changes';
	rows: 'orders';
	time: Path<'WorkOrder'>;
}

/** The changes are records of an entity that the user chooses. */
interface RecordEvent extends Named {
	strategy: 'changes';
	rows: 'records';
}

/** Nothing shows when these records changed. */
interface ComparisonEvent extends Named {
	strategy: 'comparison';
}

/** The event is a point in time, not a change. */
interface DeadlineEvent extends Named {
	strategy: 'deadlines';
}

export type EventType =
	| AttachedEvent<'Document'>
	| AttachedEvent<'WoNote'>
	| ActionEvent
	| OrderEvent
	| RecordEvent
	| ComparisonEvent
	| DeadlineEvent;

/** Each change belongs to a work order. */
export type OrderedEvent = Extract<EventType, { rows: 'actions' | 'attached' | 'orders' }>;

const action = { strategy: 'changes', rows: 'actions' } as const;

/** Lists all events in the order of the menu. */
export const events = {
	documentAdded: {
		name: 'Document Added',
		description: 'A document was attached to a work order or another record',
		strategy: 'changes',
		rows: 'attached',
		entity: 'Document',
		timestamp: 'UpdatedDate',
		paths: ['DocType.DisplayAs'],
		author: 'UpdatedBy',
	},
	estimateDecided: {
		name: 'Estimate Decided',
		description: 'The estimate of a work order was approved or rejected',
		...action,
		actionTypes: ['EstimateApproved', 'EstimateRejected'],
	},
	noteAdded: {
		name: 'Note Added',
		description: 'A note was added to a work order',
		strategy: 'changes',
		rows: 'attached',
		entity: 'WoNote',
		timestamp: 'CreatedDate',
		paths: [],
		author: 'CreatedBy',
	},
	quoteSubmitted: {
		name: 'Quote Submitted',
		description: 'A quote for a work order was submitted',
		...action,
		actionTypes: ['QuoteSubmitted'],
	},
	record: {
		name: 'Record Added or Changed (by Date or ID)',
		description: 'A record of any entity was added or, with a date field, changed',
		strategy: 'changes',
		rows: 'records',
	},
	recordEdited: {
		name: 'Record Added, Edited or Deleted (by Comparison)',
		description: 'Compares all records of an entity with those of the poll before',
		strategy: 'comparison',
	},
	vendorCheckedIn: {
		name: 'Vendor Checked In',
		description: 'A vendor started to work on a work order',
		...action,
		actionTypes: ['Start'],
		visit: 'DtCheckIn',
	},
	vendorCheckedOut: {
		name: 'Vendor Checked Out',
		description: 'A vendor stopped working on a work order',
		...action,
		actionTypes: ['Stop'],
		visit: 'DtCheckOut',
	},
	invoiceEnteredApStatus: {
		name: 'Vendor Invoice Entered AP Status',
		description: 'A vendor invoice entered an AP (accounts payable) status that you choose',
		...action,
		actionTypes: ['APInvStatus'],
		latestOnly: true,
	},
	workOrderAction: {
		name: 'Work Order Action',
		description: 'An action of a type that you choose was logged',
		...action,
		actionTypes: 'chosen',
	},
	workOrderAssigned: {
		name: 'Work Order Assigned',
		description: 'A work order was assigned, or its assignees changed',
		...action,
		actionTypes: ['Assign'],
	},
	workOrderCompleted: {
		name: 'Work Order Completed',
		description: 'A work order was completed',
		...action,
		actionTypes: ['Complete'],
	},
	workOrderCreated: {
		name: 'Work Order Created',
		description: 'A work order was created',
		strategy: 'changes',
		rows: 'orders',
		time: 'CreatedDateUtc',
		actionTypes: ['Create'],
	},
	workOrderDeadline: {
		name: 'Work Order Due Soon or Overdue',
		description: 'A deadline of a work order is near or has passed',
		strategy: 'deadlines',
	},
	workOrderEnteredStatus: {
		name: 'Work Order Entered Status',
		description: 'A work order entered a status that you choose',
		...action,
		actionTypes: 'enteredStatus',
	},
	workOrderUpdated: {
		name: 'Work Order Updated',
		description: 'Any action on a work order. Several between two polls count as one.',
		strategy: 'changes',
		rows: 'orders',
		time: 'LastActionDateUtc',
		actionTypes: [],
		latestOnly: true,
	},
} as const satisfies Record<string, EventType>;

export type EventName = keyof typeof events;
