import type { Command } from './command';

const assigneeSearch = {
	SpecialtyId: 'integer',
	PostalCode: 'string',
	TimeStamp: 'datetime',
	CustomerId: 'integer',
	RecordCount: 'integer',
	Country: 'string',
} as const;

export const peopleCommands = [
	{
		name: 'GetLicensedProvidersRoutine',
		label: 'Get Licensed Providers',
		fields: assigneeSearch,
		required: [],
		answer: 'Providers',
		reads: true,
	},
	{
		// Can move the round robin on, so it is no plain read.
		name: 'GetPreferredAssigneesRoutine',
		label: 'Get Preferred Assignees',
		fields: { ...assigneeSearch, WorkZoneId: 'integer', UpdateRoundRobin: 'boolean' },
		required: [],
		answer: 'Employees',
	},
	{
		name: 'UserOrProviderSuspendCommand',
		label: 'Suspend or Reactivate User or Provider',
		fields: { Id: 'integer', Reactivate: 'boolean' },
		required: ['Id'],
	},
	{
		name: 'UserSignInInfoCommand',
		label: 'Get User Sign-In Info',
		fields: { UserIds: 'integer[]', SignInThresholdDate: 'datetime' },
		required: [],
		answer: 'UserSignInInfos',
		reads: true,
	},
	{
		// Stands in for the create that TimeCard refuses, so it may make the card.
		name: 'GetTimeCardCommand',
		label: 'Get Time Card',
		fields: { EmployeeId: 'integer', BaseDate: 'datetime' },
		required: ['EmployeeId'],
	},
	{
		name: 'TimeCardActionCommand',
		label: 'Act on Time Card',
		fields: {
			EmployeeId: 'integer',
			WeekStartDate: 'datetime',
			ActionId: 'TimeCardAction',
			Comment: 'string',
		},
		required: ['EmployeeId', 'WeekStartDate', 'ActionId'],
		answer: 'TimeCard',
	},
] as const satisfies readonly Command[];
