import type { Store } from '../store/store';
import { FIRST_ID } from './lookups';
import { addRows, firstIds, named, PORTFOLIO, TECHNICIAN, ZONE } from './rows';

const ofZone = { ActorId: ZONE, ActorTypeId: 'Property' };
const ZONE_SCOPE = { ScopeId: ZONE, ScopeTypeId: 'Property' };
const WEEKS = ['2025-06-16', '2025-06-23', '2025-06-30'];

/** Approvals, to-do items and alerts of the people in the office. */
export function seedOffice(store: Store): void {
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
					? { CompletedEmployeeId: TECHNICIAN, DtUtcCompleted: '2025-06-24T15:00:00' }
					: {}),
			})),
		].map(({ type, ...row }, index) => ({
			Id: FIRST_ID.toDo + index,
			DtUtcDue: `2025-07-0${1 + index}T16:00:00`,
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
export function seedTimeCards(store: Store): void {
	addRows(store, {
		TimeCardWeek: WEEKS.map((start, index) => ({
			Id: index + 1,
			StartDate: `${start}T00:00:00`,
			EndDate: `${new Date(Date.parse(start) + 6 * 86_400_000).toISOString().slice(0, 10)}T00:00:00`,
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
	for (const [index, week] of WEEKS.entries()) {
		for (const [at, StatusId] of ['Pending', 'Approved'].entries()) {
			const Employee = { Id: TECHNICIAN + at };
			const WeekStartDate = `${week}T00:00:00`;
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
				StartDate: `${week}T08:00:00`,
				EndDate: `${week}T16:00:00`,
				Duration: 480,
				TypeId: 'Manual',
				LaborCode: { Id: 1 },
				WorkZone: { Id: ZONE + at },
			});
		}
	}
}
