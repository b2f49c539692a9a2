import { findActorEntity, findTypeMember, getInnerType } from './members';
import { getEntity } from './entities';
import { isEnumerationName } from './enumerations';
import {
	getRecordView,
	recordViews,
	getEntityView,
	type RecordType,
	type RecordView,
	type View,
} from './views';

/** Records of one entity that a field refers to, and the properties that hold their names. */
export interface Target {
	entity: string;
	/** Noun for such a record in messages, if it is not that of the entity. */
	noun?: string;
	/** Words between a record and its name in messages, if they are not "is named". */
	verb?: string;
	/** Properties that may hold the name, best known first. */
	by: readonly string[];
	/** Path of the record's Id, if the search returns rows that only lead to the record. */
	id?: string;
	/** Values that a record must have to be found at all. */
	where?: Readonly<Partial<Record<string, string | boolean>>>;
	/** The property of a record must have one of these values. */
	within?: { property: string; values: readonly unknown[] };
	/** Property with the name of the record that is found, if it is not the first of `by`. */
	name?: string;
	/** Other properties to read. */
	read?: readonly string[];
	/** Target to try if nothing is found. */
	otherwise?: Target;
	/** Target to use instead if the Company cannot compare these properties. */
	ifRefused?: Target;
	/** Targets to use instead, by the mode of the field. */
	modes?: Readonly<Record<string, Target>>;
	/** The name may be the number of a work order without its prefix or leading zeros. */
	isShortNumber?: true;
	/** The name is the address of a page that shows the record. */
	isAddress?: true;
	/** Deleted records are found, too. */
	includeRemoved?: true;
	/** Advice on how to enter such a record. */
	advice?: string;
}

/** Properties that may hold the name of a record. Most links have none. */
export function getNameProperties(entity: string): readonly string[] {
	const display = getEntity(entity)?.display;
	return getEntityView(entity).names ?? (display === undefined ? [] : [display]);
}

const byNumber: Target = {
	entity: 'WorkOrder',
	by: ['Number'],
	verb: 'has the number',
	advice:
		"Give the number of the work order with its prefix and zeros, such as ABC0010001. If it has no letters, choose 'By Number'.",
};

const byExternalNumber: Target = {
	entity: 'WorkOrder',
	by: ['LastAction.XNumber'],
	name: 'Number',
	verb: 'has the external number',
	advice: "Check the external number, or choose 'By ID' and give the ID.",
};

const byAddress: Target = {
	entity: 'WorkOrder',
	by: ['Id'],
	name: 'Number',
	isAddress: true,
	verb: 'has the address',
	advice:
		"The address must begin with the host of your Company, or with the 'Web Address' of the credential.",
};

/** An exact number, of either kind, beats a short one. */
const byShortNumber: Target = { ...byNumber, isShortNumber: true };

const workOrder: Target = {
	...byNumber,
	by: [...byNumber.by, ...byExternalNumber.by],
	otherwise: byShortNumber,
	ifRefused: { ...byNumber, otherwise: byShortNumber },
	modes: { externalNumber: byExternalNumber, address: byAddress },
};

export function getEntityTarget(entity: string, where = getEntityView(entity).where): Target {
	if (entity === 'WorkOrder') return workOrder;
	const target = { entity, by: getNameProperties(entity), ...(where && { where }) };
	const { otherwise } = getEntityView(entity);
	return otherwise === undefined
		? target
		: { ...target, otherwise: { ...target, by: [otherwise], name: target.by[0] } };
}

/** Records that a field of the type can name. */
export const getRecordTarget = (type: RecordType): Target => toTarget(getRecordView(type));

const toTarget = ({ entity, where, noun }: RecordView): Target => ({
	...getEntityTarget(entity, where),
	...(noun === undefined ? {} : { noun }),
});

const targetByIdField = new Map(
	recordViews.flatMap((view) =>
		(view.idFields ?? []).map((field) => [field.toLowerCase(), toTarget(view)] as const),
	),
);

/**
 * Finds the records whose Ids a member of an entity or command holds. The path is a member, such as
 * `CustomerId`, or leads through references and collections, such as `Customer.Id`.
 */
export function findMemberTarget(owner: string, path: string): Target | undefined {
	const names = path.split('.');
	const member = names.pop() ?? '';
	const inner = names.length === 0 ? owner : getInnerType(owner, names.join('.'));
	if (names.length > 0 && inner === '') return undefined;
	const entity = getEntity(inner)?.name;
	if (names.length > 0 && /^id$/i.test(member)) {
		return entity && getNameProperties(entity).length > 0 ? getEntityTarget(entity) : undefined;
	}
	return (
		targetByIdField.get(`${entity ?? inner}.${member}`.toLowerCase()) ??
		targetByIdField.get(member.toLowerCase())
	);
}

/** Finds the records of an actor type, such as Property for work zones. */
export function findActorTarget(type: string): Target | undefined {
	const entity = findActorEntity(type);
	if (entity === undefined) return undefined;
	const { actorTypes = [] } = getEntity(entity) ?? {};
	return getEntityTarget(entity, actorTypes.length > 1 ? { ActorTypeId: type } : undefined);
}

/** The entity of the Ids is either fixed or in a member of its own, such as `ActorTypeId`. */
export const getIdMembers = (entity: string): string[] =>
	Object.keys(getEntity(entity)?.fields ?? {}).filter(
		(member) =>
			/.Id$/.test(member) &&
			(findMemberTarget(entity, member) ?? findTypeMember(entity, member)) !== undefined,
	);

/** Links are rows that only connect other records. */
export const isLink = (entity: string): boolean => /^Link[A-Z]/.test(entity);

/** Members with the Ids of the records that show what a record is about. */
export const getEndMembers = (entity: string): readonly string[] =>
	getEntityView(entity).ends ?? (isLink(entity) ? getIdMembers(entity) : []);

/** A column offers all records of a short list to choose from. */
export const hasShortList = ({ entity }: Target): boolean => getEntityView(entity).isShort === true;

/** Describes how a list finds records and shows them. */
export interface Picker extends Pick<View, 'inSpacesOf' | 'narrowedBy' | 'valueIsName' | 'where'> {
	entity: string;
	title: string;
	search: readonly string[];
	details: readonly string[];
	/** Members with Ids of other records. The list shows the names of those records. */
	ends: readonly string[];
	newestFirst: boolean;
}

/** Title of records that have no name. */
export const NAMELESS_TITLE = 'Id';

function buildPicker(entity: string): Picker {
	const view = getEntityView(entity);
	const allNames = getNameProperties(entity);
	const [title = view.title ?? NAMELESS_TITLE, ...names] = allNames;
	const { search = [], details = [], newestFirst = allNames.length === 0, owner } = view;
	const ends = owner === undefined ? getEndMembers(entity) : [owner];
	const isNameless = title === NAMELESS_TITLE && ends.length + details.length === 0;
	const shown = isNameless ? getRelations(entity) : { ends, details };
	return { entity, title, search: [...names, ...search], newestFirst, ...shown };
}

const MAX_DETAILS = 3;

/** Related records and enumerations distinguish records that have no name. */
function getRelations(entity: string): Pick<Picker, 'ends' | 'details'> {
	const { fields = {} } = getEntity(entity) ?? {};
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
	const picker = buildPicker(entity);
	return { ...picker, where: { ...where, ...offered }, narrowedBy, inSpacesOf, valueIsName };
}
