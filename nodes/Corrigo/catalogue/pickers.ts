import { getEntity, type Fields } from './entities';
import { isEnumerationName } from './enumerations';
import { getEndMembers, getIdMembers, getNameProperties } from './targets';
import { getRecordView, getEntityView, type RecordType, type View } from './views';

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

function buildPicker(entity: string): Picker {
	const view = getEntityView(entity);
	const [title = view.title ?? NAMELESS_TITLE, ...names] = getNameProperties(entity);
	const { search = [], newestFirst = getNameProperties(entity).length === 0, owner } = view;
	const own = owner === undefined ? getEndMembers(entity) : [owner];
	const shown = { ends: own, details: view.details ?? [] };
	return {
		...{ entity, title, search: [...names, ...search], newestFirst },
		...(title === NAMELESS_TITLE && own.length === 0 && shown.details.length === 0
			? getRelations(entity)
			: shown),
	};
}

/** Title of records that have no name. */
export const NAMELESS_TITLE = 'Id';

const MAX_DETAILS = 3;

/** Related records and enumerations distinguish records that have no name. */
function getRelations(entity: string): Pick<Picker, 'ends' | 'details'> {
	const fields: Fields = getEntity(entity)?.fields ?? {};
	const details = Object.entries(fields).flatMap(([member, type]) => {
		const [name = '.'] = getEntity(type) ? getNameProperties(type) : [];
		return isEnumerationName(type) ? [member] : name.includes('.') ? [] : [`${member}.${name}`];
	});
	return {
		ends: getIdMembers(entity).slice(0, MAX_DETAILS),
		details: details.slice(0, MAX_DETAILS),
	};
}

/** The picker offers all records of the entity. */
export function findPicker(name: string): Picker | undefined {
	const entity = getEntity(name);
	return entity && buildPicker(entity.name);
}

/** The picker offers the records that a field can refer to. */
export function getRecordPicker(type: RecordType): Picker {
	const { entity, where, offered, narrowedBy, inSpacesOf, valueIsName } = getRecordView(type);
	return {
		...buildPicker(entity),
		where: { ...where, ...offered },
		narrowedBy,
		inSpacesOf,
		valueIsName,
	};
}
