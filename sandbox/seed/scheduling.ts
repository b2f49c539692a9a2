import type { Store } from '../store/store';
import { addRows, formatDay, PORTFOLIO, PROVIDER, TECHNICIAN, ZONE } from './rows';

const ofZone = { ActorId: ZONE, ActorTypeId: 'Property' };
const ofPortfolio = { ActorId: PORTFOLIO, ActorTypeId: 'Portfolio' };
const WORKDAYS = [1, 2, 3, 4, 5];

/** The first work zone and its portfolio have rules for who works when. */
export function seedScheduling(store: Store, until: number): void {
	const year = new Date(until).getUTCFullYear();
	/** The first Monday of September. */
	const laborDay = formatDay(
		Date.UTC(year, 8, 1),
		(8 - new Date(Date.UTC(year, 8, 1)).getUTCDay()) % 7,
	);
	addRows(store, {
		BusinessHours: WORKDAYS.map((DayIdxDayOfWeek) => ({
			...ofZone,
			DayIdxDayOfWeek,
			StartTime: '2000-01-01T08:00:00',
			FinishTime: '2000-01-01T17:00:00',
		})),
		Holiday: [
			{ ...ofZone, DisplayAs: 'Independence Day', DtHoliday: `${year}-07-04T00:00:00` },
			{ ...ofZone, DisplayAs: 'Christmas Day', DtHoliday: `${year}-12-25T00:00:00` },
			{ ...ofPortfolio, DisplayAs: 'Labor Day', DtHoliday: laborDay },
		],
		OnCallRule: [0, 6].map((DayOfWeek) => ({
			...ofZone,
			DayOfWeek,
			BizHoursUserId: TECHNICIAN,
			AfterHoursUserId: TECHNICIAN + 1,
		})),
		EscalationRule: [
			{ ...ofZone, UserId: TECHNICIAN, NotifyAfter: 30 },
			{ ...ofZone, UserId: TECHNICIAN + 1, NotifyAfter: 120 },
		],
		SlaValuesOverride: [
			{ ...ofZone, PriorityId: 1, AckInMinutes: 10, RespondInMinutes: 30, DueInMinutes: 120 },
			{ ...ofPortfolio, PriorityId: 2, AckInMinutes: 30, RespondInMinutes: 120, DueInMinutes: 720 },
		],
		SpecDispatchRule: [
			{ ...ofZone, SpecialtyId: 1, Index: 1, UserId: TECHNICIAN },
			{ ...ofZone, SpecialtyId: 2, Index: 1, UserId: PROVIDER + 1 },
		],
		ResponsibilityType: [
			{ Id: 1, DisplayAs: 'Site Manager', ActorTypeId: 'Employee' },
			{ Id: 2, DisplayAs: 'Preferred Vendor', ActorTypeId: 'Provider' },
			{ Id: 3, DisplayAs: 'Fire Warden (deleted)', ActorTypeId: 'Employee', IsRemoved: true },
		],
		Responsibility: [
			{ ...ofZone, AssigneeId: TECHNICIAN + 1, AssigneeTypeId: 'Employee', type: 1 },
			{ ...ofZone, AssigneeId: PROVIDER, AssigneeTypeId: 'Provider', type: 2 },
			{ ...ofPortfolio, AssigneeId: 1, AssigneeTypeId: 'Team', type: 1 },
		].map(({ type, ...row }) => ({ ...row, ResponsibilityType: { Id: type } })),
	});
}
