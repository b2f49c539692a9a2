import type { EntityName, MemberName, OwnerName } from './entities';
import type { enumerations } from './enumerations';
import { getInnerType, type ActorType } from './members';

/**
 * Customers see these members and nothing else, so a new member stays hidden until it is added here.
 * Left out are costs, staff, what staff may write for each other, and what each Company defines for
 * itself, such as custom fields.
 */
const MEMBERS: { readonly [Owner in OwnerName]?: ReadonlyArray<MemberName<Owner>> } = {
	Address2: ['TypeId', 'Street', 'Street2', 'City', 'State', 'Zip', 'Country'],
	AssetInfo: ['SerialNumber', 'TagId'],
	Contact: ['Id', 'DisplayAs', 'ContactAddresses'],
	ContactInfo: ['AddrTypeId', 'Address'],
	Customer: ['Id', 'DisplayAs', 'Name', 'Dba', 'TenantCode', 'WorkZone'],
	Document: [
		...(['Id', 'ActorTypeId', 'ActorId', 'Title', 'Description', 'DocType', 'MimeType'] as const),
		...(['UpdatedDate', 'IsPublic', 'StorageTypeId', 'DocUrl'] as const),
	],
	DocumentType: ['Id', 'DisplayAs'],
	Location: ['Id', 'Name', 'TypeId', 'Info'],
	Specialty: ['Id', 'DisplayAs'],
	Task: ['Id', 'DisplayAs'],
	WoActionLog: ['Id', 'WorkOrderId', 'TypeId', 'ActionDate', 'SystemDateUtc', 'IsBackDate'],
	WoItem: ['Id', 'WorkOrderId', 'SortOrderIdx', 'Asset', 'AssetLocation', 'Task', 'Comment'],
	WoLastAction: ['XNumber'],
	WoNote: ['Id', 'WorkOrderId', 'NoteTypeId', 'Body', 'CreatedDate'],
	WoPriority: ['Id', 'DisplayAs', 'IsEmergency'],
	WorkOrder: [
		...(['Id', 'Number', 'StatusId', 'TypeCategory', 'SubType', 'Priority', 'Specialty'] as const),
		...(['Customer', 'ContactName', 'ContactAddress', 'RequestorContact', 'Access'] as const),
		...(['WorkZone', 'ShortLocation', 'Address', 'MainAsset', 'Items', 'TaskRefinement'] as const),
		...(['PoNumber', 'LastAction', 'LastActionDate', 'LastActionDateUtc', 'DtCreated'] as const),
		...(['CreatedDateUtc', 'DtScheduledStart', 'ScheduledStartUtc', 'DtDue'] as const),
		...(['DueDateUtc', 'DtOnSiteBy', 'DtUtcOnSiteBy', 'Notes', 'Documents'] as const),
		...(['ActionLogRecords', 'Verifications'] as const),
	],
	WorkOrderType: ['Id', 'DisplayAs'],
	WorkZone: ['Id', 'DisplayAs'],
	WoVerification: ['Id', 'WorkOrderId', 'WoRatingId', 'EditedDate'],
};

type EnumerationValue<Name extends keyof typeof enumerations> = (typeof enumerations)[Name][number];

/** Public documents of people, such as licenses, are about staff. */
export const DOCUMENT_OWNERS: ActorType[] = [
	'Asset',
	'CommLease',
	'CommLeaseSpace',
	'Property',
	'WO',
];

type RowValues = Readonly<Record<string, ReadonlyArray<string | boolean>>>;

/** Customers see only rows whose members have one of these values. */
const ROWS = {
	Document: { IsPublic: [true], ActorTypeId: DOCUMENT_OWNERS },
	WoActionLog: {
		TypeId: [
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
		] satisfies Array<EnumerationValue<'WOActionType'>>,
	},
	WoNote: {
		NoteTypeId: ['Public', 'Completion'] satisfies Array<EnumerationValue<'WONoteType'>>,
	},
} satisfies { readonly [Name in EntityName]?: { readonly [M in MemberName<Name>]?: unknown } };

/** Entities whose records can be shown to customers, at least in part. */
const SHARED_ENTITIES: readonly string[] = [
	'Customer',
	'Document',
	'WoNote',
	'WorkOrder',
] satisfies EntityName[];

export const hasAudience = (entity?: string): boolean =>
	entity !== undefined && SHARED_ENTITIES.includes(entity);

const membersByOwner = new Map<string, readonly string[]>(Object.entries(MEMBERS));
const rowsByEntity = new Map<string, RowValues>(Object.entries(ROWS));

/** Undefined if customers may see all records of the entity. */
export const getSharedRows = (entity: string): RowValues | undefined => rowsByEntity.get(entity);

/** The service ignores the case of names. */
export const isSharedMember = (owner: string, member: string): boolean =>
	membersByOwner.get(owner)?.some((one) => one.toLowerCase() === member.toLowerCase()) ?? false;

/** Customers may see a value only if they may see all members on the path to it. */
function isShared(
	owner: string,
	path: string,
	mayCross: (type: string) => boolean = () => true,
): boolean {
	const [member, ...rest] = path.split('.');
	if (!isSharedMember(owner, member)) return false;
	const type = getInnerType(owner, member);
	if (rest.length === 0) return !membersByOwner.has(type);
	return mayCross(type) && isShared(type, rest.join('.'), mayCross);
}

/** A search through rows would also find the hidden ones, and so tell what they hold. */
export const isSearchable = (entity: string, path: string): boolean =>
	isShared(entity, path, (type) => !rowsByEntity.has(type));

/** Leaves out hidden paths, and replaces `*` with the members that customers may see. */
export const selectShared = (entity: string, paths: readonly string[]): string[] =>
	paths
		.flatMap((path) => {
			if (!path.endsWith('*')) return [path];
			const prefix = path.slice(0, -1);
			const owner = prefix === '' ? entity : getInnerType(entity, prefix.slice(0, -1));
			return (membersByOwner.get(owner) ?? []).map((member) => `${prefix}${member}`);
		})
		.filter((path) => isShared(entity, path));
