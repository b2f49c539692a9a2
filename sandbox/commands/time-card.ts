import { answerWith } from '../base/operations';
import { breakRule } from '../errors';
import type { World } from '../runtime/world';
import type { Json } from '../shapes';
import type { Row, Values } from '../store/store';
import type { Arguments, Handler } from './command';

const DAY = 86_400_000;

/** What each action makes of a card. */
const ACTIONS: Readonly<Record<string, Values>> = {
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

/** The Monday of the week a day is in: cards are kept by week. */
function weekOf(args: Arguments, name: string): string {
	const time = args.time(name) ?? breakRule(`${name} is a required field`);
	const weekday = (new Date(time).getUTCDay() + 6) % 7;
	return `${new Date(time - weekday * DAY).toISOString().slice(0, 10)}T00:00:00`;
}

const cardOf = ({ store }: World, employee: Row, week: string): Row | undefined =>
	store
		.children('TimeCard', 'WeekStartDate', week)
		.find(({ Employee }) => (Employee as Row).Id === employee.Id);

const answer = (world: World, card: Row): Json => ({
	TimeCard: answerWith(world, 'TimeCard', card),
});

export const getTimeCard: Handler = (world, args) => {
	const employee = args.id('EmployeeId', 'Employee', world);
	const week = weekOf(args, 'BaseDate');
	const card =
		cardOf(world, employee, week) ??
		world.store.insert('TimeCard', {
			Employee: { Id: employee.Id },
			WeekStartDate: week,
			StatusId: 'Pending',
		});
	return answer(world, card);
};

export const actOnTimeCard: Handler = (world, args) => {
	const employee = args.id('EmployeeId', 'Employee', world);
	const changes = ACTIONS[args.enum('ActionId', 'TimeCardAction') ?? ''];
	if (!changes) breakRule('ActionId is a required field');
	const card = cardOf(world, employee, weekOf(args, 'WeekStartDate'));
	if (!card) return breakRule('Time Card record cannot be found');
	return answer(world, world.store.change('TimeCard', card.Id, changes));
};
