import { fail } from '../errors';
import { entities, enumerations, valueObjects } from './contract';
import { parentKeys, POLYMORPHIC, SHARED_ID, SHARED_VALUES } from './relations';

type ScalarKind = 'string' | 'integer' | 'number' | 'boolean' | 'datetime' | 'enum';

export interface ScalarField {
	name: string;
	kind: ScalarKind;
	/** Members of the enumeration, in declared order. */
	members?: readonly string[];
	/** The member of the row that stores the value, where its name differs. */
	storedAs?: string;
	/** Readable by name, but not part of `*`. */
	hidden?: boolean;
}

export interface ObjectField {
	name: string;
	/** Values are stored inside their record; references and collections are separate rows. */
	kind: 'value' | 'reference' | 'collection';
	entity: string;
	sharesId?: boolean;
	/** The members of a child that hold the Id of its parent and, for polymorphic children, its kind. */
	key?: string;
	kindKey?: string;
	/** The members that are equal in a child and its parent, for children without a key. */
	shared?: readonly string[];
}

export type Field = ScalarField | ObjectField;

export interface EntityType {
	name: string;
	lock: boolean;
	softDelete: boolean;
	fields: readonly Field[];
	timeMembers: readonly string[];
	field(name: string): Field | undefined;
}

const SCALARS: ReadonlySet<string> = new Set([
	'string',
	'integer',
	'number',
	'boolean',
	'datetime',
]);
/** Value objects are stored inside their record. */
const VALUE_OBJECTS: ReadonlySet<string> = new Set(['MoneyValue', 'Actor']);

export const isObject = (field: Field): field is ObjectField => 'entity' in field;

function createCollection(owner: string, name: string, entity: string): ObjectField {
	const polymorphic = POLYMORPHIC[entity];
	if (polymorphic) {
		return { name, kind: 'collection', entity, key: polymorphic[0], kindKey: polymorphic[1] };
	}
	const shared = SHARED_VALUES[`${owner}.${name}`];
	if (shared) return { name, kind: 'collection', entity, shared };
	const known = entities[entity]?.fields ?? {};
	return { name, kind: 'collection', entity, key: parentKeys(owner).find((key) => key in known) };
}

function createField(owner: string, name: string, type: string): Field {
	if (type.endsWith('[]')) return createCollection(owner, name, type.slice(0, -2));
	if (SCALARS.has(type)) return { name, kind: type as ScalarKind };
	if (type in enumerations) return { name, kind: 'enum', members: enumerations[type] };
	if (VALUE_OBJECTS.has(type)) return { name, kind: 'value', entity: type };
	return {
		name,
		kind: 'reference',
		entity: type,
		sharesId: SHARED_ID.has(`${owner}.${name}`),
	};
}

/** Entities whose key lacks Id show the first member of the key as Id, which several rows may share. */
const idMember = (key: readonly string[] = ['Id']): string | undefined =>
	key.includes('Id') ? undefined : key[0];

function createType(name: string): EntityType {
	const { key, lock, softDelete, fields } = entities[name] ?? {
		key: undefined,
		lock: false,
		softDelete: false,
		fields: valueObjects[name],
	};
	const own = Object.entries(fields).map(([member, type]) => createField(name, member, type));
	const common: Field[] = [
		...(name === 'MoneyValue'
			? []
			: [{ name: 'Id', kind: 'integer', storedAs: idMember(key) } as const]),
		...(lock ? [{ name: 'ConcurrencyId', kind: 'integer' } as const] : []),
		...(softDelete ? [{ name: 'IsRemoved', kind: 'boolean' } as const] : []),
		{ name: 'PerformDeletion', kind: 'boolean', hidden: true },
		{ name: 'IsNew', kind: 'boolean', hidden: true },
	];
	const all = [...common.slice(0, 1), ...own, ...common.slice(1)];
	const byName = new Map(all.map((field) => [field.name.toLowerCase(), field]));
	return {
		name,
		lock,
		softDelete,
		fields: all,
		timeMembers: all.flatMap(({ name, kind }) => (kind === 'datetime' ? [name] : [])),
		field: (wanted) => byName.get(wanted.toLowerCase()),
	};
}

const TYPES: ReadonlyMap<string, EntityType> = new Map(
	[...Object.keys(entities), ...Object.keys(valueObjects)].map((name) => [name, createType(name)]),
);

const ENTITIES_BY_NAME: ReadonlyMap<string, EntityType> = new Map(
	Object.keys(entities).map((name) => [name.toLowerCase(), typeOf(name)]),
);

/** For names in this code; an unknown one is a bug. */
export function typeOf(name: string): EntityType {
	const type = TYPES.get(name);
	if (!type) throw new Error(`The schema has no entity ${name}`);
	return type;
}

/** The type of a value, if its members are known. */
export const findType = (name: string): EntityType | undefined => {
	const members = entities[name]?.fields ?? valueObjects[name] ?? {};
	return Object.keys(members).length === 0 ? undefined : typeOf(name);
};

/** For names sent by a caller, in any case. */
export function entityNamed(name: string): EntityType {
	const type = ENTITIES_BY_NAME.get(name.toLowerCase());
	return type ?? fail('ENTITY_NOT_FOUND', `There are no such entityType as '${name}'`);
}

export const enumeration = (name: string): readonly string[] => enumerations[name] ?? [];
