import type { EntityName, Path } from '../catalogue/entities';
import type { enumerations } from '../catalogue/enumerations';

/** The property of a visit that holds the time at which an action begins or ends it. */
export type VisitTime = Extract<Path<'WoOnSite'>, 'DtCheckIn' | 'DtCheckOut'>;

/** The changes of an event are rows of this kind. */
interface Event<Rows extends string> {
	rows: Rows;
	name: string;
	description: string;
}

/** The changes are rows that follow rising IDs and are attached to records. */
interface AttachedEvent<Name extends EntityName> extends Event<'attached'> {
	/** The compiler checks that the properties are members of the entity. */
	entity: Name;
	/** The property with the time of a change. */
	timestamp: Path<Name>;
	/** Paths through references, which `*` does not include. */
	paths: ReadonlyArray<Path<Name>>;
	/** The member that says who made a change. */
	author: Path<Name>;
}

export interface ActionEvent extends Event<'actions'> {
	/** Actions of these types count; an empty list means all. */
	actionTypes:
		| ReadonlyArray<(typeof enumerations)['WOActionType'][number]>
		| 'chosen'
		| 'enteredStatus';
	/** Actions count if a service provider made them, and items contain the visit. */
	visit?: VisitTime;
	/** Actions count if steps of the procedures of their order have a flag, and items contain these. */
	failedSteps?: true;
}

/** Actions count if they are one of the events that the user chooses. */
interface SeveralEvents extends Event<'actions'> {
	actionTypes: 'several';
}

/** The changes are work orders by the time of a change, or actions if an author is ignored. */
interface OrderEvent extends Event<'orders'>, Pick<ActionEvent, 'actionTypes'> {
	/** If a work order changes several times between two polls, the last change counts. */
	latestOnly?: true;
	time: Path<'WorkOrder'>;
}

/**
 * Records are of an entity that the user chooses. Compared ones do not show when they changed, and
 * a deadline is a point in time rather than a change.
 */
export type EventType =
	| AttachedEvent<'Document'>
	| AttachedEvent<'WoNote'>
	| ActionEvent
	| SeveralEvents
	| OrderEvent
	| Event<'records'>
	| Event<'compared'>
	| Event<'deadlines'>;

/** Each change belongs to a work order. */
export type OrderedEvent = Extract<EventType, { rows: 'actions' | 'attached' | 'orders' }>;

/** One event, rather than several that the user chooses. */
export type SingleEvent = Exclude<OrderedEvent, SeveralEvents>;

/** Lists all events in the order of the menu, by their names. */
export const events = {
	documentAdded: {
		name: 'Document Added',
		description: 'A document was attached to a work order or another record',
		rows: 'attached',
		entity: 'Document',
		timestamp: 'UpdatedDate',
		paths: ['DocType.DisplayAs'],
		author: 'UpdatedBy',
	},
	estimateDecided: {
		name: 'Estimate Decided',
		description: 'The estimate of a work order was approved or rejected',
		rows: 'actions',
		actionTypes: ['EstimateApproved', 'EstimateRejected'],
	},
	inspectionStepFailed: {
		name: 'Inspection Step Failed',
		description: 'A work order was completed, and steps of its procedures have a flag',
		rows: 'actions',
		actionTypes: ['Complete'],
		failedSteps: true,
	},
	noteAdded: {
		name: 'Note Added',
		description: 'A note was added to a work order',
		rows: 'attached',
		entity: 'WoNote',
		timestamp: 'CreatedDate',
		paths: [],
		author: 'CreatedBy',
	},
	quoteSubmitted: {
		name: 'Quote Submitted',
		description: 'A quote for a work order was submitted',
		rows: 'actions',
		actionTypes: ['QuoteSubmitted'],
	},
	record: {
		name: 'Record Added or Changed (by Date or ID)',
		description: 'A record of any entity was added or, with a date field, changed',
		rows: 'records',
	},
	recordEdited: {
		name: 'Record Added, Edited or Deleted (by Comparison)',
		description: 'Compares all records of an entity with those of the poll before',
		rows: 'compared',
	},
	severalEvents: {
		name: 'Several Work Order Events',
		description: 'Any of the events that you choose. Each item has the name of its event.',
		rows: 'actions',
		actionTypes: 'several',
	},
	vendorCheckedIn: {
		name: 'Vendor Checked In',
		description: 'A vendor started to work on a work order',
		rows: 'actions',
		actionTypes: ['Start'],
		visit: 'DtCheckIn',
	},
	vendorCheckedOut: {
		name: 'Vendor Checked Out',
		description: 'A vendor stopped working on a work order',
		rows: 'actions',
		actionTypes: ['Stop'],
		visit: 'DtCheckOut',
	},
	invoiceEnteredApStatus: {
		name: 'Vendor Invoice Entered AP Status',
		description: 'A vendor invoice entered an AP (accounts payable) status that you choose',
		rows: 'actions',
		actionTypes: ['APInvStatus'],
	},
	workOrderAction: {
		name: 'Work Order Action',
		description: 'An action of a type that you choose was logged',
		rows: 'actions',
		actionTypes: 'chosen',
	},
	workOrderAssigned: {
		name: 'Work Order Assigned',
		description: 'A work order was assigned, or its assignees changed',
		rows: 'actions',
		actionTypes: ['Assign'],
	},
	workOrderCompleted: {
		name: 'Work Order Completed',
		description: 'A work order was completed',
		rows: 'actions',
		actionTypes: ['Complete'],
	},
	workOrderCreated: {
		name: 'Work Order Created',
		description: 'A work order was created',
		rows: 'orders',
		time: 'CreatedDateUtc',
		actionTypes: ['Create'],
	},
	workOrderDeadline: {
		name: 'Work Order Due Soon or Overdue',
		description: 'A deadline of a work order is near or has passed',
		rows: 'deadlines',
	},
	workOrderEnteredStatus: {
		name: 'Work Order Entered Status',
		description: 'A work order entered a status that you choose',
		rows: 'actions',
		actionTypes: 'enteredStatus',
	},
	workOrderUpdated: {
		name: 'Work Order Updated',
		description: 'Any action on a work order. Several between two polls or pushes count as one.',
		rows: 'orders',
		time: 'LastActionDateUtc',
		actionTypes: [],
		latestOnly: true,
	},
} as const satisfies Record<string, EventType>;

export type EventName = keyof typeof events;

export const listEventNames = (matches: (event: EventType) => boolean): EventName[] =>
	(Object.keys(events) as EventName[]).filter((name) => matches(events[name]));

export const hasRows =
	(...rows: Array<EventType['rows']>) =>
	(event: EventType) =>
		rows.includes(event.rows);

/** Returns whether the user chooses the events that count. */
export const isSeveral = (event: EventType): event is SeveralEvents =>
	'actionTypes' in event && event.actionTypes === 'several';

/** Returns whether one node may follow several events, of which this is one. */
export const isCombinable = (event: EventType): event is SingleEvent =>
	hasRows('actions', 'attached', 'orders')(event) && !isSeveral(event) && !('latestOnly' in event);

/** Returns whether pushes can report the event among several, which are then actions alone. */
export const isLogged = hasRows('actions', 'orders');

/** Returns whether pushes can report the event. */
export const isPushed = hasRows('actions', 'attached', 'orders', 'records');

/** Returns whether the event is about records of an entity that the user chooses. */
export const isOfAnyEntity = hasRows('records', 'compared');
