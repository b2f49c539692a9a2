import type { INodeProperties } from 'n8n-workflow';

import { buildColumnFields } from '../../form/fields';
import { buildOptions, WRITE_OPTIONS } from '../../form/options';
import type { JsonObject } from '../../values/objects';
import type { Specifier } from '../../wire/answers';
import { buildChanges, buildDeleteRequest, buildUpdateRequest } from '../../wire/requests';
import { toItem, createFormResolver, type ResolvingForm } from '../../run/context';
import type { Operation } from '../../run/operation';
import type { EntityName } from '../../catalogue/entities';
import { createGoalSender, type Goal } from './alreadySo';
import { sendCommand } from './command';
import {
	addUnknownEntityNotice,
	checkNewRecord,
	createFromInput,
	getWriteFields,
	readInput,
	settleInput,
	toSpecifier,
	updateFromInput,
	requireSupport,
} from './record';
import { dependsOnRecord, getDecidingParts } from './settling';
import { createRecordLoader } from './stored';
import { checksVersion, requireVersion, skipIfChanged, updateCurrent } from './versions';
import type { Subject } from '../../form/subjects';
import {
	getEntityFields,
	getIdFields,
	resolveSubjectId,
	createKeyResolver,
	readSubjectId,
} from '../subject';
import { createOutputBuilder } from '../output';
import { showCreated, showWritten } from '../specimens';

export function buildCreateOperation(subject: Subject): Operation {
	const resolveInput = createFormResolver((context) => {
		const entity = requireSupport(context.entity(subject), 'create');
		const input = readInput(context, entity, 'create');
		checkNewRecord(context, entity, input);
		addUnknownEntityNotice(context, entity);
		return { entity, input };
	});
	return {
		value: 'create',
		action: `Create ${subject.noun}`,
		description: `Create a new ${subject.noun}`,
		address: 'POST /base',
		output: () => showCreated(subject.entity),
		fields: [
			...getEntityFields(subject),
			...buildColumnFields('create', subject.entity),
			...getWriteFields(),
		],
		check: resolveInput,
		each: async (context) => {
			const { entity, input } = await resolveInput(context);
			const buildOutput = createOutputBuilder(context, entity, { isNew: true });
			const { specifier, members } = await createFromInput(context, entity, input);
			return await buildOutput(specifier, members);
		},
	};
}

export function buildUpdateOperation(subject: Subject): Operation {
	const resolveUpdate = createFormResolver((context) => {
		const entity = requireSupport(context.entity(subject), 'update');
		requireVersion(context, entity);
		const id = readSubjectId(subject, context);
		const input = readInput(context, entity, 'update', id);
		return { entity, id, input };
	});
	const stored = createRecordLoader((context) => {
		const entity = context.entity(subject);
		const id = readSubjectId(subject, context);
		const input = readInput(context, entity, 'update', id);
		return { entity, id, utc: input.utc, ...getDecidingParts(entity, input.members) };
	});
	return {
		value: 'update',
		action: `Update ${subject.noun}`,
		description: `Update ${subject.one}, changing only the fields that you set`,
		address: 'PUT /base',
		output: () => showWritten(subject.entity),
		fields: [
			...getIdFields(subject),
			...buildColumnFields('update', subject.entity),
			...getWriteFields(subject.entity, [
				'expectedVersion',
				'fieldsToClear',
				'ifChanged',
				'returnBefore',
			]),
		],
		changes: createKeyResolver(subject),
		check: async (context) => {
			const { entity, input } = await resolveUpdate(context);
			if (dependsOnRecord(input.members) && (await stored.isFirst(context))) {
				await settleInput(context, entity, input, await stored.loadForCheck(context));
			}
		},
		each: async (context) => {
			const { entity, id, input } = await resolveUpdate(context);
			const buildOutput = createOutputBuilder(context, entity);
			const load = () => stored.loadForWrite(context);
			return await updateCurrent(await load(), load, async (record) => {
				const settled = await settleInput(context, entity, input, record);
				const skipped = skipIfChanged(context, entity, record, settled.members);
				if (skipped !== undefined) return skipped;
				const version = checksVersion(context) ? record?.ConcurrencyId : undefined;
				const before = toSpecifier(entity, { Id: id, ConcurrencyId: version });
				const written = await updateFromInput(context, before, settled, record);
				const { specifier, members, outcome } = written;
				context.run.versions.note(entity, specifier, record?.ConcurrencyId);
				return await buildOutput(specifier, members, outcome);
			});
		},
	};
}

interface MemberUpdate
	extends Pick<Operation, 'name' | 'value' | 'action' | 'description' | 'output'> {
	subject: Subject & { entity: string };
	fields: INodeProperties[];
	/** Reads what to write; `properties` replaces the names of the members. */
	read: (form: ResolvingForm) => { id: number; members: JsonObject; properties?: string[] };
	/** The record shows whether its part already is as the update would make it. */
	goal?: Goal & { part: string; owner: EntityName };
}

/** Update of certain members, which the operation determines. */
export function buildMemberUpdate(typed: MemberUpdate): Operation {
	const { subject, fields, read, goal, ...texts } = typed;
	const { entity, label } = subject;
	const resolveChange = createFormResolver(read);
	const sendToGoal = createGoalSender<Specifier>(goal?.owner ?? entity, goal, async (context) => {
		const { id, members } = await resolveChange(context);
		return { id, body: members[goal?.part ?? ''] as JsonObject };
	});
	const stored = createRecordLoader((context) => ({ entity, ...read(context) }));
	return {
		...texts,
		address: 'PUT /base',
		fields: [
			...fields,
			...getWriteFields(undefined, goal ? ['ifAlreadySo', 'returnBefore'] : ['returnBefore']),
		],
		changes: createKeyResolver(subject),
		check: resolveChange,
		each: async (context) => {
			const buildOutput = createOutputBuilder(context, entity);
			const { id, members, properties } = await resolveChange(context);
			const { Properties, Entity } = buildChanges(label, id, members);
			const changes = { Properties: properties ?? Properties, Entity };
			const sent = await sendToGoal(context, async () => {
				const record = await stored.loadForWrite(context);
				const request = buildUpdateRequest(entity, changes, context.getRequestId(), record);
				return await context.send(request);
			});
			const specifier = 'answer' in sent ? sent.answer : toSpecifier(entity, sent.record);
			return await buildOutput(specifier, members, sent.more);
		},
	};
}

export function buildDeleteOperation(subject: Subject): Operation {
	const resolveDelete = createFormResolver((context) => {
		const entity = requireSupport(context.entity(subject), 'delete');
		const id = readSubjectId(subject, context);
		addUnknownEntityNotice(context, entity);
		return { entity, id, ignoresMissing: context.isOn('ignoreMissing') };
	});
	return {
		value: 'delete',
		action: `Delete ${subject.noun}`,
		description: `Delete ${subject.one}`,
		address: 'DELETE /base',
		output: () => ({ deleted: true, Id: 1 }),
		fields: [...getIdFields(subject), buildOptions([...WRITE_OPTIONS, 'ignoreMissing'])],
		changes: createKeyResolver(subject),
		check: resolveDelete,
		each: async (context) => {
			const { entity, id, ignoresMissing } = await resolveDelete(context);
			await context.send(buildDeleteRequest(entity, id, { ignoresMissing }));
			return [toItem({ deleted: true, Id: id })];
		},
	};
}

const RESTORE = 'RestoreCommand';

export function buildRestoreOperation(subject: Subject): Operation {
	const removed: Subject = { ...subject, isRemoved: true };
	return {
		value: 'restore',
		action: `Restore ${subject.noun}`,
		description: `Undo the deletion of ${subject.one}`,
		command: RESTORE,
		output: () => ({ restored: true, Id: 1 }),
		fields: [...getIdFields(subject), buildOptions([...WRITE_OPTIONS, 'requestId'])],
		changes: createKeyResolver(removed),
		check: async (context) => await resolveSubjectId(removed, context),
		each: async (context) => {
			const Id = await resolveSubjectId(removed, context);
			await sendCommand(context, RESTORE, {
				EntitySpecifier: { EntityType: context.entity(subject), Id },
			});
			return [toItem({ restored: true, Id })];
		},
	};
}
