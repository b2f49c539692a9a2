import { findActorEntity, findTypeMember, splitPath } from './members';
import { findEntity, getEntity, type EntityName, type Path } from './entities';
import { isEnumerationName } from './enumerations';
import { createTable, type Table } from './table';
import {
	getRecordView,
	recordViews,
	getEntityView,
	getNoun,
	type RecordType,
	type View,
} from './views';

type Values = Readonly<Partial<Record<string, string | boolean>>>;

/** Rows of one entity, found by the value of a property. */
export interface RowSource {
	readonly entity: string;
	/** Properties of which any may hold the value. */
	readonly by: readonly string[];
	/** Other properties to read. */
	readonly read?: readonly string[];
	/** Values that a row must have to be found at all. */
	readonly where?: Values;
	/** The property of a row must have one of these values. */
	readonly within?: { readonly property: string; readonly values: readonly unknown[] };
	/** Deleted rows are found, too. */
	readonly includeRemoved?: true;
	/** The rows are not names, but what people change every day. */
	readonly isData?: true;
}

/** A way to find the record that a person names. */
export interface Way {
	/** A short number lacks its prefix or leading zeros; an address is that of a page with the record. */
	readonly kind: 'name' | 'shortNumber' | 'address';
	/** Properties that may hold the name, best known first. */
	readonly by: readonly string[];
	/** Properties to use instead if the Company cannot compare some of those. */
	readonly ifRefused: readonly string[];
	/** Property with the name of the record that is found. */
	readonly shown: string;
	/** Words between a record and its name in messages. */
	readonly verb: string;
	/** Advice on how to enter such a name. */
	readonly advice?: string;
}

/** Records that a field refers to, and how to find the one that a person names. */
export interface Target extends Pick<RowSource, 'where' | 'within' | 'includeRemoved'> {
	readonly entity: string;
	/** Noun for such a record in messages. */
	readonly noun: string;
	/** Rows that are searched, and the path of the record's Id in them. */
	readonly rows: { readonly entity: string; readonly id: string };
	/** Ways that are tried in order until one finds a record. Records without names have none. */
	readonly ways: readonly Way[];
	/** Ways of the modes of the field that have their own. */
	readonly modes: Table<readonly Way[] | undefined>;
}

/** Names the rows that a form needs; the compiler checks the paths. */
export const defineRows = <Entity extends EntityName>(
	entity: Entity,
	by: Path<Entity>,
	read: ReadonlyArray<Path<Entity>> = [],
	more: Pick<RowSource, 'includeRemoved' | 'isData'> = {},
): RowSource => ({ entity, by: [by], read, ...more });

/** Properties that may hold the name of a record. Most links have none. */
export function getNameProperties(entity: string): readonly string[] {
	const display = getEntity(entity)?.display;
	return getEntityView(entity).names ?? (display === undefined ? [] : [display]);
}

/** Records are found by the names that they have. */
export const buildWay = (by: readonly string[]): Way => ({
	kind: 'name',
	by,
	ifRefused: [],
	shown: by[0],
	verb: 'is named',
});

const byNumber: Way = {
	...buildWay(['Number']),
	verb: 'has the number',
	advice:
		"Give the number of the work order with its prefix and zeros, such as ABC0010001. If it has no letters, choose 'By Number'.",
};

const byExternalNumber: Way = {
	...buildWay(['LastAction.XNumber']),
	shown: 'Number',
	verb: 'has the external number',
	advice: "Check the external number, or choose 'By ID' and give the ID.",
};

const byAddress: Way = {
	...buildWay(['Id']),
	kind: 'address',
	shown: 'Number',
	verb: 'has the address',
	advice:
		"The address must begin with the 'Web Address' of the credential or, if that is empty, with the host of your Company.",
};

/** An exact number, of either kind, beats a short one. */
const byAnyNumber: readonly Way[] = [
	{ ...byNumber, by: [...byNumber.by, ...byExternalNumber.by], ifRefused: byNumber.by },
	{ ...byNumber, kind: 'shortNumber' },
];

function buildWays(entity: string): Pick<Target, 'ways' | 'modes'> {
	if (entity === 'WorkOrder') {
		return {
			ways: byAnyNumber,
			modes: createTable({ externalNumber: [byExternalNumber], address: [byAddress] }),
		};
	}
	const names = getNameProperties(entity);
	const { otherwise } = getEntityView(entity);
	const ways = names.length > 0 ? [buildWay(names)] : [];
	const last = otherwise === undefined ? [] : [{ ...buildWay([otherwise]), shown: names[0] }];
	return { ways: [...ways, ...last], modes: createTable({}) };
}

export const getEntityTarget = (
	entity: string,
	where = getEntityView(entity).where,
	noun = getNoun(entity),
): Target => ({ entity, noun, where, rows: { entity, id: 'Id' }, ...buildWays(entity) });

/** Deleted records alone can be restored, and others may have the same name. */
export const toRemovedTarget = (target: Target): Target =>
	getEntity(target.entity)?.softDelete
		? {
				...target,
				noun: `deleted ${target.noun}`,
				where: { ...target.where, IsRemoved: true },
				includeRemoved: true,
			}
		: target;

const targets = recordViews.map((view) => ({
	...view,
	target: getEntityTarget(view.entity, view.where, view.noun),
}));

const targetByType = new Map(targets.map(({ recordType, target }) => [recordType, target]));

/** Records that a field of the type can name. */
export const getRecordTarget = (type: RecordType) => targetByType.get(type) as Target;

const targetByIdField = new Map(
	targets.flatMap(({ idFields = [], target }) =>
		idFields.map((field) => [field.toLowerCase(), target] as const),
	),
);

/**
 * Finds the records whose Ids a member of an entity or command holds. The path is a member, such as
 * `CustomerId`, or leads through references and collections, such as `Customer.Id`.
 */
export function findMemberTarget(owner: string, path: string): Target | undefined {
	const { owner: inner, names, member } = splitPath(owner, path);
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

/** A record has one row of amounts in each currency. */
export const isOfCurrency = (entity: string): boolean => entity.endsWith('MoneyValues');

/** Rows of which a record has one for each record that they link, or for each currency. */
export const isKnownByIds = (entity: string): boolean => isLink(entity) || isOfCurrency(entity);

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
	const entity = findEntity(name);
	return entity && buildPicker(entity.name);
}

/** The picker offers the records that a field can refer to. */
export function getRecordPicker(type: RecordType): Picker {
	const { entity, where, offered, narrowedBy, inSpacesOf, valueIsName } = getRecordView(type);
	const picker = buildPicker(entity);
	return { ...picker, where: { ...where, ...offered }, narrowedBy, inSpacesOf, valueIsName };
}

/** A row with two references links its owner to the other record; only that record is selected. */
export function findLink(
	owner: string,
	row: string,
): { member: string; target: Target } | undefined {
	const members = Object.keys(getEntity(row)?.fields ?? {});
	if (!isLink(row) || members.length !== 2) return undefined;
	return members
		.flatMap((member) => {
			const target = findMemberTarget(row, member);
			return target === undefined ? [] : [{ member, target }];
		})
		.find(({ target }) => target.entity !== owner);
}
