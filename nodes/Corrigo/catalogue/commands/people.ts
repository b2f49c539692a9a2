import { buildIdCommand, type CommandRows } from './command';

const assigneeSearch = {
	SpecialtyId: 'integer',
	PostalCode: 'string',
	TimeStamp: 'datetime',
	CustomerId: 'integer',
	RecordCount: 'integer',
	Country: 'string',
} as const;

export const peopleCommands = {
	GetLicensedProvidersRoutine: {
		label: 'Get Licensed Providers',
		fields: assigneeSearch,
		answer: 'Providers',
		reads: true,
	},
	GetPreferredAssigneesRoutine: {
		fields: { ...assigneeSearch, WorkZoneId: 'integer', UpdateRoundRobin: 'boolean' },
		answer: 'Employees',
		reads: true,
		writesWith: 'UpdateRoundRobin',
	},
	UserOrProviderSuspendCommand: buildIdCommand('Suspend or Reactivate User or Provider', 'Id', {
		Reactivate: 'boolean',
	}),
	UserSignInInfoCommand: {
		label: 'Get User Sign-In Info',
		fields: { UserIds: 'integer[]', SignInThresholdDate: 'datetime' },
		answer: 'UserSignInInfos',
		reads: true,
	},
	GetTimeCardCommand: {
		fields: { EmployeeId: 'integer', BaseDate: 'datetime' },
		required: ['EmployeeId'],
		reads: true,
	},
	TimeCardActionCommand: {
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
} as const satisfies CommandRows;
