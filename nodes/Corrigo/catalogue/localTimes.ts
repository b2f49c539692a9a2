import { getCommand, type CommandMember } from './commands';
import { findEntityMemberType, type MemberName, type OwnerName } from './entities';

/** Maps each member to the member with the same instant in UTC, or to null if there is none. */
type Clocks<Member extends string> = { readonly [Name in Member]?: Member | null };

/**
 * These members are in the local time of the work zone. The time zone of other dates is unknown, so
 * those are never converted.
 */
const clocks: { [Owner in OwnerName]?: Clocks<MemberName<Owner>> } & {
	SpaceCreateCommand: Clocks<CommandMember<'SpaceCreateCommand'>>;
} = {
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
};

const byMember = new Map(
	Object.entries(clocks).flatMap(([owner, members]) =>
		Object.entries(members).map(([member, utc]) => [
			`${owner}.${member}`.toLowerCase(),
			{ utc: utc ?? undefined },
		]),
	),
);

const utcMembers = new Map(
	Object.entries<Clocks<string>>(clocks).map(([owner, members]) => [
		owner,
		new Map(Object.entries(members).flatMap(([local, utc]) => (utc ? [[utc, local]] : []))),
	]),
);

/** Maps each UTC member of an entity to the member with the same instant in local time. */
export const getUtcMembers = (entity: string): ReadonlyMap<string, string> =>
	utcMembers.get(entity) ?? new Map<string, string>();

/** Returns `undefined` unless the member is known to be in the local time of a work zone. */
export function findLocalMember(owner: string, member: string): { utc?: string } | undefined {
	// ActionDate is a local time in every command that acts on a work order.
	const isActionDate = getCommand(owner) !== undefined && /^ActionDate$/i.test(member);
	return isActionDate ? {} : byMember.get(`${owner}.${member}`.toLowerCase());
}

/** Does the same as `findLocalMember` for a path, such as `WorkOrder.DtDue` of an item. */
export function findLocalPath(entity: string, path: string): { utc?: string } | undefined {
	const names = path.split('.');
	const member = names.pop() ?? '';
	const owner = names.length === 0 ? entity : findEntityMemberType(entity, names.join('.'));
	const local = findLocalMember(owner?.replace('[]', '') ?? '', member);
	return local?.utc === undefined ? local : { utc: [...names, local.utc].join('.') };
}
