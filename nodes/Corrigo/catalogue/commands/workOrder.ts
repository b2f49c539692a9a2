import type { Fields } from '../entities/entity';
import type { CommandRows } from './command';

const note = { Comment: 'string', ActionReasonId: 'integer', ActionDate: 'datetime' } as const;

/** BaseWoActionCommand has these members. StatusId and ConcurrencyId are the expected values. */
const workOrderAction = {
	WorkOrderId: 'integer',
	...note,
	StatusId: 'WOStatus',
	ConcurrencyId: 'integer',
} as const;

const action = <const Own extends Fields>(
	label: string,
	own: Own,
	required: readonly string[] = [],
) => ({
	label,
	fields: { ...workOrderAction, ...own },
	required: ['WorkOrderId', ...required],
	answer: 'Wo',
});

export const workOrderCommands = {
	WoCreateCommand: {
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
	WoAssignCommand: action('Assign Work Order', {
		Assignees: 'integer[]',
		Mode: 'ChangeAssignmentMode',
	}),
	WoPickUpCommand: action('Pick Up Work Order', {}),
	WoStartCommand: action('Start Work Order', {}),
	WoPauseCommand: action('Pause Work Order', {}),
	WoOnHoldCommand: action('Put Work Order on Hold', {}, ['ActionReasonId']),
	WoCompleteCommand: action('Complete Work Order', {
		RepairCodeId: 'integer',
		CompletionNoteOption: 'CompletionNoteOptions',
	}),
	WoCancelCommand: action('Cancel Work Order', {}, ['ActionReasonId']),
	WoReopenCommand: action('Reopen Work Order', {}),
	// The reason is the flag: without one, the service reports success and does nothing.
	WoFlagCommand: action('Flag Work Order', {}, ['ActionReasonId']),
	WoSetFlagsCommand: action('Set Work Order Flags', { FlagsToSet: 'integer[]' }, ['FlagsToSet']),
	WoClearFlagsCommand: action('Clear Work Order Flags', { FlagsToClear: 'integer[]' }, [
		'FlagsToClear',
	]),
	WoMessageCommand: action('Send Work Order Message', {
		SenderId: 'integer',
		SenderType: 'string',
	}),
	WoRecallCommand: action('Recall Work Order', {}),
	WoCopyCommand: action('Copy Work Order', {}),
	UpdateWoInductionAndSafetyStatusCommand: action('Update Induction and Safety Status', {
		InductionAndSafetyStatusID: 'IsmStatus',
	}),
	SendWorkOrderCommand: {
		label: 'Send Work Order',
		fields: { WorkOrderId: 'integer', SendTo: 'string', RequestQuote: 'boolean' },
		required: ['WorkOrderId'],
		answer: 'WorkOrder',
	},
	VerifyWorkCommand: {
		label: 'Verify Work',
		fields: { WorkOrderId: 'integer', WoRatingId: 'WoRating', Comment: 'string' },
		required: ['WorkOrderId', 'WoRatingId'],
		answer: 'WorkVerification',
	},
	GeneratePmWoCommand: {
		label: 'Generate PM Work Order',
		fields: { PmScheduleId: 'integer' },
		required: ['PmScheduleId'],
	},
	SetWorkOrderDependencyCommand: {
		label: 'Set Work Order Dependency',
		fields: { MainWorkOrderId: 'integer', DependentWorkOrderId: 'integer' },
		required: ['MainWorkOrderId', 'DependentWorkOrderId'],
	},
	AddChildWorkOrderRoutine: {
		label: 'Add Child Work Order',
		fields: { WoItemIds: 'integer[]' },
		required: ['WoItemIds'],
		answer: 'WorkOrder',
	},
	WoLastModificationCommand: {
		label: 'Get Last Modification of Work Order',
		fields: { WorkOrderId: 'integer' },
		required: ['WorkOrderId'],
		reads: true,
	},
	CreateWoPrintoutCommand: {
		label: 'Create Work Order Printout',
		fields: { WorkOrderId: 'integer', PrintoutTemplateId: 'integer', LanguageId: 'integer' },
		required: ['WorkOrderId'],
		reads: true,
	},
	WoScheduleRoutine: {
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
	WoAutoAssignRoutine: {
		label: 'Compute Work Order Assignment',
		fields: { WorkOrder: 'WorkOrder', Zip: 'string' },
		required: ['WorkOrder'],
	},
} as const satisfies CommandRows;
