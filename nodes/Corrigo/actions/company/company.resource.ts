import { optionsField } from '../../form/options';
import { itemOf } from '../../run/context';
import type { Operation, Resource } from '../../run/operation';
import { checkAccess } from './checkAccess.operation';
import { discover as discovered } from './probe';

const discover: Operation = {
	name: 'Discover',
	value: 'discover',
	action: 'Discover the host of the company',
	description:
		'Look up host, version and ID of the Company of the credential (GetCompanyWsdkUrlCommand)',
	fields: [optionsField('timeout')],
	reads: true,
	each: async (context) => [itemOf(await discovered(context))],
};

export const company: Resource = {
	name: 'Company',
	value: 'company',
	operations: [discover, checkAccess],
};
