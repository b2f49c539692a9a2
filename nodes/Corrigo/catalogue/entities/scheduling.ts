import { owner, type EntityRows } from './entity';

export const schedulingEntities = {
	BusinessHours: {
		fields: { ...owner, DayIdxDayOfWeek: 'integer', FinishTime: 'datetime', StartTime: 'datetime' },
	},
	Holiday: { fields: { ...owner, DisplayAs: 'string', DtHoliday: 'datetime' } },
	OnCallRule: {
		label: 'On-Call Rule',
		fields: {
			...owner,
			DayOfWeek: 'integer',
			BizHoursUserId: 'integer',
			AfterHoursUserId: 'integer',
		},
	},
	EscalationRule: { fields: { ...owner, UserId: 'integer', NotifyAfter: 'integer' } },
	SlaValuesOverride: {
		label: 'SLA Values Override',
		fields: {
			...owner,
			PriorityId: 'integer',
			DueInMinutes: 'integer',
			RespondInMinutes: 'integer',
			AckInMinutes: 'integer',
		},
	},
	SpecDispatchRule: {
		label: 'Specialty Dispatch Rule',
		fields: { ...owner, SpecialtyId: 'integer', Index: 'integer', UserId: 'integer' },
	},
	Responsibility: {
		fields: {
			...owner,
			AssigneeId: 'integer',
			AssigneeTypeId: 'ActorType',
			ResponsibilityType: 'ResponsibilityType',
		},
	},
	ResponsibilityType: {
		fields: { DisplayAs: 'string', ActorTypeId: 'ActorType' },
		softDelete: true,
	},
} as const satisfies EntityRows;
