import type { EntityName, Path } from '../catalogue/entities';
import type { enumerations } from '../catalogue/enumerations';
import { choices } from '../form/fields';

export const statusChoices = choices('WorkOrderStatus');

export interface EventType {
	name: string;
	description: string;
	/** Rows of this entity are the changes; nothing where the user names it. */
	entity?: string;
	/** Its UTC time; without one, changes are told apart by rising Id. */
	time?: string;
	/** When a row was made, for feeds that go by Id and start at a given time. */
	made?: string;
	/** Next to `*`: who did it, by name. */
	details?: readonly string[];
	/** The action types that say the same in the log, where it also says who did it. All if empty. */
	logged?: readonly string[];
	/** Nothing changes: a time comes. */
	passes?: boolean;
	/** One change stands for all of the same work order that are found at once. */
	latestOnly?: boolean;
}

/** The members that a row names are members of its entity. */
type Checked = { entity?: undefined } | RowsOf<'Document' | 'WoActionLog' | 'WoNote' | 'WorkOrder'>;
type RowsOf<Name extends EntityName> = Name extends EntityName
	? {
			entity: Name;
			time?: Path<Name>;
			made?: Path<Name>;
			details?: ReadonlyArray<Path<Name>>;
			logged?: ReadonlyArray<(typeof enumerations.WOActionType)[number]>;
		}
	: never;

/** The table that says who did what to a work order. */
export const actionLog = {
	entity: 'WoActionLog',
	time: 'SystemDateUtc',
	details: ['Actor.Id', 'Actor.TypeId', 'Actor.DisplayAs'],
} as const;

/** Every event there is, in the order of the menu. */
export const events = {
	documentAdded: {
		name: 'Document Added',
		description: 'A document was attached to a work order or to any other record',
		entity: 'Document',
		made: 'UpdatedDate',
		details: ['DocType.DisplayAs', 'UpdatedBy.Id', 'UpdatedBy.TypeId', 'UpdatedBy.DisplayAs'],
	},
	noteAdded: {
		name: 'Note Added',
		description: 'A note was added to a work order',
		entity: 'WoNote',
		made: 'CreatedDate',
		details: ['CreatedBy.Id', 'CreatedBy.TypeId', 'CreatedBy.DisplayAs'],
	},
	record: {
		name: 'Record Added or Changed',
		description: 'Any entity, by a date property that you choose or by rising ID',
	},
	invoiceEnteredApStatus: {
		name: 'Vendor Invoice Entered AP Status',
		description: 'The AP status of a work order was changed to one that you choose',
		...actionLog,
		logged: ['APInvStatus'],
		latestOnly: true,
	},
	workOrderAction: {
		name: 'Work Order Action',
		description: 'Every action of the types that you choose, each by itself',
		...actionLog,
		logged: [],
	},
	workOrderCreated: {
		name: 'Work Order Created',
		description: 'A work order was made',
		entity: 'WorkOrder',
		time: 'CreatedDateUtc',
		logged: ['Create'],
	},
	workOrderDeadline: {
		name: 'Work Order Deadline',
		description: 'A time by which something has to be done has come, or comes soon',
		entity: 'WorkOrder',
		passes: true,
	},
	workOrderEnteredStatus: {
		name: 'Work Order Entered Status',
		description: 'An action brought a work order into a status that you choose',
		...actionLog,
		logged: [],
	},
	workOrderUpdated: {
		name: 'Work Order Updated',
		description: 'Any action on a work order; several between two polls count as one',
		entity: 'WorkOrder',
		time: 'LastActionDateUtc',
		logged: [],
		latestOnly: true,
	},
} as const satisfies Record<string, EventType & Checked>;

export type EventName = keyof typeof events;

const names = Object.keys(events) as EventName[];

export const eventNames = (fits: (event: EventType) => boolean): EventName[] =>
	names.filter((name) => fits(events[name]));

/** Rows that stand beside their work order. */
export const isBeside = ({ entity }: EventType) => entity !== undefined && entity !== 'WorkOrder';
