import type { INodeProperties } from 'n8n-workflow';

import type { CommandAnswer } from '../../protocol/answers';
import { isObject, jsonObject, type JsonObject } from '../../protocol/checks';
import { truth } from '../../protocol/values';
import type { Call } from '../call';
import {
	addedMembers,
	additionalFields,
	inputsFor,
	formFields,
	type MemberField,
} from '../operations/members';
import { commandOperation, sendCommand } from '../operations/command';
import { externalNumberOf, ExternalNumbers, SKIP, SKIP_TITLE, skips } from './externalNumbers';
import {
	CONTACT_ADDRESS,
	orderFields,
	orderMembers,
	orderOf,
	orderZone,
	OTHER_PROPERTIES,
} from './order';

const COMMAND = 'WoCreateCommand';
const command = inputsFor(COMMAND);

/** What the command takes beside the order. */
const commandMembers: readonly MemberField[] = [
	command.field('ActionDate', 'actionDate', 'Action Date', {
		description: 'When it was asked for, if not now',
	}),
	command.field('ActionReasonId', 'actionReasonId', 'Action Reason ID', {
		typeOptions: { minValue: 1 },
		description: 'ID of a reason for the creation, where the Company has some',
	}),
	command.field('Comment', 'comment', 'Comment', {
		typeOptions: { rows: 2 },
		description: 'Goes to the log of the order',
	}),
	command.field('ComputeAssignment', 'computeAssignment', 'Compute Assignment', {
		default: true,
		description: 'Whether Corrigo assigns the order by the rules of the Company',
	}),
	command.field('EmergencyDisabled', 'emergencyDisabled', 'Emergency Disabled', {
		default: true,
		description: 'Whether the order cannot become an emergency',
	}),
	command.reference('EmployeeId', 'employee', 'employee', {
		displayName: 'Assign To',
		description: 'The employee or provider to assign. Has no effect with Compute Assignment.',
	}),
	command.field('ExternalNumber', 'externalNumber', 'External Number', {
		placeholder: 'e.g. TICKET-4711',
		description:
			'The number your own system has for it, up to 256 characters. See the option Skip if External Number Exists.',
	}),
	command.field('KeepUnassigned', 'keepUnassigned', 'Keep Unassigned', {
		default: true,
		description: 'Whether nobody is to be assigned, whatever the rules say',
	}),
	command.field('SkipBillToLogic', 'skipBillToLogic', 'Skip Bill-To Logic', {
		default: true,
		description: 'Whether to leave open who is billed',
	}),
	command.field('SkipProcedures', 'skipProcedures', 'Skip Procedures', {
		default: true,
		description: 'Whether to leave out the procedures of the tasks',
	}),
];

const WORK_PLAN = 'Work Plan (JSON)';

const fields: INodeProperties[] = [
	...orderFields,
	{
		displayName: 'Compute Schedule',
		name: 'computeSchedule',
		type: 'boolean',
		default: true,
		description: 'Whether Corrigo computes the due dates by the rules of the Company',
	},
	additionalFields(
		...formFields([...commandMembers, ...orderMembers]),
		CONTACT_ADDRESS,
		{
			displayName: WORK_PLAN,
			name: 'workPlan',
			type: 'json',
			default: '{}',
			placeholder: 'e.g. { "Level": 1, "Number": 2 }',
			description: 'The place of the order in a work plan, as Corrigo writes it (WpTree)',
		},
		OTHER_PROPERTIES,
	),
];

const skipOption: INodeProperties = {
	displayName: SKIP_TITLE,
	name: SKIP,
	type: 'boolean',
	default: true,
	description:
		'Whether to look the external number up first, and return the work order that has it, whatever its status, in place of creating a second one. AlreadyExisted in the output tells which of both happened.',
};

export const create = commandOperation({
	name: 'Create',
	value: 'create',
	action: 'Create a work order',
	description: 'Create a work order and get its number',
	command: COMMAND,
	fields,
	ownOptions: [skipOption],
	zone: orderZone,
	body: async (call) => {
		const added = call.collection('additionalFields');
		const workPlan = jsonObject(WORK_PLAN, added.workPlan ?? {});
		return {
			WorkOrder: await orderOf(call),
			ComputeSchedule: truth('Compute Schedule', call.param('computeSchedule', true)),
			...addedMembers(added, commandMembers),
			...(Object.keys(workPlan).length > 0 ? { WpTree: workPlan } : {}),
		};
	},
	send: async (call, body) =>
		skips(call) ? await createOnce(call, body) : await sendCommand(call, COMMAND, body),
});

async function createOnce(call: Call, body: JsonObject): Promise<CommandAnswer> {
	const number = externalNumberOf(call);
	const numbers = await ExternalNumbers.of(call);
	let answer: CommandAnswer = { CommandResult: {} };
	const { order, existed } = await numbers.orderOf(call, number, async () => {
		answer = await sendCommand(call, COMMAND, { ...body, ExternalNumber: number });
		const { Wo } = answer.CommandResult;
		return isObject(Wo) ? Wo : answer.CommandResult;
	});
	return {
		...answer,
		CommandResult: { ...answer.CommandResult, Wo: { ...order, AlreadyExisted: existed } },
	};
}
