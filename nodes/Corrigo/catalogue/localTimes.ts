import { commandNamed, type CommandMember } from './commands';
import { fieldType, type MemberName, type OwnerName } from './entities';

/** A member, and the one that has the same instant in UTC, where there is one. */
type Clocks<Member extends string> = { readonly [Name in Member]?: Member | null };

/** Members on the clock of the work zone. What other dates mean is not known, so they stay as given. */
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

/** Nothing for a member that is not on the clock of a work zone, or of which that is not known. */
export function localTime(owner: string, member: string): { utc?: string } | undefined {
	// It says the same in every command that acts on an order.
	const isActionDate = commandNamed(owner) !== undefined && /^ActionDate$/i.test(member);
	return isActionDate ? {} : byMember.get(`${owner}.${member}`.toLowerCase());
}

/** The same for a path, such as `WorkOrder.DtDue` of an item. */
export function localPath(entity: string, path: string): { utc?: string } | undefined {
	const names = path.split('.');
	const member = names.pop() ?? '';
	const owner = names.length === 0 ? entity : fieldType(entity, names.join('.'));
	const local = localTime(owner?.replace('[]', '') ?? '', member);
	return local?.utc === undefined ? local : { utc: [...names, local.utc].join('.') };
}
