import type { Store } from '../store/store';
import { FIRST_ID } from './lookups';
import { addRows, formatDay, named, PROVIDER, TECHNICIAN, usd } from './rows';

const SUPPLIER = PROVIDER + 3;
const [WAREHOUSE, TRUCK] = [FIRST_ID.stockLocation, FIRST_ID.stockLocation + 1];
const [SEAL, FILTER] = [1, 2];
const PRICES: Readonly<Record<number, number>> = { [SEAL]: 12.5, [FILTER]: 4 };

interface Line {
	product: number;
	ordered: number;
	received: number;
}

interface Order {
	status: string;
	exported?: true;
	/** Days from now. */
	delivery: number;
	lines: readonly Line[];
}

const line = (product: number, ordered: number, received = 0): Line => ({
	product,
	ordered,
	received,
});

const ORDERS: readonly Order[] = [
	{ status: 'Pending', delivery: 10, lines: [line(SEAL, 10), line(FILTER, 40)] },
	{ status: 'OnOrder', delivery: 4, lines: [line(FILTER, 100)] },
	{ status: 'Partial', delivery: -3, lines: [line(SEAL, 20, 8), line(FILTER, 20, 20)] },
	{ status: 'Received', exported: true, delivery: -17, lines: [line(SEAL, 5, 5)] },
	{ status: 'Cancelled', delivery: -28, lines: [line(FILTER, 10)] },
];

/** Stock locations with what they hold, and the orders that refill them. */
export function seedPurchasing(store: Store, until: number): void {
	addRows(store, {
		ProductCategory: named(1, 'Plumbing Parts', 'HVAC Parts'),
		ProductMoneyValues: [SEAL, FILTER].map((ParentId) => ({
			ParentId,
			CurrencyTypeId: 'USD',
			UnitPrice: PRICES[ParentId],
			LastPrice: PRICES[ParentId],
		})),
		StockLocation: [
			{ Id: WAREHOUSE, DisplayAs: 'Main Warehouse', Number: 'S1', TypeId: 'Warehouse' },
			{ Id: TRUCK, DisplayAs: 'Truck 7', Number: 'S2', TypeId: 'Truck' },
		],
		StockLocationInventoryDetails: [
			{ StockLocationId: WAREHOUSE, ProductId: SEAL, Quantity: 30, Price: PRICES[SEAL] },
			{ StockLocationId: WAREHOUSE, ProductId: FILTER, Quantity: 120, Price: PRICES[FILTER] },
			{ StockLocationId: TRUCK, ProductId: SEAL, Quantity: 2, Price: PRICES[SEAL] },
		].map((row) => ({ ...row, CurrencyTypeId: 'USD', CreatedOn: formatDay(until, -180) })),
		LinkProductAndSupplier: [
			{ ProductId: SEAL, SupplierId: SUPPLIER, PartNumber: 'LK-PS-1', IsDefault: true },
			{ ProductId: FILTER, SupplierId: SUPPLIER, PartNumber: 'LK-AF-20', IsDefault: true },
			{ ProductId: FILTER, SupplierId: PROVIDER, PartNumber: 'MP-20', IsDefault: false },
		],
		LinkUserAndStockLocation: [
			{ UserId: TECHNICIAN, StockLocationId: WAREHOUSE, FullAccess: 1 },
			{ UserId: TECHNICIAN + 1, StockLocationId: TRUCK, FullAccess: 0 },
		],
	});
	for (const [index, order] of ORDERS.entries()) seedOrder(store, until, index, order);
}

function seedOrder(store: Store, until: number, index: number, order: Order): void {
	const Id = FIRST_ID.purchaseOrder + index;
	store.insert('ReplenishmentOrder', {
		Id,
		Number: `PO-${Id}`,
		StatusId: order.status,
		Description: `Refill ${index + 1}`,
		PoNumber: `B-${2000 + index}`,
		DEstimatedtDelivery: formatDay(until, order.delivery, 12),
		Supplier: { Id: index === 1 ? PROVIDER : SUPPLIER },
		StockLocation: { Id: index % 2 === 0 ? WAREHOUSE : TRUCK },
		SupplierOrderNumber: order.status === 'Pending' ? undefined : `L-${700 + index}`,
		IsExported: order.exported ?? false,
		TimeZone: 35,
		CurrencyTypeId: 'USD',
	});
	addRows(store, {
		ReplenishmentOrderItem: order.lines.map(({ product, ordered, received }) => ({
			ReplenishmentOrderId: Id,
			Product: { Id: product },
			Price: usd(PRICES[product]),
			QtyOrdered: ordered,
			QtyReceived: received,
			AmtTotal: usd(PRICES[product] * ordered),
			CurrencyTypeId: 'USD',
		})),
	});
}
