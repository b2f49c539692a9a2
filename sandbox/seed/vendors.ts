import type { Store } from '../store/store';
import { FIRST_ID } from './lookups';
import { addRows, formatDay, PORTFOLIO, PROVIDER, usd } from './rows';

const INSURANCE = [
	{ provider: 0, DisplayAs: 'General Liability', StatusId: 'ExpiringSoon', daysLeft: 20 },
	{ provider: 0, DisplayAs: "Workers' Compensation", StatusId: 'Current', daysLeft: 90 },
	{ provider: 1, DisplayAs: 'General Liability', StatusId: 'Expired', daysLeft: -10 },
	{ provider: 2, DisplayAs: 'General Liability', StatusId: 'Current', daysLeft: 200 },
	{ provider: 3, DisplayAs: 'Automobile', StatusId: 'ExpiringSoon', daysLeft: 3 },
] as const;

/** Providers' certificates of insurance, and the price lists that apply to them. */
export function seedVendors(store: Store, until: number): void {
	const year = new Date(until).getUTCFullYear();
	const [vendorPrices, customerPrices] = [FIRST_ID.priceList, FIRST_ID.priceList + 1];
	addRows(store, {
		ProviderCoi: INSURANCE.map(({ provider, daysLeft, ...row }, index) => ({
			Id: FIRST_ID.insurance + index,
			EmployeeId: PROVIDER + provider,
			StartDate: formatDay(until, daysLeft - 365),
			EndDate: formatDay(until, daysLeft),
			AmtCoverage: usd(1_000_000),
			CurrencyTypeId: 'USD',
			...row,
		})),
		PriceList: [
			{ Id: vendorPrices, DisplayAs: `Vendors ${year}`, TypeId: 'Vendor', CurrencyTypeId: 'USD' },
			{
				Id: customerPrices,
				DisplayAs: `Tenants ${year}`,
				TypeId: 'Customer',
				CurrencyTypeId: 'USD',
			},
		],
		PriceListItem: [
			{ PriceListId: vendorPrices, Description: 'Labor, per hour', Rate: usd(60), item: 1 },
			{ PriceListId: vendorPrices, Description: 'Parts', Rate: usd(1), item: 2 },
			{ PriceListId: customerPrices, Description: 'Labor, per hour', Rate: usd(95), item: 1 },
		].map(({ item, ...row }) => ({
			...row,
			RateType: 'Fixed',
			VendorType: 'Editable',
			InvoiceItem: { Id: item },
			CurrencyTypeId: 'USD',
		})),
		LinkProviderPriceList: [
			{ ProviderId: PROVIDER, PortfolioId: PORTFOLIO, PriceListId: vendorPrices, Idx: 1 },
			{ ProviderId: PROVIDER + 1, PortfolioId: PORTFOLIO, PriceListId: vendorPrices, Idx: 1 },
		],
		LinkProviderAndService: [0, 1, 2].map((index) => ({
			ProviderId: PROVIDER + index,
			ServiceId: index + 1,
		})),
	});
}
