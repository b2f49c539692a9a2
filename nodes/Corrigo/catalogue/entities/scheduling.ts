import type { EntityRows } from './entity';

export const schedulingEntities = {
	BusinessHours: {
		fields: {
			ActorId: 'integer',
			ActorTypeId: 'ActorType',
			DayIdxDayOfWeek: 'integer',
			FinishTime: 'datetime',
			StartTime: 'datetime',
		},
		lock: true,
	},
	Holiday: {
		fields: {
			ActorId: 'integer',
			ActorTypeId: 'ActorType',
			DisplayAs: 'string',
			DtHoliday: 'datetime',
		},
		lock: true,
	},
	OnCallRule: {
		label: 'On-Call Rule',
		fields: {
			ActorId: 'integer',
			ActorTypeId: 'ActorType',
			DayOfWeek: 'integer',
			BizHoursUserId: 'integer',
			AfterHoursUserId: 'integer',
		},
		lock: true,
	},
	EscalationRule: {
		fields: {
			ActorId: 'integer',
			ActorTypeId: 'ActorType',
			UserId: 'integer',
			NotifyAfter: 'integer',
		},
		lock: true,
	},
	SlaValuesOverride: {
		label: 'SLA Values Override',
		fields: {
			ActorId: 'integer',
			ActorTypeId: 'ActorType',
			PriorityId: 'integer',
			DueInMinutes: 'integer',
			RespondInMinutes: 'integer',
			AckInMinutes: 'integer',
		},
		lock: true,
	},
	SpecDispatchRule: {
		label: 'Specialty Dispatch Rule',
		fields: {
			ActorId: 'integer',
			ActorTypeId: 'ActorType',
			SpecialtyId: 'integer',
			Index: 'integer',
			UserId: 'integer',
		},
		lock: true,
	},
	Responsibility: {
		fields: {
			ActorId: 'integer',
			ActorTypeId: 'ActorType',
			AssigneeId: 'integer',
			AssigneeTypeId: 'ActorType',
			ResponsibilityType: 'ResponsibilityType',
		},
		lock: true,
	},
	ResponsibilityType: {
		fields: {
			DisplayAs: 'string',
			ActorTypeId: 'ActorType',
		},
		lock: true,
		softDelete: true,
	},
} as const satisfies EntityRows;
