import { buildIdCommand, type CommandRows } from './command';

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
	WorkZoneDeleteCommand: buildIdCommand('Delete Work Zone', 'WorkZoneId', {}),
	WorkZoneOnlineCommand: buildIdCommand('Bring Work Zone Online', 'WorkZoneId', {}),
	WorkZoneOfflineCommand: buildIdCommand('Take Work Zone Offline', 'WorkZoneId', {
		DeactivateCustomers: 'boolean',
	}),
	PortfolioDeleteCommand: buildIdCommand('Delete Portfolio', 'PortfolioId', {}),
} as const satisfies CommandRows;
