import { toAnswer } from '../base/operations';
import { failBusinessLogic } from '../errors';
import type { World } from '../runtime/world';
import type { Json } from '../shapes';
import type { Row, Values } from '../store/store';
import type { Arguments, Handler } from './command';

const DAY = 86_400_000;

const CHANGES_BY_ACTION: Readonly<Record<string, Values>> = {
	Flag: { Flagged: 1 },
	ClearFlag: { Flagged: 0 },
	Submit: { StatusId: 'Submitted' },
	UnSubmit: { StatusId: 'Pending' },
	Approve: { StatusId: 'Approved' },
	UnApprove: { StatusId: 'Submitted' },
	Export: { StatusId: 'Exported' },
	UnExport: { StatusId: 'Approved' },
	ReadyForExport: { StatusId: 'ReadyForExport' },
	NotReadyForExport: { StatusId: 'Approved' },
};

/** Time cards are stored by the Monday of their week. */
function startOfWeek(args: Arguments, name: string): string {
	const time = args.time(name) ?? failBusinessLogic(`${name} is a required field`);
	const weekday = (new Date(time).getUTCDay() + 6) % 7;
	return `${new Date(time - weekday * DAY).toISOString().slice(0, 10)}T00:00:00`;
}

const findCard = ({ store }: World, employee: Row, week: string): Row | undefined =>
	store
		.children('TimeCard', 'WeekStartDate', week)
		.find(({ Employee }) => (Employee as Row).Id === employee.Id);

const cardAnswer = (world: World, card: Row): Json => ({
	TimeCard: toAnswer(world, 'TimeCard', card),
});

function ensureWeek({ store }: World, StartDate: string): { Id: number } {
	const [known] = store.children('TimeCardWeek', 'StartDate', StartDate);
	const EndDate = `${new Date(Date.parse(`${StartDate}Z`) + 6 * DAY).toISOString().slice(0, 10)}T00:00:00`;
	return { Id: (known ?? store.insert('TimeCardWeek', { StartDate, EndDate })).Id };
}

export const getTimeCard: Handler = (world, args) => {
	const employee = args.id('EmployeeId', 'Employee', world);
	const week = startOfWeek(args, 'BaseDate');
	const card =
		findCard(world, employee, week) ??
		world.store.insert('TimeCard', {
			Employee: { Id: employee.Id },
			WeekStartDate: week,
			Week: ensureWeek(world, week),
			StatusId: 'Pending',
		});
	return cardAnswer(world, card);
};

export const actOnTimeCard: Handler = (world, args) => {
	const employee = args.id('EmployeeId', 'Employee', world);
	const changes = CHANGES_BY_ACTION[args.enum('ActionId', 'TimeCardAction') ?? ''];
	if (!changes) failBusinessLogic('ActionId is a required field');
	const card = findCard(world, employee, startOfWeek(args, 'WeekStartDate'));
	if (!card) return failBusinessLogic('Time Card record cannot be found');
	return cardAnswer(world, world.store.change('TimeCard', card.Id, changes));
};
