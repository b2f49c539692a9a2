import { type INodeProperties, updateDisplayOptions } from 'n8n-workflow';

import {
	getEntityTarget,
	getNameProperties,
	type Target,
	getRecordTarget,
} from '../../../catalogue/targets';
import { ValidationError, quote } from '../../../values/errors';
import { isName, toRecordId } from '../../../values/ids';
import { parseJsonObject } from '../../../values/json';
import { unwrapLocator } from '../../../values/locators';
import { type JsonObject, filterMembers } from '../../../values/objects';
import { parseMember } from '../../../values/scalars';
import { isNamed } from '../../../values/names';
import { collectValues } from '../../../records/query';
import type { ItemContext } from '../../../run/context';
import { getRecordNames, readRecordId, resolveFieldId } from '../../../run/resolve';
import { readCells } from '../../../columns/columns';
import { isCustomField } from '../../../wire/criteria';
import { buildCustomFields, omitAbsent, type CustomValue } from '../../../compare/customFields';
import { splitCustomFields } from '../../../operations/write/record';
import { isEmpty, toOptionalText } from '../../../form/form';
import { getMemberTypes, isReadOnly, type MemberName } from '../../../catalogue/entities';
import { enumerations } from '../../../catalogue/enumerations';
import { buildField, listChoices } from '../../../form/fields';
import { buildReferenceField } from '../../../form/subjects';
import { addLimit } from '../../../catalogue/lengths';
import { createEmptyFieldsError } from '../../../columns/writable';
import { nestPaths } from '../../../wire/requests';
import {
	readAddedMembers,
	createFieldBuilder,
	buildRepeatedGroup,
	type MemberField,
} from '../../../operations/members';
import { createZoneReader, type ZoneReader } from '../../../operations/write/command';
import { attachmentsField, readAttachments } from './attachments';

function narrowTarget(target: Target, property: string, value: unknown): Target {
	if (value === undefined) return target;
	const { otherwise } = target;
	return {
		...target,
		within: { property, values: [value] },
		...(otherwise && { otherwise: narrowTarget(otherwise, property, value) }),
	};
}

const SPACES: Target = { entity: 'Space', by: ['CustomerId'], read: ['Asset.Id'] };
const MODELS: Target = { entity: 'Location', by: ['Id'], read: ['ModelId'] };

/** The assets of a customer are those in its spaces, which only AssetTree lists. */
function buildAssetTarget(spaces: unknown[]): Target {
	const target: Target = {
		entity: 'AssetTree',
		noun: 'asset of the customer',
		by: ['Child.Name'],
		id: 'ChildId',
		within: { property: 'ParentId', values: spaces },
	};
	const by = getNameProperties('Location').map((path) => `Child.${path}`);
	return { ...target, by, ifRefused: target };
}

function resolveAssetId(context: ItemContext, input: unknown, customer?: number): number {
	const field = 'Items > Asset';
	const name = toRecordId(unwrapLocator(input));
	if (customer === undefined || !isName(name))
		return resolveFieldId(context, field, input, getEntityTarget('Location'));
	const rows = getRecordNames(context).findRows(SPACES, customer);
	const spaces = [...new Set(rows.flatMap((row) => collectValues(row, 'Asset.Id')))];
	if (spaces.length === 0) {
		throw new ValidationError(
			`'${field}' is ${quote(name)}, but the customer has no space with assets`,
			'Give the ID of the asset.',
		);
	}
	return resolveFieldId(context, field, input, buildAssetTarget(spaces));
}

/** Many models have a task with the same name, so the model of the asset decides. */
function resolveTaskId(context: ItemContext, input: unknown, asset: number): number {
	const field = 'Items > Task';
	const target = getRecordTarget('task');
	if (!isNamed(unwrapLocator(input))) return resolveFieldId(context, field, input, target);
	const [model] = getRecordNames(context)
		.findRows(MODELS, asset)
		.flatMap((row) => collectValues(row, 'ModelId'));
	return resolveFieldId(context, field, input, narrowTarget(target, 'ModelId', model));
}

const LABEL = 'Custom Fields';
const TITLE = `${LABEL} > Custom Field`;

const customFieldsField: INodeProperties = {
	displayName: LABEL,
	name: 'customFields',
	type: 'resourceMapper',
	noDataExpression: true,
	default: { mappingMode: 'defineBelow', value: null },
	typeOptions: {
		resourceMapper: {
			resourceMapperMethod: 'getOrderFields',
			mode: 'add',
			valuesLabel: LABEL,
			fieldWords: { singular: 'custom field', plural: 'custom fields' },
			addAllFields: false,
			supportAutoMap: false,
			refreshStaleSchemaOnOpen: true,
		},
	},
	description: 'Values of the custom fields of your Company',
};

const ORDER_CUSTOM_FIELDS: Target = {
	...getEntityTarget('CustomFieldDescriptor', { ActorTypeId: 'WO' }),
	noun: 'custom field of work orders',
};

/** Language models and expressions may identify a field by its name alone. */
export function readOrderCustomFields(context: ItemContext): CustomValue[] {
	const mapping = { ...context.collection('customFields'), mappingMode: 'defineBelow' };
	const cells = readCells([], mapping, {}).map((cell) =>
		isCustomField(cell.id)
			? cell
			: {
					...cell,
					id: `CustomFields.${resolveFieldId(context, TITLE, cell.id, ORDER_CUSTOM_FIELDS)}`,
				},
	);
	return splitCustomFields(context, cells).custom;
}

const order = createFieldBuilder('WorkOrder');

const buildTimeField = (member: MemberName<'WorkOrder'>, name: string, description: string) =>
	order.field(
		member,
		name,
		`${description}. In the time zone of the work zone, unless the value has a time zone.`,
	);

export const orderMembers: readonly MemberField[] = [
	order.field('Access', 'access', 'Permission to enter the site'),
	order.field(
		'ContactName',
		'contactName',
		'Name of the requester, if not a contact of the customer',
	),
	buildTimeField('DtAcknowledgeBy', 'acknowledgeBy', 'Time by which the order must be picked up'),
	buildTimeField('DtDue', 'due', 'Time by which the work must be completed'),
	buildTimeField('DtOnSiteBy', 'onSiteBy', 'Time by which the technician must be on site'),
	buildTimeField(
		'DtScheduledStart',
		'scheduledStart',
		'Time at which the work is planned to start',
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

export const CONTACT_ADDRESS = buildField(
	'contactAddress',
	'string',
	'Phone number or email address for questions',
	{ placeholder: 'e.g. +1 555 0100' },
);

const OTHER = 'Other Fields (JSON)';

export const OTHER_PROPERTIES = buildField(
	'otherProperties',
	'json',
	'Other fields of the work order, by their names in Corrigo',
	{ displayName: OTHER, placeholder: 'e.g. { "TaskRefinement": "north side" }' },
);

const ITEM_FIELDS: INodeProperties[] = [
	buildReferenceField('asset', 'asset', { required: true, description: 'Asset that needs work' }),
	buildReferenceField('task', 'task', {
		required: true,
		description: 'Task to perform. It must fit the asset.',
	}),
	buildField('comment', 'string', addLimit('What is wrong, as reported', 'WoItem', 'Comment'), {
		displayName: 'Issue Description',
		typeOptions: { rows: 2 },
		placeholder: 'e.g. Kitchen faucet is dripping',
	}),
];

export const NOTE_FIELDS: INodeProperties[] = [
	buildField('body', 'string', 'Text of the note', { typeOptions: { rows: 2 } }),
	buildField('type', 'options', 'Visibility of the note', {
		options: listChoices('WONoteType'),
		default: 'Public',
	}),
];

const buildCustomerField = (more: Partial<INodeProperties>) =>
	buildReferenceField('customer', 'customer', { description: 'Required for requests', ...more });

const customerField = buildCustomerField({});

const readCustomerZone = createZoneReader('Customer', (context) =>
	readRecordId(context, customerField),
);

const OTHER_CATEGORIES = listChoices('WOType')
	.map(({ value }) => value)
	.filter((category) => category !== 'Request');
/** An expression counts as a match for every `show` in n8n, so required fields use `hide`. */
const EXPRESSION = { _cnd: { startsWith: '=' } };

/** *Create or Update* creates no order if Update Only is set. */
export const hideIfUpdateOnly = (...fields: INodeProperties[]): INodeProperties[] =>
	updateDisplayOptions({ hide: { '/options.updateOnly': [{ _cnd: { exists: true } }] } }, fields);

const CATEGORIES: Readonly<Record<string, string>> = {
	Basic: 'Work for your own purposes, with or without a customer',
	PMRM: 'Preventive or routine maintenance, usually created by its schedule',
	Request: 'Work that a customer asks for',
	Turn: 'Work between two occupants of a unit, as in rental housing',
};

/** Every new order needs these fields. */
export const requiredFields: INodeProperties[] = hideIfUpdateOnly(
	buildField('typeCategory', 'options', 'Category of the order. Requests need a customer.', {
		options: listChoices('WOType').map((choice) => ({
			...choice,
			description: CATEGORIES[choice.value],
		})),
		default: 'Request',
	}),
	buildReferenceField('subType', 'subType', { required: true }),
	buildCustomerField({
		required: true,
		displayOptions: { hide: { typeCategory: [...OTHER_CATEGORIES, EXPRESSION] } },
	}),
	buildCustomerField({ displayOptions: { show: { typeCategory: OTHER_CATEGORIES } } }),
	buildRepeatedGroup('items', 'Item', ITEM_FIELDS, {
		required: true,
		default: { values: [{}] },
		description: 'Assets and tasks of the order. Add at least one.',
	}),
);

export const orderFields: INodeProperties[] = [
	...requiredFields,
	buildReferenceField('contact', 'contact', { description: 'Contact who requests the work' }),
	...hideIfUpdateOnly(
		buildRepeatedGroup('notes', 'Note', NOTE_FIELDS, {
			description: 'Notes to add to the new order',
		}),
		attachmentsField,
	),
	customFieldsField,
];

export function readOrder(context: ItemContext): JsonObject {
	const category = readCategory(context);
	checkRequiredFields(context, category);
	const customer = readCustomerId(context);
	if (category === 'Request' && customer === undefined) {
		throw new ValidationError("'Customer' is empty, but a request needs one");
	}
	const contact = readContactId(context, customer);
	const notes = context.rows('notes').map((row) => toNote('Notes', row));
	const attachments = readAttachments(context);
	const customFields = buildCustomFields(omitAbsent(readOrderCustomFields(context), []));
	return addOtherProperties(context, {
		// The contract uses the code of the category, which is its index in the enumeration.
		TypeCategory: enumerations.WOType.indexOf(category),
		SubType: { Id: readSubTypeId(context) },
		...(customer === undefined ? {} : { Customer: { Id: customer } }),
		// Contactid is the name in the contract; in practice, RequestorContact links the contact.
		...(contact === undefined ? {} : { Contactid: contact }),
		Items: readOrderItems(context, customer),
		...readChangeableMembers(context, contact),
		...(notes.length > 0 ? { Notes: notes } : {}),
		...(attachments.length > 0 ? { Documents: attachments } : {}),
		...(customFields.length > 0 ? { CustomFields: customFields } : {}),
	});
}

function readChangeableMembers(
	context: ItemContext,
	contact: number | undefined,
	isUpdate = false,
): JsonObject {
	const added = context.collection('additionalFields');
	return {
		...(contact === undefined ? {} : { RequestorContact: { Id: contact } }),
		...readAddedMembers(context, added, orderMembers, isUpdate),
		...toContactAddress(added.contactAddress, isUpdate),
	};
}

/** An update leaves these members as they are. */
const NEW_ORDER_MEMBERS = ['TypeCategory', 'SubType', 'Customer', 'Items', 'Notes'];

/** Members of the form that an update can set. */
export function readOrderChanges(context: ItemContext): JsonObject {
	const contact = readContactId(context, readCustomerId(context));
	const members = addOtherProperties(context, readChangeableMembers(context, contact, true));
	const isChangeable = (name: string) =>
		!NEW_ORDER_MEMBERS.includes(name) && !isReadOnly('WorkOrder', name);
	return filterMembers(members, isChangeable);
}

/** One error lists all required fields that are empty; a single one has its own message. */
function checkRequiredFields(context: ItemContext, category: string): void {
	const items = context.rows('items');
	const required: Array<[label: string, values: unknown[]]> = [
		['Sub Type', [context.field('subType', '')]],
		['Customer', category === 'Request' ? [context.field('customer', '')] : []],
		['Items', items.length === 0 ? [''] : []],
		['Asset', items.map(({ asset }) => asset)],
		['Task', items.map(({ task }) => task)],
	];
	const empty = required.filter(([, values]) => values.some(isEmpty)).map(([label]) => label);
	if (empty.length > 1) throw createEmptyFieldsError(empty, 'work order');
}

export const readCustomerId = (context: ItemContext) =>
	readOptionalId(context, 'Customer', 'customer', getRecordTarget('customer'));

/** Names of contacts are looked up within their customer. */
const readContactId = (context: ItemContext, customer: number | undefined) => {
	const target = narrowTarget(getRecordTarget('contact'), 'CustomerId', customer);
	return readOptionalId(context, 'Contact', 'contact', target);
};

export const readSubTypeId = (context: ItemContext): number =>
	resolveFieldId(
		context,
		'Sub Type',
		context.field('subType', ''),
		narrowTarget(getRecordTarget('subType'), 'TypeId', readCategory(context)),
	);

const readCategory = (context: ItemContext) =>
	parseMember('Type Category', context.param('typeCategory', 'Request'), 'WOType');

function readOptionalId(
	context: ItemContext,
	label: string,
	name: string,
	target: Target,
): number | undefined {
	const value = context.field(name, '');
	return isEmpty(value) ? undefined : resolveFieldId(context, label, value, target);
}

const readWorkZone = createZoneReader('WorkZone', (context) => {
	const { workZone } = context.collection('additionalFields');
	return resolveFieldId(context, 'Work Zone', workZone, getRecordTarget('workZone'));
});

/** A new order uses the time zone of its work zone, or of the work zone of its customer. */
export function findOrderZone(context: ItemContext): ZoneReader | undefined {
	if (!isEmpty(context.collection('additionalFields').workZone)) return readWorkZone;
	return context.isEmpty(customerField) ? undefined : readCustomerZone;
}

export function readOrderItems(context: ItemContext, customer: number | undefined) {
	const rows = context.rows('items');
	if (rows.length === 0)
		throw new ValidationError("'Items' is empty: a work order needs at least one");
	return rows.map(({ asset, task, comment }) => {
		const Id = resolveAssetId(context, asset, customer);
		return {
			Asset: { Id },
			Task: { Id: resolveTaskId(context, task, Id) },
			...(isEmpty(comment)
				? {}
				: { Comment: toOptionalText('Items > Issue Description', comment) }),
		};
	});
}

export function toNote(label: string, { body, type }: JsonObject): JsonObject {
	const Body = toOptionalText(`${label} > Body`, body);
	if (Body === '') throw new ValidationError(`'${label} > Body' is empty`);
	return { Body, NoteTypeId: parseMember(`${label} > Type`, type, 'WONoteType') };
}

function toContactAddress(input: unknown, isUpdate: boolean): JsonObject {
	const Address = toOptionalText(CONTACT_ADDRESS.displayName, input);
	if (Address !== '') return { ContactAddress: { Address, AddrTypeId: 'Contact' } };
	return isUpdate && input !== undefined ? { ContactAddress: { Address } } : {};
}

/** Corrigo ignores unknown names, so this check is the only one that catches a typing error. */
function addOtherProperties(context: ItemContext, order: JsonObject): JsonObject {
	const { otherProperties = {} } = context.collection('additionalFields');
	const others = nestPaths(OTHER, parseJsonObject(OTHER, otherProperties));
	for (const name of Object.keys(others)) {
		if (Object.hasOwn(order, name))
			throw new ValidationError(`'${OTHER}' has ${quote(name)}, which the form sets as well`);
		if (!Object.hasOwn(getMemberTypes('WorkOrder'), name)) {
			throw new ValidationError(
				`'${OTHER}' has ${quote(name)}, which is not a field of a work order`,
				"For fields that are newer than this node use 'Execute' of the Command resource.",
			);
		}
	}
	return { ...order, ...others };
}
