import type { EntityName, MemberName, OwnerName } from './names';
import { createTable } from '../table';

/** Members that a form can set in objects that are embedded in one record. */
export const parts = createTable<readonly string[]>({
	Address2: ['TypeId', 'Street', 'Street2', 'City', 'State', 'Zip', 'Country'],
	AssetInfo: ['SerialNumber', 'TagId', 'CheckPhone'],
	ContactInfo: ['AddrTypeId', 'Address'],
	MoneyValue: ['Value', 'CurrencyTypeId'],
} satisfies { readonly [Owner in OwnerName]?: ReadonlyArray<MemberName<Owner>> });

/** Records that are embedded, too, but that only commands or JSON can set. */
const EMBEDDED_RECORDS: readonly string[] = [
	'Blob',
	'WoEstimate',
	'WoLastAction',
	'WoNote',
	'WoQuote',
	'WorkOrderCost',
] satisfies EntityName[];

/** Corrigo removes these parts of a record if an update empties them with all of their members. */
const REMOVABLE_PARTS: readonly string[] = ['WorkOrder.Estimate'];

export const isRemovablePart = (owner: string, name: string): boolean =>
	REMOVABLE_PARTS.includes(`${owner}.${name}`);

/** An embedded object belongs to one record and is written through it. */
export const belongsToOne = (type: string): boolean =>
	type in parts || EMBEDDED_RECORDS.includes(type);
