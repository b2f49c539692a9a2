import { entityNamed, suggestEntity } from '../catalogue/entities';
import { isObject } from './checks';

/**
 * A record that a push names. Nothing else in a push is trusted: what happened to the record is read
 * from the service.
 */
export interface ChangeHint {
	id: number;
	/** Missing where the push does not name the entity: the record may be of any. */
	entity?: string;
}

/** Words that pushes may use for entities, in addition to the aliases that people use. */
const ENTITY_WORDS: Readonly<Record<string, string>> = { note: 'WoNote' };

/** Members that contain records. */
const WRAPPERS =
	/^(body|content|data|entit(y|ies)|events?|eventnotifications?|messages?|notifications?|payload|records?)$/i;

/** Members that name the entity of the record beside or inside them. */
const KINDS = /^(entity|entity(type|name|typename)|kind|module|objecttype|recordtype|typename)$/i;

/** Members with the Id of the record whose entity is named beside them. */
const IDS = /^(entity|record)?id$/i;

interface Part {
	value: unknown;
	entity?: string;
	/** Inside a record, an object without an entity is one of its references. */
	inRecord: boolean;
}

/** All records that are named anywhere in the body, each once. */
export function changeHintsIn(body: unknown): ChangeHint[] {
	const found = new Map<string, ChangeHint>();
	// No recursion: a forged body may be nested to any depth.
	const parts: Part[] = [{ value: body, inRecord: false }];
	for (let part = parts.pop(); part !== undefined; part = parts.pop()) {
		const { hints, inner } = scan(part);
		for (const hint of hints) found.set(`${hint.entity ?? ''} ${hint.id}`, hint);
		for (const one of inner) parts.push(one);
	}
	return [...found.values()].reverse();
}

interface Scan {
	hints: ChangeHint[];
	inner: Part[];
}

function scan({ value, entity, inRecord }: Part): Scan {
	if (Array.isArray(value)) {
		return { hints: [], inner: value.map((one: unknown) => ({ value: one, entity, inRecord })) };
	}
	if (!isObject(value)) return { hints: [], inner: [] };
	const members = Object.entries(value);
	const own = entityAmong(members) ?? entity;
	const isRecord = members.some(([name, one]) => IDS.test(name) && idOf(one) !== undefined);
	const hints: ChangeHint[] = [];
	const inner: Part[] = [];
	for (const [name, one] of members) {
		const id = idOf(one);
		if (id === undefined) {
			inner.push(partAt(name, one, { entity: own, inRecord, isRecord }));
		} else if (IDS.test(name)) {
			if (own !== undefined || !inRecord) hints.push({ id, ...(own && { entity: own }) });
		} else {
			const named = referencedEntity(name, value);
			if (named !== undefined) hints.push({ id, entity: named });
		}
	}
	return { hints, inner };
}

interface Context {
	entity?: string;
	inRecord: boolean;
	isRecord: boolean;
}

function partAt(name: string, value: unknown, { entity, inRecord, isRecord }: Context): Part {
	const named = entityFor(name);
	if (named !== undefined) return { value, entity: named, inRecord };
	if (!isRecord) return { value, entity, inRecord };
	return { value, inRecord: inRecord || !WRAPPERS.test(name) };
}

const entityAmong = (members: Array<[string, unknown]>): string | undefined =>
	members
		.filter(([name, value]) => KINDS.test(name) && typeof value === 'string')
		.map(([, value]) => entityFor(value as string))
		.find((entity) => entity !== undefined);

/** The entity behind `WorkOrderId`; for `ActorId`, the one that `ActorTypeId` names. */
function referencedEntity(name: string, record: Record<string, unknown>): string | undefined {
	const [, stem] = /^(\w+?)Id$/i.exec(name) ?? [];
	if (stem === undefined) return undefined;
	const type = record[`${stem}TypeId`];
	return (typeof type === 'string' ? entityFor(type) : undefined) ?? entityFor(stem);
}

function entityFor(text: string): string | undefined {
	const word = text.replace(/[^a-z]/gi, '').toLowerCase();
	return [word, word.replace(/s$/, '')]
		.map((one) => ENTITY_WORDS[one] ?? entityNamed(one)?.name ?? suggestEntity(one)?.name)
		.find((name) => name !== undefined);
}

function idOf(value: unknown): number | undefined {
	const isText = typeof value === 'string' && /^[1-9]\d{0,15}$/.test(value);
	const id = isText ? Number(value) : value;
	return Number.isSafeInteger(id) && (id as number) > 0 ? (id as number) : undefined;
}
