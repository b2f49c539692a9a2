import type { INodeExecutionData } from 'n8n-workflow';

import {
	findAnswerEntity,
	getCommand,
	type CommandMember,
	type CommandName,
} from '../../catalogue/commands';
import type { ValuesOf } from '../../catalogue/members';
import { findMemberTarget } from '../../catalogue/targets';
import { buildOptions, type OptionName, WRITE_OPTIONS } from '../../form/options';
import { isRaw, writeOutputField } from '../../form/form';
import { buildReferenceField, subjects } from '../../form/subjects';
import type { CommandAnswer } from '../../wire/answers';
import { addUtcZones } from '../../values/times';
import { type JsonObject, filterMembers, isObject } from '../../values/objects';
import { buildCommandRequest } from '../../wire/requests';
import { simplifyAnswer } from '../../records/names';
import {
	toItem,
	type ItemContext,
	createFormResolver,
	type FormResolver,
	resolveForm,
	readRecordId,
	type Sender,
	type ResolvingForm,
	type ItemForm,
} from '../../run/context';
import type { EachOperation, Operation } from '../../run/operation';
import { createKeyResolver } from '../subject';
import { buildForm, readFieldMembers, type MemberForm } from '../members';
import { createZoneLoader, translateTimes, type ZoneLoader } from './zones';
import { createGoalSender, type Goal } from './alreadySo';
import { addUrls, getSummaryMembers } from '../output';
import { showAnswer } from '../specimens';

/** Operations that act on one work order find it by this field. */
export const orderIdField = buildReferenceField('workOrder', 'id', { required: true });

const readOrderId = (form: ResolvingForm): number => readRecordId(form, orderIdField);

const loadOrderZone = createZoneLoader('WorkOrder', readOrderId);

export type Texts = Pick<Operation, 'value' | 'action' | 'description'>;

export interface CommandDefinition<Name extends CommandName = CommandName>
	extends MemberForm<CommandMember<Name>>,
		Texts {
	command: Name;
	/** The command changes a work order that its body does not name. */
	isOfOrder?: boolean;
	/** Finds the time zone of a new record; an existing record has its own. */
	findZone?: (context: ItemContext) => ZoneLoader | undefined;
	/** Builds the parts of `Command` that the member fields do not set. */
	buildBody?: (form: ResolvingForm) => ValuesOf<CommandMember<Name>>;
	/** Builds the output if it is not the record in the answer. */
	buildOutput?: (
		context: ItemContext,
		answer: CommandAnswer,
		command: JsonObject,
	) => Promise<INodeExecutionData | INodeExecutionData[] | undefined>;
	/** Declares the output if it is not the record in the answer. */
	output?: Operation['output'];
	/** Reads the keys of the records that a command without a work order changes. */
	changes?: EachOperation['changes'];
	/** Options in addition to those of every write. */
	options?: readonly OptionName[];
	/** The record shows whether it already is as the command would make it. */
	goal?: Goal;
	/** Replaces `sendCommand` for commands that need special handling. */
	send?: (context: ItemContext, command: JsonObject) => Promise<CommandAnswer>;
}

/** Commands differ in how they spell the member for the work order. */
function getOrderMember(command: string): string | undefined {
	const { subject } = getCommand(command) ?? {};
	const isOrder = subject && findMemberTarget(command, subject)?.entity === 'WorkOrder';
	return isOrder ? subject : undefined;
}

export function buildCommandOperation<Name extends CommandName>(
	typed: CommandDefinition<Name>,
): Operation {
	const { value, action, description, command, shown = [] } = typed;
	const asked = shown.flatMap((field) => ('member' in field ? [field.member] : []));
	const { isOfOrder = false } = typed;
	const hasOrder = isOfOrder || getOrderMember(command) !== undefined;
	const orderFields = hasOrder ? [orderIdField] : [];
	const { reads } = getCommand(command) ?? {};
	const writeOptions: OptionName[] = [...WRITE_OPTIONS, 'requestId', ...(typed.options ?? [])];
	if (typed.goal !== undefined) writeOptions.push('ifAlreadySo');
	const fields = buildForm(
		{ ...typed, shown: [...orderFields, ...shown] },
		writeOutputField,
		buildOptions(reads ? ['parallelRequests', 'timeout'] : writeOptions),
	);
	const { resolveMembers, resolveBody } = createBodyResolver(typed);
	const sendOwn = async (context: ItemContext, body: JsonObject) => {
		const order = isOfOrder ? await resolveForm(context, readOrderId) : undefined;
		return await context.send(buildCommandRequest(command, body, context.getRequestId(), order));
	};
	const send = typed.send ?? sendOwn;
	const sendToGoal = createSender(typed, resolveMembers);
	return {
		value,
		action,
		description,
		command,
		output: typed.output ?? (() => showAnswer(command, asked, fields)),
		fields,
		...(reads
			? { reads }
			: {
					check: resolveMembers,
					changes: hasOrder ? createKeyResolver(subjects.workOrder) : typed.changes,
				}),
		each: async (context) => {
			const raw = isRaw(context);
			const body = await resolveBody(context);
			const { answer, more } = await sendToGoal(context, async () => await send(context, body));
			if (raw && !context.isOn('returnRecord')) return [toItem({ ...more, ...answer })];
			const build = async () => typed.buildOutput?.(context, answer, body);
			const own = await context.loadAfterWrite(build);
			const items = [own ?? toItem(await toOutput(context, command, answer, body))].flat();
			return more ? items.map(({ json }) => toItem({ ...more, ...json })) : items;
		},
	};
}

/** A record that already is as the command would make it takes the place of an answer. */
function createSender({ command, goal }: CommandDefinition, resolveBody: FormResolver<JsonObject>) {
	const { subject, answer: member } = getCommand(command) ?? {};
	const send = createGoalSender<CommandAnswer>(command, goal, async (context) => {
		const body = await resolveBody(context);
		return { id: Number(body[subject ?? '']), body };
	});
	return async (...given: Parameters<typeof send>) => {
		const sent = await send(...given);
		if ('answer' in sent) return sent;
		const { record, more } = sent;
		return { answer: { CommandResult: member ? { [member]: record } : {} }, more };
	};
}

/** The body of a command is read once for each item, for checks and for the request. */
export function createBodyResolver<Name extends CommandName>({
	command,
	findZone,
	buildBody,
	...form
}: CommandDefinition<Name>) {
	const order = getOrderMember(command);
	const resolveFields = createFormResolver(
		(context): JsonObject => ({
			...(order ? { [order]: readOrderId(context) } : {}),
			...readFieldMembers(context, form),
			...buildBody?.(context),
		}),
	);
	return {
		resolveMembers: resolveFields,
		/** Local times are translated to the time zone of the record. */
		resolveBody: async (context: ItemContext): Promise<JsonObject> => {
			const body = await resolveFields(context);
			const loadZone = order ? loadOrderZone : findZone?.(context);
			return await translateTimes(command, body, () => loadZone?.(context));
		},
	};
}

/** A class that only the user names may have any members. */
type CommandBody<Name extends string> = Name extends CommandName
	? ValuesOf<CommandMember<Name>>
	: JsonObject;

export const sendCommand = async <Name extends string>(
	sender: Sender,
	name: Name,
	command: CommandBody<Name>,
	requestId = sender.getRequestId(),
) => await sender.send(buildCommandRequest(name, command, requestId));

/** Returns the record in the answer; some Companies send none, so the whole result is returned. */
async function toOutput(
	form: ItemForm,
	command: string,
	answer: CommandAnswer,
	body: JsonObject,
): Promise<JsonObject> {
	const result: unknown = answer.CommandResult[getCommand(command)?.answer ?? ''];
	if (!isObject(result)) return answer.CommandResult;
	const found = filterMembers(result, (name) => FOUND.includes(name));
	const entity = findAnswerEntity(command) ?? '';
	const { getName } = form.run.names;
	const summary = getSummaryMembers(form, entity);
	const shown = simplifyAnswer(entity, result, getName, Object.keys(body), summary);
	addUtcZones(shown);
	const [output] = await addUrls(form, entity, [shown]);
	return { ...found, ...output };
}

/** Members that the node adds to an order that takes the place of a new one, and to a new one. */
const FOUND = ['AlreadyExisted', 'FilesLeftOut'];
