import type { INodeProperties } from 'n8n-workflow';

import { commandNamed } from '../../catalogue/commands';
import { optionsField, type OptionName } from '../../descriptions/options';
import type { CommandAnswer } from '../../protocol/answers';
import { isObject, type JsonObject } from '../../protocol/checks';
import { commandRequest } from '../../protocol/requests';
import { itemOf, type Call } from '../call';
import type { Operation } from '../types';

interface TypedCommand {
	name: string;
	value: string;
	action: string;
	description: string;
	command: string;
	fields: INodeProperties[];
	options?: OptionName[];
	/** What is sent in `Command`. */
	body: (call: Call) => JsonObject;
	/** Only for commands that are not sent in the plain way. */
	send?: (call: Call, command: JsonObject) => Promise<CommandAnswer>;
}

/** An operation that is one command with a form of its own. */
export function commandOperation(typed: TypedCommand): Operation {
	const { name, value, action, command } = typed;
	const send = typed.send ?? (async (call, body) => await sendCommand(call, command, body));
	return {
		name,
		value,
		action,
		description: `${typed.description} (${command})`,
		fields: [
			...typed.fields,
			optionsField('rawOutput', 'requestId', 'timeout', ...(typed.options ?? [])),
		],
		each: async (call) => [itemOf(outputOf(call, command, await send(call, typed.body(call))))],
	};
}

export const sendCommand = async (call: Call, name: string, command: JsonObject) =>
	await call.send(commandRequest(name, command, call.requestId()));

/** What the command made or changed, or its whole result where a Company answers otherwise. */
function outputOf(call: Call, command: string, answer: CommandAnswer): JsonObject {
	if (call.options.rawOutput === true) return { ...answer };
	const result: unknown = answer.CommandResult[commandNamed(command)?.answer ?? ''];
	return isObject(result) ? result : answer.CommandResult;
}
