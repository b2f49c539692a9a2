import type { MemberName, OwnerName, Path } from './entities';

/** Rows of a collection that are told apart by what they are, of which a record has one each. */
interface Kind<By extends string = string, Value extends string = string> {
	/** The path of what they are. */
	by: By;
	/** The member that has the value. */
	value: Value;
	/** What a row is that does not say it. */
	fallback?: string;
}

const kinds: { readonly [Owner in OwnerName]?: Kind<Path<Owner>, MemberName<Owner>> } = {
	Address2: { by: 'TypeId', value: 'Street', fallback: 'Primary' },
	ContactInfo: { by: 'AddrTypeId', value: 'Address' },
	CustomField2: { by: 'Descriptor.Id', value: 'Value' },
};

const byType: Readonly<Record<string, Kind | undefined>> = kinds;

export const kindsOf = (type: string): Kind | undefined => byType[type];
