import type { EntityName, Path } from '../catalogue/entities';
import type { enumerations } from '../catalogue/enumerations';

/** The property of a visit that holds the time at which an action begins or ends it. */
export type VisitTime = Extract<Path<'WoOnSite'>, 'DtCheckIn' | 'DtCheckOut'>;

/** The compiler checks that the properties are members of the entity. */
interface EntityEvent<Name extends EntityName> {
	name: string;
	description: string;
	/** The entity whose rows are the changes; undefined if the user chooses it. */
	entity?: Name;
	/** The property with the UTC time of a change. Events without one follow rising IDs. */
	time?: Path<Name>;
	/** The property with the time of a change, if the event follows rising IDs. */
	timestampProperty?: Path<Name>;
	/** Paths through references, which `*` does not include. */
	paths?: ReadonlyArray<Path<Name>>;
	/** The member that says who made a change. */
	author?: Path<Name>;
	/** Actions of these types in the log count as this event; an empty list means all. */
	actionTypes?: ReadonlyArray<(typeof enumerations)['WOActionType'][number]>;
	/** The event is a point in time, not a change. */
	isDeadline?: boolean;
	/** All records are compared with earlier versions, as nothing shows when they changed. */
	isComparison?: boolean;
	/** If a work order changes several times between two polls, the last change counts. */
	latestOnly?: boolean;
	/** Actions that leave the status unchanged do not count. */
	changesStatus?: boolean;
	/** Actions count if a service provider made them, and items contain the visit. */
	visit?: VisitTime;
}

export type EventType =
	| EntityEvent<'Document'>
	| EntityEvent<'WoActionLog'>
	| EntityEvent<'WoNote'>
	| EntityEvent<'WorkOrder'>;

/** The log of actions records who did what to a work order. */
export const actionLog = {
	entity: 'WoActionLog',
	time: 'SystemDateUtc',
	author: 'Actor',
} as const;

/** Lists all events in the order of the menu. */
export const events = {
	documentAdded: {
		name: 'Document Added',
		description: 'A document was attached to a work order or another record',
		entity: 'Document',
		timestampProperty: 'UpdatedDate',
		paths: ['DocType.DisplayAs'],
		author: 'UpdatedBy',
	},
	estimateDecided: {
		name: 'Estimate Decided',
		description: 'The estimate of a work order was approved or rejected',
		...actionLog,
		actionTypes: ['EstimateApproved', 'EstimateRejected'],
	},
	noteAdded: {
		name: 'Note Added',
		description: 'A note was added to a work order',
		entity: 'WoNote',
		timestampProperty: 'CreatedDate',
		author: 'CreatedBy',
	},
	quoteSubmitted: {
		name: 'Quote Submitted',
		description: 'A quote for a work order was submitted',
		...actionLog,
		actionTypes: ['QuoteSubmitted'],
	},
	record: {
		name: 'Record Added or Changed',
		description: 'A record of any entity was added or changed',
	},
	recordEdited: {
		name: 'Record Added, Edited or Deleted',
		description: 'Compares all records of an entity',
		isComparison: true,
	},
	vendorCheckedIn: {
		name: 'Vendor Checked In',
		description: 'A vendor started to work on a work order',
		...actionLog,
		actionTypes: ['Start'],
		visit: 'DtCheckIn',
	},
	vendorCheckedOut: {
		name: 'Vendor Checked Out',
		description: 'A vendor stopped working on a work order',
		...actionLog,
		actionTypes: ['Stop'],
		visit: 'DtCheckOut',
	},
	invoiceEnteredApStatus: {
		name: 'Vendor Invoice Entered AP Status',
		description: 'A vendor invoice entered an AP (accounts payable) status that you choose',
		...actionLog,
		actionTypes: ['APInvStatus'],
		latestOnly: true,
	},
	workOrderAction: {
		name: 'Work Order Action',
		description: 'An action of a type that you choose was logged',
		...actionLog,
		actionTypes: [],
	},
	workOrderAssigned: {
		name: 'Work Order Assigned',
		description: 'A work order was assigned, or its assignees changed',
		...actionLog,
		actionTypes: ['Assign'],
	},
	workOrderCompleted: {
		name: 'Work Order Completed',
		description: 'A work order was completed',
		...actionLog,
		actionTypes: ['Complete'],
	},
	workOrderCreated: {
		name: 'Work Order Created',
		description: 'A work order was created',
		entity: 'WorkOrder',
		time: 'CreatedDateUtc',
		actionTypes: ['Create'],
	},
	workOrderDeadline: {
		name: 'Work Order Due Soon or Overdue',
		description: 'A deadline of a work order is near or has passed',
		entity: 'WorkOrder',
		isDeadline: true,
	},
	workOrderEnteredStatus: {
		name: 'Work Order Entered Status',
		description: 'A work order entered a status that you choose',
		...actionLog,
		actionTypes: [],
		changesStatus: true,
	},
	workOrderUpdated: {
		name: 'Work Order Updated',
		description: 'Any action on a work order. Several between two polls count as one.',
		entity: 'WorkOrder',
		time: 'LastActionDateUtc',
		actionTypes: [],
		latestOnly: true,
	},
} as const satisfies Record<string, EventType>;

export type EventName = keyof typeof events;

export const listEventNames = (matches: (event: EventType) => boolean): EventName[] =>
	(Object.keys(events) as EventName[]).filter((name) => matches(events[name]));

/** Returns whether pushes can report the event. */
export const isPushed = ({ isDeadline, isComparison }: EventType) => !isDeadline && !isComparison;

/** Returns whether the rows are actions, notes or documents, which are attached to a work order. */
export const isAttached = ({ entity }: EventType) => entity !== undefined && entity !== 'WorkOrder';
