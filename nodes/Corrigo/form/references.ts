import type { INodeProperties } from 'n8n-workflow';

import type { EntityName, Path } from '../catalogue/entities';
import { targetOn, type Target } from '../catalogue/targets';
import { fromList } from './fields';

/** How records are found and shown to somebody who chooses one. */
interface Shown<Property extends string> {
	/** Names a record: shown, searched, and sorted by. */
	title: Property;
	/** Searched as well. */
	search?: readonly Property[];
	/** Shown behind the title, to tell records of one name apart. */
	about?: readonly Property[];
	/** Which records are offered at all; removed ones never are. */
	where?: Readonly<Partial<Record<Property, string | boolean>>>;
	/** Another parameter of the form that narrows the list, and the property it narrows. */
	within?: {
		parameter: string;
		property: Property;
		/** The property of the chosen record that is compared, where that is not its Id. */
		of?: { entity: string; property: string };
		/** The parameter holds a member of an enumeration, not a record. */
		member?: true;
		/** What else has to hold of those that are narrowed down so. */
		and?: Readonly<Partial<Record<Property, string>>>;
	};
	/** Another parameter that narrows the list: the customer in whose spaces the assets are. */
	inSpacesOf?: string;
	/** The record that one belongs to: its Id says nothing to people, so its name is shown. */
	owner?: { property: Property; entity: EntityName; title: string };
	/** The service wants its name in place of its Id. */
	byTitle?: true;
	newestFirst?: true;
	/** Chosen so seldom that Check Access does not ask for it. */
	seldom?: true;
}

export interface Picker extends Shown<string> {
	entity: string;
}

interface Named {
	displayName: string;
	/** The list search that finds them. */
	list: string;
	/** What one of them is called; of most several names are known. */
	example?: string;
}

function to<Entity extends EntityName>(
	entity: Entity,
	how: Named & Shown<Path<Entity>>,
): Named & Picker;
function to(entity: string, how: Named & Shown<string>): Named & Picker {
	return { entity, ...how };
}

const ofCustomer = { parameter: 'customer', property: 'CustomerId' } as const;

const anAsset = {
	title: 'Name',
	search: ['Info.TagId', 'Info.SerialNumber'],
	about: ['TypeId', 'Info.TagId', 'Info.SerialNumber'],
	where: { IsTemplate: false },
} as const satisfies Shown<Path<'Location'>>;

const reason = (displayName: string, list: string, ActionId: string, example: string) =>
	to('WoActionReasonLookup', {
		displayName,
		list,
		example,
		title: 'DisplayAs',
		about: ['Descr'],
		where: { ActionId, Hide: false },
	});

/** What a reference can point to, each with its list. */
export const references = {
	apStatus: to('ApInvoiceStatus', {
		displayName: 'AP Status',
		list: 'searchApStatuses',
		example: 'Authorized',
		title: 'DisplayAs',
		about: ['Description'],
	}),
	asset: to('Location', {
		displayName: 'Asset',
		list: 'searchAssets',
		example: 'Rooftop Unit or TAG100',
		...anAsset,
		inSpacesOf: 'customer',
	}),
	assetTemplate: to('AssetTemplate', {
		displayName: 'Asset Template',
		list: 'searchAssetTemplates',
		example: 'Standard Unit',
		title: 'DisplayAs',
		byTitle: true,
		seldom: true,
	}),
	cancelReason: reason('Reason', 'searchCancelReasons', 'Cancel', 'Recalled'),
	contact: to('Contact', {
		displayName: 'Contact',
		list: 'searchContacts',
		example: 'Ava Brown or name@email.com',
		title: 'DisplayAs',
		search: ['Number', 'ContactAddresses.Address'],
		about: ['TypeId', 'Number'],
		within: ofCustomer,
	}),
	cost: to('FinancialItem', {
		displayName: 'Cost',
		list: 'searchCosts',
		title: 'Comment',
		about: ['CostCategoryId', 'Amount'],
		newestFirst: true,
		seldom: true,
	}),
	costStatus: to('InternalCostStatus', {
		displayName: 'Cost Status',
		list: 'searchCostStatuses',
		example: 'Approved',
		title: 'Name',
		about: ['Description'],
	}),
	customer: to('Customer', {
		displayName: 'Customer',
		list: 'searchCustomers',
		example: 'Contoso Pharmacy or T1000',
		title: 'DisplayAs',
		search: ['TenantCode'],
		about: ['TenantCode', 'WorkZone.DisplayAs'],
	}),
	customerNote: to('Note', {
		displayName: 'Customer Note',
		list: 'searchCustomerNotes',
		title: 'NoteText',
		about: ['NoteTypeLookup.DisplayAs', 'CreatedAt'],
		newestFirst: true,
		seldom: true,
	}),
	document: to('Document', {
		displayName: 'Document',
		list: 'searchDocuments',
		example: 'manual.pdf',
		title: 'Title',
		about: ['DocType.DisplayAs', 'ActorTypeId'],
		within: { parameter: 'workOrder', property: 'ActorId', and: { ActorTypeId: 'WO' } },
		newestFirst: true,
	}),
	documentType: to('DocumentType', {
		displayName: 'Document Type',
		list: 'searchDocumentTypes',
		example: 'Picture',
		title: 'DisplayAs',
		about: ['Description'],
	}),
	employee: to('Employee', {
		displayName: 'Employee',
		list: 'searchEmployees',
		example: 'Ava Brown or E100',
		title: 'DisplayAs',
		search: ['Number'],
		about: ['ActorTypeId', 'Number', 'JobTitle'],
	}),
	flag: reason('Flag', 'searchFlags', 'Attention', 'Failed send'),
	holdReason: reason('Reason', 'searchHoldReasons', 'OnHold', 'Deferred'),
	invoiceItem: to('InvoiceDictionaryItem', {
		displayName: 'Invoice Item',
		list: 'searchInvoiceItems',
		example: 'Parts',
		title: 'DisplayAs',
		about: ['CostCategory'],
		seldom: true,
	}),
	laborCode: to('LaborCode', {
		displayName: 'Labor Code',
		list: 'searchLaborCodes',
		example: 'Overtime',
		title: 'DisplayAs',
		about: ['Description'],
		seldom: true,
	}),
	note: to('WoNote', {
		displayName: 'Note',
		list: 'searchNotes',
		title: 'Body',
		about: ['NoteTypeId', 'CreatedDate'],
		within: { parameter: 'workOrder', property: 'WorkOrderId' },
		newestFirst: true,
	}),
	noteType: to('CustomerNoteType', {
		displayName: 'Note Type',
		list: 'searchNoteTypes',
		example: 'Billing',
		title: 'DisplayAs',
		seldom: true,
	}),
	portfolio: to('Portfolio', {
		displayName: 'Portfolio',
		list: 'searchPortfolios',
		example: 'East',
		title: 'DisplayAs',
		about: ['TypeId'],
	}),
	printoutTemplate: to('PrintoutTemplate', {
		displayName: 'Printout Template',
		list: 'searchPrintoutTemplates',
		title: 'DisplayAs',
		where: { ActorTypeId: 'WO', IsHidden: false },
		seldom: true,
	}),
	priority: to('WoPriority', {
		displayName: 'Priority',
		list: 'searchPriorities',
		example: 'High',
		title: 'DisplayAs',
	}),
	product: to('Product', {
		displayName: 'Product',
		list: 'searchProducts',
		example: 'Pump seal',
		title: 'DisplayAs',
		search: ['PartNumber'],
		about: ['PartNumber', 'Manufacturer'],
		seldom: true,
	}),
	repairCode: to('RepairCode', {
		displayName: 'Repair Code',
		list: 'searchRepairCodes',
		example: 'Replaced part',
		title: 'DisplayAs',
		owner: { property: 'ParentId', entity: 'RepairCode', title: 'DisplayAs' },
	}),
	role: to('Role', {
		displayName: 'Role',
		list: 'searchRoles',
		example: 'Technician',
		title: 'DisplayAs',
	}),
	space: to('Space', {
		displayName: 'Space',
		list: 'searchSpaces',
		example: 'Suite 100',
		title: 'Asset.Name',
		about: ['StatusId', 'WorkZone.DisplayAs'],
		owner: { property: 'CustomerId', entity: 'Customer', title: 'DisplayAs' },
		within: ofCustomer,
	}),
	specialty: to('Specialty', {
		displayName: 'Specialty',
		list: 'searchSpecialties',
		example: 'Plumbing',
		title: 'DisplayAs',
	}),
	subType: to('WorkOrderType', {
		displayName: 'Sub Type',
		list: 'searchSubTypes',
		example: 'Service Request',
		title: 'DisplayAs',
		search: ['Abbr'],
		about: ['TypeId', 'Abbr'],
		within: { parameter: 'typeCategory', property: 'TypeId', member: true },
	}),
	task: to('Task', {
		displayName: 'Task',
		list: 'searchTasks',
		example: 'No hot water',
		title: 'DisplayAs',
		search: ['Number'],
		about: ['Specialty.DisplayAs', 'Priority.DisplayAs'],
		within: {
			parameter: 'asset',
			property: 'ModelId',
			of: { entity: 'Location', property: 'ModelId' },
		},
	}),
	team: to('Team', {
		displayName: 'Team',
		list: 'searchTeams',
		example: 'Night Shift',
		title: 'DisplayAs',
	}),
	/** A unit that a customer is given need not be in its spaces yet. */
	unit: to('Location', {
		displayName: 'Unit',
		list: 'searchUnits',
		example: 'Suite 210',
		...anAsset,
		seldom: true,
	}),
	workOrder: to('WorkOrder', {
		displayName: 'Work Order',
		list: 'searchWorkOrders',
		title: 'Number',
		search: ['ShortLocation', 'ContactName', 'Customer.DisplayAs', 'PoNumber'],
		about: ['ShortLocation', 'StatusId', 'Customer.DisplayAs'],
		newestFirst: true,
	}),
	workZone: to('WorkZone', {
		displayName: 'Work Zone',
		list: 'searchWorkZones',
		example: 'Midtown Manhattan',
		title: 'DisplayAs',
		search: ['Number'],
		about: ['Number'],
		where: { IsOffline: false },
	}),
};

/** Any record: of which entity, the form says. */
const RECORD: Named = { displayName: 'Record', list: 'searchRecords', example: 'Contoso Pharmacy' };

export type KnownKind = keyof typeof references;
export type ReferenceKind = KnownKind | 'record';

/** What a field of this kind refers to; of any record, the form has to say of which entity. */
export function targetOfKind(kind: KnownKind): Target {
	const { entity, where }: Picker = references[kind];
	return targetOn(entity, entity === 'WoActionReasonLookup' ? where : undefined);
}

type Modes = Required<Pick<INodeProperties, 'modes'>>;

/** Numbers are texts: the prefix of the work zone and all zeros belong to them. */
const byNumber: Modes = {
	modes: [
		{ displayName: 'By Number', name: 'number', type: 'string', placeholder: 'e.g. ABC0010001' },
		{
			displayName: 'By External Number',
			name: 'externalNumber',
			type: 'string',
			placeholder: 'e.g. TICKET-4711',
		},
	],
};

const byName = (example: string): Modes => ({
	modes: [{ displayName: 'By Name', name: 'name', type: 'string', placeholder: `e.g. ${example}` }],
});

const BY_NAME_HINT = {
	propertyHint: 'Use mode name with what people call the record; no look-up node is needed.',
};

/** What is taken for a record, wherever one is named. */
const howToName = (kind: ReferenceKind, example?: string): string =>
	kind === 'workOrder'
		? 'Its number, such as ABC0010001, or its ID'
		: example === undefined
			? 'Its ID'
			: `What people call it, such as ${example}, or its ID`;

/** A reference to one record, chosen from a list, by its ID, or by what people call it. */
export function reference(
	kind: ReferenceKind,
	name: string,
	more: Partial<INodeProperties> = {},
): INodeProperties {
	const { displayName, list, example }: Named = kind === 'record' ? RECORD : references[kind];
	return {
		displayName,
		name,
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		modes: [
			...fromList(list).modes,
			{ displayName: 'By ID', name: 'id', type: 'string', placeholder: 'e.g. 1234' },
			...(kind === 'workOrder' ? byNumber.modes : []),
			...(example === undefined ? [] : byName(example).modes),
		],
		description: howToName(kind, example),
		...(example === undefined ? {} : { builderHint: BY_NAME_HINT }),
		...more,
	};
}
