import type { CommandRows } from './command';

export const placeCommands = {
	SpaceCreateCommand: {
		label: 'Create Space',
		fields: {
			// The contract sends this Id as a string of digits.
			CustomerId: 'string',
			UnitId: 'integer',
			IfUnitAlreadyExists: 'DuplicateUnitMode',
			StartDate: 'datetime',
			EndDate: 'datetime',
			MoveInDate: 'datetime',
			MoveOutDate: 'datetime',
			Instructions: 'string',
			NewUnitSpecifier: 'NewUnitSpecifier',
		},
		required: ['CustomerId'],
		answer: 'NewSpace',
	},
	GetCustomerByAssetCommand: {
		label: 'Get Customer by Asset',
		fields: { AssetId: 'integer', SearchCustomerInWorkZone: 'boolean' },
		required: ['AssetId'],
		reads: true,
	},
	AssetMatchByTaskCodeCommand: {
		label: 'Match Assets by Task Code',
		fields: {
			ParentAssetId: 'integer',
			AssetCategories: 'AssetType[]',
			TaskCode: 'string',
			RecordCount: 'integer',
		},
		answer: 'Locations',
		reads: true,
	},
	WorkZoneCreateCommand: {
		label: 'Create Work Zone',
		fields: { WorkZone: 'WorkZone', AssetTemplateId: 'integer', SkipDefaultSettings: 'boolean' },
		required: ['WorkZone', 'AssetTemplateId'],
		answer: 'WorkZone',
	},
	WorkZoneDefaultCommand: { label: 'Default Work Zone', fields: {}, answer: 'WorkZone' },
	WorkZoneDeleteCommand: {
		label: 'Delete Work Zone',
		fields: { WorkZoneId: 'integer' },
		required: ['WorkZoneId'],
	},
	WorkZoneOnlineCommand: {
		label: 'Bring Work Zone Online',
		fields: { WorkZoneId: 'integer' },
		required: ['WorkZoneId'],
	},
	WorkZoneOfflineCommand: {
		label: 'Take Work Zone Offline',
		fields: { WorkZoneId: 'integer', DeactivateCustomers: 'boolean' },
		required: ['WorkZoneId'],
	},
	PortfolioDeleteCommand: {
		label: 'Delete Portfolio',
		fields: { PortfolioId: 'integer' },
		required: ['PortfolioId'],
	},
} as const satisfies CommandRows;
