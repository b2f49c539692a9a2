import { subjects } from '../../form/subjects';
import type { Resource } from '../../run/operation';
import { operationsOn, searchesOn } from '../operations';
import { createByForm } from '../operations/create';
import { inputsFor, type MemberField } from '../operations/members';
import { ofOneOrder, orderChosen, orderField } from '../workOrder/chosenOrder';
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

const create = createByForm({
	value: 'create',
	action: 'Create a work order note',
	description: 'Add a note to a work order',
	entity: subjects.note.entity,
	fields: [orderField],
	members,
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
		create,
		...operationsOn(subjects.note, 'delete', 'get', 'update'),
		...searchesOn(subjects.note, ofOneOrder('WorkOrderId', 'notes')),
	],
};
