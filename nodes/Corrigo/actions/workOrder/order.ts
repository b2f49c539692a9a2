import { updateDisplayOptions, type INodeProperties } from 'n8n-workflow';

import { isEmpty, optionalText } from '../../form/form';
import { fieldsOf, isReadOnly } from '../../catalogue/entities';
import { enumerations } from '../../catalogue/enumerations';
import { choices } from '../../form/fields';
import type { Target } from '../../catalogue/targets';
import { reference, targetOfKind } from '../../form/references';
import { nested } from '../../protocol/changes';
import { jsonObject, ValidationError, quote, type JsonObject } from '../../protocol/checks';
import { emptyFields } from '../../protocol/required';
import { memberOf } from '../../protocol/values';
import type { ItemContext } from '../../run/context';
import { idIn } from '../../run/resolve';
import { addedMembers, inputsFor, repeated, type MemberField } from '../operations/members';
import { CUSTOMER_ZONE, WORK_ZONE, type ZoneSource } from '../operations/zones';
import { assetId, contactOf, subTypeOf, taskId } from '../scopes';
import { customFieldsField, newCustomFieldsOf } from './customFields';

const order = inputsFor('WorkOrder');

const OF_ZONE = 'In the time zone of the work zone, unless the value has a time zone.';

export const orderMembers: readonly MemberField[] = [
	order.field('Access', 'access', 'Permission to enter the site'),
	order.field(
		'ContactName',
		'contactName',
		'Name of the requester, if not a contact of the customer',
	),
	order.field(
		'DtAcknowledgeBy',
		'acknowledgeBy',
		`Time by which the order must be picked up. ${OF_ZONE}`,
	),
	order.field('DtDue', 'due', `Time by which the work must be completed. ${OF_ZONE}`),
	order.field('DtOnSiteBy', 'onSiteBy', `Time by which the technician must be on site. ${OF_ZONE}`),
	order.field(
		'DtScheduledStart',
		'scheduledStart',
		`Time at which the work is planned to start. ${OF_ZONE}`,
	),
	order.field('Duration', 'duration', 'Planned duration in minutes'),
	order.field('IsWarranty', 'isWarranty', 'Whether the work is covered by a warranty'),
	order.field('PoNumber', 'poNumber', 'Purchase order number'),
	order.reference('Priority', 'priority', 'priority', {
		description: 'The task of the first item may override this',
	}),
	order.reference('Specialty', 'specialty', 'specialty'),
	order.money('VendorNte', 'vendorNte', 'Not-to-exceed (NTE) amount of the vendor'),
	order.reference('WorkZone', 'workZone', 'workZone', {
		description: 'Required for basic orders without a customer',
	}),
];

export const CONTACT_ADDRESS: INodeProperties = {
	displayName: 'Contact Address',
	name: 'contactAddress',
	type: 'string',
	default: '',
	placeholder: 'e.g. +1 555 0100',
	description: 'Phone number or email address for questions',
};

const OTHER = 'Other Properties (JSON)';

export const OTHER_PROPERTIES: INodeProperties = {
	displayName: OTHER,
	name: 'otherProperties',
	type: 'json',
	default: '{}',
	placeholder: 'e.g. { "TaskRefinement": "north side" }',
	description: 'Other properties of the work order, by their names in Corrigo',
};

const ITEM_FIELDS: INodeProperties[] = [
	reference('asset', 'asset', { required: true, description: 'Asset that needs work' }),
	reference('task', 'task', {
		required: true,
		description: 'Task to perform. It must fit the asset.',
	}),
	{
		displayName: 'Comment',
		name: 'comment',
		type: 'string',
		typeOptions: { rows: 2 },
		default: '',
		placeholder: 'e.g. Tap in the kitchen drips',
		description: 'Description of the issue, as reported',
	},
];

export const NOTE_FIELDS: INodeProperties[] = [
	{
		displayName: 'Body',
		name: 'body',
		type: 'string',
		typeOptions: { rows: 2 },
		default: '',
		description: 'Text of the note',
	},
	{
		displayName: 'Type',
		name: 'type',
		type: 'options',
		options: choices('WONoteType'),
		default: 'Public',
		description: 'Visibility of the note',
	},
];

const CATEGORIES = choices('WOType').map(({ value }) => value);

const customerField = (more: Partial<INodeProperties>) =>
	reference('customer', 'customer', { description: 'Required for requests', ...more });

const NO_REQUEST = CATEGORIES.filter((category) => category !== 'Request');
/** An expression counts as a match for every `show` in n8n, so required fields use `hide`. */
const EXPRESSION = { _cnd: { startsWith: '=' } };

/** *Create or Update* creates no order if Update Only is set. */
export const ofNewOrder = (...fields: INodeProperties[]): INodeProperties[] =>
	updateDisplayOptions({ hide: { '/options.updateOnly': [{ _cnd: { exists: true } }] } }, fields);

/** Every new order needs these fields. */
export const requiredFields: INodeProperties[] = ofNewOrder(
	{
		displayName: 'Type Category',
		name: 'typeCategory',
		type: 'options',
		options: choices('WOType'),
		default: 'Request',
		description: 'Category of the order. Requests need a customer.',
	},
	reference('subType', 'subType', { required: true }),
	customerField({
		required: true,
		displayOptions: { hide: { typeCategory: [...NO_REQUEST, EXPRESSION] } },
	}),
	customerField({ displayOptions: { show: { typeCategory: NO_REQUEST } } }),
	repeated('items', 'Item', ITEM_FIELDS, {
		required: true,
		default: { values: [{}] },
		description: 'Assets and tasks of the order. Add at least one.',
	}),
);

export const orderFields: INodeProperties[] = [
	...requiredFields,
	reference('contact', 'contact', { description: 'Contact who requests the work' }),
	...ofNewOrder(
		repeated('notes', 'Note', NOTE_FIELDS, { description: 'Notes to add to the new order' }),
	),
	customFieldsField,
];

export function orderOf(context: ItemContext): JsonObject {
	const category = categoryOf(context);
	mustBeFilledIn(context, category);
	const customer = customerOf(context);
	if (category === 'Request' && customer === undefined) {
		throw new ValidationError("'Customer' is empty, but a request needs one");
	}
	const contact = contactIn(context);
	const notes = context.rows('notes').map((row) => noteOf('Notes', row));
	const customFields = newCustomFieldsOf(context);
	return withOthers(context, {
		// The contract uses the code of the category, which is its index in the enumeration.
		TypeCategory: enumerations.WOType.indexOf(category),
		SubType: { Id: subTypeIdOf(context) },
		...(customer === undefined ? {} : { Customer: { Id: customer } }),
		// Contactid is the name in the contract; in practice, RequestorContact links the contact.
		...(contact === undefined ? {} : { Contactid: contact }),
		Items: orderItemsOf(context),
		...changeableMembers(context),
		...(notes.length > 0 ? { Notes: notes } : {}),
		...(customFields.length > 0 ? { CustomFields: customFields } : {}),
	});
}

function changeableMembers(context: ItemContext): JsonObject {
	const contact = contactIn(context);
	const added = context.collection('additionalFields');
	return {
		...(contact === undefined ? {} : { RequestorContact: { Id: contact } }),
		...addedMembers(context, added, orderMembers),
		...contactAddressOf(added.contactAddress),
	};
}

/** An update leaves these members as they are. */
const ONLY_NEW = ['TypeCategory', 'SubType', 'Customer', 'Items', 'Notes'];

/** Members of the form that an update can set. */
export const changesOfOrder = (context: ItemContext): JsonObject =>
	Object.fromEntries(
		Object.entries(withOthers(context, changeableMembers(context))).filter(
			([name]) => !ONLY_NEW.includes(name) && !isReadOnly('WorkOrder', name),
		),
	);

/** One error lists all required fields that are empty; a single one has its own message. */
function mustBeFilledIn(context: ItemContext, category: string): void {
	const items = context.rows('items');
	const required: Array<[label: string, values: unknown[]]> = [
		['Sub Type', [context.field('subType', '')]],
		['Customer', category === 'Request' ? [context.field('customer', '')] : []],
		['Items', items.length === 0 ? [''] : []],
		['Asset', items.map(({ asset }) => asset)],
		['Task', items.map(({ task }) => task)],
	];
	const empty = required.filter(([, values]) => values.some(isEmpty)).map(([label]) => label);
	if (empty.length > 1) throw emptyFields(empty, 'work order');
}

export const customerOf = (context: ItemContext) =>
	optionalId(context, 'Customer', 'customer', targetOfKind('customer'));

const contactIn = (context: ItemContext) =>
	optionalId(context, 'Contact', 'contact', contactOf(customerOf(context)));

export const subTypeIdOf = (context: ItemContext): number =>
	idIn(context, 'Sub Type', context.field('subType', ''), subTypeOf(categoryOf(context)));

const categoryOf = (context: ItemContext) =>
	memberOf('Type Category', context.param('typeCategory', 'Request'), 'WOType');

function optionalId(
	context: ItemContext,
	label: string,
	name: string,
	target: Target,
): number | undefined {
	const value = context.field(name, '');
	return isEmpty(value) ? undefined : idIn(context, label, value, target);
}

/** A new order uses the time zone of its work zone, or of the work zone of its customer. */
export function orderZone(context: ItemContext): ZoneSource | undefined {
	if (!isEmpty(context.collection('additionalFields').workZone)) return WORK_ZONE;
	return isEmpty(context.param('customer', '')) ? undefined : CUSTOMER_ZONE;
}

export function orderItemsOf(context: ItemContext) {
	const customer = customerOf(context);
	const rows = context.rows('items');
	if (rows.length === 0)
		throw new ValidationError("'Items' is empty: a work order needs at least one");
	return rows.map(({ asset, task, comment }) => {
		const Id = assetId(context, 'Items > Asset', asset, customer);
		return {
			Asset: { Id },
			Task: { Id: taskId(context, 'Items > Task', task, Id) },
			...(isEmpty(comment) ? {} : { Comment: optionalText('Items > Comment', comment) }),
		};
	});
}

export function noteOf(label: string, { body, type }: JsonObject): JsonObject {
	const Body = optionalText(`${label} > Body`, body);
	if (Body === '') throw new ValidationError(`'${label} > Body' is empty`);
	return { Body, NoteTypeId: memberOf(`${label} > Type`, type, 'WONoteType') };
}

function contactAddressOf(given: unknown): JsonObject {
	const Address = optionalText(CONTACT_ADDRESS.displayName, given);
	return Address === '' ? {} : { ContactAddress: { Address, AddrTypeId: 'Contact' } };
}

/** Corrigo ignores unknown names, so this check is the only one that catches a typing error. */
function withOthers(context: ItemContext, order: JsonObject): JsonObject {
	const { otherProperties = {} } = context.collection('additionalFields');
	const others = nested(OTHER, jsonObject(OTHER, otherProperties));
	for (const name of Object.keys(others)) {
		if (Object.hasOwn(order, name))
			throw new ValidationError(`'${OTHER}' has ${quote(name)}, which the form sets as well`);
		if (!Object.hasOwn(fieldsOf('WorkOrder'), name)) {
			throw new ValidationError(
				`'${OTHER}' has ${quote(name)}, which is no property of a work order`,
				"For properties that are newer than this node use 'Execute' of the Command resource.",
			);
		}
	}
	return { ...order, ...others };
}
