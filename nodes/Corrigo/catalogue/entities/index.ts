import { assetEntities } from './asset';
import { costEntities } from './cost';
import { customerEntities } from './customer';
import { customerInvoiceEntities } from './customerInvoice';
import { documentEntities } from './document';
import type { Entity } from './entity';
import { materialEntities } from './material';
import { aliases, type Alias } from './aliases';
import { peopleEntities } from './people';
import { unpublishedEntities } from './unpublished';
import { valueObjects } from './valueObjects';
import { workOrderEntities } from './workOrder';
import { workOrderActivityEntities } from './workOrderActivity';

export type { Entity } from './entity';
export type { EntityName, MemberName, OwnerName, Path } from './names';
export { aliases } from './aliases';
export { isEmbedded as belongsToOne, parts, valueObjects } from './valueObjects';

/** Every name that the service accepts after /base and /query, sorted by label. */
export const entities: readonly Entity[] = [
	...workOrderEntities,
	...workOrderActivityEntities,
	...costEntities,
	...customerInvoiceEntities,
	...customerEntities,
	...assetEntities,
	...peopleEntities,
	...documentEntities,
	...materialEntities,
	...unpublishedEntities,
].sort((a, b) => a.label.localeCompare(b.label, 'en'));

const byName = new Map(entities.map((entity) => [entity.name.toLowerCase(), entity]));

const aliasesByName = new Map(
	Object.entries(aliases).map(([wrong, right]) => [wrong.toLowerCase(), right]),
);

export const entityNamed = (name: string): Entity | undefined => byName.get(name.toLowerCase());

/** The entity that a user most likely means by a name that is not one. */
export const suggestEntity = (name: string): Alias | undefined =>
	aliasesByName.get(name.toLowerCase());

/** Members that follow from the flags of an entity, so no entity lists them. */
const commonFields = ({ lock, softDelete }: Entity): Readonly<Record<string, string>> => ({
	Id: 'integer',
	PerformDeletion: 'boolean',
	IsNew: 'boolean',
	...(lock ? { ConcurrencyId: 'integer' } : {}),
	...(softDelete ? { IsRemoved: 'boolean' } : {}),
});

type Fields = Readonly<Record<string, string>>;

const fieldsByEntity = new Map<Entity, Fields>();
const NO_FIELDS: Fields = {};

/** All fields of an entity or value object, including the common ones. */
export function fieldsOf(name: string): Fields {
	const entity = entityNamed(name);
	if (entity === undefined) {
		return Object.entries(valueObjects).find(([key]) => key === name)?.[1] ?? NO_FIELDS;
	}
	const fields = fieldsByEntity.get(entity) ?? { ...commonFields(entity), ...entity.fields };
	fieldsByEntity.set(entity, fields);
	return fields;
}

const typesByName = new WeakMap<Fields, Map<string, string>>();

function ownFieldType(owner: string, field: string): string | undefined {
	const fields = fieldsOf(owner);
	const types =
		typesByName.get(fields) ??
		new Map(Object.entries(fields).map(([name, type]) => [name.toLowerCase(), type]));
	typesByName.set(fields, types);
	return types.get(field.toLowerCase());
}

/**
 * The type at the end of a dotted path through references and collections. Names match in any case,
 * as they do for the service.
 */
export function fieldType(entity: string, path: string): string | undefined {
	let type: string | undefined = entity;
	for (const field of path.split('.')) {
		type = ownFieldType(type.replace('[]', ''), field);
		if (type === undefined) return undefined;
	}
	return type;
}

/** Whether a path leads through a collection, so that one record may have several values there. */
export const throughCollection = (entity: string, path = ''): boolean =>
	path
		.split('.')
		.slice(0, -1)
		.some((_, index, names) =>
			fieldType(entity, names.slice(0, index + 1).join('.'))?.endsWith('[]'),
		);

/** The properties that identify a row; `undefined` for entities without a published model. */
export function keyPropertiesOf(name: string): readonly string[] | undefined {
	const { key = ['Id'], fields = {} } = entityNamed(name) ?? {};
	return Object.keys(fields).length === 0 ? undefined : key;
}

/** The service sets these in every entity: when something happened, who did it, times in UTC. */
const READ_ONLY =
	/^(Created(At|By|Date)|Updated(At|By|Date)|DtCreated|EditedDate|UtcStamp|DtUtc\w+|\w+Utc)$/;

export const isReadOnly = (entity: string, member: string): boolean =>
	READ_ONLY.test(member) || entityNamed(entity)?.readOnly?.includes(member) === true;
