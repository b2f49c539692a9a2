import type { INodeExecutionData } from 'n8n-workflow';

import { findAnswerEntity, getCommand, type CommandName } from '../../catalogue/commands';
import { buildOptions, WRITE_OPTIONS } from '../../form/options';
import { isRaw, writeOutputField } from '../../form/form';
import { buildReferenceField, subjects } from '../../form/subjects';
import type { CommandAnswer } from '../../wire/answers';
import { isObject, type JsonObject } from '../../values/checks';
import { buildCommandRequest } from '../../wire/requests';
import { addNames } from '../../records/names';
import { toItem, type ItemContext } from '../../run/context';
import { createFormReader, getKnownNames, readRecordId } from '../../run/resolve';
import type { EachOperation, Operation } from '../../run/operation';
import { createKeyReader } from '../subject';
import { buildForm, readMembers, toTitle, type MemberForm } from '../members';
import { resolveLocalTimes, ORDER_ZONE, type ZoneSource } from './zones';

export interface CommandDefinition extends MemberForm {
	value: string;
	action: string;
	description: string;
	command: CommandName;
	/** Source of a new record's time zone; an existing record has its own. */
	getZone?: (context: ItemContext) => ZoneSource | undefined;
	/** Builds the parts of `Command` that the member fields do not set. */
	buildBody?: (context: ItemContext) => JsonObject;
	/** Builds the output if it is not the record in the answer. */
	buildOutput?: (
		context: ItemContext,
		answer: CommandAnswer,
		command: JsonObject,
	) => Promise<INodeExecutionData | INodeExecutionData[] | undefined>;
	/** Reads the keys of the records that a command without a work order changes. */
	changes?: EachOperation['changes'];
	/** Replaces `sendCommand` for commands that need special handling. */
	send?: (context: ItemContext, command: JsonObject) => Promise<CommandAnswer>;
}

/** Commands differ in how they spell the member for the work order. */
const getOrderMember = (command: string) =>
	getCommand(command)?.required.find((member) => /^WorkOrderId$/i.test(member));

export function buildCommandOperation(typed: CommandDefinition): Operation {
	const { value, action, command, fields = [] } = typed;
	const order = getOrderMember(command)
		? [buildReferenceField('workOrder', 'id', { required: true })]
		: [];
	const { reads } = getCommand(command) ?? {};
	const reader = createBodyReader(typed);
	const send = typed.send ?? (async (context, body) => await sendCommand(context, command, body));
	return {
		name: toTitle(value),
		value,
		action,
		description: typed.description,
		command,
		fields: buildForm(
			{ ...typed, fields: [...order, ...fields] },
			writeOutputField,
			reads ? READ_OPTIONS : OPTIONS,
		),
		...(reads
			? { reads }
			: { changes: getOrderMember(command) ? createKeyReader(subjects.workOrder) : typed.changes }),
		check: async (context) => {
			await reader.readMembers(context);
		},
		each: async (context) => {
			const raw = isRaw(context);
			const body = await reader.readBody(context);
			const answer = await send(context, body);
			if (raw) return [toItem({ ...answer })];
			const own = await context.readAfterWrite(
				async () => await typed.buildOutput?.(context, answer, body),
			);
			return [own ?? toItem(toOutput(context, command, answer))].flat();
		},
	};
}

const OPTIONS = buildOptions([...WRITE_OPTIONS, 'requestId']);
const READ_OPTIONS = buildOptions(['parallelRequests', 'timeout']);

/** The body of a command is read once for each item, for checks and for the request. */
export function createBodyReader({ command, getZone, buildBody, ...form }: CommandDefinition) {
	const order = getOrderMember(command);
	const readForm = createFormReader(
		(context): JsonObject => ({
			...(order ? { [order]: readRecordId(context, 'workOrder', 'Work Order') } : {}),
			...readMembers(context, form),
			...buildBody?.(context),
		}),
	);
	return {
		readMembers: readForm,
		/** Local times are translated to the time zone of the record. */
		readBody: async (context: ItemContext): Promise<JsonObject> => {
			const body = await readForm(context);
			const source = order ? ORDER_ZONE : getZone?.(context);
			return await resolveLocalTimes(context, command, body, source);
		},
	};
}

export const sendCommand = async (context: ItemContext, name: string, command: JsonObject) =>
	await context.send(buildCommandRequest(name, command, context.getRequestId()));

/** Returns the record in the answer; some Companies send none, so the whole result is returned. */
function toOutput(context: ItemContext, command: string, answer: CommandAnswer): JsonObject {
	const result: unknown = answer.CommandResult[getCommand(command)?.answer ?? ''];
	if (!isObject(result)) return answer.CommandResult;
	return addNames(findAnswerEntity(command) ?? '', result, getKnownNames(context).getName);
}
