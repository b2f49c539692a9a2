import * as contract from '../contract';
import { toTitle } from '../enumerations/labels';
import { aliases, type Alias } from './aliases';
import { belongsToOne } from './parts';
import { rows, type EntityRow } from './rows';
import { createTable } from '../table';

export { valueObjects } from '../contract';
export { aliases } from './aliases';
export type { EntityName, MemberName, OwnerName, Path, PathsByEntity } from './names';
export { belongsToOne, isRemovablePart, parts } from './parts';

/**
 * Type of each member: a primitive (string integer number boolean datetime), an enumeration, an
 * entity or a value object, with [] for a list.
 */
export type MemberTypes = Readonly<Record<string, string>>;

interface EntityFacts {
	/** Empty if no model is published. */
	fields: MemberTypes;
	/** Properties that identify a row, if Id alone does not. */
	key?: readonly string[];
	/** Records have a ConcurrencyId. */
	lock: boolean;
	/** Records have IsRemoved, because deleted ones stay readable. */
	softDelete: boolean;
	/** Nothing published tells whether the service creates, changes and deletes records. */
	writes?: 'unknown';
}

export interface Entity extends EntityFacts, EntityRow {
	name: string;
	label: string;
}

const facts = createTable<EntityFacts>(contract.entityFacts);
const ownRows = createTable<EntityRow | undefined>(rows);

/** A link is a row that only connects two records. */
const getDefaultLabel = (name: string) => toTitle(name).replace(/^Link /, 'Link of ');

/** Every name that the service accepts after /base and /query, sorted by label. */
export const entities: readonly Entity[] = Object.entries(facts)
	.map(([name, { fields, ...more }]) => ({
		label: getDefaultLabel(name),
		...('DisplayAs' in fields ? { display: 'DisplayAs' } : {}),
		...more,
		...ownRows[name],
		name,
		fields,
	}))
	.sort((a, b) => a.label.localeCompare(b.label, 'en'));

const byName = new Map(entities.map((entity) => [entity.name.toLowerCase(), entity]));

const aliasesByName = new Map(
	Object.entries(aliases).map(([wrong, right]) => [wrong.toLowerCase(), right]),
);

export const getEntity = (name: string): Entity | undefined => byName.get(name.toLowerCase());

const byLabel = new Map(entities.map((entity) => [entity.label.toLowerCase(), entity]));

/** Finds an entity by what a person writes: its name, or its label. */
export function findEntity(text: string): Entity | undefined {
	const written = text.trim().toLowerCase();
	return byName.get(written) ?? byLabel.get(written);
}

/** Suggests the entity that a user most likely means by an unknown name. */
export const suggestEntity = (name: string): Alias | undefined =>
	aliasesByName.get(name.toLowerCase());

/** The flags of an entity imply these members, so the contract does not list them. */
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
	...Object.entries<MemberTypes>(contract.valueObjects),
]);

const toExactName = (owner: string) => getEntity(owner)?.name ?? owner;

/** The members of an entity include the common ones. */
export const getMemberTypes = (owner: string): MemberTypes =>
	membersByOwner.get(toExactName(owner)) ?? {};

/** The service ignores the case of names. */
export const indexTypes = (fields: MemberTypes): ReadonlyMap<string, string> =>
	new Map(Object.entries(fields).map(([name, type]) => [name.toLowerCase(), type]));

const typesByOwner = new Map(
	[...membersByOwner].map(([owner, fields]) => [owner, indexTypes(fields)]),
);

/** A reference points to another record and is written as a whole. */
export const isReference = (type: string): boolean =>
	getEntity(type) !== undefined && !belongsToOne(type);

export const isCollection = (type = ''): boolean => type.endsWith('[]');

/** Returns the type of the rows of a collection; any other type stays as it is. */
export const toRowType = (type: string): string => type.replace('[]', '');

/** Finds the type at the end of a dotted path through references and collections. */
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

/** The service sets these members in every entity: who did something, when, times in UTC, and what is deleted. */
const READ_ONLY =
	/^(IsRemoved|Created(At|By|Date|On)|Updated(At|By|Date)|DtCreated|EditedDate|UtcStamp|DtUtc(Completed|OnSiteBy)|\w+Utc)$/;

export const isReadOnlyMember = (entity: string, member: string): boolean =>
	READ_ONLY.test(member) || getEntity(entity)?.readOnly?.includes(member) === true;

/** Assets alone have attributes. */
export const carriesAttributes = (entity: string): boolean => entity === 'Location';

/**
 * Custom fields are a member of some records; those of other records are read and written
 * separately.
 */
export const carriesCustomFields = (entity: string) => 'CustomFields' in getMemberTypes(entity);
