import { subjects } from '../../form/subjects';
import type { Resource } from '../../run/operation';
import { ANYTHING, attachments } from '../attachments';
import { authorOption, signed } from '../note/author';
import { operationsOn, searchesOn } from '../operations';
import { createByForm } from '../operations/create';
import { inputsFor, type MemberField } from '../operations/members';

const { fields, actorOf, search } = attachments({
	noun: 'note',
	types: ['CommLease', 'LeaseUser'],
	defaultType: 'CommLease',
	defaultSearch: ANYTHING,
});

const note = inputsFor('Note');

const shown: readonly MemberField[] = [
	note.field('NoteText', 'text', 'The text of the note', {
		required: true,
		typeOptions: { rows: 4 },
	}),
	note.reference('NoteTypeLookup', 'noteType', 'noteType'),
];

const added: readonly MemberField[] = [
	note.field('IsResolved', 'isResolved', 'Whether nothing is left to be done about it', {
		default: true,
	}),
];

const create = createByForm({
	value: 'create',
	action: 'Create a customer note',
	description: 'Add a note to a customer or contact',
	entity: subjects.customerNote.entity,
	fields,
	members: shown,
	added,
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
		create,
		...operationsOn(subjects.customerNote, 'delete', 'get', 'update'),
		...searchesOn(subjects.customerNote, search),
	],
};
