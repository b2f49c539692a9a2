import type { INodeProperties } from 'n8n-workflow';

import type { CommandAnswer } from '../../protocol/answers';
import { isObject, jsonObject, type JsonObject } from '../../protocol/checks';
import { booleanOf } from '../../protocol/values';
import type { ItemContext } from '../../run/context';
import {
	addedMembers,
	additionalFields,
	inputsFor,
	formFields,
	type MemberField,
} from '../operations/members';
import { commandOperation, sendCommand } from '../operations/command';
import { ordersByNumber, skipIfExternalNumberExists, uniqueNumberOf } from './externalNumbers';
import { createWithNumber } from './lostCreates';
import {
	addNote,
	isOncePerFault,
	noteOnOpenOf,
	openOrderOptions,
	ordersByFault,
} from './openOrders';
import {
	CONTACT_ADDRESS,
	orderFields,
	orderMembers,
	orderOf,
	orderZone,
	OTHER_PROPERTIES,
} from './order';

const COMMAND = 'WoCreateCommand';
const inputs = inputsFor(COMMAND);

/** The members of the command itself, besides the order. */
const commandMembers: readonly MemberField[] = [
	inputs.field('ActionDate', 'actionDate', 'Action Date', {
		description: 'When it was asked for, if not now',
	}),
	inputs.field('ActionReasonId', 'actionReasonId', 'Action Reason ID', {
		typeOptions: { minValue: 1 },
		description: 'ID of a reason for the creation, where the Company has some',
	}),
	inputs.field('Comment', 'comment', 'Comment', {
		typeOptions: { rows: 2 },
		description: 'Goes to the log of the order',
	}),
	inputs.field('ComputeAssignment', 'computeAssignment', 'Compute Assignment', {
		default: true,
		description: 'Whether Corrigo assigns the order by the rules of the Company',
	}),
	inputs.field('EmergencyDisabled', 'emergencyDisabled', 'Emergency Disabled', {
		default: true,
		description: 'Whether the order cannot become an emergency',
	}),
	inputs.reference('EmployeeId', 'employee', 'employee', {
		displayName: 'Assign To',
		description: 'The employee or provider to assign. Has no effect with Compute Assignment.',
	}),
	inputs.field('ExternalNumber', 'externalNumber', 'External Number', {
		placeholder: 'e.g. TICKET-4711',
		description:
			'The number your own system has for it, up to 256 characters. See the option Skip if External Number Exists.',
	}),
	inputs.field('KeepUnassigned', 'keepUnassigned', 'Keep Unassigned', {
		default: true,
		description: 'Whether nobody is to be assigned, whatever the rules say',
	}),
	inputs.field('SkipBillToLogic', 'skipBillToLogic', 'Skip Bill-To Logic', {
		default: true,
		description: 'Whether to leave open who is billed',
	}),
	inputs.field('SkipProcedures', 'skipProcedures', 'Skip Procedures', {
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

export const create = commandOperation({
	name: 'Create',
	value: 'create',
	action: 'Create a work order',
	description: 'Create a work order and get its number',
	command: COMMAND,
	fields,
	ownOptions: [skipIfExternalNumberExists, ...openOrderOptions],
	zone: orderZone,
	body: (context) => {
		const added = context.collection('additionalFields');
		const workPlan = jsonObject(WORK_PLAN, added.workPlan ?? {});
		return {
			WorkOrder: orderOf(context),
			ComputeSchedule: booleanOf('Compute Schedule', context.param('computeSchedule', true)),
			...addedMembers(context, added, commandMembers),
			...(Object.keys(workPlan).length > 0 ? { WpTree: workPlan } : {}),
		};
	},
	changes: async (context) => [
		await ordersByNumber.keyOf(context),
		await ordersByFault.keyOf(context),
	],
	send: createOnce,
});

/** With an option that looks for an order that is there, AlreadyExisted says whether there was one. */
async function createOnce(context: ItemContext, body: JsonObject): Promise<CommandAnswer> {
	const number = uniqueNumberOf(context);
	const isSkipping = number !== undefined || isOncePerFault(context);
	const note = noteOnOpenOf(context);
	const command = number === undefined ? body : { ...body, ExternalNumber: number };
	let answer: CommandAnswer | undefined;
	const send = async (): Promise<JsonObject> => {
		answer = await sendCommand(context, COMMAND, command);
		const { Wo } = answer.CommandResult;
		return isObject(Wo) ? Wo : answer.CommandResult;
	};
	const given = String(command.ExternalNumber ?? '').trim();
	const make = async () =>
		given === '' ? await send() : await createWithNumber(context, given, isSkipping, send);
	let hasNumber = false;
	let isOpen = false;
	const byFault = async () => await ordersByFault.take(context, make, () => (isOpen = true));
	const order = await ordersByNumber.take(context, byFault, () => (hasNumber = true));
	if (isOpen && note !== undefined) await addNote(context, order, note);
	if (!isSkipping) return answer ?? { CommandResult: { Wo: order } };
	const Wo = { ...order, AlreadyExisted: hasNumber || isOpen };
	return { ...answer, CommandResult: { ...answer?.CommandResult, Wo } };
}
