import { buildField } from '../../form/fields';
import { toOptionalText } from '../../form/form';
import { subjects } from '../../form/subjects';
import type { Resource } from '../../run/operation';
import { ANYTHING, buildAttachmentForm } from '../attachments';
import { buildOperations } from '../../operations';
import { buildGetManyOperation } from '../../operations/read/search';
import { buildFormCreate } from '../../operations/write/formCreate';
import { toPlainText } from '../../values/input';
import { createFieldBuilder } from '../../operations/members';
import { buildOrderVariant, readOrderId, orderField } from '../workOrder/chosenOrder';
import type { OperationForm } from '../../form/options';

const authorOption = buildField(
	'author',
	'string',
	'Name to put before the text, as in "Nathan Smith: text". Corrigo shows the service user of the credential as the author of every note.',
	{ placeholder: 'e.g. Nathan Smith' },
);

function addAuthor(form: OperationForm, text: unknown): unknown {
	const author = toOptionalText(authorOption.displayName, form.options.author).trim();
	return author === '' ? text : `${author}: ${String(text).trimStart()}`;
}

const orderNoteFields = createFieldBuilder('WoNote');

export const note: Resource = {
	value: 'note',
	description: 'Notes of work orders',
	operations: [
		buildFormCreate({
			value: 'create',
			action: 'Create work order note',
			description: 'Create a new note of a work order',
			entity: subjects.note.entity,
			shown: [
				orderField,
				orderNoteFields.field('Body', 'body', 'Text of the note', {
					required: true,
					typeOptions: { rows: 4 },
				}),
				orderNoteFields.field(
					'NoteTypeId',
					'type',
					'Visibility of the note. An order has at most one completion note.',
					{ required: true },
				),
			],
			ownOptions: [authorOption],
			same: {
				owner: ['WorkOrderId'],
				properties: ['Body', 'NoteTypeId'],
				identify: ({ Body, NoteTypeId }) => [toPlainText(Body), NoteTypeId],
			},
			buildRecord: (context, { Body, ...others }) => ({
				WorkOrderId: readOrderId(context),
				Body: addAuthor(context, Body),
				...others,
			}),
		}),
		...buildOperations(subjects.note, 'delete', 'get', 'update'),
		buildGetManyOperation(subjects.note, buildOrderVariant('WorkOrderId', 'notes')),
	],
};

const { fields, readActor, search } = buildAttachmentForm({
	noun: 'note',
	types: ['CommLease', 'LeaseUser'],
	defaultSearch: ANYTHING,
});

const noteFields = createFieldBuilder('Note');

export const customerNote: Resource = {
	value: 'customerNote',
	description: 'Notes of customers and contacts',
	operations: [
		buildFormCreate({
			value: 'create',
			action: 'Create customer note',
			description: 'Create a new note of a customer or contact',
			entity: subjects.customerNote.entity,
			shown: [
				...fields,
				noteFields.field('NoteText', 'text', 'Text of the note', {
					required: true,
					typeOptions: { rows: 4 },
				}),
				noteFields.reference('NoteTypeLookup', 'noteType', 'noteType'),
			],
			added: [
				noteFields.field('IsResolved', 'isResolved', 'Whether the note is resolved', {
					default: true,
				}),
			],
			ownOptions: [authorOption],
			same: {
				owner: ['ActorId', 'ActorTypeId'],
				properties: ['NoteText'],
				identify: ({ NoteText }) => [toPlainText(NoteText)],
			},
			buildRecord: (context, { NoteText, ...others }) => ({
				...readActor(context),
				NoteText: addAuthor(context, NoteText),
				...others,
			}),
		}),
		...buildOperations(subjects.customerNote, 'delete', 'get', 'update'),
		buildGetManyOperation(subjects.customerNote, search),
	],
};
