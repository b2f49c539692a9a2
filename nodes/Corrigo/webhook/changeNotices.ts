import { aliases, entities, getMemberTypes } from '../catalogue/entities';
import { type Condition, type Criteria, batches, and, equal, isIn, or } from '../wire/criteria';
import { type JsonObject, isObject } from '../values/objects';

/** A push names a record. Nothing else in it is trusted: the record is read from the service. */
export interface RecordNotice {
	id: number;
	/** Missing if the push does not name the entity, so the record may be of any entity. */
	entity?: string;
}

/** A work order that a push names without its Id. */
interface NumberNotice {
	number: string;
	entity: 'WorkOrder';
}

export type ChangeNotice = RecordNotice | NumberNotice;

export const getNoticeKey = (notice: ChangeNotice): string =>
	'id' in notice ? `${notice.entity ?? ''} ${notice.id}` : `number ${notice.number}`;

/** Words that pushes may use for entities, in addition to the aliases that people use. */
const ENTITY_WORDS = [['note', 'WoNote']] as const;

/** Members that contain records. */
const WRAPPERS =
	/^(body|content|data|entity|entities|events?|eventnotifications?|messages?|notifications?|payload|records?)$/i;

/** Members that name the entity of the record next to or inside them. */
const ENTITY_MEMBERS =
	/^(entity|entity(type|name|typename)|kind|module|objecttype|recordtype|typename)$/i;

/** Members with the Id of the record whose entity is named next to them. */
const ID_MEMBERS = /^(entity|record)?id$/i;

const MAX_NUMBER_LENGTH = 64;

interface Part {
	value: unknown;
	entity?: string;
	/** Inside a record, an object without an entity is one of its references. */
	inRecord: boolean;
}

/**
 * A push may name records anywhere in its body, and each record is returned once. `refuse` gets IDs
 * that no record has.
 */
export function parseChangeNotices(
	body: unknown,
	refuse: (id: string) => void = () => {},
): ChangeNotice[] {
	const found = new Map<string, ChangeNotice>();
	// No recursion: a forged body may be nested to any depth.
	const parts: Part[] = [{ value: body, inRecord: false }];
	for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
		const { value } = part;
		if (Array.isArray(value)) for (const one of value) parts.push({ ...part, value: one });
		if (!isObject(value)) continue;
		const { notices, inner, refused } = readObject(value, part);
		refused.forEach(refuse);
		for (const notice of notices) found.set(getNoticeKey(notice), notice);
		for (const one of inner) parts.push(one);
	}
	return [...found.values()].reverse();
}

function readObject(record: JsonObject, { entity, inRecord }: Part) {
	const own = findEntity(record) ?? entity;
	const members = Object.entries(record);
	const ids = members.flatMap(([name, value]) => {
		const id = parseId(value);
		return id === undefined ? [] : [{ name, id, isOwnId: ID_MEMBERS.test(name) }];
	});
	const byId = ids.flatMap(({ name, id, isOwnId }): RecordNotice[] => {
		const named = isOwnId ? own : findReferencedEntity(name, record);
		if (named !== undefined) return [{ id, entity: named }];
		return isOwnId && !inRecord ? [{ id }] : [];
	});
	const isRecord = isOrder(record) || ids.some(({ isOwnId }) => isOwnId);
	const parents = members.filter(([, value]) => typeof value === 'object' && value !== null);
	const inner = parents.map(([name, value]): Part => {
		const named = parseEntity(name);
		if (named !== undefined || !isRecord) return { value, entity: named ?? own, inRecord };
		return { value, inRecord: inRecord || !WRAPPERS.test(name) };
	});
	const refused = members
		.filter(([name, value]) => isBeyond(value) && /id$/i.test(name))
		.map(([, value]) => String(value));
	return { notices: [...byId, ...readNumberNotices(record)], inner, refused };
}

/**
 * The Event Service pushes work orders without naming their entity. Only the beginning of its one
 * published sample is known: it has the number, the category and the costs.
 */
const isOrder = (record: JsonObject): record is JsonObject & { Number: string } =>
	typeof record.Number === 'string' && typeof record.TypeCategory === 'string';

function readNumberNotices(record: JsonObject): NumberNotice[] {
	const number = isOrder(record) ? record.Number.trim() : '';
	if (number === '' || number.length > MAX_NUMBER_LENGTH) return [];
	const { Id, WorkOrderCost: costs } = record;
	// The costs of a work order have its Id.
	const hasId = [Id, isObject(costs) ? costs.Id : undefined].some(
		(id) => parseId(id) !== undefined,
	);
	return hasId ? [] : [{ number, entity: 'WorkOrder' }];
}

const findEntity = (record: JsonObject): string | undefined =>
	Object.entries(record)
		.filter(([name, value]) => typeof value === 'string' && ENTITY_MEMBERS.test(name))
		.map(([, value]) => parseEntity(value as string))
		.find((entity) => entity !== undefined) ?? (isOrder(record) ? 'WorkOrder' : undefined);

/** `WorkOrderId` refers to a work order, and `ActorId` to the entity that `ActorTypeId` names. */
function findReferencedEntity(name: string, record: JsonObject): string | undefined {
	const [, stem] = /^(\w+?)Id$/i.exec(name) ?? [];
	if (stem === undefined) return undefined;
	const type = record[`${stem}TypeId`];
	return (typeof type === 'string' ? parseEntity(type) : undefined) ?? parseEntity(stem);
}

/** A forged push may have thousands of words, so each takes one look-up. */
const entitiesByWord: ReadonlyMap<string, string> = (() => {
	const singular = [
		...Object.entries(aliases).map(([word, { name }]) => [word, name]),
		...entities.map(({ name }) => [name, name]),
		...ENTITY_WORDS,
	].map(([word, name]) => [word.toLowerCase(), name] as const);
	const plural = singular.map(([word, name]) => [`${word}s`, name] as const);
	return new Map([...plural, ...singular]);
})();

const parseEntity = (text: string): string | undefined =>
	entitiesByWord.get(text.replace(/[^a-z]/gi, '').toLowerCase());

/** Corrigo refuses a query for a greater ID. */
const MAX_ID = 2 ** 31 - 1;

const isBeyond = (value: unknown): boolean =>
	(typeof value === 'number' || (typeof value === 'string' && /^\d+$/.test(value))) &&
	Number(value) > MAX_ID;

function parseId(value: unknown): number | undefined {
	const isText = typeof value === 'string' && /^[1-9]\d{0,9}$/.test(value);
	const id = isText ? Number(value) : value;
	const isId = Number.isInteger(id) && (id as number) > 0 && (id as number) <= MAX_ID;
	return isId ? (id as number) : undefined;
}

/** Writes change notices as a push, to read them later. */
export const serializeNotices = (notices: readonly ChangeNotice[]): string =>
	JSON.stringify(
		notices.map((notice) =>
			'id' in notice
				? { EntityType: notice.entity, Id: notice.id }
				: { Number: notice.number, TypeCategory: '' },
		),
	);

/** A lookup is one way to find rows by the ID of a record that a push names. */
interface Lookup {
	/** The entities of such records. A record without an entity may belong to any of them. */
	entities: readonly string[];
	condition: (ids: number[]) => Condition | Criteria;
}

/** The costs of a work order share its ID. */
const ORDERS = ['WorkOrder', 'WorkOrderCost'];

function getLookups(entity: string): Lookup[] {
	const order = ['WorkOrderId', 'WoId'].find((name) => name in getMemberTypes(entity));
	const own = entity === 'WorkOrder' ? ORDERS : [entity];
	const lookups: Lookup[] = [{ entities: own, condition: (ids) => isIn('Id', ids) }];
	const add = (condition: Lookup['condition']) => lookups.push({ entities: ORDERS, condition });
	if (order !== undefined) add((ids) => isIn(order, ids));
	if (entity === 'Document') add((ids) => and(equal('ActorTypeId', 'WO'), isIn('ActorId', ids)));
	return lookups;
}

const covers = ({ entities }: Lookup, { entity }: ChangeNotice) =>
	entity === undefined || entities.includes(entity);

/** Keeps the change notices that may concern rows of the entity. */
export function filterRelevant(entity: string, notices: readonly ChangeNotice[]): ChangeNotice[] {
	const lookups = getLookups(entity);
	return notices.filter((notice) => lookups.some((lookup) => covers(lookup, notice)));
}

/**
 * Builds criteria for the rows that the change notices concern, in batches because a condition
 * takes a limited number of IDs.
 */
export function buildNoticeCriteria(entity: string, notices: readonly RecordNotice[]): Criteria[] {
	return batches(notices, { values: ({ id }) => [id] }).map((batch) => {
		const conditions = getLookups(entity).flatMap((lookup) => {
			const ids = [...new Set(batch.filter((one) => covers(lookup, one)).map(({ id }) => id))];
			return ids.length > 0 ? [lookup.condition(ids)] : [];
		});
		return or(...conditions);
	});
}
