import type { IBuilderHintVariation, IDataObject, INodeParameters } from 'n8n-workflow';

/** Example of an operation, for language models that build workflows. */
interface Pattern {
	title: string;
	/** Input item that the expressions read. */
	input: IDataObject;
	parameters: INodeParameters & { resource: string; operation: string };
}

const buildLocator = (mode: 'name' | 'number', value: string) =>
	({ __rl: true, mode, value }) as const;

export const patterns: readonly Pattern[] = [
	{
		title: 'create one work order for each ticket, by names instead of IDs',
		input: {
			ticket: 'T-4711',
			site: 'Contoso Pharmacy',
			equipment: 'Water Heater',
			problem: 'No hot water',
		},
		parameters: {
			resource: 'workOrder',
			operation: 'create',
			typeCategory: 'Request',
			subType: buildLocator('name', 'Service Request'),
			customer: buildLocator('name', '={{ $json.site }}'),
			items: {
				values: [
					{
						asset: buildLocator('name', '={{ $json.equipment }}'),
						task: buildLocator('name', '={{ $json.problem }}'),
					},
				],
			},
			additionalFields: { externalNumber: '={{ $json.ticket }}' },
			preventDuplicates: { skipIfExternalNumberExists: true },
		},
	},
	{
		title: 'get all open emergencies of a site',
		input: { site: 'Contoso Pharmacy' },
		parameters: {
			resource: 'workOrder',
			operation: 'getMany',
			returnAll: true,
			filters: { customer: buildLocator('name', '={{ $json.site }}'), emergency: true, open: true },
		},
	},
	{
		title: 'write rows of a table to customers, matched by their code',
		input: { TenantCode: 'T1000', Instructions: 'Ring twice' },
		parameters: {
			resource: 'customer',
			operation: 'upsert',
			fieldsMode: 'autoMapInputData',
			autoFields: {
				mappingMode: 'autoMapInputData',
				value: null,
				matchingColumns: ['TenantCode'],
				schema: [],
			},
		},
	},
	{
		title: 'add a note to a work order, by its number',
		input: { number: 'MTM0000001', text: 'The tenant called again' },
		parameters: {
			resource: 'note',
			operation: 'create',
			workOrder: buildLocator('number', '={{ $json.number }}'),
			body: '={{ $json.text }}',
			type: 'Public',
		},
	},
	{
		title: 'list who could do a work order, the most suitable one first',
		input: { number: 'MTM0000001' },
		parameters: {
			resource: 'workOrder',
			operation: 'suggestAssignees',
			workOrder: buildLocator('number', '={{ $json.number }}'),
			maxSuggestions: 3,
		},
	},
	{
		title: 'authorize the vendor invoice of a work order, by its number',
		input: { number: 'MTM0000001' },
		parameters: {
			resource: 'invoice',
			operation: 'changeApStatus',
			id: buildLocator('number', '={{ $json.number }}'),
			apStatus: buildLocator('name', 'Authorized'),
		},
	},
];

const toContent = ({ title, input, parameters }: Pattern) => `<patterns>
<pattern title="${title}">
// Input item: ${JSON.stringify(input)}
const step = node({
  type: 'n8n-nodes-corrigo.corrigo',
  version: 1,
  config: { parameters: ${JSON.stringify(parameters)} },
});
</pattern>
</patterns>`;

/** n8n adds these texts to the types of the operations. */
export const typeDefContent: IBuilderHintVariation[] = patterns.map((pattern) => {
	const { resource, operation } = pattern.parameters;
	const show = { resource: [resource], operation: [operation] };
	return { displayOptions: { show }, content: toContent(pattern) };
});
