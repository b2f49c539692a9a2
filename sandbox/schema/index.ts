import { fail } from '../errors';
import { entities, enumerations, valueObjects } from './contract';
import { parentKeys, POLYMORPHIC, SHARED_ID } from './relations';

type ScalarKind = 'string' | 'integer' | 'number' | 'boolean' | 'datetime' | 'enum';

export interface ScalarField {
	name: string;
	kind: ScalarKind;
	/** Members of the enumeration, in declared order. */
	members?: readonly string[];
	/** The member of the row that holds it, where that is another. */
	storedAs?: string;
	/** Exposed on request, yet not part of `*`. */
	hidden?: boolean;
}

export interface ObjectField {
	name: string;
	/** A value is stored inside its record, a reference and a collection are rows of their own. */
	kind: 'value' | 'reference' | 'collection';
	entity: string;
	sharesId?: boolean;
	/** The members of a child that name its parent and, where children are shared, its kind. */
	key?: string;
	kindKey?: string;
}

export type Field = ScalarField | ObjectField;

export interface EntityType {
	name: string;
	lock: boolean;
	softDelete: boolean;
	fields: readonly Field[];
	/** Members that hold times. */
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
/** Stored inside their record. */
const VALUE_OBJECTS: ReadonlySet<string> = new Set(['MoneyValue', 'Actor']);

export const isObject = (field: Field): field is ObjectField => 'entity' in field;

function createCollection(owner: string, name: string, entity: string): ObjectField {
	const polymorphic = POLYMORPHIC[entity];
	if (polymorphic) {
		return { name, kind: 'collection', entity, key: polymorphic[0], kindKey: polymorphic[1] };
	}
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

/** Rows of some entities share an Id, which is that of the first member of their key. */
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

/** The type of a name this code itself uses. */
export function typeOf(name: string): EntityType {
	const type = TYPES.get(name);
	if (!type) throw new Error(`The schema has no entity ${name}`);
	return type;
}

/** The type a caller named, in whatever case. */
export function entityNamed(name: string): EntityType {
	const type = ENTITIES_BY_NAME.get(name.toLowerCase());
	return type ?? fail('ENTITY_NOT_FOUND', `There are no such entityType as '${name}'`);
}

export const enumeration = (name: string): readonly string[] => enumerations[name] ?? [];
