import type { INodeExecutionData, INodeProperties } from 'n8n-workflow';

import { commandNamed, type CommandName } from '../../catalogue/commands';
import { optionsField } from '../../form/options';
import { reference } from '../../form/references';
import type { CommandAnswer } from '../../protocol/answers';
import { isObject, type JsonObject } from '../../protocol/checks';
import { commandRequest } from '../../protocol/requests';
import { itemOf, type Call } from '../../run/context';
import { named } from '../../run/resolve';
import { workOrderId } from '../workOrder/numbers';
import type { Operation } from '../../run/operation';
import { recordChosen } from './subject';
import { additionalFields, byTitle, formFields, membersGiven, type MemberField } from './members';
import { onLocalClock, ORDER_ZONE, type ZoneSource } from './zones';

export interface TypedCommand {
	name: string;
	value: string;
	action: string;
	description: string;
	command: CommandName;
	/** Fields that are always shown, each a member of the command. */
	members?: MemberField[];
	/** Fields that can be added, each a member of the command. */
	added?: MemberField[];
	/** Fields of any other kind, which `body` reads. */
	fields?: INodeProperties[];
	/** Options that no other operation has. */
	ownOptions?: INodeProperties[];
	/** Where the time zone of a new record stands; one that is there says it itself. */
	zone?: (call: Call) => ZoneSource | undefined;
	/** What is sent in `Command` besides the members. */
	body?: (call: Call) => JsonObject | Promise<JsonObject>;
	/** What becomes of the answer, where that is not the record in it. */
	output?: (call: Call, answer: CommandAnswer, command: JsonObject) => Promise<INodeExecutionData>;
	/** Only for commands that are not sent in the plain way. */
	send?: (call: Call, command: JsonObject) => Promise<CommandAnswer>;
}

/** The member that says which work order, spelled as this command has it. */
const orderMember = (command: string) =>
	commandNamed(command)?.required.find((member) => /^WorkOrderId$/i.test(member));

/** An operation that is one command with a form of its own. */
export function commandOperation(typed: TypedCommand): Operation {
	const { name, value, action, command } = typed;
	const send = typed.send ?? (async (call, body) => await sendCommand(call, command, body));
	return {
		name,
		value,
		action,
		description: `${typed.description} (${command})`,
		command,
		fields: formOf(typed),
		...(orderMember(command) ? { changes: recordChosen } : {}),
		each: async (call) => {
			const body = await bodyOf(call, typed);
			const answer = await send(call, body);
			if (call.isOn('rawOutput')) return [itemOf({ ...answer })];
			// A rehearsal has an answer without a result, and an output of its own.
			const own = call.rehearsed.length > 0 ? undefined : typed.output;
			return [(await own?.(call, answer, body)) ?? itemOf(outputOf(command, answer))];
		},
	};
}

function formOf({ command, members = [], added = [], fields = [], ...more }: TypedCommand) {
	const options = optionsField('dryRun', 'parallelRequests', 'rawOutput', 'requestId', 'timeout');
	return [
		...(orderMember(command) ? [reference('workOrder', 'id', { required: true })] : []),
		...formFields(members),
		...fields,
		...(added.length > 0 ? [additionalFields(...formFields(added))] : []),
		withOptions(options, ...(more.ownOptions ?? [])),
	];
}

/** The options that operations share, and some of one alone. */
export const withOptions = (
	field: INodeProperties,
	...own: INodeProperties[]
): INodeProperties => ({
	...field,
	options: [...(field.options as INodeProperties[]), ...own].sort(byTitle),
});

async function bodyOf(
	call: Call,
	{ command, members = [], added = [], body, zone }: TypedCommand,
): Promise<JsonObject> {
	const order = orderMember(command);
	const given = await named(call, async (one) => ({
		...(order ? { [order]: await workOrderId(one) } : {}),
		...membersGiven(one, members, added),
		...(await body?.(one)),
	}));
	return await onLocalClock(call, command, given, order ? ORDER_ZONE : zone?.(call));
}

export const sendCommand = async (call: Call, name: string, command: JsonObject) =>
	await call.send(commandRequest(name, command, call.requestId()));

/** What the command made or changed, or its whole result where a Company answers otherwise. */
function outputOf(command: string, answer: CommandAnswer): JsonObject {
	const result: unknown = answer.CommandResult[commandNamed(command)?.answer ?? ''];
	return isObject(result) ? result : answer.CommandResult;
}
