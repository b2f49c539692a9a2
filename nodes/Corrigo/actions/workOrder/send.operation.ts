import type { CommandAnswer } from '../../protocol/answers';
import type { JsonObject } from '../../protocol/checks';
import { isUnknownCommand } from '../../transport/errors';
import type { ItemContext } from '../../run/context';
import { inputsFor } from '../operations/members';
import { commandOperation, sendCommand } from '../operations/command';

/** The contract does not say which of the two names a host knows. */
const NAMES = ['SendWorkOrderCommand', 'SendWorkOrder'] as const;
const OTHER = { SendWorkOrderCommand: NAMES[1], SendWorkOrder: NAMES[0] };

const nameKnownTo = new Map<string, (typeof NAMES)[number]>();

export const send = commandOperation({
	value: 'send',
	action: 'Send a work order to its providers',
	description: 'Notify the connected providers assigned to a work order',
	command: 'SendWorkOrderCommand',
	added: [
		inputsFor(NAMES[0]).field(
			'RequestQuote',
			'requestQuote',
			'Whether to ask the provider for a quote',
			{ default: true },
		),
		inputsFor(NAMES[0]).field(
			'SendTo',
			'sendTo',
			'Address to notify, if not the assigned providers',
			{ placeholder: 'e.g. name@email.com' },
		),
	],
	send: sendUnderEitherName,
});

/** The first request of a session discovers the host, so the host is read again after it. */
const hostOf = async ({ caller }: ItemContext) =>
	String((await caller.getCredentials('corrigoApi')).baseUrl);

async function sendUnderEitherName(
	context: ItemContext,
	command: JsonObject,
): Promise<CommandAnswer> {
	const name = nameKnownTo.get(await hostOf(context)) ?? NAMES[0];
	const first = await sendCommand(context, name, command).catch((failure: unknown) => ({
		failure,
	}));
	if (!('failure' in first)) return first;
	if (!isUnknownCommand(first.failure)) throw first.failure;
	const answer = await sendCommand(context, OTHER[name], command);
	nameKnownTo.set(await hostOf(context), OTHER[name]);
	return answer;
}
