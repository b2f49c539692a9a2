import { entityNamed } from './entities';
import { namesOf } from './targets';
import { rowOf, viewOf, type KnownKind, type View } from './views';

type Narrowing = Pick<View, 'inSpacesOf' | 'narrowedBy' | 'valueIsName' | 'where'>;

/** How records are found and shown to somebody who chooses one. */
export interface Picker extends Narrowing {
	entity: string;
	title: string;
	search: readonly string[];
	details: readonly string[];
	owner?: string;
	newestFirst: boolean;
}

function pickerOn(entity: string): Picker {
	const view = viewOf(entity);
	const [title = view.title ?? 'Id', ...names] = namesOf(entity);
	const { search = [], details = [], owner, newestFirst = namesOf(entity).length === 0 } = view;
	return { entity, title, search: [...names, ...search], details, owner, newestFirst };
}

/** All records of an entity. */
export function pickerOf(name: string): Picker | undefined {
	const entity = entityNamed(name);
	return entity && pickerOn(entity.name);
}

/** The records that fields of the kind offer. */
export function pickerOfKind(kind: KnownKind): Picker {
	const { entity, where, offered, narrowedBy, inSpacesOf, valueIsName } = rowOf(kind);
	return {
		...pickerOn(entity),
		where: { ...where, ...offered },
		narrowedBy,
		inSpacesOf,
		valueIsName,
	};
}
