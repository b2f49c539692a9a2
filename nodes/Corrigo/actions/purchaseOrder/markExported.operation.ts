import { subjects } from '../../form/subjects';
import { buildChanges, buildUpdateRequest } from '../../wire/requests';
import type { Operation } from '../../run/operation';
import { createRecordReader } from '../../operations/write/stored';
import {
	getIdFields,
	resolveSubjectId,
	createKeyReader,
	readSubjectId,
} from '../../operations/subject';
import { createOutputBuilder, updateFields } from '../../operations/write/writeOutput';

const { purchaseOrder: subject } = subjects;
const { entity } = subject;
const members = { IsExported: true };

const readStored = createRecordReader((context) => ({
	entity,
	members,
	id: readSubjectId(subject, context),
}));

export const markExported: Operation = {
	name: 'Mark Exported',
	value: 'markExported',
	action: 'Mark a purchase order as exported',
	description: 'Record that another system has taken over a purchase order',
	address: 'PUT /base',
	fields: [...getIdFields(subject), ...updateFields],
	changes: createKeyReader(subject),
	each: async (context) => {
		const buildOutput = createOutputBuilder(context, entity);
		const changes = buildChanges(subject.label, await resolveSubjectId(subject, context), members);
		const record = await readStored(context);
		const request = buildUpdateRequest(entity, changes, context.getRequestId(), record);
		return await buildOutput(await context.send(request), members);
	},
};
