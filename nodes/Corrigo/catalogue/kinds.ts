import type { MemberName, OwnerName, Path } from './entities';

/** A collection in which a record has one row of each kind, such as one address per type. */
interface Kind<By extends string = string, Value extends string = string> {
	/** The path of the kind. */
	by: By;
	value: Value;
	/** The kind of rows that name none. */
	fallback?: string;
}

const kinds: { readonly [Owner in OwnerName]?: Kind<Path<Owner>, MemberName<Owner>> } = {
	Address2: { by: 'TypeId', value: 'Street', fallback: 'Primary' },
	ContactInfo: { by: 'AddrTypeId', value: 'Address' },
	CustomField2: { by: 'Descriptor.Id', value: 'Value' },
};

const byType: Readonly<Record<string, Kind | undefined>> = kinds;

export const kindsOf = (type: string): Kind | undefined => byType[type];
