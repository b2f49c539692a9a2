import * as contract from './contract';
import { getCommand, type CommandMember } from './commands';
import { findEntityMemberType, type MemberName, type OwnerName, toRowType } from './entities';
import { findMemberType } from './members';

/** Maps each member to the member with the same instant in UTC, or to null if there is none. */
type Clocks<Member extends string> = { readonly [Name in Member]?: Member | null };

/** A search by these members knows that they are in the local time of the work zone. */
const clocks: Readonly<Record<string, Clocks<string>>> = {
	WorkOrder: {
		DtAcknowledgeBy: 'AcknowledgeByUtc',
		DtCreated: 'CreatedDateUtc',
		DtDue: 'DueDateUtc',
		DtOnSiteBy: 'DtUtcOnSiteBy',
		DtScheduledStart: 'ScheduledStartUtc',
		LastActionDate: 'LastActionDateUtc',
	},
	WoActionLog: { ActionDate: null },
	Space: { EndDate: null, MoveInDate: null, MoveOutDate: null, StartDate: null },
	SpaceCreateCommand: { EndDate: null, MoveInDate: null, MoveOutDate: null, StartDate: null },
} satisfies { readonly [Owner in OwnerName]?: Clocks<MemberName<Owner>> } & {
	SpaceCreateCommand: Clocks<CommandMember<'SpaceCreateCommand'>>;
};

const byMember = new Map(
	Object.entries(clocks).flatMap(([owner, members]) =>
		Object.entries(members).map(([member, utc]) => [
			`${owner}.${member}`.toLowerCase(),
			{ utc: utc ?? undefined },
		]),
	),
);

/** Maps each UTC member of an entity to the member with the same instant in local time. */
export const getUtcMembers = (entity: string): ReadonlyMap<string, string> =>
	new Map(
		Object.entries(clocks[entity] ?? {}).flatMap(([local, utc]) => (utc ? [[utc, local]] : [])),
	);

/** Returns `undefined` unless the member is known to be in the local time of a work zone. */
export function findLocalMember(owner: string, member: string): { utc?: string } | undefined {
	// ActionDate is a local time in every command that acts on a work order.
	const isActionDate = getCommand(owner) !== undefined && /^ActionDate$/i.test(member);
	return isActionDate ? {} : byMember.get(`${owner}.${member}`.toLowerCase());
}

/** The service stores the clock time of every written time that is not one in UTC. */
export const isLocalTime = (owner: string, member: string): boolean =>
	findLocalMember(owner, member) !== undefined ||
	(findMemberType(owner, member) === 'datetime' && !/utc/i.test(member));

/** Does the same as `findLocalMember` for a path, such as `WorkOrder.DtDue` of an item. */
export function findLocalPath(entity: string, path: string): { utc?: string } | undefined {
	const names = path.split('.');
	const member = names.pop() ?? '';
	const owner = names.length === 0 ? entity : findEntityMemberType(entity, names.join('.'));
	const local = findLocalMember(toRowType(owner ?? ''), member);
	return local?.utc === undefined ? local : { utc: [...names, local.utc].join('.') };
}

/** IANA names by the number that Corrigo uses for a time zone (Microsoft's time zone index). */
export const timeZones: Readonly<Partial<Record<string, string>>> = contract.timeZones;
