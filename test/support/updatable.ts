/** The entities with records in the sandbox that an update may write. */
export const UPDATABLE_ENTITIES = [
	...[
		'Contact',
		'Customer',
		'Document',
		'Employee',
		'FinancialItem',
		'Location',
		'Note',
		'Product',
	],
	...['ProviderCoi', 'ReplenishmentOrder', 'Space', 'TimeCardItem', 'WoNote', 'WorkOrder'],
	...['WorkOrderCost', 'WorkZone'],
];
