import { writeOptionsField } from '../../form/options';
import { subjects } from '../../form/subjects';
import { itemOf } from '../../run/context';
import { allOperationsOn } from '../operations';
import { sendCommand } from '../operations/command';
import { titleOf } from '../operations/members';
import type { Operation, Resource } from '../../run/operation';
import { idFields, idOf, recordKey } from '../operations/subject';

const { employee: subject } = subjects;

const COMMAND = 'UserOrProviderSuspendCommand';

/** The answer has only the Id, so the output is built from the input. */
const suspension = (value: string, description: string, Reactivate: boolean): Operation => ({
	name: titleOf(value),
	value,
	action: `${titleOf(value)} ${subject.one}`,
	description,
	command: COMMAND,
	fields: [...idFields(subject), writeOptionsField('requestId')],
	changes: recordKey(subject),
	each: async (context) => {
		const Id = await idOf(subject, context);
		await sendCommand(context, COMMAND, { Id, Reactivate });
		return [itemOf({ Id, Suspended: !Reactivate })];
	},
});

export const employee: Resource = {
	name: 'Employee',
	value: 'employee',
	description: 'Staff and service providers',
	operations: [
		...allOperationsOn(subject),
		suspension('reactivate', 'End the suspension of an employee or provider', true),
		suspension('suspend', 'Suspend an employee or provider until you reactivate them', false),
	],
};
