import { buildColumnFields } from '../../form/fields';
import { buildOptions, WRITE_OPTIONS } from '../../form/options';
import { buildCommandRequest, buildDeleteRequest } from '../../wire/requests';
import { toItem } from '../../run/context';
import type { Operation } from '../../run/operation';
import { getAllMembers, readInput } from './input';
import { checksVersion, noteVersion, requireVersion, skipIfChanged } from './ifChanged';
import {
	createFromInput,
	resolveInput,
	getPlainMembers,
	buildNewRecord,
	updateFromInput,
} from './fields';
import type { Subject } from '../../form/subjects';
import {
	getEntityFields,
	readEntity,
	getIdFields,
	resolveSubjectId,
	requireSupport,
	createKeyReader,
	readSubjectId,
} from '../subject';
import { createRecordReader, updateCurrent } from './stored';
import { createOutputBuilder, toSpecifier, writeFields, getWriteFields } from './writeOutput';

export const buildCreateOperation = (subject: Subject): Operation => ({
	name: 'Create',
	value: 'create',
	action: `Create ${subject.one}`,
	description: `Create ${subject.one}`,
	address: 'POST /base',
	fields: [
		...getEntityFields(subject),
		...buildColumnFields('create', subject.entity),
		...writeFields,
	],
	check: async (context) => {
		const entity = requireSupport(readEntity(subject, context), 'create');
		buildNewRecord(entity, await resolveInput(context, entity, 'create'));
	},
	each: async (context) => {
		const entity = requireSupport(readEntity(subject, context), 'create');
		const buildOutput = createOutputBuilder(context, entity);
		const input = await resolveInput(context, entity, 'create');
		return await buildOutput(await createFromInput(context, entity, input), getPlainMembers(input));
	},
});

export function buildUpdateOperation(subject: Subject): Operation {
	const readStored = createRecordReader((context) => {
		const entity = readEntity(subject, context);
		const input = readInput(context, entity, 'update');
		return {
			entity,
			id: readSubjectId(subject, context),
			members: getAllMembers(input),
			utc: input.utc,
		};
	});
	return {
		name: 'Update',
		value: 'update',
		action: `Update ${subject.one}`,
		description: `Update ${subject.one}, changing only the properties that you set`,
		address: 'PUT /base',
		fields: [
			...getIdFields(subject),
			...buildColumnFields('update', subject.entity),
			...getWriteFields(subject.entity, 'expectedVersion', 'ifChanged', 'returnBefore'),
		],
		changes: createKeyReader(subject),
		check: (context) => requireVersion(context, readEntity(subject, context)),
		each: async (context) => {
			const entity = requireSupport(readEntity(subject, context), 'update');
			const buildOutput = createOutputBuilder(context, entity);
			const id = await resolveSubjectId(subject, context);
			const input = await resolveInput(context, entity, 'update');
			const read = async () => await readStored(context);
			return await updateCurrent(await read(), read, async (record) => {
				const skipped = skipIfChanged(context, entity, record, getAllMembers(input));
				if (skipped !== undefined) return skipped;
				const version = checksVersion(context) ? record?.ConcurrencyId : undefined;
				const before = toSpecifier(entity, { Id: id, ConcurrencyId: version });
				const specifier = await updateFromInput(context, entity, before, input, record);
				noteVersion(context, entity, specifier, record?.ConcurrencyId);
				return await buildOutput(specifier, getPlainMembers(input));
			});
		},
	};
}

export const buildDeleteOperation = (subject: Subject): Operation => ({
	name: 'Delete',
	value: 'delete',
	action: `Delete ${subject.one}`,
	description: `Delete ${subject.one}`,
	address: 'DELETE /base',
	fields: [...getIdFields(subject), buildOptions([...WRITE_OPTIONS, 'ignoreMissing'])],
	changes: createKeyReader(subject),
	each: async (context) => {
		const entity = requireSupport(readEntity(subject, context), 'delete');
		const id = await resolveSubjectId(subject, context);
		await context.send(buildDeleteRequest(entity, id, context.isOn('ignoreMissing')));
		return [toItem({ deleted: true, Id: id })];
	},
});

const RESTORE = 'RestoreCommand';

export const buildRestoreOperation = (subject: Subject): Operation => ({
	name: 'Restore',
	value: 'restore',
	action: `Restore ${subject.one}`,
	description: `Undo the deletion of ${subject.one}`,
	command: RESTORE,
	fields: [...getIdFields(subject), buildOptions([...WRITE_OPTIONS, 'requestId'])],
	changes: createKeyReader(subject),
	each: async (context) => {
		const specifier = {
			EntityType: readEntity(subject, context),
			Id: await resolveSubjectId(subject, context),
		};
		const request = buildCommandRequest(
			RESTORE,
			{ EntitySpecifier: specifier },
			context.getRequestId(),
		);
		const { CommandResult } = await context.send(request);
		return [toItem({ ...specifier, ...(CommandResult.EntitySpecifier as object | undefined) })];
	},
});
