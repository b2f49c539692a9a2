import { entityNamed } from '../catalogue/entities';
import { namesOf } from '../catalogue/targets';
import { viewOf } from '../catalogue/views';
import { isObject, withArticle, type JsonObject } from './checks';
import { commandOf, CREATE, subjectIn, type PlannedChange, type Reference } from './plannedChanges';
import type { NameOf } from './knownNames';
import { NOT_CREATED, type Plan } from './requests';

/** Nobody reads a longer list in a sentence to its end. */
const MAX_LISTED = 5;
const MAX_ROWS = 3;
const MAX_TEXT = 80;

/**
 * Returns one sentence that a person can approve, such as "Would set PO Number of work order
 * CHL0000271 from empty to PO-999".
 */
export function summaryOf(plan: Plan, changes: readonly PlannedChange[], nameOf: NameOf): string {
	return `Would ${phraseOf(plan, changes, nameOf)}`;
}

/** A record that stays unchanged or is missing has a summary; one that was only read has none. */
export function summaryWithoutWrite(
	{ Outcome, AlreadyExisted, EntityType, Id }: JsonObject,
	nameOf: NameOf,
): string | undefined {
	if (AlreadyExisted === true) return 'Would create nothing, as the record already exists';
	if (Outcome === 'missing') return 'Would change nothing, as there is no such record';
	if (Outcome !== 'unchanged' && Outcome !== 'skipped') return undefined;
	const isNamed = typeof EntityType === 'string';
	const subject = isNamed ? subjectOf({ entity: EntityType, id: Id }, nameOf) : 'the record';
	const reason = Outcome === 'skipped' ? ', as it was changed since it was read' : '';
	return `Would leave ${subject} as it is${reason}`;
}

function phraseOf(plan: Plan, changes: readonly PlannedChange[], nameOf: NameOf): string {
	switch (plan.does) {
		case 'create':
			return creationOf(nounOf(plan.entity), changes, nameOf, plan.entity);
		case 'update': {
			const subject = subjectOf({ entity: plan.entity, id: plan.changes.Entity.Id }, nameOf);
			if (plan.record !== undefined && changes.length === 0) return `leave ${subject} as it is`;
			const set = changes.map(
				({ label, to, ...change }, index) =>
					`${label}${index === 0 ? ` of ${subject}` : ''}` +
					`${'from' in change ? ` from ${textOf(change.from)}` : ''} to ${textOf(to)}`,
			);
			return `set ${listed(set)}`;
		}
		case 'delete':
			return `delete ${subjectOf(plan, nameOf)}`;
		case 'run':
			return commandPhrase(plan, changes, nameOf);
	}
}

/** Members that name the record for which another one is created, the closest first. */
const OWNERS = ['WorkOrderId', 'WoId', 'ActorId', 'Customer', 'CustomerId'];

const ownerIn = (changes: readonly PlannedChange[]): PlannedChange | undefined =>
	OWNERS.flatMap(
		(name) => changes.find(({ member, reference }) => member === name && reference) ?? [],
	)[0];

function creationOf(
	noun: string,
	changes: readonly PlannedChange[],
	nameOf: NameOf,
	entity = '',
): string {
	const [own] = namesOf(entity);
	const name = changes.find(({ member, to }) => member === own && typeof to === 'string');
	const owner = ownerIn(changes);
	const thing = name === undefined ? withArticle(noun) : `${noun} ${textOf(name.to)}`;
	const purpose = owner?.reference ? ` for ${subjectOf(owner.reference, nameOf)}` : '';
	return `create ${thing}${purpose}${details(changes, name, owner)}`;
}

type Phrase = (subject: string, body: JsonObject) => string;

/** The labels of these commands do not form a sentence. */
const PHRASES: Readonly<Record<string, Phrase | undefined>> = {
	UserOrProviderSuspendCommand: (subject, { Reactivate }) =>
		`${Reactivate === true ? 'reactivate' : 'suspend'} ${subject}`,
	WoMessageCommand: (subject) => `send a message about ${subject}`,
};

const SHOWN_BY_PHRASE = ['Reactivate'];

function commandPhrase(
	plan: Extract<Plan, { does: 'run' }>,
	changes: readonly PlannedChange[],
	nameOf: NameOf,
): string {
	const command = commandOf(plan.command);
	if (command === undefined) return `run ${plan.command}${details(changes)}`;
	const { name } = command;
	const label = command.label.replace('Any Entity', RECORD);
	if (label.startsWith(CREATE))
		return creationOf(lower(label.slice(CREATE.length)), changes, nameOf);
	const main = subjectIn(plan, changes);
	if (main === undefined) return `${lower(label)}${details(changes)}`;
	const subject = subjectOf(main.reference, nameOf);
	const phrase = PHRASES[name]?.(subject, plan.body) ?? phraseWith(label, main.reference, subject);
	const hidden = [main.member, ...SHOWN_BY_PHRASE];
	return `${phrase}${details(changes.filter(({ member }) => !hidden.includes(member)))}`;
}

/** Some commands take a record of any entity. */
const RECORD = 'Record';

/**
 * Puts the record into the label: "put work order 7 on hold", "change AP status of work order 7".
 */
function phraseWith(label: string, { entity }: Reference, subject: string): string {
	const noun = [entityNamed(entity)?.label ?? entity, RECORD].find((one) => label.includes(one));
	if (noun === undefined) return `${lower(label)} of ${subject}`;
	const [before, after] = label.split(noun).map((part) => lower(part.trim()));
	return after === '' || /^(on|online|offline)\b/.test(after)
		? `${before} ${subject} ${after}`.trimEnd()
		: `${before} ${after} of ${subject}`;
}

const details = (changes: readonly PlannedChange[], ...named: unknown[]): string => {
	const others = changes.filter((change) => !named.includes(change));
	if (others.length === 0) return '';
	return `, with ${listed(others.map(({ label, to }) => `${label} ${textOf(to)}`))}`;
};

function listed(parts: readonly string[]): string {
	const more = parts.length - MAX_LISTED;
	const shown = more > 0 ? [...parts.slice(0, MAX_LISTED), `${more} more`] : parts;
	if (shown.length < 2) return shown.join();
	return `${shown.slice(0, -1).join(', ')} and ${String(shown.at(-1))}`;
}

/**
 * Returns, for example, "work order CHL0000271", or "work order ID 271" if its number is not known.
 */
export function subjectOf({ entity, id }: Reference, nameOf: NameOf): string {
	const noun = nounOf(entity);
	if (Number(id) === NOT_CREATED) return `the new ${noun}`;
	const name = nameOf(entity, id);
	return `${noun} ${name === undefined ? `ID ${quoted(String(id))}` : quoted(name)}`;
}

const nounOf = (entity: string): string =>
	viewOf(entity).one?.replace(/^an? | or .*$/g, '') ?? lower(entityNamed(entity)?.label ?? entity);

/** Abbreviations stay in capitals. */
const lower = (label: string): string =>
	label
		.split(' ')
		.map((word) => (/^[A-Z]{2}/.test(word) ? word : word.toLowerCase()))
		.join(' ');

/** Different values get different texts, unless they are cut. */
function textOf(value: unknown): string {
	if (value === null || value === undefined) return 'empty';
	if (typeof value === 'boolean') return value ? 'yes' : 'no';
	if (Array.isArray(value)) {
		const rows = value.slice(0, MAX_ROWS).map(textOf);
		const more = value.length - rows.length;
		return [...rows, ...(more > 0 ? [`${more} more`] : [])].join('; ') || 'empty';
	}
	if (!isObject(value)) return typeof value === 'number' ? String(value) : quoted(String(value));
	if ('CurrencyTypeId' in value) return `${String(value.Value)} ${String(value.CurrencyTypeId)}`;
	if ('Id' in value)
		return value.Name === undefined ? `ID ${quoted(String(value.Id))}` : textOf(value.Name);
	return Object.values(value).map(textOf).join(' / ');
}

const PLAIN = /^[\p{L}\d][\p{L}\d._:@+#/-]*$/u;
const WORDS = ['empty', 'yes', 'no'];

function quoted(text: string): string {
	const line = text.replace(/\s+/g, ' ').trim();
	const cut = line.length > MAX_TEXT ? `${line.slice(0, MAX_TEXT)}…` : line;
	return PLAIN.test(cut) && !WORDS.includes(cut) ? cut : JSON.stringify(cut);
}
