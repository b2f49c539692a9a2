import { buildOptions, WRITE_OPTIONS } from '../../form/options';
import { subjects } from '../../form/subjects';
import { toWrittenItem } from '../../operations/output';
import { NAMED } from '../../operations/specimens';
import { buildAllOperations } from '../../operations';
import { sendCommand } from '../../operations/write/command';
import { toTitle } from '../../catalogue/enumerations/labels';
import type { Operation, Resource } from '../../run/operation';
import { getIdFields, resolveSubjectId, createKeyResolver } from '../../operations/subject';

const { employee: subject } = subjects;

const COMMAND = 'UserOrProviderSuspendCommand';

const buildSuspension = (value: string, description: string, Reactivate: boolean): Operation => ({
	value,
	action: `${toTitle(value)} ${subject.noun}`,
	description,
	command: COMMAND,
	output: () => ({ ...NAMED, Suspended: true }),
	fields: [...getIdFields(subject), buildOptions([...WRITE_OPTIONS, 'requestId'])],
	changes: createKeyResolver(subject),
	check: async (context) => await resolveSubjectId(subject, context),
	each: async (context) => {
		const Id = await resolveSubjectId(subject, context);
		await sendCommand(context, COMMAND, { Id, Reactivate });
		return [toWrittenItem(context, subject.entity, Id, { Suspended: !Reactivate })];
	},
});

export const employee: Resource = {
	value: 'employee',
	description: 'Staff and vendors',
	operations: [
		...buildAllOperations(subject, 'restore'),
		buildSuspension('reactivate', 'End the suspension of an employee or vendor', true),
		buildSuspension('suspend', 'Suspend an employee or vendor until you reactivate them', false),
	],
};
