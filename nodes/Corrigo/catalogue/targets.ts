import { entityNamed, type EntityName, type Path } from './entities';
import { memberType } from './members';

/** What a field refers to: records of one entity, and by what somebody may name one of them. */
export interface Target {
	entity: string;
	/** What people call such a record, if not as the entity is called. */
	called?: string;
	/** How a record and its name go together, if not by "is named". */
	verb?: string;
	/** The properties that may hold the name, the one that people know best first. */
	by: readonly string[];
	/** Where the Id of the record stands, for rows that only lead to it. */
	id?: string;
	/** Which records count at all. */
	where?: Readonly<Partial<Record<string, string | boolean>>>;
	/** They count only where a property has one of these values. */
	within?: { property: string; values: readonly unknown[] };
	/** What is read of them besides. */
	read?: readonly string[];
	/** Where to look if nothing is found. */
	otherwise?: Target;
	/** Where to look instead if the field is in this mode. */
	modes?: Readonly<Record<string, Target>>;
	/** A name may be a number of a work order without its prefix or zeros. */
	isShortNumber?: true;
	/** Deleted records count as well. */
	includeRemoved?: true;
	/** How to give such a record, for messages. */
	hint?: string;
}

const by = <Entity extends EntityName>(
	entity: Entity,
	...paths: ReadonlyArray<Path<Entity>>
): Readonly<Record<string, readonly string[]>> => ({ [entity]: paths });

/** Where there is more than the one property that names a record. */
const names: Readonly<Record<string, readonly string[]>> = {
	...by('Contact', 'DisplayAs', 'Number'),
	...by('Customer', 'DisplayAs', 'Name', 'TenantCode'),
	...by('Employee', 'DisplayAs', 'Username', 'Number'),
	...by('Location', 'Name', 'Info.TagId', 'Info.SerialNumber'),
	...by('Model', 'DisplayAs', 'Number'),
	...by('Organization', 'DisplayAs', 'Number'),
	...by('Space', 'Asset.Name'),
	...by('Task', 'DisplayAs', 'Number'),
	...by('WorkOrderType', 'DisplayAs', 'Abbr'),
	...by('WorkZone', 'DisplayAs', 'Number'),
};

/** The names by which a record of the entity is known to people; none for most links. */
const namesOf = (entity: string): readonly string[] => {
	const { name = entity, display } = entityNamed(entity) ?? {};
	return names[name] ?? (display === undefined ? [] : [display]);
};

/** Templates are called as what is made of them. */
const defaultFilters: Readonly<Record<string, Target['where']>> = {
	Location: { IsTemplate: false },
};

/** People are known by their addresses as well. */
const ADDRESS = 'ContactAddresses.Address';
const reachable: readonly string[] = ['Contact', 'Employee'];

const numbered: Target = {
	entity: 'WorkOrder',
	by: ['Number'],
	verb: 'has the number',
	hint: "Give the number of the work order with its prefix and zeros, such as ABC0010001. If it has no letters, choose 'By Number'.",
};

const workOrder: Target = {
	...numbered,
	otherwise: { ...numbered, isShortNumber: true },
	modes: {
		externalNumber: {
			entity: 'WorkOrder',
			by: ['LastAction.XNumber'],
			verb: 'has the external number',
			hint: 'Check the external number, or give the ID.',
		},
	},
};

export function targetOn(entity: string, where = defaultFilters[entity]): Target {
	if (entity === 'WorkOrder') return workOrder;
	const target = { entity, by: namesOf(entity), ...(where && { where }) };
	return reachable.includes(entity)
		? { ...target, otherwise: { ...target, by: [ADDRESS] } }
		: target;
}

const reason = (ActionId?: string): Target =>
	targetOn('WoActionReasonLookup', { ...(ActionId && { ActionId }), Hide: false });

/** Which of the reasons a command is about. */
const REASONS: Readonly<Record<string, string>> = {
	WoCancelCommand: 'Cancel',
	WoFlagCommand: 'Attention',
	WoOnHoldCommand: 'OnHold',
};

/** Members that hold Ids, by what they are Ids of; `Owner.Member` where the name alone does not tell. */
const ID_FIELDS: ReadonlyArray<[EntityName, string]> = [
	['ApInvoiceStatus', 'ApStatusId VendorInvoiceStatusId CurrentStatusId'],
	['AssetTemplate', 'AssetTemplateId'],
	['Contact', 'ContactId SupervisorId'],
	['CustomFieldDescriptor', 'DescriptorId'],
	['Customer', 'CustomerId'],
	[
		'Employee',
		'EmployeeId UserId UserIds Assignees ReplaceById UserOrProviderSuspendCommand.Id MaterialTransaction.SupplierId',
	],
	['InternalCostStatus', 'CostStatusId CostStatusChangeCommand.CurrentStatusId'],
	['Invoice', 'InvoiceId'],
	['LaborCode', 'LaborCodeId'],
	['Location', 'AssetId ParentAssetId RootAssetId TopAssetId UnitId ChildId Location.ParentId'],
	['Location', 'AssetTree.ParentId Location.RootId'],
	['Model', 'ModelId'],
	['Payment', 'PaymentId'],
	['Portfolio', 'PortfolioId ParentPortfolioId LimitAssignmentByPortfolioId'],
	['PrintoutTemplate', 'PrintoutTemplateId'],
	['Product', 'ProductId'],
	['RepairCode', 'RepairCodeId RepairCode.ParentId'],
	['Specialty', 'SpecialtyId'],
	['StockLocation', 'StockLocationId SourceStockLocationId'],
	['Team', 'TeamId'],
	['WorkOrder', 'WorkOrderId WoId ChildWoId MainWorkOrderId DependentWorkOrderId'],
	['WorkZone', 'WorkZoneId'],
];

const entityByIdField = new Map(
	ID_FIELDS.flatMap(([entity, members]) =>
		members.split(' ').map((member) => [member.toLowerCase(), entity] as const),
	),
);

/** What a member of an entity or command refers to, if it is one that holds the Id of a record. */
function targetOfIdField(owner: string, member: string): Target | undefined {
	const name = member.toLowerCase();
	if (name === 'actionreasonid') return reason(REASONS[owner]);
	if (/^flag(id|stoset|stoclear)$/.test(name)) return reason('Attention');
	const entity =
		entityByIdField.get(`${owner}.${member}`.toLowerCase()) ?? entityByIdField.get(name);
	return entity && targetOn(entity);
}

/** The same for a dotted path, through references and collections: `CustomerId`, `Customer.Id`. */
export function targetOf(owner: string, path: string): Target | undefined {
	const names = path.split('.');
	const member = names.pop() ?? '';
	const inner = names.length === 0 ? owner : memberType(owner, names.join('.'))?.replace('[]', '');
	if (inner === undefined) return undefined;
	const entity = entityNamed(inner)?.name;
	if (names.length > 0 && /^id$/i.test(member)) {
		return entity && namesOf(entity).length > 0 ? targetOn(entity) : undefined;
	}
	return targetOfIdField(entity ?? inner, member);
}

/** Tables that a person can look through: few enough rows to choose from. */
const SHORT: readonly EntityName[] = [
	'ApInvoiceStatus',
	'AssetTemplate',
	'ChargeCodeLookup',
	'CustomerNoteType',
	'Disposition',
	'DocumentType',
	'InternalCostStatus',
	'InvoiceDictionaryItem',
	'LaborCode',
	'Model',
	'Portfolio',
	'PrintoutTemplate',
	'RepairCode',
	'Role',
	'Specialty',
	'StockLocation',
	'TaxCode',
	'Team',
	'WoActionReasonLookup',
	'WoPriority',
	'WorkOrderType',
	'WorkZone',
];

export const isShort = ({ entity }: Target): boolean => SHORT.some((name) => name === entity);
