import { optionsField } from '../../form/options';
import { subjects } from '../../form/subjects';
import { itemOf } from '../../run/context';
import { allOperationsOn } from '../operations';
import { sendCommand } from '../operations/command';
import type { Operation, Resource } from '../../run/operation';
import { idFields, idOf, recordKey } from '../operations/subject';

const { employee: subject } = subjects;

const COMMAND = 'UserOrProviderSuspendCommand';

type Named = Pick<Operation, 'name' | 'value' | 'action' | 'description'>;

/** The command answers with the Id alone. */
const suspension = (named: Named, Reactivate: boolean): Operation => ({
	...named,
	description: `${named.description} (${COMMAND})`,
	command: COMMAND,
	fields: [
		...idFields(subject),
		optionsField('dryRun', 'parallelRequests', 'requestId', 'timeout'),
	],
	changes: recordKey(subject),
	each: async (context) => {
		const Id = await idOf(subject, context);
		await sendCommand(context, COMMAND, { Id, Reactivate });
		return [itemOf({ Id, Suspended: !Reactivate })];
	},
});

const suspend = suspension(
	{
		name: 'Suspend',
		value: 'suspend',
		action: `Suspend ${subject.one}`,
		description: 'Suspend an employee or provider until taken back with Reactivate',
	},
	false,
);

const reactivate = suspension(
	{
		name: 'Reactivate',
		value: 'reactivate',
		action: `Reactivate ${subject.one}`,
		description: 'Take back the suspension of an employee or provider',
	},
	true,
);

export const employee: Resource = {
	name: 'Employee',
	value: 'employee',
	description: 'Staff and service providers',
	operations: [...allOperationsOn(subject), reactivate, suspend],
};
