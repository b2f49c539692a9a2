import type { INodeExecutionData, IExecuteFunctions } from 'n8n-workflow';

import type { CommandMember, CommandName } from '../../catalogue/commands';
import { WORK_ZONE_TIME } from '../../form/fields';
import type { enumerations } from '../../catalogue/enumerations';
import { findResultingStatus } from '../../catalogue/statusActions';
import { createFieldBuilder } from '../../operations/members';
import { findNewest, type Goal } from '../../operations/write/alreadySo';
import {
	buildCommandOperation,
	type CommandDefinition,
	sendCommand,
} from '../../operations/write/command';
import type { CommandAnswer } from '../../wire/answers';
import { ValidationError } from '../../values/errors';
import { isSameText } from '../../values/input';
import { readPath, toRows, type JsonObject } from '../../values/objects';
import { isUnknownCommand } from '../../transport/errors';
import type { ItemContext } from '../../run/context';
import { fileField, readFileField, buildFileItem, decodeBase64 } from '../document/file';
import { createTable } from '../../catalogue/table';
import { FILE } from '../../operations/specimens';

const actionFields = createFieldBuilder('WoPickUpCommand');

/** Every action has these members of BaseWoActionCommand. */
const COMMON = [
	actionFields.field(
		'ActionDate',
		'actionDate',
		`Time of the action, if not now. ${WORK_ZONE_TIME}.`,
	),
	actionFields.field('Comment', 'comment', 'Comment in the log of the order', {
		typeOptions: { rows: 2 },
	}),
	actionFields.field(
		'ConcurrencyId',
		'expectedConcurrencyId',
		'Version of the order that you have read. The operation fails if the order has changed since.',
		{ typeOptions: { minValue: 1 } },
	),
	actionFields.field(
		'StatusId',
		'expectedStatus',
		'Status that the order must have. Otherwise, the operation fails.',
	),
];

const buildReasonField = (
	command: 'WoCancelCommand' | 'WoOnHoldCommand',
	type: 'cancelReason' | 'holdReason',
) => createFieldBuilder(command).reference('ActionReasonId', 'reason', type, { required: true });

/** The status of the order and its newest action tell whether somebody has already done it. */
const reachStatus = (action: (typeof enumerations)['WOActionType'][number]): Goal => ({
	entity: 'WorkOrder',
	paths: ['StatusId', 'RepairCode.Id'],
	actions: [action],
	isReached: ({ StatusId }) => StatusId === findResultingStatus(action),
	findGiven: (order, { Comment, ActionReasonId } = {}) => ({
		ActionReasonId,
		Comment,
		RepairCodeId: readPath(order, 'RepairCode.Id'),
	}),
});

const FLAG_PATHS = ['Flags.FlagId', 'Flags.Comment'];

const listRaised = (order: JsonObject, flags: unknown): JsonObject[] =>
	toRows(order.Flags).filter(({ FlagId }) => [flags].flat().includes(FlagId));

/** The definition of each command that has the common members. */
type OrderCommand = {
	[Name in CommandName]: (typeof COMMON)[number]['member'] extends CommandMember<Name>
		? Omit<CommandDefinition<Name>, 'value'>
		: never;
}[CommandName];

/** Actions on a work order differ only in their fields. */
const COMMANDS = createTable<OrderCommand>({
	addFlag: {
		action: 'Add flags to work order',
		description: 'Raise one or more attention flags on a work order',
		command: 'WoSetFlagsCommand',
		shown: [
			createFieldBuilder('WoSetFlagsCommand').references('FlagsToSet', 'flags', 'flag', {
				description: 'Flags to raise. Others stay as they are.',
			}),
		],
		goal: {
			entity: 'WorkOrder',
			paths: FLAG_PATHS,
			isReached: (order, { FlagsToSet }) =>
				[FlagsToSet].flat().every((flag) => listRaised(order, flag).length > 0),
			// A flag that had been raised before keeps its own comment.
			findGiven: (order, _, { FlagsToSet, Comment }) => {
				const comments = listRaised(order, FlagsToSet).map((flag) => flag.Comment);
				return { Comment: comments.find((one) => isSameText(one, Comment)) ?? comments[0] };
			},
		},
	},
	assign: {
		action: 'Assign work order',
		description: 'Assign employees or vendors to a work order, or remove them from it',
		command: 'WoAssignCommand',
		shown: [
			createFieldBuilder('WoAssignCommand').references('Assignees', 'assignees', 'employee', {
				description: 'Employees or vendors to assign or remove',
			}),
			createFieldBuilder('WoAssignCommand').field('Mode', 'mode', 'How to change the assignment', {
				options: [
					{ name: 'Add as Secondary', value: 'AddSecondary' },
					{ name: 'Make Primary', value: 'Primary' },
					{ name: 'Remove From Secondary', value: 'RemoveSecondary' },
					{
						name: 'Replace All',
						value: 'Snapshot',
						description:
							'Remove all others. The first in the list becomes primary, the rest secondary.',
					},
				],
				default: 'Primary',
			}),
		],
	},
	cancel: {
		action: 'Cancel work order',
		description: 'Cancel a work order for a reason',
		command: 'WoCancelCommand',
		shown: [buildReasonField('WoCancelCommand', 'cancelReason')],
		goal: reachStatus('Cancel'),
	},
	clearFlags: {
		action: 'Clear flags of work order',
		description: 'Clear attention flags of a work order',
		command: 'WoClearFlagsCommand',
		shown: [
			createFieldBuilder('WoClearFlagsCommand').references('FlagsToClear', 'flags', 'flag', {
				description: 'Flags to clear. Others stay as they are.',
			}),
		],
		goal: {
			entity: 'WorkOrder',
			paths: FLAG_PATHS,
			isReached: (order, { FlagsToClear }) => listRaised(order, FlagsToClear).length === 0,
		},
	},
	complete: {
		action: 'Complete work order',
		description: 'Mark a work order as completed',
		command: 'WoCompleteCommand',
		added: [
			createFieldBuilder('WoCompleteCommand').field(
				'CompletionNoteOption',
				'completionNoteOption',
				'How to use the comment as the completion note',
			),
			createFieldBuilder('WoCompleteCommand').reference('RepairCodeId', 'repairCode', 'repairCode'),
		],
		goal: reachStatus('Complete'),
	},
	copy: {
		action: 'Copy work order',
		description: 'Create a copy of a work order',
		command: 'WoCopyCommand',
	},
	hold: {
		action: 'Put work order on hold',
		description: 'Put a work order on hold for a reason',
		command: 'WoOnHoldCommand',
		shown: [buildReasonField('WoOnHoldCommand', 'holdReason')],
		goal: reachStatus('OnHold'),
	},
	pause: {
		action: 'Pause work order',
		description: 'Pause the work on a work order',
		command: 'WoPauseCommand',
		goal: reachStatus('Stop'),
	},
	pickUp: {
		action: 'Pick up work order',
		description: 'Accept a new work order, which opens it',
		command: 'WoPickUpCommand',
		goal: reachStatus('PickUp'),
	},
	recall: {
		action: 'Recall work order',
		description: 'Recall a work order that was sent to a connected vendor',
		command: 'WoRecallCommand',
	},
	reopen: {
		action: 'Reopen work order',
		description: 'Reopen a work order that is closed, paused or on hold',
		command: 'WoReopenCommand',
		goal: reachStatus('Reopen'),
	},
	sendMessage: {
		action: 'Send message about work order',
		description: 'Send a message to the connected vendor assigned to a work order',
		command: 'WoMessageCommand',
		shown: [
			createFieldBuilder('WoMessageCommand').field(
				'Comment',
				'message',
				'Text of the message to the vendor',
				{ required: true, typeOptions: { rows: 4 } },
			),
		],
	},
	start: {
		action: 'Start work order',
		description: 'Start the work on a work order',
		command: 'WoStartCommand',
		goal: reachStatus('Start'),
	},
});

export const orderCommands = Object.entries(COMMANDS).map(([value, { added = [], ...action }]) => {
	const own: readonly string[] =
		action.shown?.flatMap((one) => ('member' in one ? [one.member] : [])) ?? [];
	const common = COMMON.filter(({ member }) => !own.includes(member));
	return buildCommandOperation<CommandName>({ ...action, value, added: [...common, ...added] });
});

const verifyFields = createFieldBuilder('VerifyWorkCommand');

const verifyComment = verifyFields.field('Comment', 'comment', 'Comment on the work', {
	typeOptions: { rows: 2 },
});

const findVerification = (order: JsonObject) => findNewest(toRows(order.Verifications));

export const verify = buildCommandOperation({
	value: 'verify',
	action: 'Verify completed work order',
	description: 'Rate the work of a completed work order',
	command: 'VerifyWorkCommand',
	shown: [
		verifyFields.field('WoRatingId', 'rating', 'Quality of the work', {
			required: true,
		}),
		verifyComment,
	],
	goal: {
		entity: 'WorkOrder',
		paths: ['Verifications.*'],
		actions: ['Verified'],
		// Work that is done again is rated again.
		undoneBy: ['Complete'],
		isReached: (order, { WoRatingId }) => findVerification(order)?.WoRatingId === WoRatingId,
		findGiven: (order) => ({ Comment: findVerification(order)?.Comment }),
		getShown: (order) => findVerification(order) ?? {},
	},
	// The contract expects a comment in every call, even an empty one.
	buildBody: (context) => ({ Comment: String(context.read(verifyComment.property)).trim() }),
});

/** The contract does not say which of the two names a host knows. */
const OTHER_NAMES = {
	SendWorkOrderCommand: 'SendWorkOrder',
	SendWorkOrder: 'SendWorkOrderCommand',
} as const;

const namesByHost = new Map<string, keyof typeof OTHER_NAMES>();

const sendFields = createFieldBuilder('SendWorkOrderCommand');

export const sendToVendors = buildCommandOperation({
	value: 'send',
	action: 'Send work order to vendors',
	description: 'Notify the connected vendors assigned to a work order',
	command: 'SendWorkOrderCommand',
	added: [
		sendFields.field('RequestQuote', 'requestQuote', 'Whether to ask the vendor for a quote', {
			default: true,
		}),
		sendFields.field('SendTo', 'sendTo', 'Address to notify, if not the assigned vendors', {
			placeholder: 'e.g. name@email.com',
		}),
	],
	send: async (context, command) => {
		const name = namesByHost.get(await getHost(context.caller)) ?? 'SendWorkOrderCommand';
		return await sendCommand(context, name, command).catch(async (failure: unknown) => {
			if (!isUnknownCommand(failure)) throw failure;
			const answer = await sendCommand(context, OTHER_NAMES[name], command);
			namesByHost.set(await getHost(context.caller), OTHER_NAMES[name]);
			return answer;
		});
	},
});

/** The first request of a session discovers the host, so the host is read again after it. */
const getHost = async (caller: IExecuteFunctions) =>
	String((await caller.getCredentials('corrigoApi')).baseUrl);

const printFields = createFieldBuilder('CreateWoPrintoutCommand');

export const print = buildCommandOperation({
	value: 'print',
	action: 'Print work order',
	description: 'Create a PDF printout of a work order',
	command: 'CreateWoPrintoutCommand',
	output: () => FILE,
	shown: [fileField],
	added: [
		printFields.field(
			'LanguageId',
			'languageId',
			'ID of the language of the printout, if not the default one',
			{ typeOptions: { minValue: 1 } },
		),
		printFields.reference('PrintoutTemplateId', 'printoutTemplate', 'printoutTemplate', {
			description: 'Layout of the printout, if not the default one',
		}),
	],
	buildBody: (context) => {
		// An empty field fails here, before anything is sent.
		readFileField(context);
		return {};
	},
	buildOutput: buildPrintout,
});

async function buildPrintout(
	context: ItemContext,
	{ CommandResult: { PrintoutBody, Filename } }: CommandAnswer,
	{ WorkOrderId: id }: JsonObject,
): Promise<INodeExecutionData> {
	const body = typeof PrintoutBody === 'string' ? decodeBase64(PrintoutBody)?.body : undefined;
	if (!body?.length) {
		throw new ValidationError(
			`Corrigo made no printout of the work order ${String(id)}`,
			'Check that the Company has a printout template for work orders, or choose one.',
		);
	}
	const name = typeof Filename === 'string' && Filename ? Filename : `${String(id)}.pdf`;
	return await buildFileItem(context.caller, readFileField(context), { id, name, body });
}
