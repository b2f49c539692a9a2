import { optionsField } from '../../descriptions/options';
import { commandAnswerOf } from '../../protocol/answers';
import { DISCOVERY_PATH, discoveryBody } from '../../protocol/requests';
import { locatorOf } from '../../transport/settings';
import { send } from '../../transport/send';
import { itemOf } from '../call';
import type { Operation, Resource } from '../operations/operation';

const discover: Operation = {
	name: 'Discover',
	value: 'discover',
	action: 'Discover the host of the company',
	description:
		'Look up host, version and ID of the Company of the credential (GetCompanyWsdkUrlCommand)',
	fields: [optionsField('timeout')],
	each: async (call) => {
		const credentials = await call.caller.getCredentials('corrigoApi');
		const { CommandResult } = await send(
			call.caller,
			{
				method: 'POST',
				path: DISCOVERY_PATH,
				body: discoveryBody(String(credentials.companyName).trim()),
				reads: true,
				unwrap: commandAnswerOf(),
			},
			{ ...call.sendOptions, baseUrl: locatorOf(credentials) },
		);
		return [itemOf(CommandResult)];
	},
};

export const company: Resource = {
	name: 'Company',
	value: 'company',
	operations: [discover],
};
