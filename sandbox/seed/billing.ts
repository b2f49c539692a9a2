import type { Store } from '../store/store';
import { FIRST_ID } from './lookups';
import { addRows, formatDay, firstIds, named, TECHNICIAN } from './rows';

/** Customer groups, taxes and the periods in which work is billed. */
export function seedBilling(store: Store, until: number): void {
	const group = FIRST_ID.billingAccount;
	const customers = firstIds(store, 'Customer', 3);
	const [contact] = firstIds(store, 'Contact');
	/** A month, counted back from that of the data. */
	const month = (back: number) => {
		const [year, index] = [new Date(until).getUTCFullYear(), new Date(until).getUTCMonth() - back];
		const start = formatDay(Date.UTC(year, index, 1), 0);
		const end = formatDay(Date.UTC(year, index + 1, 0), 0);
		const name = new Intl.DateTimeFormat('en-US', {
			month: 'long',
			year: 'numeric',
			timeZone: 'UTC',
		});
		const DisplayAs = name.format(Date.UTC(year, index, 1));
		return {
			DisplayAs,
			StartDate: start,
			EndDate: end,
			dtStart: start,
			dtEnd: end,
			IsFinancial: true,
		};
	};
	const oldMonth = month(2);
	addRows(store, {
		CorporateEntity: [{ Id: 1, DisplayAs: 'Sandbox Facilities LLC', Number: 'CE-1' }],
		BillingAccount: named(group, 'Retail Group', 'Offices').map((row) => ({
			...row,
			Number: `BA-${String(row.Id)}`,
			CorpEntity: { Id: 1 },
			CurrencyTypeId: 'USD',
		})),
		LinkCustomerAndGroup: customers.map((CustomerId, index) => ({
			CustomerId,
			CustomerGroupId: group + (index % 2),
			IsBillingAccount: true,
		})),
		LinkUserAndCustomerGroup: [{ UserId: TECHNICIAN, CustomerGroupId: group }],
		BillToOption: [
			{ Id: 1, DisplayAs: 'Customer', Code: 'CU', TypeId: 'None' },
			{ Id: 2, DisplayAs: 'Landlord', Code: 'LL', TypeId: 'WoDisabled' },
		],
		TaxCode: [
			{ Id: 1, DisplayAs: 'Standard', Descr: 'Standard rate', Country: 'US' },
			{ Id: 2, DisplayAs: 'Exempt', Descr: 'No tax', Country: 'US' },
		],
		TaxRegion: named(1, 'New York', 'Illinois'),
		TaxRegionItem: [
			{ TaxRegionId: 1, TaxCode: { Id: 1 }, TaxRate: 8.875 },
			{ TaxRegionId: 1, TaxCode: { Id: 2 }, TaxRate: 0 },
			{ TaxRegionId: 2, TaxCode: { Id: 1 }, TaxRate: 10.25 },
		],
		TimePeriod: [
			{ Id: 1, ...month(1) },
			{ Id: 2, ...month(0) },
			{ Id: 3, ...oldMonth, DisplayAs: `${oldMonth.DisplayAs} (deleted)`, IsRemoved: true },
		],
		ContactMoneyValues: contact
			? [{ ParentId: contact, CurrencyTypeId: 'USD', AuthorizationLimit: 500, RequestLimit: 250 }]
			: [],
		ContactAddress: [
			{ TypeId: 'PrimEmail', Address: 'office@example.org', IsDefault: true },
			{ TypeId: 'PrimPhone', Address: '+1 555 0199' },
		],
		CustomField: customers.slice(0, 1).map((ObjectId) => ({
			ObjectId,
			Descriptor: { Id: store.children('CustomFieldDescriptor', 'ActorTypeId', 'CommLease')[0].Id },
			Value: `K-${ObjectId}`,
		})),
	});
}
