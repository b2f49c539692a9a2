import type * as contract from '../contract';

type Entities = typeof contract.entityFacts;

/** The compiler checks names of entities in the code. */
export type EntityName = keyof Entities;

type Members<Entity extends { fields: object }> = { Id: 'integer' } & Entity['fields'] &
	(Entity extends { lock: true } ? { ConcurrencyId: 'integer' } : object) &
	(Entity extends { softDelete: true } ? { IsRemoved: 'boolean' } : object);

type Models = {
	[Name in EntityName]: Members<Entities[Name]>;
} & typeof contract.valueObjects;

/** Both entities and value objects own members. */
export type OwnerName = keyof Models;

export type MemberName<Owner extends OwnerName> = keyof Models[Owner] & string;

/** Members of the entity or value object in a type such as `Order` or `Item[]`. */
type InnerMember<Type> = Type extends `${infer One}[]`
	? InnerMember<One>
	: Type extends OwnerName
		? MemberName<Type>
		: never;

/** A member, or a dotted path through one reference or collection. */
export type Path<Owner extends OwnerName> = {
	[Name in MemberName<Owner>]: Name | `${Name}.${InnerMember<Models[Owner][Name]>}`;
}[MemberName<Owner>];

/** All members, one of them, or what names a record that a collection refers to. */
type SummaryPath<Name extends EntityName> =
	| Path<Name>
	| '*'
	| `${Path<Name>}.${'DisplayAs' | 'Id' | 'Name' | 'Type'}`;

export type PathsByEntity = { readonly [Name in EntityName]?: ReadonlyArray<SummaryPath<Name>> };
