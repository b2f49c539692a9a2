import { inputsFor, type MemberField } from '../operations/members';
import { commandOperation, type TypedCommand } from '../operations/command';

const baseAction = inputsFor('WoPickUpCommand');

/** Members of BaseWoActionCommand, which every action has. */
const COMMON: readonly MemberField[] = [
	baseAction.field(
		'ActionDate',
		'actionDate',
		'When it happened, if not now. Without a zone, in the time zone of the work zone of the order.',
	),
	baseAction.field('Comment', 'comment', 'What the log of actions is to say about it', {
		typeOptions: { rows: 2 },
	}),
	baseAction.field(
		'ConcurrencyId',
		'expectedConcurrencyId',
		'Only act if the order still has this version, as you have read it',
		{ typeOptions: { minValue: 1 } },
	),
	baseAction.field('StatusId', 'expectedStatus', 'Only act if the order is still in this status', {
		default: 'New',
	}),
];

const reason = (
	command: 'WoCancelCommand' | 'WoOnHoldCommand',
	kind: 'cancelReason' | 'holdReason',
) => inputsFor(command).reference('ActionReasonId', 'reason', kind, { required: true });

/** The actions on a work order that differ in nothing but their fields. */
const ACTIONS: readonly TypedCommand[] = [
	{
		value: 'addFlag',
		action: 'Add flags to a work order',
		description: 'Raise one or several attention flags on a work order',
		command: 'WoSetFlagsCommand',
		members: [
			inputsFor('WoSetFlagsCommand').references('FlagsToSet', 'flags', 'flag', {
				description: 'Those to raise; others stay',
			}),
		],
	},
	{
		value: 'assign',
		action: 'Assign a work order',
		description: 'Assign employees or service providers to a work order, or take them off it',
		command: 'WoAssignCommand',
		members: [
			inputsFor('WoAssignCommand').references('Assignees', 'assignees', 'employee', {
				description: 'Whom to assign, or to take off it',
			}),
			inputsFor('WoAssignCommand').field('Mode', 'mode', undefined, {
				options: [
					{ name: 'Add as Secondary', value: 'AddSecondary' },
					{ name: 'Make Primary', value: 'Primary' },
					{ name: 'Remove From Secondary', value: 'RemoveSecondary' },
					{
						name: 'Replace All',
						value: 'Snapshot',
						description: 'The first becomes primary, the others secondary',
					},
				],
				default: 'Primary',
			}),
		],
	},
	{
		value: 'cancel',
		action: 'Cancel a work order',
		description: 'Cancel a work order for a reason',
		command: 'WoCancelCommand',
		members: [reason('WoCancelCommand', 'cancelReason')],
	},
	{
		value: 'clearFlags',
		action: 'Clear flags of a work order',
		description: 'Take attention flags off a work order',
		command: 'WoClearFlagsCommand',
		members: [
			inputsFor('WoClearFlagsCommand').references('FlagsToClear', 'flags', 'flag', {
				description: 'Those to take off; others stay',
			}),
		],
	},
	{
		value: 'complete',
		action: 'Complete a work order',
		description: 'Report the work of a work order as done',
		command: 'WoCompleteCommand',
		added: [
			inputsFor('WoCompleteCommand').field(
				'CompletionNoteOption',
				'completionNoteOption',
				'What becomes of the completion note, for which the comment is taken',
			),
			inputsFor('WoCompleteCommand').reference('RepairCodeId', 'repairCode', 'repairCode'),
		],
	},
	{
		value: 'copy',
		action: 'Copy a work order',
		description: 'Make a new work order like this one',
		command: 'WoCopyCommand',
	},
	{
		value: 'hold',
		action: 'Put a work order on hold',
		description: 'Put a work order on hold for a reason',
		command: 'WoOnHoldCommand',
		members: [reason('WoOnHoldCommand', 'holdReason')],
	},
	{
		value: 'pause',
		action: 'Pause a work order',
		description: 'Stop the work of a work order for now',
		command: 'WoPauseCommand',
	},
	{
		value: 'pickUp',
		action: 'Pick up a work order',
		description: 'Accept a new work order, which opens it',
		command: 'WoPickUpCommand',
	},
	{
		value: 'recall',
		action: 'Recall a work order',
		description: 'Take back a work order that was sent to a connected provider',
		command: 'WoRecallCommand',
	},
	{
		value: 'reopen',
		action: 'Reopen a work order',
		description: 'Take up again a work order that is closed, paused or on hold',
		command: 'WoReopenCommand',
	},
	{
		value: 'sendMessage',
		action: 'Send a message about a work order',
		description: 'Write to the connected provider assigned to a work order',
		command: 'WoMessageCommand',
		members: [
			inputsFor('WoMessageCommand').field('Comment', 'message', 'What the provider gets to read', {
				required: true,
				typeOptions: { rows: 4 },
			}),
		],
	},
	{
		value: 'start',
		action: 'Start a work order',
		description: 'Begin the work of a work order',
		command: 'WoStartCommand',
	},
];

const others = ({ members = [] }: TypedCommand) =>
	COMMON.filter(({ member }) => !members.some((one) => one.member === member));

export const actions = ACTIONS.map((action) =>
	commandOperation({
		...action,
		added: [...others(action), ...(action.added ?? [])],
	}),
);

const verification = inputsFor('VerifyWorkCommand');

export const verify = commandOperation({
	value: 'verify',
	action: 'Verify a completed work order',
	description: 'Rate the work of a completed work order',
	command: 'VerifyWorkCommand',
	members: [
		verification.field('WoRatingId', 'rating', 'How well the work was done', {
			required: true,
			default: 'Positive',
		}),
		verification.field('Comment', 'comment', 'What there is to say about the work', {
			typeOptions: { rows: 2 },
		}),
	],
	// The contract has it in every call.
	body: (context) => ({ Comment: context.text('comment') }),
});
