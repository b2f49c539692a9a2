import type { INodeProperties } from 'n8n-workflow';

/** What a reference can point to, and the list search that finds it. */
const kinds = {
	apStatus: { displayName: 'AP Status', search: 'searchApStatuses' },
	asset: { displayName: 'Asset', search: 'searchAssets' },
	cancelReason: { displayName: 'Reason', search: 'searchCancelReasons' },
	contact: { displayName: 'Contact', search: 'searchContacts' },
	costStatus: { displayName: 'Cost Status', search: 'searchCostStatuses' },
	customer: { displayName: 'Customer', search: 'searchCustomers' },
	document: { displayName: 'Document', search: 'searchDocuments' },
	documentType: { displayName: 'Document Type', search: 'searchDocumentTypes' },
	employee: { displayName: 'Employee', search: 'searchEmployees' },
	flag: { displayName: 'Flag', search: 'searchFlags' },
	holdReason: { displayName: 'Reason', search: 'searchHoldReasons' },
	note: { displayName: 'Note', search: 'searchNotes' },
	portfolio: { displayName: 'Portfolio', search: 'searchPortfolios' },
	priority: { displayName: 'Priority', search: 'searchPriorities' },
	record: { displayName: 'Record', search: 'searchRecords' },
	repairCode: { displayName: 'Repair Code', search: 'searchRepairCodes' },
	role: { displayName: 'Role', search: 'searchRoles' },
	space: { displayName: 'Space', search: 'searchSpaces' },
	specialty: { displayName: 'Specialty', search: 'searchSpecialties' },
	subType: { displayName: 'Sub Type', search: 'searchSubTypes' },
	task: { displayName: 'Task', search: 'searchTasks' },
	team: { displayName: 'Team', search: 'searchTeams' },
	workOrder: { displayName: 'Work Order', search: 'searchWorkOrders' },
	workZone: { displayName: 'Work Zone', search: 'searchWorkZones' },
} as const;

export type ReferenceKind = keyof typeof kinds;

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
	const { displayName, search } = kinds[kind];
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
				typeOptions: { searchListMethod: search, searchable: true },
			},
			{ displayName: 'By ID', name: 'id', type: 'string', placeholder: 'e.g. 1234' },
			...(kind === 'workOrder' ? byNumber.modes : []),
		],
		...more,
	};
}
