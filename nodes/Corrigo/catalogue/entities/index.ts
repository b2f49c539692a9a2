import { approvalEntities } from './approval';
import { assetEntities } from './asset';
import { costEntities } from './cost';
import { customerEntities } from './customer';
import { customerInvoiceEntities } from './customerInvoice';
import { documentEntities } from './document';
import { buildEntity, type Entity, type MemberTypes } from './entity';
import { materialEntities } from './material';
import { aliases, type Alias } from './aliases';
import { peopleEntities } from './people';
import { schedulingEntities } from './scheduling';
import { valueObjects } from './valueObjects';
import { vendorEntities } from './vendor';
import { workOrderEntities } from './workOrder';
import { workOrderActivityEntities } from './workOrderActivity';

export type { Entity } from './entity';
export { aliases } from './aliases';
export { belongsToOne, parts, valueObjects } from './valueObjects';

const rows = {
	...workOrderEntities,
	...workOrderActivityEntities,
	...costEntities,
	...customerInvoiceEntities,
	...customerEntities,
	...assetEntities,
	...peopleEntities,
	...documentEntities,
	...materialEntities,
	...vendorEntities,
	...schedulingEntities,
	...approvalEntities,
	// The service accepts these names but publishes no model for them.
	PmItem: { label: 'PM Item', lock: false },
	PmSchedule: { label: 'PM Schedule', lock: false },
} as const;

type Rows = typeof rows;

type Members<Row> = { Id: 'integer' } & (Row extends { fields: infer Own } ? Own : object) &
	(Row extends { lock: false } ? object : { ConcurrencyId: 'integer' }) &
	(Row extends { softDelete: true } ? { IsRemoved: 'boolean' } : object);

type Models = { [Name in keyof Rows]: Members<Rows[Name]> } & typeof valueObjects;

/** The compiler checks names of entities in the code. */
export type EntityName = keyof Rows;

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

/** All members, one of them, or the name of a record that a collection refers to. */
type SummaryPath<Name extends EntityName> = Path<Name> | '*' | `${Path<Name>}.DisplayAs`;

export type PathsByEntity = { readonly [Name in EntityName]?: ReadonlyArray<SummaryPath<Name>> };

/** Every name that the service accepts after /base and /query, sorted by label. */
export const entities: readonly Entity[] = Object.entries(rows)
	.map(([name, row]) => buildEntity(name, row))
	.sort((a, b) => a.label.localeCompare(b.label, 'en'));

const byName = new Map(entities.map((entity) => [entity.name.toLowerCase(), entity]));

const aliasesByName = new Map(
	Object.entries(aliases).map(([wrong, right]) => [wrong.toLowerCase(), right]),
);

export const getEntity = (name: string): Entity | undefined => byName.get(name.toLowerCase());

/** Suggests the entity that a user most likely means by an unknown name. */
export const suggestEntity = (name: string): Alias | undefined =>
	aliasesByName.get(name.toLowerCase());

/** The flags of an entity imply these members, so the tables do not list them. */
const buildCommonMembers = ({ lock, softDelete }: Entity): MemberTypes => ({
	Id: 'integer',
	PerformDeletion: 'boolean',
	IsNew: 'boolean',
	...(lock ? { ConcurrencyId: 'integer' } : {}),
	...(softDelete ? { IsRemoved: 'boolean' } : {}),
});

/** The service takes these members in requests and returns none of them. */
export const REQUEST_ONLY: readonly string[] = ['PerformDeletion', 'IsNew'];

const membersByOwner = new Map<string, MemberTypes>([
	...entities.map(
		(entity) => [entity.name, { ...buildCommonMembers(entity), ...entity.fields }] as const,
	),
	...Object.entries(valueObjects),
]);

const toExactName = (owner: string) => getEntity(owner)?.name ?? owner;

/** The members of an entity include the common ones. */
export const getMemberTypes = (owner: string): MemberTypes =>
	membersByOwner.get(toExactName(owner)) ?? {};

const typesByOwner = new Map(
	[...membersByOwner].map(([owner, fields]) => [
		owner,
		new Map(Object.entries(fields).map(([name, type]) => [name.toLowerCase(), type])),
	]),
);

export const isCollection = (type = ''): boolean => type.endsWith('[]');

/** Returns the type of the rows of a collection; any other type stays as it is. */
export const toRowType = (type: string): string => type.replace('[]', '');

/**
 * Finds the type at the end of a dotted path through references and collections. The case of names
 * does not matter, because the service ignores it, too.
 */
export function findEntityMemberType(entity: string, path: string): string | undefined {
	let type: string | undefined = entity;
	for (const member of path.split('.')) {
		type = typesByOwner.get(toExactName(toRowType(type)))?.get(member.toLowerCase());
		if (type === undefined) return undefined;
	}
	return type;
}

/** A path through a collection may have several values in one record. */
export const crossesCollection = (entity: string, path = ''): boolean =>
	path
		.split('.')
		.slice(0, -1)
		.some((_, index, names) =>
			isCollection(findEntityMemberType(entity, names.slice(0, index + 1).join('.'))),
		);

/** Returns `undefined` for entities without a published model, whose keys are unknown. */
export function getKeyProperties(name: string): readonly string[] | undefined {
	const { key = ['Id'], fields = {} } = getEntity(name) ?? {};
	return Object.keys(fields).length === 0 ? undefined : key;
}

/** The service sets these members in every entity: who did something, when, and times in UTC. */
const READ_ONLY =
	/^(Created(At|By|Date|On)|Updated(At|By|Date)|DtCreated|EditedDate|UtcStamp|DtUtc(Completed|OnSiteBy)|\w+Utc)$/;

export const isReadOnly = (entity: string, member: string): boolean =>
	READ_ONLY.test(member) || getEntity(entity)?.readOnly?.includes(member) === true;
