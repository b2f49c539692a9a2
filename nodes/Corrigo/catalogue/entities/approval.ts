import { owner, type EntityRows } from './entity';

export const approvalEntities = {
	ApprovalTemplate: { fields: { DisplayAs: 'string', Steps: 'ApprovalTemplateStep[]' } },
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
	},
	ApprovalScope: {
		fields: { ...owner, IsDefault: 'boolean', ApprovalTemplate: 'ApprovalTemplate' },
	},
} as const satisfies EntityRows;
