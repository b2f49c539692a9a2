import type { EntityName, MemberName, OwnerName } from './entities';
import type { enumerations } from './enumerations';

/** The parts of records that customers may not see: costs, private notes and documents, and who did the work. */
interface Internal<Member extends string = string> {
	members?: readonly Member[];
	/** Only rows with one of these values are for customers; others are left out. */
	rows?: { by: Member; values: ReadonlyArray<string | boolean> };
}

/** Types whose members are about costs or staff, wherever they stand. */
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

const byEntity: { readonly [Name in EntityName]?: Internal<MemberName<Name>> } = {
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

export const internalOf = (entity: string): Internal =>
	(byEntity as Readonly<Record<string, Internal | undefined>>)[entity] ?? {};

/** The records of which some can be shown to customers. */
const SHOWN: readonly string[] = [
	'Customer',
	'Document',
	'WoNote',
	'WorkOrder',
] satisfies EntityName[];

export const hasAudience = (entity?: string): boolean =>
	entity !== undefined && SHOWN.includes(entity);
