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
import {
	oncePerExternalNumber,
	skipIfExternalNumberExists,
	uniqueNumberOf,
} from './externalNumbers';
import type { TakenOrder } from './knownOrders';
import { createWithNumber } from './lostCreates';
import {
	addNote,
	isOncePerFault,
	noteOnOpenOf,
	oncePerFault,
	openOrderOptions,
	SKIP_IF_OPEN,
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
	send: createOnce,
});

/** Options that look for an order that is there look for a lost one, too. */
async function sendCreate(context: ItemContext, command: JsonObject): Promise<CommandAnswer> {
	const create = async () => await sendCommand(context, COMMAND, command);
	const number = String(command.ExternalNumber ?? '').trim();
	if (number === '') return await create();
	const isLookedUp = uniqueNumberOf(context) !== undefined || isOncePerFault(context);
	return await createWithNumber(context, number, isLookedUp, create);
}

/** With options that look for an order that is there, AlreadyExisted says whether there was one. */
async function createOnce(context: ItemContext, body: JsonObject): Promise<CommandAnswer> {
	const number = uniqueNumberOf(context);
	const note = noteOnOpenOf(context);
	let answer: CommandAnswer = { CommandResult: {} };
	const make = async (): Promise<TakenOrder> => {
		answer = await sendCreate(context, {
			...body,
			...(number === undefined ? {} : { ExternalNumber: number }),
		});
		const { Wo } = answer.CommandResult;
		return { order: isObject(Wo) ? Wo : answer.CommandResult };
	};
	const { order, foundBy } = await oncePerExternalNumber(
		context,
		async () => await oncePerFault(context, make),
	);
	if (foundBy === SKIP_IF_OPEN && note !== undefined) await addNote(context, order, note);
	if (number === undefined && !isOncePerFault(context)) return answer;
	const Wo = { ...order, AlreadyExisted: foundBy !== undefined };
	return { ...answer, CommandResult: { ...answer.CommandResult, Wo } };
}
