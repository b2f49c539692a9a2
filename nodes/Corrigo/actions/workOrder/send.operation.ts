import type { CommandAnswer } from '../../wire/answers';
import type { JsonObject } from '../../values/checks';
import { isUnknownCommand } from '../../transport/errors';
import type { ItemContext } from '../../run/context';
import { createFieldBuilder } from '../../operations/members';
import { buildCommandOperation, sendCommand } from '../../operations/write/command';

/** The contract does not say which of the two names a host knows. */
const NAMES = ['SendWorkOrderCommand', 'SendWorkOrder'] as const;
const OTHER = { SendWorkOrderCommand: NAMES[1], SendWorkOrder: NAMES[0] };

const namesByHost = new Map<string, (typeof NAMES)[number]>();

export const send = buildCommandOperation({
	value: 'send',
	action: 'Send a work order to its providers',
	description: 'Notify the connected providers assigned to a work order',
	command: 'SendWorkOrderCommand',
	added: [
		createFieldBuilder(NAMES[0]).field(
			'RequestQuote',
			'requestQuote',
			'Whether to ask the provider for a quote',
			{ default: true },
		),
		createFieldBuilder(NAMES[0]).field(
			'SendTo',
			'sendTo',
			'Address to notify, if not the assigned providers',
			{ placeholder: 'e.g. name@email.com' },
		),
	],
	send: sendUnderEitherName,
});

/** The first request of a session discovers the host, so the host is read again after it. */
const getHost = async ({ caller }: ItemContext) =>
	String((await caller.getCredentials('corrigoApi')).baseUrl);

async function sendUnderEitherName(
	context: ItemContext,
	command: JsonObject,
): Promise<CommandAnswer> {
	const name = namesByHost.get(await getHost(context)) ?? NAMES[0];
	const first = await sendCommand(context, name, command).catch((failure: unknown) => ({
		failure,
	}));
	if (!('failure' in first)) return first;
	if (!isUnknownCommand(first.failure)) throw first.failure;
	const answer = await sendCommand(context, OTHER[name], command);
	namesByHost.set(await getHost(context), OTHER[name]);
	return answer;
}
