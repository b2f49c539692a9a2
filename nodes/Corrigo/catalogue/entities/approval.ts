import type { EntityRows } from './entity';

export const approvalEntities = {
	ApprovalTemplate: {
		fields: {
			DisplayAs: 'string',
			Steps: 'ApprovalTemplateStep[]',
		},
		lock: true,
	},
	ApprovalTemplateStep: {
		fields: {
			ApprovalTemplateId: 'integer',
			StepNumber: 'integer',
			ActorTypeId: 'ActorType',
			ActorId: 'integer',
			RuleId: 'ApprovalRule',
			AutoSkipHours: 'integer',
			IsParallel: 'boolean',
		},
		lock: true,
	},
	ApprovalScope: {
		fields: {
			ActorId: 'integer',
			ActorTypeId: 'ActorType',
			IsDefault: 'boolean',
			ApprovalTemplate: 'ApprovalTemplate',
		},
		lock: true,
	},
} as const satisfies EntityRows;
