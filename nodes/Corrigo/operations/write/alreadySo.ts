import type { EntityName } from '../../catalogue/entities';
import type { enumerations } from '../../catalogue/enumerations';
import { findMemberType } from '../../catalogue/members';
import { getSummary } from '../../catalogue/summaries';
import { findMemberTarget } from '../../catalogue/targets';
import { findChange } from '../../compare/differences';
import { optionFields } from '../../form/options';
import { getNamePaths, loadNames } from '../../records/names';
import { loadRecordsById, lookUp, type RowsByValue } from '../../records/query';
import { oncePerRun, type FormResolver, type ItemContext } from '../../run/context';
import { findLabel } from '../../run/preview/labels';
import { describeReference } from '../../run/preview/texts';
import { createRunLoader, MAX_RECORD_AGE_MS, type PendingRead } from '../../run/loadTogether';
import { isCancelled } from '../../transport/send';
import { quote, ValidationError } from '../../values/errors';
import { isBlank, normalize, toPlainText } from '../../values/input';
import { filterMembers, type JsonObject } from '../../values/objects';
import { readTime, toSecondsUtc } from '../../values/times';
import { and, isIn } from '../../wire/criteria';

/** Says how to see that a record already is as a request would make it. */
export interface Goal {
	entity: EntityName;
	/** Properties that the functions below read. */
	paths: readonly string[];
	/** Actions in the log of a work order that make it so; the newest one tells who did it. */
	actions?: ReadonlyArray<(typeof enumerations)['WOActionType'][number]>;
	/** Actions after which it has to be done again. */
	undoneBy?: Goal['actions'];
	isReached: (record: JsonObject, body: JsonObject) => boolean;
	/** Finds what was given for these members of the request when the record was made so. Others are not compared. */
	findGiven?: (record: JsonObject, action: JsonObject | undefined, body: JsonObject) => JsonObject;
	/** Returns what the output shows, if it is not the record. */
	getShown?: (record: JsonObject) => JsonObject;
}

/** A request names a record, and members of a command or of a part of the record. */
interface Request {
	id: number;
	body: JsonObject;
}

type Wanted = PendingRead & Request;

interface State {
	record: JsonObject;
	action?: JsonObject;
}

/** The answer to the request or, if nothing had to be sent, the record; `more` tells people which. */
type Sent<Answer> = { more?: JsonObject } & ({ answer: Answer } | { record: JsonObject });

/**
 * Sends a request, unless the item asks to send nothing that would change nothing. `owner` is the
 * command or entity that has the members of the body.
 */
export function createGoalSender<Answer>(
	owner: string,
	goal: Goal | undefined,
	resolveRequest: FormResolver<Request>,
): (context: ItemContext, send: () => Promise<Answer>) => Promise<Sent<Answer>> {
	if (goal === undefined) return async (_, send) => ({ answer: await send() });
	const findState = createRunLoader<Wanted, State>(
		async (context) =>
			context.option('ifAlreadySo') === 'succeed'
				? { context, ...(await resolveRequest(context)) }
				: undefined,
		{ key: () => '', loadMany: async (ids, wanted) => await loadStates(goal, ids, wanted) },
		MAX_RECORD_AGE_MS,
	);
	const getSentIds = oncePerRun(() => new Set<number>());
	return async (context, send) => {
		const shared = await findState(context);
		if (shared === undefined) return { answer: await send() };
		const { wanted, load, reload } = shared;
		const sentIds = getSentIds(context);
		const find = async (state: State | undefined): Promise<Sent<Answer> | undefined> => {
			if (state === undefined || !isDone(goal, state, wanted.body)) return undefined;
			await requireSame(owner, goal, wanted, state);
			context.noteSubject(goal.entity, wanted.id);
			const record = goal.getShown?.(state.record) ?? state.record;
			return { record, more: { AlreadySo: true, ...describeActor(state.action) } };
		};
		// An earlier item may have made it so.
		const before = await find(await (sentIds.has(wanted.id) ? reload() : load()));
		if (before !== undefined) return before;
		if (!context.isDryRun) sentIds.add(wanted.id);
		const sent = async (): Promise<Sent<Answer>> => ({
			answer: await send(),
			more: { AlreadySo: false },
		});
		return await sent().catch(async (failure: unknown) => {
			if (isCancelled(context.caller)) throw failure;
			// Another execution may have made it so, or this request, whose answer was lost.
			const state = await reload().catch(() => undefined);
			// A record that differs, or of which too little is known, does not tell whether this ran.
			const after = await find(state).catch(() => undefined);
			if (after === undefined) throw failure;
			return after;
		});
	};
}

/** If the log cannot be read, nobody knows whether it was undone. */
const isDone = ({ undoneBy = [], isReached }: Goal, { record, action }: State, body: JsonObject) =>
	isReached(record, body) &&
	(undoneBy.length === 0 ||
		(action !== undefined && !undoneBy.some((type) => type === action.TypeId)));

async function loadStates(
	{ entity, paths, actions, undoneBy = [], isReached }: Goal,
	ids: readonly number[],
	wanted: readonly Wanted[],
): Promise<Map<number, State>> {
	const [{ context }] = wanted;
	const shown = getSummary(entity);
	const properties = [...new Set([...paths, ...shown, ...getNamePaths(entity, shown)])];
	const records = await loadRecordsById(context, entity, ids, { properties });
	for (const record of records.values()) context.run.names.noteRecord(entity, record, properties);
	const reached = wanted.filter(({ id, body }) => {
		const record = records.get(id);
		return record !== undefined && isReached(record, body);
	});
	const log: RowsByValue =
		actions === undefined || reached.length === 0
			? new Map()
			: await lookUp(
					context,
					{ ...ACTION_LOG, where: and(isIn('TypeId', [...actions, ...undoneBy])) },
					reached.map(({ id }) => id),
				);
	return new Map(
		[...records].map(([id, record]) => [
			id,
			{ record, action: findNewest(log.get(normalize(id))) },
		]),
	);
}

/** A service user who may not read the log does not learn who did it. */
const ACTION_LOG = {
	entity: 'WoActionLog',
	by: ['WorkOrderId'],
	properties: [
		'TypeId',
		'Comment',
		'ActionReasonId',
		'SystemDateUtc',
		'Actor.Id',
		'Actor.DisplayAs',
	],
	isOptional: true,
};

/** Rows get higher Ids as they are added. */
export const findNewest = (rows: readonly JsonObject[] = []): JsonObject | undefined =>
	rows.reduce<JsonObject | undefined>(
		(newest, row) => (Number(row.Id) > Number(newest?.Id ?? 0) ? row : newest),
		undefined,
	);

function describeActor({ Actor, SystemDateUtc }: JsonObject = {}): JsonObject {
	const time = readTime(SystemDateUtc);
	const DoneAt = time === undefined ? undefined : toSecondsUtc(time);
	return filterMembers({ DoneBy: Actor, DoneAt }, (_, value) => value !== undefined);
}

/** A request that says something else is not the same one, so nothing is sent, and nothing hidden. */
async function requireSame(
	owner: string,
	goal: Goal,
	{ context, id, body }: Wanted,
	{ record, action }: State,
): Promise<void> {
	const given = goal.findGiven?.(record, action, body) ?? {};
	const [member] = Object.keys(given).filter(
		(name) =>
			!isBlank(body[name]) &&
			findChange(findMemberType(owner, name) ?? '', tidy(given[name]), tidy(body[name])) !==
				undefined,
	);
	if (member === undefined) return;
	const getText = await loadValueTexts(context, owner, member, [given[member], body[member]]);
	const label = findLabel(context, member) ?? member;
	const isKnown = goal.actions === undefined || action !== undefined;
	const held = isBlank(given[member]) ? 'empty' : getText(given[member]);
	const subject = describeReference({ entity: goal.entity, id }, context.run.names.getName);
	const wanted = getText(body[member]);
	throw new ValidationError(
		isKnown
			? `Already so: ${subject}. But '${label}' is ${held} there, not ${wanted}. Nothing was sent`
			: `Already so: ${subject}. But the action log does not show whether '${label}' is ${wanted} there. Nothing was sent`,
		isKnown
			? `If both mean the same, leave '${label}' empty.`
			: 'The service user of the credential may lack the right to read WoActionLog.',
		{ forAuthor: `To send the request anyway, remove '${optionFields.ifAlreadySo.displayName}'.` },
	);
}

const tidy = (value: unknown) => (typeof value === 'string' ? toPlainText(value) : value);

/** People know reasons by their names. */
async function loadValueTexts(
	context: ItemContext,
	owner: string,
	member: string,
	values: readonly unknown[],
): Promise<(value: unknown) => string> {
	const { entity } = findMemberTarget(owner, member) ?? {};
	if (entity === undefined) return (value) => quote(value, member);
	const records = values.map((id) => ({ entity, id }));
	const getName = await loadNames(context, records, context.run.names);
	return (value) => quote(getName(entity, value) ?? value);
}
