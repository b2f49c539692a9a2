import type { EntityName, MemberName, OwnerName } from './entities';
import type { enumerations } from './enumerations';

/** Customers may not see costs, private notes and documents, or who did the work. */
interface InternalParts<Member extends string = string> {
	members?: readonly Member[];
	/** Customers see only rows whose member `by` has one of these values. */
	rows?: { by: Member; values: ReadonlyArray<string | boolean> };
}

/** Members of these types show costs or staff in every entity. */
export const INTERNAL_TYPES: readonly string[] = [
	'Actor',
	'ApprovalScope',
	'Contract',
	'Employee',
	'FinancialItem',
	'Invoice',
	'MoneyValue',
	'Note',
	'WoAssignment',
	'WoEstimate',
	'WoFlag',
	'WoOnSite',
	'WoQuote',
	'WorkOrderCost',
] satisfies OwnerName[];

const CUSTOMER_ACTIONS = [
	'Create',
	'PickUp',
	'Start',
	'Stop',
	'OnHold',
	'Complete',
	'Cancel',
	'Reopen',
	'AccessChanged',
	'AckByChanged',
	'DueDateChanged',
	'ItemAddRemove',
	'Moved',
	'OnSiteByChanged',
	'PriorityChanged',
	'SchedStartChanged',
	'Signature',
	'Verified',
] satisfies Array<(typeof enumerations.WOActionType)[number]>;

const byEntity: { readonly [Name in EntityName]?: InternalParts<MemberName<Name>> } = {
	Customer: { members: ['GroupsBridge'] },
	Document: {
		members: ['WonId', 'WonMemberId'],
		rows: { by: 'IsPublic', values: [true] },
	},
	Task: { members: ['Currencies', 'GlAccount'] },
	WoActionLog: {
		members: ['Comment', 'ObjectId'],
		rows: { by: 'TypeId', values: CUSTOMER_ACTIONS },
	},
	WoLastAction: { members: ['BillStatus'] },
	WoNote: { rows: { by: 'NoteTypeId', values: ['Public', 'Completion'] } },
	WorkOrder: { members: ['Flag', 'FlagId', 'WonId'] },
};

export const getInternalParts = (entity: string): InternalParts =>
	(byEntity as Readonly<Record<string, InternalParts | undefined>>)[entity] ?? {};

/** Entities whose records can be shown to customers, at least in part. */
const SHAREABLE_ENTITIES: readonly string[] = [
	'Customer',
	'Document',
	'WoNote',
	'WorkOrder',
] satisfies EntityName[];

export const hasAudience = (entity?: string): boolean =>
	entity !== undefined && SHAREABLE_ENTITIES.includes(entity);
