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
		lock: true,
	},
	LinkProviderAndService: {
		label: 'Link of Provider and Service',
		fields: {
			ProviderId: 'integer',
			ServiceId: 'integer',
		},
	},
	PriceList: {
		fields: {
			CurrencyTypeId: 'CurrencyType',
			DisplayAs: 'string',
			TypeId: 'PriceListType',
		},
		lock: true,
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
		lock: true,
	},
	LinkProviderPriceList: {
		label: 'Link of Provider and Price List',
		fields: {
			ProviderId: 'integer',
			PortfolioId: 'integer',
			PriceListId: 'integer',
			Idx: 'integer',
		},
		lock: true,
	},
} as const satisfies EntityRows;
