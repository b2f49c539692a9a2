import { buildOptions } from '../../form/options';
import { toItem } from '../../run/context';
import type { Resource } from '../../run/operation';
import { checkAccess } from './checkAccess.operation';
import { discover } from './probe';

export const company: Resource = {
	name: 'Company',
	value: 'company',
	operations: [
		{
			name: 'Discover',
			value: 'discover',
			action: 'Discover the host of the company',
			description: 'Look up the host, version and ID of the Company of the credential',
			command: 'GetCompanyWsdkUrlCommand',
			fields: [buildOptions(['timeout'])],
			reads: true,
			each: async (context) => [toItem(await discover(context))],
		},
		checkAccess,
	],
};
