import type { INodeExecutionData } from 'n8n-workflow';

import { answerEntity, commandNamed, type CommandName } from '../../catalogue/commands';
import { optionsField, writeOptionsField } from '../../form/options';
import { isRaw, writeOutputField } from '../../form/output';
import { reference } from '../../form/references';
import type { CommandAnswer } from '../../protocol/answers';
import { isObject, type JsonObject } from '../../protocol/checks';
import { commandRequest } from '../../protocol/requests';
import { withNames } from '../../protocol/withNames';
import { itemOf, type ItemContext } from '../../run/context';
import { knownNamesIn, named, recordIn } from '../../run/resolve';
import type { EachOperation, Operation } from '../../run/operation';
import { recordKey } from './subject';
import { subjects } from '../../form/subjects';
import { formOf, membersIn, titleOf, type MemberForm } from './members';
import { onLocalClock, ORDER_ZONE, type ZoneSource } from './zones';

export interface TypedCommand extends MemberForm {
	value: string;
	action: string;
	description: string;
	command: CommandName;
	/** Source of a new record's time zone; an existing record has its own. */
	zone?: (context: ItemContext) => ZoneSource | undefined;
	/** Builds the parts of `Command` that the member fields do not set. */
	body?: (context: ItemContext) => JsonObject;
	/** Builds the output if it is not the record in the answer. */
	output?: (
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
const orderMember = (command: string) =>
	commandNamed(command)?.required.find((member) => /^WorkOrderId$/i.test(member));

export function commandOperation(typed: TypedCommand): Operation {
	const { value, action, command, fields = [] } = typed;
	const order = orderMember(command) ? [reference('workOrder', 'id', { required: true })] : [];
	const { reads } = commandNamed(command) ?? {};
	const send = typed.send ?? (async (context, body) => await sendCommand(context, command, body));
	return {
		name: titleOf(value),
		value,
		action,
		description: typed.description,
		command,
		fields: formOf(
			{ ...typed, fields: [...order, ...fields] },
			writeOutputField,
			reads ? READ_OPTIONS : OPTIONS,
		),
		...(reads
			? { reads }
			: { changes: orderMember(command) ? recordKey(subjects.workOrder) : typed.changes }),
		check: async (context) => {
			await givenIn(context, typed);
		},
		each: async (context) => {
			const raw = isRaw(context);
			const body = await bodyOf(context, typed);
			const answer = await send(context, body);
			if (raw) return [itemOf({ ...answer })];
			const own = await context.afterWrite(async () => await typed.output?.(context, answer, body));
			return [own ?? itemOf(outputOf(context, command, answer))].flat();
		},
	};
}

const OPTIONS = writeOptionsField('requestId');
const READ_OPTIONS = optionsField('parallelRequests', 'timeout');

async function givenIn(
	context: ItemContext,
	{ command, body, ...form }: TypedCommand,
): Promise<JsonObject> {
	const order = orderMember(command);
	return await named(context, (one) => ({
		...(order ? { [order]: recordIn(one, 'workOrder', 'Work Order') } : {}),
		...membersIn(one, form),
		...body?.(one),
	}));
}

export async function bodyOf(context: ItemContext, typed: TypedCommand): Promise<JsonObject> {
	const { command, zone } = typed;
	const given = await givenIn(context, typed);
	const source = orderMember(command) ? ORDER_ZONE : zone?.(context);
	return await onLocalClock(context, command, given, source);
}

export const sendCommand = async (context: ItemContext, name: string, command: JsonObject) =>
	await context.send(commandRequest(name, command, context.requestId()));

/** Returns the record in the answer; some Companies send none, so the whole result is returned. */
function outputOf(context: ItemContext, command: string, answer: CommandAnswer): JsonObject {
	const result: unknown = answer.CommandResult[commandNamed(command)?.answer ?? ''];
	if (!isObject(result)) return answer.CommandResult;
	return withNames(answerEntity(command) ?? '', result, knownNamesIn(context).nameOf);
}
