import type { INodeProperties } from 'n8n-workflow';

import { optionsField } from '../../descriptions/options';
import { optionalText } from '../../descriptions/form';
import { inputsFor, formFields, shownMembers, type MemberField } from '../operations/members';
import { withOptions } from '../operations/command';
import { subjects } from '../../descriptions/subjects';
import { operationsOn, searchesOn } from '../operations';
import { created } from '../operations/writeOutput';
import { ofOneOrder, orderChosen, orderField } from '../workOrder/belonging';
import type { Operation, Resource } from '../operations/operation';

const woNote = inputsFor('WoNote');
const members: readonly MemberField[] = [
	woNote.field('Body', 'body', 'Body', {
		required: true,
		typeOptions: { rows: 4 },
		description: 'The text of the note',
	}),
	woNote.field('NoteTypeId', 'type', 'Type', {
		required: true,
		default: 'Public',
		description: 'Who may see it. An order has one completion note at most.',
	}),
];

const AUTHOR = 'Author';

const authorOption: INodeProperties = {
	displayName: AUTHOR,
	name: 'author',
	type: 'string',
	default: '',
	placeholder: 'e.g. Nathan Smith',
	description:
		'Put in front of the body, as in "Nathan Smith: text": Corrigo shows the service user of the credential as the author of every note',
};

const create: Operation = {
	name: 'Create',
	value: 'create',
	action: 'Create a work order note',
	description: 'Add a note to a work order (POST /base/WoNote)',
	fields: [
		orderField,
		...formFields(members),
		withOptions(
			optionsField('dryRun', 'parallelRequests', 'requestId', 'returnRecord', 'timeout'),
			authorOption,
		),
	],
	each: async (call) => {
		const { Body, ...others } = shownMembers(call, members);
		const author = optionalText(AUTHOR, call.options.author).trim();
		return await created(call, subjects.note.entity, {
			WorkOrderId: await orderChosen(call),
			Body: author === '' ? Body : `${author}: ${String(Body)}`,
			...others,
		});
	},
};

export const note: Resource = {
	name: 'Note',
	value: 'note',
	description: 'Notes of work orders',
	operations: [
		create,
		...operationsOn(subjects.note, 'delete', 'get', 'update'),
		...searchesOn(subjects.note, ofOneOrder('WorkOrderId', 'notes')),
	],
};
