import type { INodeProperties } from 'n8n-workflow';

import { optionalText } from '../../form/form';
import { subjects } from '../../form/subjects';
import type { ItemContext } from '../../run/context';
import type { Resource } from '../../run/operation';
import { ANYTHING, attachments } from '../attachments';
import { operationsOn, searchesOn } from '../operations';
import { createByForm } from '../operations/create';
import { inputsFor } from '../operations/members';
import { ofOneOrder, orderChosen, orderField } from '../workOrder/chosenOrder';

const AUTHOR = 'Author';

const authorOption: INodeProperties = {
	displayName: AUTHOR,
	name: 'author',
	type: 'string',
	default: '',
	placeholder: 'e.g. Nathan Smith',
	description:
		'Name to put before the text, as in "Nathan Smith: text". Corrigo shows the service user of the credential as the author of every note.',
};

function signed(context: ItemContext, text: unknown): unknown {
	const author = optionalText(AUTHOR, context.options.author).trim();
	return author === '' ? text : `${author}: ${String(text)}`;
}

const woNote = inputsFor('WoNote');

const createNote = createByForm({
	value: 'create',
	action: 'Create a work order note',
	description: 'Add a note to a work order',
	entity: subjects.note.entity,
	fields: [orderField],
	members: [
		woNote.field('Body', 'body', 'Text of the note', {
			required: true,
			typeOptions: { rows: 4 },
		}),
		woNote.field(
			'NoteTypeId',
			'type',
			'Visibility of the note. An order has at most one completion note.',
			{
				required: true,
				default: 'Public',
			},
		),
	],
	ownOptions: [authorOption],
	record: async (context, { Body, ...others }) => ({
		WorkOrderId: await orderChosen(context),
		Body: signed(context, Body),
		...others,
	}),
});

export const note: Resource = {
	name: 'Note',
	value: 'note',
	description: 'Notes of work orders',
	operations: [
		createNote,
		...operationsOn(subjects.note, 'delete', 'get', 'update'),
		...searchesOn(subjects.note, ofOneOrder('WorkOrderId', 'notes')),
	],
};

const { fields, actorOf, search } = attachments({
	noun: 'note',
	types: ['CommLease', 'LeaseUser'],
	defaultType: 'CommLease',
	defaultSearch: ANYTHING,
});

const ofCustomer = inputsFor('Note');

const createCustomerNote = createByForm({
	value: 'create',
	action: 'Create a customer note',
	description: 'Add a note to a customer or contact',
	entity: subjects.customerNote.entity,
	fields,
	members: [
		ofCustomer.field('NoteText', 'text', 'Text of the note', {
			required: true,
			typeOptions: { rows: 4 },
		}),
		ofCustomer.reference('NoteTypeLookup', 'noteType', 'noteType'),
	],
	added: [
		ofCustomer.field('IsResolved', 'isResolved', 'Whether the note is resolved', {
			default: true,
		}),
	],
	ownOptions: [authorOption],
	record: async (context, { NoteText, ...others }) => ({
		...(await actorOf(context)),
		NoteText: signed(context, NoteText),
		...others,
	}),
});

export const customerNote: Resource = {
	name: 'Customer Note',
	value: 'customerNote',
	description: 'Notes of customers and contacts',
	operations: [
		createCustomerNote,
		...operationsOn(subjects.customerNote, 'delete', 'get', 'update'),
		...searchesOn(subjects.customerNote, search),
	],
};
