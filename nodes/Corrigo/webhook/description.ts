import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { properties as pollingProperties } from '../trigger/description';

const onlyFor = (field: INodeProperties): INodeProperties => ({
	...field,
	displayOptions: { show: { signature: ['hmac'] } },
});

const addressNotice: INodeProperties = {
	displayName:
		'Corrigo sends events to the Production URL above once an administrator has entered it there, as the target of a webhook. <a href="https://github.com/n8n-nodes-corrigo/n8n-nodes-corrigo/blob/main/docs/triggers.md#corrigo-webhook-trigger" target="_blank">How to set it up</a>',
	name: 'addressNotice',
	type: 'notice',
	default: '',
};

const signatureFields: INodeProperties[] = [
	{
		displayName: 'Signature',
		name: 'signature',
		type: 'options',
		options: [
			{
				name: 'Off',
				value: 'off',
				description: 'Whoever knows the address can make this node read records, and no more',
			},
			{
				name: 'HMAC',
				value: 'hmac',
				description: 'Only what is signed with the Signing Key of the credential is taken in',
			},
			{
				name: 'Learn',
				value: 'learn',
				description: 'A test event shows which header, algorithm and encoding fit the Signing Key',
			},
		],
		default: 'off',
		description: 'Whether to look at the signature of what comes in',
	},
	onlyFor({
		displayName: 'Header',
		name: 'signatureHeader',
		type: 'string',
		required: true,
		default: '',
		placeholder: 'e.g. X-Signature',
		description: 'The header with the signature. Learn finds it out.',
	}),
	onlyFor({
		displayName: 'Algorithm',
		name: 'signatureAlgorithm',
		type: 'options',
		options: [
			{ name: 'SHA-1', value: 'sha1' },
			{ name: 'SHA-256', value: 'sha256' },
			{ name: 'SHA-512', value: 'sha512' },
		],
		default: 'sha256',
		description: 'What the HMAC of the body is made with',
	}),
	onlyFor({
		displayName: 'Encoding',
		name: 'signatureEncoding',
		type: 'options',
		options: [
			{ name: 'Base64', value: 'base64' },
			{ name: 'Hex', value: 'hex' },
		],
		default: 'hex',
		description: 'How the signature is written, with or without a prefix such as sha256=',
	}),
];

/** Fields that only a trigger that polls needs. */
const POLLING_ONLY = ['startFrom', 'startTime', 'batchSize', 'oldest'];

const deliveryField: Partial<INodeProperties> = {
	options: [
		{
			name: 'At Least Once',
			value: 'atLeastOnce',
			description:
				'Changes from the last seconds before n8n stopped start the workflow again when they are pushed again, as they may not have been executed. ChangeKey in the output is the same both times.',
		},
		{
			name: 'Once',
			value: 'once',
			description:
				'No change starts the workflow twice. If n8n is killed, changes from the last moment may be lost.',
		},
	],
	description: 'Whether changes may start the workflow again after n8n has stopped',
};

const isPushed = (event: unknown) => event !== 'workOrderDeadline';

/** The field without events that are not pushed; none if it is for such events alone. */
function forPushed(field: INodeProperties): INodeProperties[] {
	if (field.name === 'delivery') return [{ ...field, ...deliveryField }];
	if (field.name === 'event') {
		const options = field.options as INodePropertyOptions[];
		return [{ ...field, options: options.filter(({ value }) => isPushed(value)) }];
	}
	const show = field.displayOptions?.show;
	if (show?.event === undefined) return [field];
	const event = show.event.filter(isPushed);
	return event.length === 0 ? [] : [{ ...field, displayOptions: { show: { ...show, event } } }];
}

const pushFields = (fields: readonly INodeProperties[]): INodeProperties[] =>
	fields
		.filter((field) => !POLLING_ONLY.includes(field.name))
		.flatMap(forPushed)
		.map((field) =>
			field.name === 'options'
				? { ...field, options: pushFields(field.options as INodeProperties[]) }
				: field,
		);

/** The form of the polling trigger, with signatures in place of poll times. */
export const properties: INodeProperties[] = [
	addressNotice,
	...pushFields(pollingProperties),
	...signatureFields,
];
