import type { INodeExecutionData } from 'n8n-workflow';

import { findAnswerEntity } from '../../catalogue/commands';
import { belongsToOne, getEntity, getMemberTypes } from '../../catalogue/entities';
import { findContents, type Content } from '../../catalogue/decisions';
import { listMembers } from '../../catalogue/enumerations';
import { getMemberLabel } from '../../catalogue/enumerations/labels';
import { isIdentity, isSecret } from '../../catalogue/members';
import { isUnfit } from '../../catalogue/statusActions';
import { getSummary } from '../../catalogue/summaries';
import { getNoun } from '../../catalogue/views';
import { buildColumn } from '../../columns/columns';
import { listComparedPaths } from '../../compare/differences';
import { createRedactor, redactTexts } from '../../values/redaction';
import { hideSecrets, listSecrets } from '../../values/secrets';
import { optionFields } from '../../form/options';
import { getNamePaths, loadNames, type NameReader, type Reference } from '../../records/names';
import { loadRecordsById, lookUp } from '../../records/query';
import { identifyCompany, readCredential } from '../../session/credential';
import { createNotFoundError, emptyIfForbidden } from '../../transport/errors';
import { letOthersRun } from '../../transport/concurrency';
import { sumDecimals } from '../../values/decimals';
import { isObject, type JsonObject, getMember } from '../../values/objects';
import { quote } from '../../values/errors';
import { isBlank, normalize } from '../../values/input';
import { getRecordKey } from '../../wire/answers';
import { and, equal } from '../../wire/criteria';
import { NOT_CREATED, type PlannedWrite } from '../../wire/requests';
import { buildSummary, buildUnchangedSummary, type Amount } from './dryRunSummary';
import { toText, describeReference } from './texts';
import {
	getPlannedChanges,
	findCarriedRecord,
	findChangedRecord,
	findCommandSubject,
	formatChanges,
	type PlannedChange,
	isRecordKnown,
	NO_WORDS,
	truncateTexts,
	type Words,
} from './plannedChanges';
import {
	createConfirmationKey,
	deriveSecret,
	type PlannedWrites,
	type RecordState,
} from './confirmation';
import { toItem, type ItemContext, type ItemForm } from '../context';
import type { Outcome } from '../outcomes';
import type { Write } from '../writes';
import { findLabel } from './labels';

const APPROVE =
	"To write it, remove 'Dry Run' and execute the step again. To write it only after an approval, and exactly as shown, add a second node with the option 'Confirmation Key':";

/** The editor shows notices as HTML. */
const HOW_TO_APPROVE =
	'<a href="https://github.com/n8n-nodes-corrigo/n8n-nodes-corrigo/blob/main/docs/guide/dry-run.md#approve-then-execute-exactly-that" target="_blank">how to approve</a>.';

export type DryRunOutcome = Outcome & { planned?: PlannedWrites };

/** Operations in a dry run build output from placeholder answers, so a summary replaces it. */
export async function applyDryRun(
	contexts: ItemContext[],
	outcomes: Outcome[],
): Promise<DryRunOutcome[]> {
	const [{ run }] = contexts;
	const secret = await readSecret(contexts[0]);
	const stored = await loadWrittenRecords(contexts);
	const contents = await loadContents(contexts);
	// The check of a key shows nothing.
	if (!run.checksConfirmation) await loadShownNames(contexts);
	const reason = describeRule(contexts[0]);
	if ('confirmationKey' in contexts[0].options) {
		const { displayName } = optionFields.confirmationKey;
		run.addNotice(`'${displayName}' was ignored: 'Dry Run' is ${reason}.`);
	}
	const unfit: string[] = [];
	const show = (outcome: Outcome, item: number): DryRunOutcome => {
		if (!('items' in outcome)) return outcome;
		const context = contexts[item];
		if (context.writes.skipped.length === 0) {
			const planned = { secret, writes: [], records: [] };
			const items = outcome.items.map((one) => addSummary(context, one, planned));
			return { ...outcome, items, planned };
		}
		const missing = findMissingRecord(context, stored);
		if (missing !== undefined) {
			const node = context.caller.getNode();
			return { failure: createNotFoundError(node, getNoun(missing.entity), missing.id) };
		}
		run.addNotice(
			`'Dry Run' is ${reason}: nothing was written. Corrigo may still refuse it: only Corrigo knows your Company's rules.`,
			[],
			`${APPROVE} ${HOW_TO_APPROVE}`,
		);
		const status = findUnfitStatus(context, stored);
		if (status !== undefined) unfit.push(status);
		const evidence = listEvidence(context).map((one) => describeEvidence(context, one, contents));
		const planned = { secret, ...getPlannedWrites(context, stored, evidence) };
		return buildOutcome(context, outcome.items, planned, { evidence, status });
	};
	const shown: DryRunOutcome[] = [];
	for (const [item, outcome] of outcomes.entries()) {
		await letOthersRun();
		if (outcome !== undefined) shown[item] = show(outcome, item);
	}
	if (unfit.length > 0 && contexts.length > 1) {
		run.addNotice(
			`Corrigo may refuse ${unfit.length} of ${contexts.length} items, because of the present status of their work orders`,
			countEach(unfit),
		);
	}
	return shown;
}

async function readSecret(context: ItemContext): Promise<string> {
	const settings = readCredential(await context.caller.getCredentials('corrigoApi'));
	return deriveSecret(settings.clientSecret, identifyCompany(settings));
}

/** An item that has nothing to write gets a summary and a key; one that only reads does not. */
function addSummary(
	context: ItemContext,
	item: INodeExecutionData,
	planned: PlannedWrites,
): INodeExecutionData {
	const { getName } = context.run.names;
	const Summary = buildUnchangedSummary(item.json, context.writes.subject, getName);
	if (Summary === undefined) return item;
	const ConfirmationKey = createConfirmationKey(planned);
	const { Id, ...others } = item.json;
	const known = Id === NOT_CREATED ? others : item.json;
	return { ...item, json: { ...known, Summary, ConfirmationKey } };
}

function buildOutcome(
	context: ItemContext,
	items: INodeExecutionData[],
	planned: PlannedWrites,
	seen: Seen,
): DryRunOutcome {
	// The operation determined these without an answer, so they are real.
	const { AlreadyExisted, Changed, FilesLeftOut, NotRestored } = items[0].json;
	const read = context.writes.skipped.map((write) => ({
		write,
		...readChanges(context, write),
	}));
	const [{ Outcome, Summary, WouldSend, ...first }, ...then] = read.map((one) =>
		toStep(context, one, seen),
	);
	// A key must not promise that a record is as it was if nobody knows which record that is.
	const isKnown = read.every(
		({ write: { dryRun }, changes, isHiding }) =>
			isRecordKnown(dryRun.plannedWrite, changes) && !isHiding,
	);
	return {
		items: [
			toItem({
				Outcome,
				Summary,
				...(Changed === undefined ? {} : { Changed }),
				...(NotRestored === undefined ? {} : { NotRestored }),
				...(AlreadyExisted === undefined ? {} : { AlreadyExisted }),
				...(FilesLeftOut === undefined ? {} : { FilesLeftOut }),
				...first,
				...(then.length > 0 ? { Then: then } : {}),
				...(isKnown ? { ConfirmationKey: createConfirmationKey(planned) } : {}),
				WouldSend,
			}),
		],
		isDryRun: true,
		...(isKnown ? { planned } : {}),
	};
}

/** A record that a write concerns, and the members that the write sets. */
interface WrittenRecord {
	entity: string;
	id: number;
	written: string[];
	/** The record, if the operation has read it. */
	record?: JsonObject;
	/** The record is a part of the one that the write names, which may lack it. */
	isPart?: boolean;
}

function findWrittenRecord(write: PlannedWrite): WrittenRecord | undefined {
	const changed = findChangedRecord(write);
	if (changed === undefined) return undefined;
	const id = Number(changed.id);
	if (write.does === 'update') {
		return { entity: write.entity, id, written: write.changes.Properties, record: write.record };
	}
	// The costs of a work order have the Id of the order, and a version of their own.
	const part = (write.does === 'run' && findAnswerEntity(write.command)) || '';
	const carried = write.does === 'run' ? findCarriedRecord(write) : undefined;
	const written = carried ? listComparedPaths(carried.owner, carried.members) : [];
	const isPart = belongsToOne(part);
	return { entity: isPart ? part : changed.entity, id, written, isPart };
}

/** A command may join its record with others. Those of its kind are read by the same request. */
function listJoinedRecords(write: PlannedWrite, { entity, id }: WrittenRecord): WrittenRecord[] {
	const references = write.does === 'run' ? getPlannedChanges(write, NO_WORDS) : [];
	return references
		.flatMap(({ reference }) => (reference?.entity === entity ? Number(reference.id) : []))
		.filter((other) => other > 0 && other !== id)
		.map((other) => ({ entity, id: other, written: [] }));
}

const listWrittenRecords = (context: ItemContext): WrittenRecord[] =>
	context.writes.skipped
		.flatMap(({ dryRun: { plannedWrite } }) => {
			const written = findWrittenRecord(plannedWrite);
			return written ? [written, ...listJoinedRecords(plannedWrite, written)] : [];
		})
		.filter(({ id }) => id !== NOT_CREATED);

/** A record that was looked for and does not exist is null. */
type StoredRecords = ReadonlyMap<string, JsonObject | null>;

/** The run would fail, too. */
const findMissingRecord = (
	context: ItemContext,
	stored: StoredRecords,
): WrittenRecord | undefined =>
	context.isOn('ignoreMissing')
		? undefined
		: listWrittenRecords(context).find(
				(one) => provesAbsence(one) && stored.get(getRecordKey(one.entity, one.id)) === null,
			);

/** A record of which no field is known may be there without a row. */
const provesAbsence = ({ entity, isPart = false }: WrittenRecord): boolean =>
	!isPart && Object.keys(getEntity(entity)?.fields ?? {}).length > 0;

/** Operations read only the records that they update; those of deletes and commands are read here. */
async function loadWrittenRecords(contexts: ItemContext[]): Promise<StoredRecords> {
	const wanted = new Map<string, { ids: Set<number>; paths: Set<string> }>();
	for (const { entity, id, written, record } of contexts.flatMap(listWrittenRecords)) {
		if (record !== undefined) continue;
		const { ids, paths } = wanted.get(entity) ?? { ids: new Set(), paths: new Set() };
		for (const path of written) paths.add(path);
		wanted.set(entity, { ids: ids.add(id), paths });
	}
	const stored = new Map<string, JsonObject | null>();
	for (const [entity, { ids, paths }] of wanted) {
		const version = getEntity(entity)?.lock ? ['ConcurrencyId'] : [];
		const own = [...version, ...getSummary(entity), ...getNamePaths(entity, [])];
		const properties = [...new Set([...own, ...paths])];
		const read = loadRecordsById(contexts[0], entity, ids, { properties });
		const records = await read.catch((failure: unknown) => {
			emptyIfForbidden(failure);
			contexts[0].run.addUnreadableNotice(entity);
		});
		if (records === undefined) continue;
		for (const id of ids) {
			const record = records.get(id) ?? null;
			stored.set(getRecordKey(entity, id), record);
			if (record !== null) contexts[0].run.names.noteRecord(entity, record);
		}
	}
	return stored;
}

/** People approve names, so a dry run looks up those that neither form nor answers have shown. */
async function loadShownNames(contexts: ItemContext[]): Promise<void> {
	const [{ run }] = contexts;
	const shown: Reference[] = [];
	const getName: NameReader = (entity, id) => {
		shown.push({ entity, id });
		return run.names.getName(entity, id);
	};
	for (const context of contexts) {
		await letOthersRun();
		for (const { dryRun } of context.writes.skipped) {
			getPlannedChanges(dryRun.plannedWrite, { ...getWords(context), getName });
		}
	}
	await loadNames(contexts[0], shown, run.names);
}

/** Records that show what a write decides about: those of `content` that belong to its subject. */
interface Evidence {
	content: Content;
	write: PlannedWrite;
	subject: WrittenRecord;
	/** Value that the member `within` of these records has. */
	within?: unknown;
}

function listEvidence(context: ItemContext): Evidence[] {
	return context.writes.skipped.flatMap(({ dryRun: { plannedWrite: write } }) => {
		const subject = findWrittenRecord(write);
		if (subject === undefined || subject.id === NOT_CREATED) return [];
		const { entity, written } = subject;
		const names =
			write.does === 'run'
				? [write.command, entity]
				: written.map((path) => `${entity}.${path.split('.')[0]}`);
		return findContents(names).map((content): Evidence => {
			const body = write.does === 'run' ? write.body : {};
			const within = content.within && getMember(body, content.within);
			return { content, write, subject, within };
		});
	});
}

const getEvidenceKey = ({ content: { entity, by }, subject: { id }, within }: Evidence) =>
	JSON.stringify([entity, by, id, within]);

/** Contents of one kind are read for all items together. */
async function loadContents(contexts: ItemContext[]): Promise<ReadonlyMap<string, JsonObject[]>> {
	const [{ run }] = contexts;
	const groups = new Map<string, Evidence[]>();
	for (const evidence of contexts.flatMap(listEvidence)) {
		const { entity, by } = evidence.content;
		const key = JSON.stringify([entity, by, evidence.within]);
		groups.set(key, [...(groups.get(key) ?? []), evidence]);
	}
	const contents = new Map<string, JsonObject[]>();
	for (const group of groups.values()) {
		const [{ content, within }] = group;
		const { entity, by, properties } = content;
		const where =
			content.within && !isBlank(within) ? and(equal(content.within, within)) : undefined;
		const ids = group.map(({ subject }) => subject.id);
		const read = lookUp(contexts[0], { entity, by: [by], properties, where }, ids);
		const rows = await read.catch((failure: unknown) => {
			emptyIfForbidden(failure);
			run.addUnreadableNotice(entity);
			return new Map<string, JsonObject[]>();
		});
		for (const one of group) {
			contents.set(getEvidenceKey(one), rows.get(normalize(one.subject.id)) ?? []);
		}
	}
	return contents;
}

interface EvidenceState extends RecordState {
	write: PlannedWrite;
	amount?: Amount;
}

function describeEvidence(
	form: ItemForm,
	evidence: Evidence,
	contents: ReadonlyMap<string, JsonObject[]>,
): EvidenceState {
	const { content, write, subject } = evidence;
	const rows = contents.get(getEvidenceKey(evidence)) ?? [];
	const { label } = buildColumn(content.entity, content.amount);
	const value = sumAmounts(rows.map((row) => row[content.amount]));
	const changes = getPlannedChanges(write, getWords(form));
	const isShown = changes.some((change) => change.label.endsWith(label));
	const owner = describeReference(subject, form.run.names.getName);
	const noun = getNoun(content.entity).replace(/^work order /, '');
	return {
		name: content.by === 'Id' ? owner : `${noun} of ${owner}`,
		state: rows,
		fields: [{ label, value: toText(value) }],
		write,
		...(value === undefined || isShown ? {} : { amount: { label, value } }),
	};
}

function sumAmounts(values: unknown[]): unknown {
	const known = values.filter((value) => !isBlank(value));
	if (known.length < 2) return known[0];
	const total = sumDecimals(known.map((one) => Number(isObject(one) ? one.Value : one)));
	const [first] = known;
	return isObject(first) ? { ...first, Value: total } : total;
}

function getPlannedWrites(
	context: ItemContext,
	stored: StoredRecords,
	evidence: readonly EvidenceState[],
) {
	const { getName } = context.run.names;
	const records = listWrittenRecords(context).map(
		({ entity, id, written, ...read }): RecordState => {
			const record = read.record ?? stored.get(getRecordKey(entity, id));
			const fields = listStateMembers(entity, written).map((name) => ({
				label: buildColumn(entity, name).label,
				value: getMember(record, name) ?? null,
			}));
			const state = [entity, id, record?.ConcurrencyId ?? null, fields];
			return { name: describeReference({ entity, id }, getName), state, fields };
		},
	);
	return { writes: context.writes.skipped, records: [...records, ...evidence] };
}

/** A key covers what the simplified output shows, and what would be written. */
function listStateMembers(entity: string, written: readonly string[]): string[] {
	const names = [...getSummary(entity), ...written].flatMap((path) =>
		path === '*' ? Object.keys(getMemberTypes(entity)) : path.split('.')[0],
	);
	return [...new Set(names)].filter((name) => !isIdentity(name));
}

const getWords = (form: ItemForm): Words => ({
	getName: form.run.names.getName,
	findLabel: (member) => findLabel(form, member),
});

const isUndecided = (form: ItemForm) => form.isOfAgents && form.option('dryRun') === 'manual';

const UNDECIDED =
	"'When Testing', and n8n's Agents do not say whether this is a test. Choose Always or Never";

function describeRule(form: ItemForm): string {
	if (isUndecided(form)) return UNDECIDED;
	return form.option('dryRun') === 'manual' ? "'When Testing', and this is a test" : "'Always'";
}

/** A command without a known subject says in its summary why it has no key. */
const WITHOUT_KEY = '. It gets no ConfirmationKey: which record it changes is not known';

/** Nobody can approve what is not shown. */
const REPEATS_SECRET = '. It gets no ConfirmationKey: a field repeats a secret, and is not shown';

/** Reads the changes of a write. A field that repeats a secret is hidden, which `isHiding` tells. */
function readChanges(context: ItemContext, { body, dryRun: { plannedWrite } }: Write) {
	const changes = getPlannedChanges(plannedWrite, getWords(context)).map((change) => ({
		...change,
		...(hideSecrets({ to: change.to, ...('from' in change ? { from: change.from } : {}) }) as Pick<
			PlannedChange,
			'from' | 'to'
		>),
	}));
	const secrets = [...context.secrets, ...listSecrets([body, formatChanges(changes)])];
	const redact = createRedactor(secrets);
	const shown = changes.map((change) => redactChange(change, redact));
	const isHiding = shown.some(
		(change, index) =>
			!isSecret(change.label) && JSON.stringify(change) !== JSON.stringify(changes[index]),
	);
	return { changes: shown, isHiding, redact };
}

/** A dry run has read this about the record that an item changes. */
interface Seen {
	evidence: readonly EvidenceState[];
	/** Status in which Corrigo may refuse the action. */
	status: string | undefined;
}

/** The first write decides, because those after it find the status that it leaves. */
function findUnfitStatus(context: ItemContext, stored: StoredRecords): string | undefined {
	const [{ dryRun }] = context.writes.skipped;
	const { plannedWrite } = dryRun;
	const written = findWrittenRecord(plannedWrite);
	if (plannedWrite.does !== 'run' || written?.entity !== 'WorkOrder') return undefined;
	const { StatusId } = stored.get(getRecordKey('WorkOrder', written.id)) ?? {};
	const { command, body } = plannedWrite;
	const isNamed = typeof StatusId === 'string';
	if (!isNamed || !isUnfit(command, StatusId, getMember(body, 'StatusId'))) return undefined;
	// The label of a status that the contract does not know is what Corrigo says.
	return listMembers('WorkOrderStatus').includes(StatusId)
		? getMemberLabel('WorkOrderStatus', StatusId)
		: quote(StatusId);
}

/** Returns, for example: 3 are Paused, 2 are Completed. */
const countEach = (values: readonly string[]): string[] =>
	[...new Set(values)].map((value) => {
		const count = values.filter((one) => one === value).length;
		return `${count} ${count === 1 ? 'is' : 'are'} ${value}`;
	});

type ReadChanges = { write: Write } & ReturnType<typeof readChanges>;

function toStep(
	form: ItemForm,
	{ write, changes, isHiding, redact }: ReadChanges,
	{ evidence, status }: Seen,
): JsonObject {
	const { Outcome, plannedWrite } = write.dryRun;
	const words = getWords(form);
	const subject = findCommandSubject(plannedWrite, changes)?.member;
	const changed = changes.filter(({ member }) => member !== subject);
	const amounts = evidence.flatMap(({ write: own, amount = [] }) =>
		own === plannedWrite ? amount : [],
	);
	return {
		Outcome,
		Summary:
			buildSummary(plannedWrite, changes, words.getName, amounts) +
			(isRecordKnown(plannedWrite, changes) ? '' : WITHOUT_KEY) +
			(isHiding ? REPEATS_SECRET : '') +
			(status === undefined ? '' : `. Corrigo may refuse this, as the status is ${status}`) +
			// An agent sees no notice.
			(isUndecided(form) ? `. Nothing was written, because 'Dry Run' is ${UNDECIDED}` : ''),
		...(plannedWrite.does === 'update' || changed.length > 0
			? { WouldChange: hideSecrets(formatChanges(changed)) }
			: {}),
		WouldSend: describeRequest(write, redact),
	};
}

/** Leaves what the package itself says as it is. */
const redactChange = (change: PlannedChange, redact: (text: string) => string): PlannedChange => ({
	...change,
	to: redactTexts(change.to, redact, change.member),
	...('from' in change ? { from: redactTexts(change.from, redact, change.member) } : {}),
});

export function describeRequest(request: Write, redact = (text: string) => text) {
	const { method, path, query, headers = {}, body } = request;
	return {
		method,
		path: query === undefined ? path : `${path}?${new URLSearchParams(query)}`,
		...(Object.keys(headers).length > 0 ? { headers } : {}),
		...(body === undefined ? {} : { body: hideSecrets(redactTexts(truncateTexts(body), redact)) }),
	};
}
