import { subjects } from '../../form/subjects';
import { changesOf } from '../../protocol/changes';
import { updateRequest } from '../../protocol/requests';
import type { Operation } from '../../run/operation';
import { storedRecords } from '../operations/stored';
import { idFields, idOf, recordKey, subjectIn } from '../operations/subject';
import { outputOfWrite, updateFields } from '../operations/writeOutput';

const { purchaseOrder: subject } = subjects;
const { entity } = subject;
const members = { IsExported: true };

const stored = storedRecords((context) => ({
	...{ entity, members },
	id: subjectIn(subject, context),
}));

export const markExported: Operation = {
	name: 'Mark Exported',
	value: 'markExported',
	action: 'Mark a purchase order as exported',
	description: 'Record that another system has taken over a purchase order',
	address: 'PUT /base',
	fields: [...idFields(subject), ...updateFields],
	changes: recordKey(subject),
	each: async (context) => {
		const output = outputOfWrite(context, entity);
		const changes = changesOf(subject.label, await idOf(subject, context), members);
		const record = await stored(context);
		const request = updateRequest(entity, changes, context.requestId(), record);
		return await output(await context.send(request), members);
	},
};
