import type { assetEntities } from './asset';
import type { costEntities } from './cost';
import type { customerEntities } from './customer';
import type { customerInvoiceEntities } from './customerInvoice';
import type { documentEntities } from './document';
import type { materialEntities } from './material';
import type { peopleEntities } from './people';
import type { unpublishedEntities } from './unpublished';
import type { valueObjects } from './valueObjects';
import type { workOrderEntities } from './workOrder';
import type { workOrderActivityEntities } from './workOrderActivity';

type Row = (
	| typeof assetEntities
	| typeof costEntities
	| typeof customerEntities
	| typeof customerInvoiceEntities
	| typeof documentEntities
	| typeof materialEntities
	| typeof peopleEntities
	| typeof unpublishedEntities
	| typeof workOrderActivityEntities
	| typeof workOrderEntities
)[number];

type Common<R> = { Id: 'integer' } & (R extends { lock: true }
	? { ConcurrencyId: 'integer' }
	: object) &
	(R extends { softDelete: true } ? { IsRemoved: 'boolean' } : object);

type Models = { [R in Row as R['name']]: R['fields'] & Common<R> } & typeof valueObjects;

/** Names of entities in the code are checked by the compiler. */
export type EntityName = Row['name'];

/** Entities and value objects. */
export type OwnerName = keyof Models;

export type MemberName<Owner extends OwnerName> = keyof Models[Owner] & string;

/** The members of the type behind `Order` or `Item[]`. */
type Inside<Type> = Type extends `${infer One}[]`
	? Inside<One>
	: Type extends OwnerName
		? MemberName<Type>
		: never;

/** A member, or a dotted path through one reference or collection. */
export type Path<Owner extends OwnerName> = {
	[Name in MemberName<Owner>]: Name | `${Name}.${Inside<Models[Owner][Name]>}`;
}[MemberName<Owner>];
