import { findActorEntity, findTypeMember, getInnerType } from './members';
import { getEntity } from './entities';
import { getRecordView, recordViews, getEntityView, type RecordType } from './views';

/** Records of one entity that a field refers to, and the properties that hold their names. */
export interface Target {
	entity: string;
	/** Noun for such a record in messages, if it is not the label of the entity. */
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
	/** Other properties to read. */
	read?: readonly string[];
	/** Target to try if nothing is found. */
	otherwise?: Target;
	/** Targets to use instead, by the mode of the field. */
	modes?: Readonly<Record<string, Target>>;
	/** The name may be the number of a work order without its prefix or leading zeros. */
	isShortNumber?: true;
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
	verb: 'has the external number',
	advice: 'Check the external number, or give the ID.',
};

const workOrder: Target = {
	...byNumber,
	otherwise: { ...byNumber, isShortNumber: true, otherwise: byExternalNumber },
	modes: { externalNumber: byExternalNumber },
};

export function getEntityTarget(entity: string, where = getEntityView(entity).where): Target {
	if (entity === 'WorkOrder') return workOrder;
	const target = { entity, by: getNameProperties(entity), ...(where && { where }) };
	const { otherwise } = getEntityView(entity);
	return otherwise === undefined
		? target
		: { ...target, otherwise: { ...target, by: [otherwise] } };
}

/** Records that a field of the type can name. */
export function getRecordTarget(type: RecordType): Target {
	const { entity, where } = getRecordView(type);
	return getEntityTarget(entity, where);
}

const targetByIdField = new Map(
	recordViews.flatMap(({ entity, where, idFields = [] }) =>
		idFields.map((field) => [field.toLowerCase(), getEntityTarget(entity, where)] as const),
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
	const types = getEntity(entity ?? '')?.actorTypes ?? [];
	return entity === undefined
		? undefined
		: getEntityTarget(entity, types.length > 1 ? { ActorTypeId: type } : undefined);
}

/** The entity of the Ids is either fixed or in a member of its own, such as `ActorTypeId`. */
export const isReferenceId = (owner: string, member: string): boolean =>
	findMemberTarget(owner, member) !== undefined || findTypeMember(owner, member) !== undefined;

export const getIdMembers = (entity: string): string[] =>
	Object.keys(getEntity(entity)?.fields ?? {}).filter(
		(member) => /.Id$/.test(member) && isReferenceId(entity, member),
	);

/** Links are rows that only connect other records. */
export const isLink = (entity: string): boolean => /^Link[A-Z]/.test(entity);

/** Members with the Ids of the records that show what a record is about. */
export const getEndMembers = (entity: string): readonly string[] =>
	getEntityView(entity).ends ?? (isLink(entity) ? getIdMembers(entity) : []);

/** A column offers all records of a short list to choose from. */
export const hasShortList = ({ entity }: Target): boolean => getEntityView(entity).isShort === true;
