import { getEntity } from '../../catalogue/entities';
import { getNameProperties } from '../../catalogue/targets';
import { lowerWords } from '../../catalogue/enumerations/labels';
import { getNoun } from '../../catalogue/views';
import { findAnswerEntity } from '../../catalogue/commands';
import { isFileLink } from '../../catalogue/members';
import { addArticle, HIDDEN } from '../../values/errors';
import { toLine } from '../../values/lines';
import type { JsonObject } from '../../values/objects';
import {
	findCarriedRecord,
	findCommand,
	findCommandSubject,
	REACTIVATE,
	type PlannedChange,
} from './plannedChanges';
import type { NameReader, Reference } from '../../records/names';
import { NOT_CREATED, type PlannedWrite } from '../../wire/requests';
import { describeReference, getQuotedNoun, formatText, toText } from './texts';
import { createTable } from '../../catalogue/table';

/** Nobody reads a longer list in a sentence to its end. */
const MAX_LISTED = 5;

/** An amount that a decision is about, and that the write itself does not show. */
export interface Amount {
	label: string;
	value: unknown;
}

/**
 * Returns one sentence that a person can approve, such as "Would set PO Number of work order
 * CHL0000271 from empty to PO-999".
 */
export function buildSummary(
	write: PlannedWrite,
	changes: readonly PlannedChange[],
	getName: NameReader,
	amounts: readonly Amount[] = [],
): string {
	const shown = amounts.map(({ label, value }) => `${label} ${toText(value)}`).join(', ');
	const does = describeWrite(write, changes.map(hideLink), getName);
	return toLine(`Would ${does}${shown && ` (${shown})`}`);
}

/** n8n can hide a link in a field of its own, but not in a sentence. */
const hideLink = (change: PlannedChange): PlannedChange =>
	isFileLink(change.member)
		? { ...change, to: HIDDEN, ...('from' in change ? { from: HIDDEN } : {}) }
		: change;

const ALREADY_SO = ', as it already is as requested';

/** Why a record stays as it is. */
const REASONS = createTable<string | undefined>({
	skipped: ', as it was changed since it was read',
	unchanged: '',
});

/** A record that stays unchanged or is missing has a summary; one that was only read has none. */
export function buildUnchangedSummary(
	{ Id, Outcome, AlreadyExisted, AlreadySo }: JsonObject,
	record: { entity: string; id: unknown } | undefined,
	getName: NameReader,
): string | undefined {
	if (AlreadyExisted === true) return `Would create nothing, as ${describeExisting(Id)}`;
	if (Outcome === 'missing') return 'Would change nothing, as there is no such record';
	const reason = AlreadySo === true ? ALREADY_SO : REASONS[String(Outcome)];
	if (reason === undefined) return undefined;
	const subject = record === undefined ? 'the record' : describeReference(record, getName);
	return toLine(`Would leave ${subject} as it is${reason}`);
}

const describeExisting = (id: unknown): string =>
	id === NOT_CREATED
		? 'an earlier item of this run would create the record'
		: 'the record already exists';

function describeWrite(
	write: PlannedWrite,
	changes: readonly PlannedChange[],
	getName: NameReader,
): string {
	if (write.does === 'run') return describeCommand(write, changes, getName);
	const { entity } = write;
	if (write.does === 'delete') return `delete ${describeReference(write, getName)}`;
	if (write.does === 'create')
		return describeCreation(getQuotedNoun(entity), changes, getName, entity);
	const subject = describeReference({ entity, id: write.changes.Entity.Id }, getName);
	if (write.record !== undefined && changes.length === 0) return `leave ${subject} as it is`;
	const set = changes.map(
		({ to, ...change }, index) =>
			`${getLabel(change)}${index === 0 ? ` of ${subject}` : ''}` +
			`${'from' in change ? ` from ${toText(change.from)}` : ''} to ${toText(to)}`,
	);
	return `set ${joinList(set)}`;
}

/** Members that name the record for which another one is created, the closest first. */
const OWNERS = ['WorkOrderId', 'WoId', 'ActorId', 'Customer', 'CustomerId'];

const findOwner = (changes: readonly PlannedChange[]): PlannedChange | undefined =>
	OWNERS.flatMap(
		(name) => changes.find(({ member, reference }) => member === name && reference) ?? [],
	)[0];

function describeCreation(
	noun: string,
	changes: readonly PlannedChange[],
	getName: NameReader,
	entity = '',
): string {
	const [own] = getNameProperties(entity);
	const name = changes.find(({ member, to }) => member === own && typeof to === 'string');
	const owner = findOwner(changes);
	const thing = name === undefined ? addArticle(noun) : `${noun} ${toText(name.to)}`;
	const purpose = owner?.reference ? ` for ${describeReference(owner.reference, getName)}` : '';
	return `create ${thing}${purpose}${listDetails(changes, name, owner)}`;
}

type Phrase = (subject: string, body: JsonObject) => string;

/** The labels of these commands do not form a sentence. */
const PHRASES = createTable<Phrase | undefined>({
	AddChildWorkOrderRoutine: (subject) => `create a child order of ${subject}`,
	UserOrProviderSuspendCommand: (subject, { Reactivate }) =>
		`${Reactivate === true ? 'reactivate' : 'suspend'} ${subject}`,
	WoMessageCommand: (subject) => `send a message about ${subject}`,
});

function describeCommand(
	write: Extract<PlannedWrite, { does: 'run' }>,
	changes: readonly PlannedChange[],
	getName: NameReader,
): string {
	const command = findCommand(write.command);
	if (command === undefined) return `run ${write.command}${listDetails(changes)}`;
	const { name, creates, subject: acted } = command;
	if (creates && acted === null) {
		const entity = findAnswerEntity(name) ?? findCarriedRecord(write)?.owner ?? RECORD;
		return describeCreation(getNoun(entity), changes, getName);
	}
	const label = command.label.replace('Any Entity', RECORD);
	const main = findCommandSubject(write, changes);
	if (main === undefined) return `${lowerWords(label)}${listDetails(changes)}`;
	const subject = describeReference(main.reference, getName);
	const phrase =
		PHRASES[name]?.(subject, write.body) ?? insertSubject(label, main.reference, subject);
	const hidden = [main.member, REACTIVATE];
	return `${phrase}${listDetails(changes.filter(({ member }) => !hidden.includes(member)))}`;
}

/** Some commands take a record of any entity. */
const RECORD = 'Record';

/** Puts the record into the label: "put work order 7 on hold", "change AP status of order 7". */
function insertSubject(label: string, { entity }: Reference, subject: string): string {
	const noun = [getEntity(entity)?.label ?? entity, RECORD].find((one) => label.includes(one));
	if (noun === undefined) return `${lowerWords(label)} of ${subject}`;
	const [before, after] = label.split(noun).map((part) => lowerWords(part.trim()));
	return after === '' || /^(on|online|offline)\b/.test(after)
		? `${before} ${subject} ${after}`.trimEnd()
		: `${before} ${after} of ${subject}`;
}

const listDetails = (changes: readonly PlannedChange[], ...mentioned: unknown[]): string => {
	const others = changes.filter((change) => !mentioned.includes(change));
	if (others.length === 0) return '';
	return `, with ${joinList(others.map(({ to, ...change }) => `${getLabel(change)} ${toText(to)}`))}`;
};

function joinList(parts: readonly string[]): string {
	const more = parts.length - MAX_LISTED;
	const shown = more > 0 ? [...parts.slice(0, MAX_LISTED), `${more} more`] : parts;
	if (shown.length < 2) return shown.join();
	return `${shown.slice(0, -1).join(', ')} and ${String(shown.at(-1))}`;
}

const getLabel = ({ label, isForeign }: Pick<PlannedChange, 'label' | 'isForeign'>): string =>
	isForeign ? formatText(label) : label;
