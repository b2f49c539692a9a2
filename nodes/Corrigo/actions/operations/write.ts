import { columnFields } from '../../form/columns';
import { writeOptionsField } from '../../form/options';
import { commandRequest, deleteRequest } from '../../protocol/requests';
import { itemOf } from '../../run/context';
import type { Operation } from '../../run/operation';
import { allMembers, givenFields } from './given';
import { createOf, fieldsIn, membersOf, newRecord, updateOf } from './fields';
import type { Subject } from '../../form/subjects';
import {
	entityFields,
	entityOf,
	idFields,
	idOf,
	mustSupport,
	recordKey,
	subjectIn,
} from './subject';
import { storedRecords } from './stored';
import { outputOfWrite, updateFields, writeFields } from './writeOutput';

export const createOperation = (subject: Subject): Operation => ({
	name: 'Create',
	value: 'create',
	action: `Create ${subject.one}`,
	description: `Create ${subject.one}`,
	address: 'POST /base',
	fields: [...entityFields(subject), ...columnFields('create', subject.entity), ...writeFields],
	check: async (context) => {
		const entity = mustSupport(entityOf(subject, context), 'create');
		newRecord(entity, await fieldsIn(context, entity, 'create'));
	},
	each: async (context) => {
		const entity = mustSupport(entityOf(subject, context), 'create');
		const output = outputOfWrite(context, entity);
		const fields = await fieldsIn(context, entity, 'create');
		return await output(await createOf(context, entity, fields), membersOf(fields));
	},
});

export function updateOperation(subject: Subject): Operation {
	const stored = storedRecords((context) => {
		const entity = entityOf(subject, context);
		const given = givenFields(context, entity, 'update');
		return { entity, id: subjectIn(subject, context), members: allMembers(given), utc: given.utc };
	});
	return {
		name: 'Update',
		value: 'update',
		action: `Update ${subject.one}`,
		description: `Update ${subject.one}, changing only the properties that you set`,
		address: 'PUT /base',
		fields: [...idFields(subject), ...columnFields('update', subject.entity), ...updateFields],
		changes: recordKey(subject),
		each: async (context) => {
			const entity = mustSupport(entityOf(subject, context), 'update');
			const output = outputOfWrite(context, entity);
			const id = await idOf(subject, context);
			const fields = await fieldsIn(context, entity, 'update');
			const record = await stored(context);
			return await output(await updateOf(context, entity, id, fields, record), membersOf(fields));
		},
	};
}

export const deleteOperation = (subject: Subject): Operation => ({
	name: 'Delete',
	value: 'delete',
	action: `Delete ${subject.one}`,
	description: `Delete ${subject.one}`,
	address: 'DELETE /base',
	fields: [...idFields(subject), writeOptionsField('ignoreMissing')],
	changes: recordKey(subject),
	each: async (context) => {
		const entity = mustSupport(entityOf(subject, context), 'delete');
		const id = await idOf(subject, context);
		await context.send(deleteRequest(entity, id, context.isOn('ignoreMissing')));
		return [itemOf({ deleted: true, Id: id })];
	},
});

const RESTORE = 'RestoreCommand';

export const restoreOperation = (subject: Subject): Operation => ({
	name: 'Restore',
	value: 'restore',
	action: `Restore ${subject.one}`,
	description: `Undo the deletion of ${subject.one}`,
	command: RESTORE,
	fields: [...idFields(subject), writeOptionsField('requestId')],
	changes: recordKey(subject),
	each: async (context) => {
		const specifier = { EntityType: entityOf(subject, context), Id: await idOf(subject, context) };
		const request = commandRequest(RESTORE, { EntitySpecifier: specifier }, context.requestId());
		const { CommandResult } = await context.send(request);
		return [itemOf({ ...specifier, ...(CommandResult.EntitySpecifier as object | undefined) })];
	},
});
