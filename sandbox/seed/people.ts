import type { Store, Values } from '../store/store';
import { FIRST_ID, SERVICE_USER } from './lookups';
import type { Random } from './random';
import { FIRST_NAMES, LAST_NAMES, SPECIALTIES, ZONES } from './sampleData';

const TECHNICIANS = 24;
const PROVIDERS = ['Mechanical Partners, Inc.', 'Ábaco Plumbing', 'Bright & Early', '24/7 Locks'];

/** Ids of employees who can be assigned, by work zone. */
export type Staff = ReadonlyMap<number, readonly number[]>;

export function seedPeople(store: Store, random: Random): Staff {
	const staff = new Map<number, number[]>();
	const addAssignable = (index: number, members: Values): void => {
		const { Id } = store.insert('Employee', { Id: FIRST_ID.employee + index, ...members });
		linkEmployee(store, staff, index, Id);
	};
	for (let index = 0; index < TECHNICIANS; index += 1) {
		const FirstName = FIRST_NAMES[index % FIRST_NAMES.length];
		const LastName = random.pick(LAST_NAMES);
		addAssignable(index, {
			FirstName,
			LastName,
			DisplayAs: `${FirstName} ${LastName}`,
			ActorTypeId: 'Employee',
			Role: { Id: 3 },
			Username: `tech${index}`,
			Number: `E${100 + index}`,
			LanguageId: 1,
			ProviderStatusId: 'NA',
		});
	}
	for (const [at, DisplayAs] of PROVIDERS.entries()) {
		addAssignable(TECHNICIANS + at, {
			FirstName: DisplayAs,
			DisplayAs,
			ActorTypeId: 'Provider',
			Role: { Id: 4 },
			Username: `provider${at}`,
			ProviderStatusId: at % 2 === 0 ? 'Connected' : 'NotConnected',
			WonMemberId: at % 2 === 0 ? 7000 + at : 0,
			IsSupplier: at === PROVIDERS.length - 1,
			IsRemoved: false,
		});
	}
	store.insert('Employee', {
		Id: FIRST_ID.employee + TECHNICIANS + PROVIDERS.length,
		FirstName: 'Former',
		LastName: 'Colleague',
		DisplayAs: 'Former Colleague (deleted)',
		ActorTypeId: 'Employee',
		Role: { Id: 3 },
		Username: 'former',
		IsRemoved: true,
	});
	store.insert('Employee', {
		Id: SERVICE_USER.Id,
		FirstName: 'Web Services',
		LastName: 'User',
		DisplayAs: SERVICE_USER.DisplayAs,
		ActorTypeId: SERVICE_USER.TypeId,
		Role: { Id: 2 },
		Username: 'wsdk',
	});
	return staff;
}

function linkEmployee(
	store: Store,
	staff: Map<number, number[]>,
	index: number,
	UserId: number,
): void {
	const WorkZoneId = FIRST_ID.zone + (index % ZONES.length);
	store.insert('LinkUserAndWorkZone', { UserId, WorkZoneId });
	store.insert('LinkUserAndSpecialty', { UserId, SpecialtyId: 1 + (index % SPECIALTIES.length) });
	store.insert('LinkUserAndTeam', { UserId, TeamId: 1 + (index % 3) });
	store.insert('ContactInfo', {
		ActorTypeId: index < TECHNICIANS ? 'Employee' : 'Provider',
		ActorId: UserId,
		AddrTypeId: 'PrimEmail',
		Address: `user${index}@example.org`,
	});
	staff.set(WorkZoneId, [...(staff.get(WorkZoneId) ?? []), UserId]);
}
