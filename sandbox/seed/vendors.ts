import type { Store } from '../store/store';
import { FIRST_ID } from './lookups';
import { addRows, PORTFOLIO, PROVIDER, usd } from './rows';

const DAY = 86_400_000;

const INSURANCE = [
	{ provider: 0, DisplayAs: 'General Liability', StatusId: 'ExpiringSoon', $daysLeft: 20 },
	{ provider: 0, DisplayAs: "Workers' Compensation", StatusId: 'Current', $daysLeft: 90 },
	{ provider: 1, DisplayAs: 'General Liability', StatusId: 'Expired', $daysLeft: -10 },
	{ provider: 2, DisplayAs: 'General Liability', StatusId: 'Current', $daysLeft: 200 },
	{ provider: 3, DisplayAs: 'Automobile', StatusId: 'ExpiringSoon', $daysLeft: 3 },
] as const;

/** Providers' certificates of insurance, and the price lists that apply to them. */
export function seedVendors(store: Store): void {
	const [vendorPrices, customerPrices] = [FIRST_ID.priceList, FIRST_ID.priceList + 1];
	addRows(store, {
		ProviderCoi: INSURANCE.map(({ provider, ...row }, index) => ({
			Id: FIRST_ID.insurance + index,
			EmployeeId: PROVIDER + provider,
			AmtCoverage: usd(1_000_000),
			CurrencyTypeId: 'USD',
			...row,
		})),
		PriceList: [
			{ Id: vendorPrices, DisplayAs: 'Vendors 2025', TypeId: 'Vendor', CurrencyTypeId: 'USD' },
			{ Id: customerPrices, DisplayAs: 'Tenants 2025', TypeId: 'Customer', CurrencyTypeId: 'USD' },
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

/** Insurance expires around the time at which the sandbox starts, and not around the seeded history. */
export function dateInsurance(store: Store, now: number): void {
	const day = (time: number) => `${new Date(time).toISOString().slice(0, 10)}T00:00:00`;
	for (const row of store.rows('ProviderCoi')) {
		const end = now + Number(row.$daysLeft) * DAY;
		Object.assign(row, { StartDate: day(end - 365 * DAY), EndDate: day(end) });
	}
}
