import type { EntityRows } from './entity';

export const vendorEntities = {
	ProviderCoi: {
		label: 'Provider Certificate of Insurance',
		fields: {
			DisplayAs: 'string',
			EmployeeId: 'integer',
			AmtCoverage: 'MoneyValue',
			StatusId: 'InsuranceStatus',
			StartDate: 'datetime',
			EndDate: 'datetime',
			Comment: 'string',
			CurrencyTypeId: 'CurrencyType',
		},
	},
	LinkProviderAndService: {
		label: 'Link of Provider and Service',
		fields: { ProviderId: 'integer', ServiceId: 'integer' },
		lock: false,
	},
	PriceList: {
		fields: { CurrencyTypeId: 'CurrencyType', DisplayAs: 'string', TypeId: 'PriceListType' },
	},
	PriceListItem: {
		fields: {
			CurrencyTypeId: 'CurrencyType',
			VendorRate: 'MoneyValue',
			Description: 'string',
			RateType: 'RateType',
			VendorType: 'VendorType',
			PriceListId: 'integer',
			Rate: 'MoneyValue',
			InvoiceItem: 'InvoiceDictionaryItem',
		},
	},
	LinkProviderPriceList: {
		label: 'Link of Provider and Price List',
		fields: {
			ProviderId: 'integer',
			PortfolioId: 'integer',
			PriceListId: 'integer',
			Idx: 'integer',
		},
	},
} as const satisfies EntityRows;
