import type { MemberTypes } from '../entities/entity';
import { buildIdCommand, type CommandRows } from './command';

const note = { Comment: 'string', ActionReasonId: 'integer', ActionDate: 'datetime' } as const;

/** BaseWoActionCommand has these members. StatusId and ConcurrencyId are the expected values. */
const workOrderAction = {
	WorkOrderId: 'integer',
	...note,
	StatusId: 'WOStatus',
	ConcurrencyId: 'integer',
} as const;

const buildAction = <const Own extends MemberTypes>(
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
	WoAssignCommand: buildAction('Assign Work Order', {
		Assignees: 'integer[]',
		Mode: 'ChangeAssignmentMode',
	}),
	WoPickUpCommand: buildAction('Pick Up Work Order', {}),
	WoStartCommand: buildAction('Start Work Order', {}),
	WoPauseCommand: buildAction('Pause Work Order', {}),
	WoOnHoldCommand: buildAction('Put Work Order on Hold', {}, ['ActionReasonId']),
	WoCompleteCommand: buildAction('Complete Work Order', {
		RepairCodeId: 'integer',
		CompletionNoteOption: 'CompletionNoteOptions',
	}),
	WoCancelCommand: buildAction('Cancel Work Order', {}, ['ActionReasonId']),
	WoReopenCommand: buildAction('Reopen Work Order', {}),
	// The reason is the flag: without one, the service reports success and does nothing.
	WoFlagCommand: buildAction('Flag Work Order', {}, ['ActionReasonId']),
	WoSetFlagsCommand: buildAction('Set Work Order Flags', { FlagsToSet: 'integer[]' }, [
		'FlagsToSet',
	]),
	WoClearFlagsCommand: buildAction('Clear Work Order Flags', { FlagsToClear: 'integer[]' }, [
		'FlagsToClear',
	]),
	WoMessageCommand: buildAction('Send Work Order Message', {
		SenderId: 'integer',
		SenderType: 'string',
	}),
	WoRecallCommand: buildAction('Recall Work Order', {}),
	WoCopyCommand: buildAction('Copy Work Order', {}),
	UpdateWoInductionAndSafetyStatusCommand: buildAction('Update Induction and Safety Status', {
		InductionAndSafetyStatusID: 'IsmStatus',
	}),
	SendWorkOrderCommand: {
		fields: { WorkOrderId: 'integer', SendTo: 'string', RequestQuote: 'boolean' },
		required: ['WorkOrderId'],
		answer: 'WorkOrder',
	},
	VerifyWorkCommand: {
		fields: { WorkOrderId: 'integer', WoRatingId: 'WoRating', Comment: 'string' },
		required: ['WorkOrderId', 'WoRatingId'],
		answer: 'WorkVerification',
	},
	GeneratePmWoCommand: buildIdCommand('Generate PM Work Order', 'PmScheduleId', {}),
	SetWorkOrderDependencyCommand: {
		fields: { MainWorkOrderId: 'integer', DependentWorkOrderId: 'integer' },
		required: ['MainWorkOrderId', 'DependentWorkOrderId'],
	},
	AddChildWorkOrderRoutine: {
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
