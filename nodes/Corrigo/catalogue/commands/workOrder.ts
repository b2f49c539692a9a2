import type { Command } from './command';

const note = { Comment: 'string', ActionReasonId: 'integer', ActionDate: 'datetime' } as const;

/** BaseWoActionCommand: StatusId and ConcurrencyId are the expected current ones. */
const workOrderAction = {
	WorkOrderId: 'integer',
	...note,
	StatusId: 'WOStatus',
	ConcurrencyId: 'integer',
} as const;

const action = <
	const Name extends string,
	const Own extends Command['fields'] = Record<never, string>,
>(
	name: Name,
	label: string,
	own = {} as Own,
	required: readonly string[] = [],
) => ({
	name,
	label,
	// The list below would make any member one of a command without members of its own.
	fields: { ...workOrderAction, ...own } as typeof workOrderAction & NoInfer<Own>,
	required: ['WorkOrderId', ...required],
	answer: 'Wo',
});

export const workOrderCommands = [
	{
		name: 'WoCreateCommand',
		label: 'Create Work Order',
		fields: {
			WorkOrder: 'WorkOrder',
			ComputeSchedule: 'boolean',
			ComputeAssignment: 'boolean',
			EmployeeId: 'integer',
			KeepUnassigned: 'boolean',
			EmergencyDisabled: 'boolean',
			SkipBillToLogic: 'boolean',
			SkipProcedures: 'boolean',
			ExternalNumber: 'string',
			WpTree: 'WpTree',
			...note,
		},
		required: ['WorkOrder'],
		answer: 'Wo',
	},
	action('WoAssignCommand', 'Assign Work Order', {
		Assignees: 'integer[]',
		Mode: 'ChangeAssignmentMode',
	}),
	action('WoPickUpCommand', 'Pick Up Work Order'),
	action('WoStartCommand', 'Start Work Order'),
	action('WoPauseCommand', 'Pause Work Order'),
	action('WoOnHoldCommand', 'Put Work Order on Hold', {}, ['ActionReasonId']),
	action('WoCompleteCommand', 'Complete Work Order', {
		RepairCodeId: 'integer',
		CompletionNoteOption: 'CompletionNoteOptions',
	}),
	action('WoCancelCommand', 'Cancel Work Order', {}, ['ActionReasonId']),
	action('WoReopenCommand', 'Reopen Work Order'),
	// Here the reason is the flag: without it the service says yes and does nothing.
	action('WoFlagCommand', 'Flag Work Order', {}, ['ActionReasonId']),
	action('WoSetFlagsCommand', 'Set Work Order Flags', { FlagsToSet: 'integer[]' }, ['FlagsToSet']),
	action('WoClearFlagsCommand', 'Clear Work Order Flags', { FlagsToClear: 'integer[]' }, [
		'FlagsToClear',
	]),
	action('WoMessageCommand', 'Send Work Order Message', {
		SenderId: 'integer',
		SenderType: 'string',
	}),
	action('WoRecallCommand', 'Recall Work Order'),
	action('WoCopyCommand', 'Copy Work Order'),
	action('UpdateWoInductionAndSafetyStatusCommand', 'Update Induction and Safety Status', {
		InductionAndSafetyStatusID: 'IsmStatus',
	}),
	{
		name: 'SendWorkOrderCommand',
		label: 'Send Work Order',
		fields: { WorkOrderId: 'integer', SendTo: 'string', RequestQuote: 'boolean' },
		required: ['WorkOrderId'],
		answer: 'WorkOrder',
	},
	{
		name: 'VerifyWorkCommand',
		label: 'Verify Work',
		fields: { WorkOrderId: 'integer', WoRatingId: 'WoRating', Comment: 'string' },
		required: ['WorkOrderId', 'WoRatingId'],
		answer: 'WorkVerification',
	},
	{
		name: 'GeneratePmWoCommand',
		label: 'Generate PM Work Order',
		fields: { PmScheduleId: 'integer' },
		required: ['PmScheduleId'],
	},
	{
		name: 'SetWorkOrderDependencyCommand',
		label: 'Set Work Order Dependency',
		fields: { MainWorkOrderId: 'integer', DependentWorkOrderId: 'integer' },
		required: ['MainWorkOrderId', 'DependentWorkOrderId'],
	},
	{
		name: 'AddChildWorkOrderRoutine',
		label: 'Add Child Work Order',
		fields: { WoItemIds: 'integer[]' },
		required: ['WoItemIds'],
		answer: 'WorkOrder',
	},
	{
		name: 'WoLastModificationCommand',
		label: 'Get Last Modification of Work Order',
		fields: { WorkOrderId: 'integer' },
		required: ['WorkOrderId'],
		reads: true,
	},
	{
		name: 'CreateWoPrintoutCommand',
		label: 'Create Work Order Printout',
		fields: { WorkOrderId: 'integer', PrintoutTemplateId: 'integer', LanguageId: 'integer' },
		required: ['WorkOrderId'],
	},
	{
		name: 'WoScheduleRoutine',
		label: 'Compute Work Order Schedule',
		fields: {
			WorkOrder: 'WorkOrder',
			Options: 'WoScheduleOptions',
			InputPropertySet: 'PropertySet',
			OutputPropertySet: 'PropertySet',
		},
		required: ['WorkOrder'],
		answer: 'Wo',
		reads: true,
	},
	{
		name: 'WoAutoAssignRoutine',
		label: 'Compute Work Order Assignment',
		fields: { WorkOrder: 'WorkOrder', Zip: 'string' },
		required: ['WorkOrder'],
	},
] as const satisfies readonly Command[];
