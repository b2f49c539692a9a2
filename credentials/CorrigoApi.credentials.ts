import type {
	IAuthenticate,
	ICredentialDataDecryptedObject,
	ICredentialTestRequest,
	ICredentialType,
	IHttpRequestHelper,
	INodeProperties,
	Icon,
} from 'n8n-workflow';

import { DEFAULT_TOKEN_URL, regions } from '../nodes/Corrigo/catalogue/regions';
import { preAuthenticate } from '../nodes/Corrigo/session/login';
import { authenticate } from '../nodes/Corrigo/session/session';

export class CorrigoApi implements ICredentialType {
	name = 'corrigoApi';

	displayName = 'Corrigo API';

	icon: Icon = { light: 'file:../icons/corrigo.svg', dark: 'file:../icons/corrigo.dark.svg' };

	documentationUrl = 'https://github.com/n8n-nodes-corrigo/n8n-nodes-corrigo#credential';

	properties: INodeProperties[] = [
		{
			displayName: 'Region',
			name: 'region',
			type: 'options',
			options: [
				...Object.entries(regions).map(([value, { label }]) => ({ name: label, value })),
				{ name: 'Custom', value: 'custom' },
			],
			default: 'americas',
			description: 'Region in which your Company is hosted',
		},
		{
			displayName: 'Locator URL',
			name: 'locatorUrl',
			type: 'string',
			default: '',
			placeholder: 'e.g. https://am-apilocator.corrigo.com',
			displayOptions: { show: { region: ['custom'] } },
			description: 'Address of the server that returns the host of your Company',
		},
		{
			displayName: 'Company Name',
			name: 'companyName',
			type: 'string',
			default: '',
			required: true,
			description: 'Name of your Company as in Integration API Settings, including capitalization',
		},
		{
			displayName: 'Client ID',
			name: 'clientId',
			type: 'string',
			default: '',
			required: true,
			description: 'From the Integration API Settings of your Company',
		},
		{
			displayName: 'Client Secret',
			name: 'clientSecret',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			description: "Secret that belongs to the 'Client ID'",
		},
		{
			displayName: 'Token Server URL',
			name: 'tokenUrl',
			type: 'string',
			default: DEFAULT_TOKEN_URL,
			description: 'Address of the token server. Change it only if Corrigo gave you another one.',
		},
		{
			displayName: 'Web Address',
			name: 'webAddress',
			type: 'string',
			default: '',
			placeholder: 'e.g. https://example.corrigo.com',
			description:
				'Where people open Corrigo in a browser, for links to work orders. Leave empty if it is the host of your Company.',
		},
		{
			displayName: 'Access',
			name: 'access',
			type: 'options',
			options: [
				{ name: 'Full', value: 'full' },
				{
					name: 'Read Only',
					value: 'readOnly',
					description: 'Requests that could write are not sent, whichever node makes them',
				},
			],
			default: 'full',
			description: 'What nodes may do with this credential',
		},
		{
			displayName: 'Use Webhook',
			name: 'useWebhook',
			type: 'boolean',
			default: false,
			description:
				'Whether to show the fields for signing keys, which only Corrigo Webhook Trigger uses',
		},
		{
			displayName: 'Signing Key',
			name: 'signingSecret',
			type: 'string',
			typeOptions: { password: true },
			displayOptions: { show: { useWebhook: [true] } },
			default: '',
			description: 'Key of the webhook in Corrigo',
		},
		{
			displayName: 'Former Signing Key',
			name: 'formerSigningSecret',
			type: 'string',
			typeOptions: { password: true },
			displayOptions: { show: { useWebhook: [true] } },
			default: '',
			description: 'Also accepted, so that no event is lost while you change the key in Corrigo',
		},
		{
			displayName: 'Access Token',
			name: 'accessToken',
			type: 'hidden',
			typeOptions: { expirable: true, password: true },
			default: '',
		},
		{ displayName: 'Base URL', name: 'baseUrl', type: 'hidden', default: '' },
		{ displayName: 'Expires At', name: 'n8n_expires_at', type: 'hidden', default: 0 },
		{ displayName: 'Issued For', name: 'issuedFor', type: 'hidden', default: '' },
	];

	async preAuthentication(this: IHttpRequestHelper, credentials: ICredentialDataDecryptedObject) {
		return await preAuthenticate(this.helpers, credentials);
	}

	authenticate: IAuthenticate = async (credentials, request) => authenticate(credentials, request);

	/** The smallest possible read proves client, region, Company and host at once. */
	test: ICredentialTestRequest = {
		request: {
			method: 'POST',
			url: '/api/v1/query/WoPriority',
			body: { QueryExpression: { PropertySet: { Properties: ['Id'] }, Count: 1 } },
		},
	};
}
