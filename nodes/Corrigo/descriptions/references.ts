import type { INodeProperties } from 'n8n-workflow';

import type { EntityName, Path } from '../catalogue/entities';

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
	};
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
}

function to<Entity extends EntityName>(
	entity: Entity,
	how: Named & Shown<Path<Entity>>,
): Named & Picker;
function to(entity: string, how: Named & Shown<string>): Named & Picker {
	return { entity, ...how };
}

const ofCustomer = { parameter: 'customer', property: 'CustomerId' } as const;

const reason = (displayName: string, list: string, ActionId: string) =>
	to('WoActionReasonLookup', {
		displayName,
		list,
		title: 'DisplayAs',
		about: ['Descr'],
		where: { ActionId, Hide: false },
	});

/** What a reference can point to, each with its list. */
export const references = {
	apStatus: to('ApInvoiceStatus', {
		displayName: 'AP Status',
		list: 'searchApStatuses',
		title: 'DisplayAs',
		about: ['Description'],
	}),
	asset: to('Location', {
		displayName: 'Asset',
		list: 'searchAssets',
		title: 'Name',
		search: ['Info.TagId', 'Info.SerialNumber'],
		about: ['TypeId', 'Info.TagId', 'Info.SerialNumber'],
		where: { IsTemplate: false },
	}),
	cancelReason: reason('Reason', 'searchCancelReasons', 'Cancel'),
	contact: to('Contact', {
		displayName: 'Contact',
		list: 'searchContacts',
		title: 'DisplayAs',
		search: ['Number'],
		about: ['TypeId', 'Number'],
		within: ofCustomer,
	}),
	costStatus: to('InternalCostStatus', {
		displayName: 'Cost Status',
		list: 'searchCostStatuses',
		title: 'Name',
		about: ['Description'],
	}),
	customer: to('Customer', {
		displayName: 'Customer',
		list: 'searchCustomers',
		title: 'DisplayAs',
		search: ['TenantCode'],
		about: ['TenantCode', 'WorkZone.DisplayAs'],
	}),
	document: to('Document', {
		displayName: 'Document',
		list: 'searchDocuments',
		title: 'Title',
		about: ['DocType.DisplayAs', 'ActorTypeId'],
		newestFirst: true,
	}),
	documentType: to('DocumentType', {
		displayName: 'Document Type',
		list: 'searchDocumentTypes',
		title: 'DisplayAs',
		about: ['Description'],
	}),
	employee: to('Employee', {
		displayName: 'Employee',
		list: 'searchEmployees',
		title: 'DisplayAs',
		search: ['Number'],
		about: ['ActorTypeId', 'Number', 'JobTitle'],
	}),
	flag: reason('Flag', 'searchFlags', 'Attention'),
	holdReason: reason('Reason', 'searchHoldReasons', 'OnHold'),
	note: to('WoNote', {
		displayName: 'Note',
		list: 'searchNotes',
		title: 'Body',
		about: ['NoteTypeId', 'CreatedDate'],
		within: { parameter: 'workOrder', property: 'WorkOrderId' },
		newestFirst: true,
	}),
	portfolio: to('Portfolio', {
		displayName: 'Portfolio',
		list: 'searchPortfolios',
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
		title: 'DisplayAs',
	}),
	repairCode: to('RepairCode', {
		displayName: 'Repair Code',
		list: 'searchRepairCodes',
		title: 'DisplayAs',
		about: ['ParentId'],
	}),
	role: to('Role', {
		displayName: 'Role',
		list: 'searchRoles',
		title: 'DisplayAs',
	}),
	space: to('Space', {
		displayName: 'Space',
		list: 'searchSpaces',
		title: 'Asset.Name',
		about: ['StatusId', 'WorkZone.DisplayAs'],
		within: ofCustomer,
	}),
	specialty: to('Specialty', {
		displayName: 'Specialty',
		list: 'searchSpecialties',
		title: 'DisplayAs',
	}),
	subType: to('WorkOrderType', {
		displayName: 'Sub Type',
		list: 'searchSubTypes',
		title: 'DisplayAs',
		search: ['Abbr'],
		about: ['TypeId', 'Abbr'],
		within: { parameter: 'typeCategory', property: 'TypeId', member: true },
	}),
	task: to('Task', {
		displayName: 'Task',
		list: 'searchTasks',
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
		title: 'DisplayAs',
	}),
	workOrder: to('WorkOrder', {
		displayName: 'Work Order',
		list: 'searchWorkOrders',
		title: 'Number',
		search: ['ShortLocation', 'ContactName', 'Customer.DisplayAs'],
		about: ['ShortLocation', 'StatusId', 'Customer.DisplayAs'],
		newestFirst: true,
	}),
	workZone: to('WorkZone', {
		displayName: 'Work Zone',
		list: 'searchWorkZones',
		title: 'DisplayAs',
		search: ['Number'],
		about: ['Number'],
		where: { IsOffline: false },
	}),
};

/** Any record: of which entity, the form says. */
const RECORD = { displayName: 'Record', list: 'searchRecords' } as const;

export type ReferenceKind = keyof typeof references | 'record';

/** Numbers are texts: the prefix of the work zone and all zeros belong to them. */
const byNumber: Required<Pick<INodeProperties, 'modes'>> = {
	modes: [
		{ displayName: 'By Number', name: 'number', type: 'string', placeholder: 'e.g. ABC0010001' },
	],
};

/** A reference to one record, chosen from a list, by its ID, or for work orders by their number. */
export function reference(
	kind: ReferenceKind,
	name: string,
	more: Partial<INodeProperties> = {},
): INodeProperties {
	const { displayName, list } = kind === 'record' ? RECORD : references[kind];
	return {
		displayName,
		name,
		type: 'resourceLocator',
		default: { mode: 'list', value: '' },
		modes: [
			{
				displayName: 'From List',
				name: 'list',
				type: 'list',
				typeOptions: { searchListMethod: list, searchable: true },
			},
			{ displayName: 'By ID', name: 'id', type: 'string', placeholder: 'e.g. 1234' },
			...(kind === 'workOrder' ? byNumber.modes : []),
		],
		...more,
	};
}
