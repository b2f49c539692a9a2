import type { Store } from '../store/store';
import { FIRST_ID } from './lookups';
import { addRows, formatDay, firstIds, named, PORTFOLIO, TECHNICIAN, ZONE } from './rows';

const ofZone = { ActorId: ZONE, ActorTypeId: 'Property' };
const ZONE_SCOPE = { ScopeId: ZONE, ScopeTypeId: 'Property' };

/** Approvals, to-do items and alerts of the people in the office. */
export function seedOffice(store: Store, until: number): void {
	const [quotes, emergencies] = [FIRST_ID.approvalTemplate, FIRST_ID.approvalTemplate + 1];
	const byEmployee = { ActorTypeId: 'Employee', AutoSkipHours: 24 };
	addRows(store, {
		ApprovalTemplate: named(quotes, 'Quotes', 'Emergency Spend'),
		ApprovalTemplateStep: [
			{ ...byEmployee, ApprovalTemplateId: quotes, StepNumber: 1, ActorId: TECHNICIAN + 1 },
			{ ...byEmployee, ApprovalTemplateId: quotes, StepNumber: 2, ActorId: TECHNICIAN + 2 },
			{ ApprovalTemplateId: emergencies, StepNumber: 1, ActorTypeId: 'Team', ActorId: 1 },
		].map((step) => ({ ...step, RuleId: 'Always' })),
		ApprovalScope: [
			{ ...ofZone, IsDefault: true, ApprovalTemplate: { Id: quotes } },
			...firstIds(store, 'Customer').map((ActorId) => ({
				ActorId,
				ActorTypeId: 'CommLease',
				ApprovalTemplate: { Id: emergencies },
			})),
		],
		ToDoType: [
			{ Id: 1, DisplayAs: 'Call Back', IsDefault: true },
			{ Id: 2, DisplayAs: 'Inspection', IsDefault: false },
		],
		ToDoItem: [
			{ ...ofZone, Description: 'Walk the site', EmployeeId: TECHNICIAN, type: 2 },
			...firstIds(store, 'Customer', 2).map((ActorId, index) => ({
				ActorId,
				ActorTypeId: 'CommLease',
				Description: 'Ask about the lease',
				EmployeeId: TECHNICIAN + index,
				type: 1,
				Done: index === 0,
				...(index === 0
					? {
							CompletedEmployeeId: TECHNICIAN,
							DtUtcCompleted: formatDay(until, -6, 15),
						}
					: {}),
			})),
		].map(({ type, ...row }, index) => ({
			Id: FIRST_ID.toDo + index,
			DtUtcDue: formatDay(until, 1 + index, 16),
			CreatedEmployeeId: TECHNICIAN + 1,
			Type: { Id: type },
			...row,
		})),
		AlertSubscription: [
			{ UserId: TECHNICIAN, AlertTypeId: 'NewWo', FullScopeSubscription: true },
			{ UserId: TECHNICIAN + 1, AlertTypeId: 'OverdueWo', FullScopeSubscription: false },
		],
		AlertScope: [
			{ UserId: TECHNICIAN + 1, AlertTypeId: 'OverdueWo', ...ZONE_SCOPE },
			{
				...{ UserId: TECHNICIAN + 1, AlertTypeId: 'OverdueWo' },
				...{ ScopeId: PORTFOLIO, ScopeTypeId: 'Portfolio' },
			},
		],
	});
}

/** Two technicians have a card for each week, with a day of work in it. */
export function seedTimeCards(store: Store, until: number): void {
	const monday = 1 - (new Date(until).getUTCDay() || 7);
	const weeks = [-14, -7, 0].map((days) => monday + days);
	addRows(store, {
		TimeCardWeek: weeks.map((start, index) => ({
			Id: index + 1,
			StartDate: formatDay(until, start),
			EndDate: formatDay(until, start + 6),
		})),
		LinkTeamAndWorkZone: [1, 2, 3].map((TeamId) => ({
			TeamId,
			WorkZoneId: ZONE + TeamId - 1,
			IsDefault: TeamId === 1,
		})),
		LinkUserAndPortfolio: [1, 2].map((PortfolioId) => ({
			UserId: TECHNICIAN + PortfolioId - 1,
			PortfolioId,
		})),
		RoleMoneyValues: [{ ParentId: 3, CurrencyTypeId: 'USD', NteLimit: 500 }],
		UserPayRate: [1, 2].map((Id) => ({
			Id,
			UserId: TECHNICIAN,
			LaborCodeId: Id,
			IsDefault: Id === 1,
		})),
		UserPayRateMoneyValues: [1, 2].map((ParentId) => ({
			ParentId,
			CurrencyTypeId: 'USD',
			Rate: 30 * ParentId,
		})),
	});
	for (const [index, week] of weeks.entries()) {
		for (const [at, StatusId] of ['Pending', 'Approved'].entries()) {
			const Employee = { Id: TECHNICIAN + at };
			const WeekStartDate = formatDay(until, week);
			const { Id } = store.insert('TimeCard', {
				Id: FIRST_ID.timeCard + 2 * index + at,
				Employee,
				WeekStartDate,
				Week: { Id: index + 1 },
				StatusId,
			});
			store.insert('TimeCardItem', {
				TimeCard: { Id },
				Employee,
				WeekStartDate,
				StartDate: formatDay(until, week, 8),
				EndDate: formatDay(until, week, 16),
				Duration: 480,
				TypeId: 'Manual',
				LaborCode: { Id: 1 },
				WorkZone: { Id: ZONE + at },
			});
		}
	}
}
