import { subjects } from '../../form/subjects';
import { changesOf } from '../../protocol/changes';
import { updateRequest } from '../../protocol/requests';
import type { Operation } from '../../run/operation';
import { idFields, idOf, recordKey } from '../operations/subject';
import { outputOfWrite, writeFields } from '../operations/writeOutput';

const { purchaseOrder: subject } = subjects;

export const markExported: Operation = {
	name: 'Mark Exported',
	value: 'markExported',
	action: 'Mark a purchase order as exported',
	description: 'Record that another system has taken over a purchase order',
	address: 'PUT /base',
	fields: [...idFields(subject), ...writeFields],
	changes: recordKey(subject),
	each: async (context) => {
		const output = outputOfWrite(context, subject.entity);
		const Id = await idOf(subject, context);
		const members = { IsExported: true };
		const changes = changesOf(subject.label, Id, members);
		const request = updateRequest(subject.entity, changes, context.requestId());
		return await output(await context.send(request), members);
	},
};
