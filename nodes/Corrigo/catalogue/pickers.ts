import { entityNamed, type Fields } from './entities';
import { isEnumerationName } from './enumerations';
import { endsOf, idMembersOf, namesOf } from './targets';
import { rowOf, viewOf, type KnownKind, type View } from './views';

type Narrowing = Pick<View, 'inSpacesOf' | 'narrowedBy' | 'valueIsName' | 'where'>;

/** Describes how a list finds records and shows them. */
export interface Picker extends Narrowing {
	entity: string;
	title: string;
	search: readonly string[];
	details: readonly string[];
	/** Members with Ids of other records. The list shows the names of those records. */
	ends: readonly string[];
	newestFirst: boolean;
}

function pickerOn(entity: string): Picker {
	const view = viewOf(entity);
	const [title = view.title ?? NAMELESS, ...names] = namesOf(entity);
	const { search = [], newestFirst = namesOf(entity).length === 0, owner } = view;
	const own = owner === undefined ? endsOf(entity) : [owner];
	const shown = { ends: own, details: view.details ?? [] };
	return {
		...{ entity, title, search: [...names, ...search], newestFirst },
		...(title === NAMELESS && own.length === 0 && shown.details.length === 0
			? relationsOf(entity)
			: shown),
	};
}

/** Title of records that have no name. */
export const NAMELESS = 'Id';

const MAX_DETAILS = 3;

/** Related records and enumerations distinguish records that have no name. */
function relationsOf(entity: string): Pick<Picker, 'ends' | 'details'> {
	const fields: Fields = entityNamed(entity)?.fields ?? {};
	const details = Object.entries(fields).flatMap(([member, type]) => {
		const [name = '.'] = entityNamed(type) ? namesOf(type) : [];
		return isEnumerationName(type) ? [member] : name.includes('.') ? [] : [`${member}.${name}`];
	});
	return {
		ends: idMembersOf(entity).slice(0, MAX_DETAILS),
		details: details.slice(0, MAX_DETAILS),
	};
}

/** The picker offers all records of the entity. */
export function pickerOf(name: string): Picker | undefined {
	const entity = entityNamed(name);
	return entity && pickerOn(entity.name);
}

/** The picker offers the records that a field can refer to. */
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
