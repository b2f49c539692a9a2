import { columnFields } from '../../form/columns';
import { writeOptionsField } from '../../form/options';
import { commandRequest, deleteRequest } from '../../protocol/requests';
import { itemOf } from '../../run/context';
import type { Operation } from '../../run/operation';
import { allMembers, givenFields } from './given';
import { checksVersion, noteVersion, requireVersion, skippedIfChanged } from './ifChanged';
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
import { storedRecords, updateCurrent } from './stored';
import { outputOfWrite, specifierIn, writeFields, writeFieldsOn } from './writeOutput';

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
		fields: [
			...idFields(subject),
			...columnFields('update', subject.entity),
			...writeFieldsOn(subject.entity, 'expectedVersion', 'ifChanged', 'returnBefore'),
		],
		changes: recordKey(subject),
		check: async (context) => {
			requireVersion(context, entityOf(subject, context));
			await Promise.resolve();
		},
		each: async (context) => {
			const entity = mustSupport(entityOf(subject, context), 'update');
			const output = outputOfWrite(context, entity);
			const id = await idOf(subject, context);
			const fields = await fieldsIn(context, entity, 'update');
			const read = async () => await stored(context);
			return await updateCurrent(await read(), read, async (record) => {
				const skipped = skippedIfChanged(context, entity, record, allMembers(fields));
				if (skipped !== undefined) return skipped;
				const version = checksVersion(context) ? record?.ConcurrencyId : undefined;
				const before = specifierIn(entity, { Id: id, ConcurrencyId: version });
				const specifier = await updateOf(context, entity, before, fields, record);
				noteVersion(context, entity, specifier, record?.ConcurrencyId);
				return await output(specifier, membersOf(fields));
			});
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
