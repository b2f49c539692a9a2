import { optionsField } from '../../form/options';
import { inputsFor, formFields, shownMembers, type MemberField } from '../operations/members';
import { withOptions } from '../operations/command';
import { subjects } from '../../form/subjects';
import { operationsOn, searchesOn } from '../operations';
import { created } from '../operations/writeOutput';
import { ofOneOrder, orderChosen, orderField } from '../workOrder/chosenOrder';
import type { Operation, Resource } from '../../run/operation';
import { authorOption, signed } from './author';

const woNote = inputsFor('WoNote');
const members: readonly MemberField[] = [
	woNote.field('Body', 'body', 'The text of the note', {
		required: true,
		typeOptions: { rows: 4 },
	}),
	woNote.field('NoteTypeId', 'type', 'Who may see it. An order has one completion note at most.', {
		required: true,
		default: 'Public',
	}),
];

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
	each: async (context) => {
		const { Body, ...others } = shownMembers(context, members);
		return await created(context, subjects.note.entity, {
			WorkOrderId: await orderChosen(context),
			Body: signed(context, Body),
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
