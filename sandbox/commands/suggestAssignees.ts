import { toAnswer } from '../base/operations';
import type { World } from '../runtime/world';
import type { Row } from '../store/store';
import type { Arguments, Handler } from './command';

function findZone(world: World, args: Arguments): Row | undefined {
	const customer = args.optionalId('CustomerId', 'Customer', world);
	const own = args.optionalId('WorkZoneId', 'WorkZone', world);
	return own ?? world.store.get('WorkZone', Number((customer?.WorkZone as Row | undefined)?.Id));
}

const rotated = <T>(all: readonly T[], by: number): T[] => {
	const from = all.length === 0 ? 0 : by % all.length;
	return [...all.slice(from), ...all.slice(0, from)];
};

/** People of the work zone who have the specialty take turns; those without it follow. */
export const suggestAssignees: Handler = (world, args) => {
	const { store } = world;
	const specialty = args.optionalId('SpecialtyId', 'Specialty', world);
	const zone = findZone(world, args);
	const most = args.int('RecordCount');
	args.text('PostalCode');
	args.text('Country');
	args.clock('TimeStamp');
	const linked = (entity: string, key: string, Id?: number) =>
		new Set(store.children(entity, key, Id).map(({ UserId }) => Number(UserId)));
	const near = linked('LinkUserAndWorkZone', 'WorkZoneId', zone?.Id);
	const skilled = linked('LinkUserAndSpecialty', 'SpecialtyId', specialty?.Id);
	const people = store
		.rows('Employee')
		.filter(({ Id, IsRemoved }) => IsRemoved !== true && (zone ? near : skilled).has(Id));
	const turn = Number(zone?.$turn ?? 0);
	if (zone && args.bool('UpdateRoundRobin')) zone.$turn = turn + 1;
	const first = people.filter(({ Id }) => skilled.has(Id));
	const rest = people.filter(({ Id }) => !skilled.has(Id));
	return {
		Employees: [...rotated(first, turn), ...rest]
			.slice(0, most || undefined)
			.map((row) => toAnswer(world, 'Employee', row)),
	};
};
