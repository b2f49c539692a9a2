import type { Command } from './command';

export const placeCommands = [
	{
		name: 'SpaceCreateCommand',
		label: 'Create Space',
		fields: {
			// The contract sends this id as a text of digits.
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
	{
		name: 'GetCustomerByAssetCommand',
		label: 'Get Customer by Asset',
		fields: { AssetId: 'integer', SearchCustomerInWorkZone: 'boolean' },
		required: ['AssetId'],
		reads: true,
	},
	{
		name: 'AssetMatchByTaskCodeCommand',
		label: 'Match Assets by Task Code',
		fields: {
			ParentAssetId: 'integer',
			AssetCategories: 'AssetType[]',
			TaskCode: 'string',
			RecordCount: 'integer',
		},
		required: [],
		answer: 'Locations',
		reads: true,
	},
	{
		name: 'WorkZoneCreateCommand',
		label: 'Create Work Zone',
		fields: { WorkZone: 'WorkZone', AssetTemplateId: 'integer', SkipDefaultSettings: 'boolean' },
		required: ['WorkZone', 'AssetTemplateId'],
		answer: 'WorkZone',
	},
	{
		name: 'WorkZoneDefaultCommand',
		label: 'Default Work Zone',
		fields: {},
		required: [],
		answer: 'WorkZone',
	},
	{
		name: 'WorkZoneDeleteCommand',
		label: 'Delete Work Zone',
		fields: { WorkZoneId: 'integer' },
		required: ['WorkZoneId'],
	},
	{
		name: 'WorkZoneOnlineCommand',
		label: 'Bring Work Zone Online',
		fields: { WorkZoneId: 'integer' },
		required: ['WorkZoneId'],
	},
	{
		name: 'WorkZoneOfflineCommand',
		label: 'Take Work Zone Offline',
		fields: { WorkZoneId: 'integer', DeactivateCustomers: 'boolean' },
		required: ['WorkZoneId'],
	},
	{
		name: 'PortfolioDeleteCommand',
		label: 'Delete Portfolio',
		fields: { PortfolioId: 'integer' },
		required: ['PortfolioId'],
	},
] as const satisfies readonly Command[];
