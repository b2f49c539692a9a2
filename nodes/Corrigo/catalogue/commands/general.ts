import type { CommandRows } from './command';

export const generalCommands = {
	CreateCommand: {
		label: 'Create Any Entity',
		fields: { Entity: 'CorrigoEntity' },
		required: ['Entity'],
		answer: 'EntitySpecifier',
	},
	UpdateCommand: {
		label: 'Update Any Entity',
		fields: { Entity: 'CorrigoEntity', PropertySet: 'PropertySet' },
		required: ['Entity', 'PropertySet'],
		answer: 'EntitySpecifier',
	},
	DeleteCommand: {
		label: 'Delete Any Entity',
		fields: { EntitySpecifier: 'EntitySpecifier' },
		required: ['EntitySpecifier'],
		answer: 'EntitySpecifier',
	},
	RestoreCommand: {
		label: 'Restore Any Entity',
		fields: { EntitySpecifier: 'EntitySpecifier' },
		required: ['EntitySpecifier'],
		answer: 'EntitySpecifier',
	},
	CompositeCommand: {
		label: 'Run Several Commands',
		fields: { IsTransactional: 'boolean', Commands: 'CommandRequest[]' },
		required: ['Commands'],
		answer: 'Responses',
	},
	GetCompanyWsdkUrlCommand: {
		label: 'Get Company Host',
		fields: { ApiType: 'ApiTypes', CompanyName: 'string', Protocol: 'Protocols' },
		required: ['CompanyName'],
		reads: true,
	},
	GetDocDownloadUrlCommand: {
		label: 'Get Document Download URL',
		fields: { DocumentIds: 'integer[]' },
		required: ['DocumentIds'],
		answer: 'Results',
		reads: true,
	},
	GetProcedureStepsDocumentsRoutine: {
		label: 'Get Documents of Procedure Steps',
		fields: { WorkOrderId: 'integer' },
		required: ['WorkOrderId'],
		answer: 'Documents',
		reads: true,
	},
	MaterialTransactionCommitCommand: {
		label: 'Commit Material Transaction',
		fields: { Transaction: 'MaterialTransaction' },
		required: ['Transaction'],
		answer: 'Transaction',
	},
	ConvertMoneyValuesCommand: {
		fields: { Values: 'MoneyValue[]', TargetCurrencyTypeId: 'CurrencyType' },
		required: ['Values', 'TargetCurrencyTypeId'],
		answer: 'Values',
		reads: true,
	},
	RetrieveWithCurrencyTypeCommand: {
		label: 'Retrieve with Currency Type',
		fields: { TargetCurrencyTypeId: 'CurrencyType', ParentEntitySpecifiers: 'EntitySpecifier[]' },
		required: ['TargetCurrencyTypeId', 'ParentEntitySpecifiers'],
		answer: 'Results',
		reads: true,
	},
} as const satisfies CommandRows;
