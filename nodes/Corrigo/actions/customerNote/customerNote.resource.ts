import { optionsField } from '../../form/options';
import { subjects } from '../../form/subjects';
import { named } from '../../run/resolve';
import { authorOption, signed } from '../note/author';
import { operationsOn, searchesOn } from '../operations';
import { withOptions } from '../operations/command';
import {
	additionalFields,
	formFields,
	inputsFor,
	membersGiven,
	type MemberField,
} from '../operations/members';
import type { Operation, Resource } from '../../run/operation';
import { created } from '../operations/writeOutput';
import { ANYTHING, attachments } from '../attachments';

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

const create: Operation = {
	name: 'Create',
	value: 'create',
	action: 'Create a customer note',
	description: 'Add a note to a customer or contact (POST /base/Note)',
	fields: [
		...fields,
		...formFields(shown),
		additionalFields(...formFields(added)),
		withOptions(
			optionsField('dryRun', 'parallelRequests', 'requestId', 'returnRecord', 'timeout'),
			authorOption,
		),
	],
	each: async (context) => {
		const { NoteText, ...others } = await named(context, (one) => membersGiven(one, shown, added));
		return await created(context, subjects.customerNote.entity, {
			...(await actorOf(context)),
			NoteText: signed(context, NoteText),
			...others,
		});
	},
};

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
