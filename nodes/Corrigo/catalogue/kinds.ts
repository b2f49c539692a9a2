import type { MemberName, OwnerName, Path } from './entities';

/** Describes a collection with one row of each kind, such as one address of each type. */
interface Kind<By extends string = string, Value extends string = string> {
	/** Path in a row to its kind. */
	by: By;
	value: Value;
	/** Kind of a row that names none. */
	fallback?: string;
}

const kinds: { readonly [Owner in OwnerName]?: Kind<Path<Owner>, MemberName<Owner>> } = {
	Address2: { by: 'TypeId', value: 'Street', fallback: 'Primary' },
	ContactInfo: { by: 'AddrTypeId', value: 'Address' },
	CustomField2: { by: 'Descriptor.Id', value: 'Value' },
};

const byType: Readonly<Record<string, Kind | undefined>> = kinds;

export const kindsOf = (type: string): Kind | undefined => byType[type];
