import { entityOfType, typeMemberOf } from './actors';
import { entityNamed } from './entities';
import { memberType } from './members';
import { rowOf, rows, viewOf, type KnownKind } from './views';

/** Records of one entity that a field refers to, and the properties by which one of them is named. */
export interface Target {
	entity: string;
	/** The noun of such a record in messages, if not the label of the entity. */
	called?: string;
	/** How a record and its name go together, if not by "is named". */
	verb?: string;
	/** The properties that may hold the name, the one that people know best first. */
	by: readonly string[];
	/** Where the Id of the record stands, for rows that only lead to it. */
	id?: string;
	/** Which records count at all. */
	where?: Readonly<Partial<Record<string, string | boolean>>>;
	/** Records count only where a property has one of these values. */
	within?: { property: string; values: readonly unknown[] };
	/** Other properties that are read. */
	read?: readonly string[];
	/** Where to look if nothing is found. */
	otherwise?: Target;
	/** Where to look instead if the field is in this mode. */
	modes?: Readonly<Record<string, Target>>;
	/** A name may be a number of a work order without its prefix or zeros. */
	isShortNumber?: true;
	/** Deleted records count as well. */
	includeRemoved?: true;
	/** How to give such a record, for messages. */
	hint?: string;
}

/** The properties that may hold the name of a record; none for most links. */
export function namesOf(entity: string): readonly string[] {
	const display = entityNamed(entity)?.display;
	return viewOf(entity).names ?? (display === undefined ? [] : [display]);
}

const numbered: Target = {
	entity: 'WorkOrder',
	by: ['Number'],
	verb: 'has the number',
	hint: "Give the number of the work order with its prefix and zeros, such as ABC0010001. If it has no letters, choose 'By Number'.",
};

const byExternalNumber: Target = {
	entity: 'WorkOrder',
	by: ['LastAction.XNumber'],
	verb: 'has the external number',
	hint: 'Check the external number, or give the ID.',
};

const workOrder: Target = {
	...numbered,
	otherwise: { ...numbered, isShortNumber: true, otherwise: byExternalNumber },
	modes: { externalNumber: byExternalNumber },
};

export function targetOn(entity: string, where = viewOf(entity).where): Target {
	if (entity === 'WorkOrder') return workOrder;
	const target = { entity, by: namesOf(entity), ...(where && { where }) };
	const { otherwise } = viewOf(entity);
	return otherwise === undefined
		? target
		: { ...target, otherwise: { ...target, by: [otherwise] } };
}

/** The records that a field of the kind can name. */
export function targetOfKind(kind: KnownKind): Target {
	const { entity, where } = rowOf(kind);
	return targetOn(entity, where);
}

const targetByIdField = new Map(
	rows.flatMap(({ entity, where, idFields = [] }) =>
		idFields.map((field) => [field.toLowerCase(), targetOn(entity, where)] as const),
	),
);

/**
 * The records whose Ids a member of an entity or command holds, if it holds any: `CustomerId`, or a
 * dotted path through references and collections, such as `Customer.Id`.
 */
export function targetOf(owner: string, path: string): Target | undefined {
	const names = path.split('.');
	const member = names.pop() ?? '';
	const inner = names.length === 0 ? owner : memberType(owner, names.join('.'))?.replace('[]', '');
	if (inner === undefined) return undefined;
	const entity = entityNamed(inner)?.name;
	if (names.length > 0 && /^id$/i.test(member)) {
		return entity && namesOf(entity).length > 0 ? targetOn(entity) : undefined;
	}
	return (
		targetByIdField.get(`${entity ?? inner}.${member}`.toLowerCase()) ??
		targetByIdField.get(member.toLowerCase())
	);
}

/** The records of a kind, such as Property for work zones. */
export function targetOfType(type: string): Target | undefined {
	const entity = entityOfType(type);
	const types = entityNamed(entity ?? '')?.actorTypes ?? [];
	return entity === undefined
		? undefined
		: targetOn(entity, types.length > 1 ? { ActorTypeId: type } : undefined);
}

/** Whether a member holds Ids of other records, of one entity or of the kind that is next to it. */
export const isReferenceId = (owner: string, member: string): boolean =>
	targetOf(owner, member) !== undefined || typeMemberOf(owner, member) !== undefined;

/** The members of an entity that hold Ids of other records. */
export const idMembersOf = (entity: string): string[] =>
	Object.keys(entityNamed(entity)?.fields ?? {}).filter(
		(member) => /.Id$/.test(member) && isReferenceId(entity, member),
	);

/** Rows that only link records. */
export const isLink = (entity: string): boolean => /^Link[A-Z]/.test(entity);

/** The members with the Ids of the records that tell what a record is about. */
export const endsOf = (entity: string): readonly string[] =>
	viewOf(entity).ends ?? (isLink(entity) ? idMembersOf(entity) : []);

/** Whether a column offers all of the records to choose from. */
export const isShort = ({ entity }: Target): boolean => viewOf(entity).isShort === true;
