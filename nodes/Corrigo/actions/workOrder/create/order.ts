import { type INodeProperties, updateDisplayOptions } from 'n8n-workflow';

import {
	buildWay,
	defineRows,
	getEntityTarget,
	getNameProperties,
	type Target,
	getRecordTarget,
} from '../../../catalogue/targets';
import { createEmptyError, quote, ValidationError } from '../../../values/errors';
import { isName, toIdOrName } from '../../../values/references';
import { type JsonObject, filterMembers, collectValues, readPath } from '../../../values/objects';
import { isBlank, parseMember } from '../../../values/input';
import { readRecordId, type ResolvingForm } from '../../../run/context';
import { readCells, createEmptyFieldsError } from '../../../columns/columns';
import { isCustomField } from '../../../wire/criteria';
import { omitRemovedRows } from '../../../compare/differences';
import {
	addDescribed,
	addLeftNotices,
	createLeftError,
	createOpenReader,
	readDescribed,
	toDescribedCell,
	type DescribedCell,
	type DescribedValues,
} from '../../../operations/write/described';
import { settleValues } from '../../../operations/write/settling';
import { toNewRecord } from '../../../operations/write/ownParts';
import type { Form } from '../../../form/form';
import { isReadOnlyMember, type MemberName } from '../../../catalogue/entities';
import { enumerations } from '../../../catalogue/enumerations';
import { isIdentity } from '../../../catalogue/members';
import { WORK_ZONE_TIME, buildField, defineField, listChoices } from '../../../form/fields';
import { buildReferenceField } from '../../../form/subjects';
import { addLimit } from '../../../catalogue/lengths';
import {
	additionalFields,
	readAddedMembers,
	readShownMembers,
	createFieldBuilder,
	buildRepeatedGroup,
	type MemberField,
} from '../../../operations/members';
import { readKnownJson } from '../../../operations/json';
import { createZoneLoader, writeAsLocal, type ZoneLoader } from '../../../operations/write/zones';
import { attachmentsField, readAttachments } from './attachments';
import { createTable } from '../../../catalogue/table';

/** A name may exist, but not where the record is looked for, so messages say which ones count. */
function narrowTarget(target: Target, property: string, value: unknown, which: string): Target {
	if (value === undefined) return target;
	return { ...target, noun: `${target.noun} ${which}`, within: { property, values: [value] } };
}

const SPACES = defineRows('Space', 'CustomerId', ['Asset.Id']);
const MODELS = defineRows('Location', 'Id', ['ModelId']);

/** The assets of a customer are those in its spaces, which only AssetTree lists. */
function buildAssetTarget(spaces: unknown[]): Target {
	const [name, ...others] = getNameProperties('Location').map((path) => `Child.${path}`);
	return {
		entity: 'Location',
		noun: 'asset of the customer',
		rows: { entity: 'AssetTree', id: 'ChildId' },
		within: { property: 'ParentId', values: spaces },
		ways: [{ ...buildWay([name, ...others]), ifRefused: [name] }],
		modes: {},
	};
}

function readAssetId(form: ResolvingForm, row: Form, customer?: number): number {
	const target = getEntityTarget('Location');
	const name = toIdOrName(row.getLabel(assetField), row.read(assetField), target);
	if (customer === undefined || !isName(name)) return readRecordId(form, assetField, target, row);
	const rows = form.run.resolver.findRows(SPACES, customer);
	const spaces = [...new Set(rows.flatMap((row) => collectValues(row, 'Asset.Id')))];
	if (spaces.length === 0) {
		throw new ValidationError(
			`'${row.getLabel(assetField)}' is ${quote(name)}, but the customer has no space with assets`,
			'Give the ID of the asset.',
		);
	}
	return readRecordId(form, assetField, buildAssetTarget(spaces), row);
}

/** Many models have a task with the same name, so the model of the asset decides. */
function readTaskId(form: ResolvingForm, row: Form, asset: number): number {
	const target = getRecordTarget('task');
	const name = toIdOrName(row.getLabel(taskField), row.read(taskField), target);
	if (!isName(name)) return readRecordId(form, taskField, target, row);
	const [model] = form.run.resolver
		.findRows(MODELS, asset)
		.flatMap((row) => collectValues(row, 'ModelId'));
	return readRecordId(
		form,
		taskField,
		narrowTarget(target, 'ModelId', model, 'that fits the asset'),
		row,
	);
}

const LABEL = 'Custom Fields';

const customFieldsField = defineField({
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
});

/** Language models and expressions may identify a field by its name alone. */
function readOrderCustomFields(form: ResolvingForm): JsonObject {
	const mapping = { ...form.read(customFieldsField), mappingMode: 'defineBelow' };
	const cells = readCells('WorkOrder', [], mapping, {}).map(
		(cell): DescribedCell =>
			isCustomField(cell.id)
				? toDescribedCell(cell)
				: {
						...{ list: 'CustomFields', reference: { nameOrId: cell.id }, name: cell.label },
						...{ label: `${LABEL} > ${cell.label}`, value: cell.value },
					},
	);
	const described = readDescribed(form.run, 'WorkOrder', cells);
	if (described.left.length > 0) throw createLeftError(described.left[0]);
	return addDescribed({}, described);
}

const recordFields = createFieldBuilder('WorkOrder');

const buildTimeField = (member: MemberName<'WorkOrder'>, name: string, description: string) =>
	recordFields.field(member, name, `${description}. ${WORK_ZONE_TIME}.`);

const workZone = recordFields.reference('WorkZone', 'workZone', 'workZone', {
	description: 'Required for basic orders without a customer',
});

const priority = recordFields.reference('Priority', 'priority', 'priority', {
	description: 'The task of the first item may override this',
});

export const orderMembers: readonly MemberField[] = [
	recordFields.field('Access', 'access', 'Permission to enter the site'),
	recordFields.field(
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
	recordFields.field('Duration', 'duration', 'Planned duration in minutes'),
	recordFields.field('IsWarranty', 'isWarranty', 'Whether the work is covered by a warranty'),
	recordFields.field('PoNumber', 'poNumber', 'Purchase order number'),
	recordFields.reference('Specialty', 'specialty', 'specialty'),
	recordFields.money('VendorNte', 'vendorNte', 'Not-to-exceed (NTE) amount of the vendor'),
	workZone,
];

export const CONTACT_ADDRESS = buildField(
	'contactAddress',
	'string',
	'Phone number or email address for questions',
	{ placeholder: 'e.g. +1 555 0100' },
);

export const OTHER_PROPERTIES = buildField(
	'otherProperties',
	'json',
	'Other fields of the work order, by their names in Corrigo',
	{ displayName: 'Other Fields (JSON)', placeholder: 'e.g. { "TaskRefinement": "north side" }' },
);

const OTHER = OTHER_PROPERTIES.displayName;

const assetField = buildReferenceField('asset', 'asset', {
	required: true,
	description: 'Asset that needs work',
});

const taskField = buildReferenceField('task', 'task', {
	required: true,
	description: 'Task to perform. It must fit the asset.',
});

const issueField = buildField(
	'comment',
	'string',
	addLimit('What is wrong, as reported', 'WoItem', 'Comment'),
	{
		displayName: 'Issue Description',
		typeOptions: { rows: 2 },
		placeholder: 'e.g. Kitchen faucet is dripping',
	},
);

const itemsField = buildRepeatedGroup('items', 'Item', [assetField, taskField, issueField], {
	required: true,
	description: 'Assets and tasks of the order. Add at least one.',
});

const noteBody = buildField('body', 'string', 'Text of the note', {
	displayName: 'Text',
	required: true,
	typeOptions: { rows: 2 },
});

const noteType = buildField('type', 'options', 'Visibility of the note', {
	displayName: 'Note Type',
	options: listChoices('WONoteType'),
	required: true,
});

export const NOTE_FIELDS: INodeProperties[] = [noteBody, noteType];

const notesField = buildRepeatedGroup('notes', 'Note', NOTE_FIELDS, {
	description: 'Notes to add to the new order',
});

const buildCustomerField = (more: Partial<INodeProperties>) =>
	buildReferenceField('customer', 'customer', { description: 'Required for requests', ...more });

const customerField = buildCustomerField({});

const loadCustomerZone = createZoneLoader('Customer', (context) =>
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

const CATEGORIES = createTable<string>({
	Basic: 'Work for your own purposes, with or without a customer',
	PMRM: 'Preventive or routine maintenance, usually created by its schedule',
	Request: 'Work that a customer asks for',
	Turn: 'Work between two occupants of a unit, as in rental housing',
});

const categoryField = buildField(
	'typeCategory',
	'options',
	'Category of the order. Requests need a customer.',
	{
		options: listChoices('WOType').map((choice) => ({
			...choice,
			description: CATEGORIES[choice.value],
		})),
		required: true,
	},
);

const subTypeField = buildReferenceField('subType', 'subType', { required: true });

const contactField = buildReferenceField('contact', 'contact', {
	description: 'Contact who requests the work',
});

/** Fields that every new order needs, and the one that most of its times follow from. */
export const mainFields: INodeProperties[] = [
	...hideIfUpdateOnly(
		categoryField,
		subTypeField,
		buildCustomerField({
			required: true,
			displayOptions: { hide: { typeCategory: [...OTHER_CATEGORIES, EXPRESSION] } },
		}),
		buildCustomerField({ displayOptions: { show: { typeCategory: OTHER_CATEGORIES } } }),
		itemsField,
	),
	priority.property,
];

export const orderFields: INodeProperties[] = [
	...mainFields,
	contactField,
	...hideIfUpdateOnly(notesField, attachmentsField),
	customFieldsField,
];

export function readOrder(form: ResolvingForm): JsonObject {
	const category = readCategory(form);
	checkRequiredFields(form, category);
	const customer = readCustomerId(form);
	if (category === 'Request' && customer === undefined) {
		throw createEmptyError(customerField.displayName, 'A request needs one.');
	}
	const contact = readContactId(form, customer);
	const notes = form.readRows(notesField).map(readNote);
	const attachments = readAttachments(form);
	const order = addOtherProperties(form, {
		// The contract uses the code of the category, which is its index in the enumeration.
		TypeCategory: enumerations.WOType.indexOf(category),
		SubType: { Id: readSubTypeId(form) },
		...(customer === undefined ? {} : { Customer: { Id: customer } }),
		// Contactid is the name in the contract; in practice, RequestorContact links the contact.
		...(contact === undefined ? {} : { Contactid: contact }),
		Items: readOrderItems(form, customer),
		...readChangeableMembers(form, contact, 'create'),
		...(notes.length > 0 ? { Notes: notes } : {}),
		...(attachments.length > 0 ? { Documents: attachments } : {}),
		...readOrderCustomFields(form),
	});
	// The look-ups for an order that exists, and for its contacts and assets, read the field alone.
	if ('Customer' in order && customer === undefined) {
		throw new ValidationError(
			`'${OTHER}' has Customer, which has a field of its own`,
			`Give it in '${customerField.displayName}'.`,
		);
	}
	const record = toNewRecord('WorkOrder', omitRemovedRows('WorkOrder', order));
	return settleValues(form.run, LABEL, 'WorkOrder', record, undefined);
}

function readChangeableMembers(
	form: ResolvingForm,
	contact: number | undefined,
	verb: 'create' | 'update',
): JsonObject {
	const added = form.read(additionalFields);
	const address = form.readAdded(additionalFields, CONTACT_ADDRESS);
	return {
		...(contact === undefined ? {} : { RequestorContact: { Id: contact } }),
		...readShownMembers(form, [priority]),
		...readAddedMembers(form, added, orderMembers, verb),
		...toContactAddress(address, verb),
	};
}

/** An update leaves these members as they are. */
const NEW_ORDER_MEMBERS = ['TypeCategory', 'SubType', 'Customer', 'Items', 'Notes'];

/** Members of the form that an update can set. */
export function readOrderChanges(form: ResolvingForm): JsonObject {
	const contact = readContactId(form, readCustomerId(form));
	const members = addOtherProperties(form, {
		...readChangeableMembers(form, contact, 'update'),
		...readOrderCustomFields(form),
	});
	const isChangeable = (name: string) =>
		!NEW_ORDER_MEMBERS.includes(name) && !isReadOnlyMember('WorkOrder', name) && !isIdentity(name);
	return filterMembers(members, isChangeable);
}

/** One error lists all required fields that are empty; a single one has its own message. */
function checkRequiredFields(form: Form, category: string): void {
	const items = form.readRows(itemsField);
	const required: Array<[field: INodeProperties, isEmpty: boolean]> = [
		[subTypeField, form.isEmpty(subTypeField)],
		[customerField, category === 'Request' && form.isEmpty(customerField)],
		[itemsField, items.length === 0],
		[assetField, items.some((row) => row.isEmpty(assetField))],
		[taskField, items.some((row) => row.isEmpty(taskField))],
	];
	const empty = required.filter(([, isEmpty]) => isEmpty).map(([{ displayName }]) => displayName);
	if (empty.length > 1) throw createEmptyFieldsError(empty, 'work order');
}

export const readCustomerId = (form: ResolvingForm) =>
	readOptionalId(form, customerField, getRecordTarget('customer'));

/** Names of contacts are looked up within their customer. */
const readContactId = (form: ResolvingForm, customer: number | undefined) => {
	const target = narrowTarget(
		getRecordTarget('contact'),
		'CustomerId',
		customer,
		'of the customer',
	);
	return readOptionalId(form, contactField, target);
};

export const readSubTypeId = (form: ResolvingForm): number =>
	readRecordId(
		form,
		subTypeField,
		narrowTarget(getRecordTarget('subType'), 'TypeId', readCategory(form), 'of the category'),
	);

const readCategory = (form: Form) =>
	parseMember(categoryField.displayName, form.read(categoryField), 'WOType');

function readOptionalId(
	form: ResolvingForm,
	field: INodeProperties,
	target: Target,
): number | undefined {
	return form.isEmpty(field) ? undefined : readRecordId(form, field, target);
}

const loadWorkZone = createZoneLoader('WorkZone', (context) =>
	readRecordId(context, workZone.property, workZone.target, context.open(additionalFields)),
);

const readOthers = (form: Form): JsonObject =>
	form.readAdded(additionalFields, OTHER_PROPERTIES) ?? {};

const readOtherZone = (form: Form): JsonObject =>
	filterMembers(
		readOthers(form),
		(name, value) => /^WorkZone(\.Id)?$/i.test(name) && !isBlank(value),
	);

const loadOtherZone = createZoneLoader('WorkZone', (form) => {
	const reader = createOpenReader(form.run, []);
	const others = readKnownJson(reader, OTHER, 'WorkOrder', readOtherZone(form));
	return Number(readPath(others, 'WorkZone.Id'));
});

/** A new order uses the time zone of its work zone, or of the work zone of its customer. */
export function findOrderZone(form: Form): ZoneLoader | undefined {
	if (Object.keys(readOtherZone(form)).length > 0) return loadOtherZone;
	if (!form.open(additionalFields).isEmpty(workZone.property)) return loadWorkZone;
	return form.isEmpty(customerField) ? undefined : loadCustomerZone;
}

export function readOrderItems(form: ResolvingForm, customer: number | undefined) {
	const rows = form.readRows(itemsField);
	if (rows.length === 0) {
		const { displayName } = itemsField;
		throw createEmptyError(displayName, 'A work order needs at least one.');
	}
	return rows.map((row) => {
		const Id = readAssetId(form, row, customer);
		return {
			Asset: { Id },
			Task: { Id: readTaskId(form, row, Id) },
			...(row.isEmpty(issueField) ? {} : { Comment: row.read(issueField) }),
		};
	});
}

export function readNote(row: Form): JsonObject {
	const Body = row.read(noteBody);
	if (Body === '') throw createEmptyError(row.getLabel(noteBody));
	return { Body, NoteTypeId: row.read(noteType) };
}

function toContactAddress(Address: string | undefined, verb: 'create' | 'update'): JsonObject {
	if (Address) return { ContactAddress: { Address, AddrTypeId: 'Contact' } };
	return verb === 'update' && Address !== undefined ? { ContactAddress: { Address } } : {};
}

function addOtherProperties(form: ResolvingForm, order: JsonObject): JsonObject {
	const left: DescribedValues['left'] = [];
	const reader = createOpenReader(form.run, left);
	const read = readKnownJson(reader, OTHER, 'WorkOrder', readOthers(form));
	addLeftNotices(form.run, left);
	const others = writeAsLocal({ field: OTHER, entity: 'WorkOrder' }, read);
	const twice = Object.keys(others).find((name) => Object.hasOwn(order, name));
	if (twice === undefined) return { ...order, ...others };
	throw new ValidationError(`'${OTHER}' has ${quote(twice)}, which the form sets as well`);
}
