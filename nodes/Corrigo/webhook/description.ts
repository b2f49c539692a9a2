import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

import { createTable } from '../catalogue/table';
import { defineField } from '../form/fields';
import { optionsField } from '../form/options';
import { oldestField } from '../trigger/deadlines/deadlines';
import { actionTypesField } from '../trigger/changes/attached';
import { type EventName, events, isLogged, isPushed, listEventNames } from '../trigger/events';
import {
	deliveryField,
	buildDeliveries,
	eventField,
	eventsField,
	batchSizeField,
	startTimeField,
	startFromField,
} from '../trigger/fields';
import { narrowToEvents, triggerFields as pollingProperties } from '../trigger/triggerForm';
import { describeAction, describePushing, findPushing } from './services';

const addressNotice: INodeProperties = {
	displayName:
		'Corrigo sends events to the Production URL above once an administrator has entered it there, as the target of a webhook. <a href="https://github.com/n8n-nodes-corrigo/n8n-nodes-corrigo/blob/main/docs/webhook.md" target="_blank">How to set it up</a>',
	name: 'addressNotice',
	type: 'notice',
	default: '',
};

export const signatureField = defineField({
	displayName: 'Signature',
	name: 'signature',
	type: 'options',
	options: [
		{
			name: 'Off',
			value: 'off',
			description: 'Anyone who knows the URL can make this node read records, or keep it busy',
		},
		{
			name: 'HMAC',
			value: 'hmac',
			description: 'Accept only events signed with a signing key of the credential',
		},
		{
			name: 'Learn',
			value: 'learn',
			description: 'Find header, algorithm and encoding by a test event',
		},
	],
	default: 'off',
	description: 'How to verify the signature of events',
});

export const headerField = defineField({
	displayName: 'Header',
	name: 'signatureHeader',
	type: 'string',
	required: true,
	default: '',
	placeholder: 'e.g. X-Signature',
	description: 'Name of the header with the signature. Learn detects it.',
});

export const algorithmField = defineField({
	displayName: 'Algorithm',
	name: 'signatureAlgorithm',
	type: 'options',
	options: [
		{ name: 'SHA-1', value: 'sha1' },
		{ name: 'SHA-256', value: 'sha256' },
		{ name: 'SHA-512', value: 'sha512' },
	],
	default: 'sha256',
	description: 'Hash function of the HMAC signature',
});

export const encodingField = defineField({
	displayName: 'Encoding',
	name: 'signatureEncoding',
	type: 'options',
	options: [
		{ name: 'Base64', value: 'base64' },
		{ name: 'Hex', value: 'hex' },
	],
	default: 'hex',
	description: 'Encoding of the signature. A prefix such as sha256= may precede it.',
});

/** The polling trigger alone has these fields. */
const POLLING_ONLY = [startFromField, startTimeField, batchSizeField, oldestField].map(
	({ name }): string => name,
);

const deliveries = buildDeliveries(
	'If Corrigo sends changes again after n8n was killed, those from the last seconds trigger again',
	'changes from the last moment',
);

const pushedEvents = listEventNames(isPushed);

function describeEvent({ description = '', ...option }: INodePropertyOptions) {
	const pushing = findPushing(events[option.value as EventName]);
	return { ...option, description: describePushing(description, pushing) };
}

/** Events and actions say by which service they are pushed. */
const describers = createTable<
	((option: INodePropertyOptions) => INodePropertyOptions) | undefined
>({
	[eventField.name]: describeEvent,
	[eventsField.name]: describeEvent,
	[actionTypesField.name]: describeAction,
});

function describeChoices(field: INodeProperties): INodeProperties {
	const describe = describers[field.name];
	if (describe === undefined) return field;
	const options = field.options as INodePropertyOptions[];
	const isOffered = ({ value }: INodePropertyOptions) =>
		field.name !== eventsField.name || isLogged(events[value as EventName]);
	return { ...field, options: options.filter(isOffered).map(describe) };
}

const buildPushFields = (fields: readonly INodeProperties[]): INodeProperties[] =>
	fields.flatMap((field) => {
		if (POLLING_ONLY.includes(field.name)) return [];
		if (field.name === deliveryField.name) return { ...field, options: deliveries };
		if (field.name !== optionsField.name)
			return narrowToEvents(field, pushedEvents).map(describeChoices);
		return { ...field, options: buildPushFields(field.options as INodeProperties[]) };
	});

/** The form is that of the polling trigger, with signatures in place of poll times. */
export const webhookFields: INodeProperties[] = [
	addressNotice,
	...buildPushFields(pollingProperties),
	signatureField,
	...[headerField, algorithmField, encodingField].map((field) => ({
		...field,
		displayOptions: { show: { signature: ['hmac'] } },
	})),
];
