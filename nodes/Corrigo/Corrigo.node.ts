import {
	NodeConnectionTypes,
	type IExecuteFunctions,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';

import { properties } from './actions/registry';
import { router } from './actions/router';
import { NEWEST, VERSIONS } from './descriptions/versions';
import { listSearch } from './methods/listSearch';
import { getColumns } from './methods/resourceMapping';
import { loadOptions } from './methods/values';

export class Corrigo implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Corrigo',
		name: 'corrigo',
		icon: { light: 'file:../../icons/corrigo.svg', dark: 'file:../../icons/corrigo.dark.svg' },
		group: ['transform'],
		version: VERSIONS,
		defaultVersion: NEWEST,
		subtitle: '={{$parameter["operation"] + ": " + $parameter["resource"]}}',
		description:
			'Work orders, customers, spaces, assets, invoices and all else in Corrigo Enterprise',
		defaults: { name: 'Corrigo' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'corrigoApi', required: true }],
		properties: [...properties],
	};

	methods = { listSearch, loadOptions, resourceMapping: { getColumns } };

	async execute(this: IExecuteFunctions) {
		return await router.call(this);
	}
}
