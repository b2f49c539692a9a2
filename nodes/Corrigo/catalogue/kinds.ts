import type { MemberName, OwnerName, Path } from './entities';

/** Describes a collection with one row of each kind, such as one address of each type. */
interface RowKinds<By extends string = string, Value extends string = string> {
	/** Path in a row to its kind. */
	by: By;
	value: Value;
	/** Kind of a row that names none. */
	fallback?: string;
}

const rowKinds: { readonly [Owner in OwnerName]?: RowKinds<Path<Owner>, MemberName<Owner>> } = {
	Address2: { by: 'TypeId', value: 'Street', fallback: 'Primary' },
	ContactInfo: { by: 'AddrTypeId', value: 'Address' },
	CustomField2: { by: 'Descriptor.Id', value: 'Value' },
};

const byType: Readonly<Record<string, RowKinds | undefined>> = rowKinds;

export const findRowKinds = (type: string): RowKinds | undefined => byType[type];
