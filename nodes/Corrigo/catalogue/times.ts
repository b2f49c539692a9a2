import * as contract from './contract';
import { getCommand, type CommandMember } from './commands';
import { isReadOnlyMember, type MemberName, type OwnerName } from './entities';
import { findMemberType, splitPath } from './members';
import { createTable } from './table';

/** Maps each member to the member with the same instant in UTC, or to null if there is none. */
type Clocks<Member extends string> = { readonly [Name in Member]?: Member | null };

/** A search by these members knows that they are in the local time of the work zone. */
const clocks = createTable<Clocks<string>>({
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
});

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

/** The time of day means nothing in these members. */
const days = createTable<readonly string[]>({
	ApSubmitPaymentCommand: ['CheckCutDate'],
	Holiday: ['DtHoliday'],
	ProviderCoi: ['EndDate', 'StartDate'],
	TimeCard: ['WeekStartDate'],
	TimeCardActionCommand: ['WeekStartDate'],
	TimeCardItem: ['WeekStartDate'],
	TimeCardWeek: ['EndDate', 'StartDate'],
	Warranty: ['EndDate', 'StartDate'],
	WorkOrderCost: [
		'CheckClearDate',
		'CheckCutDate',
		'VendorInvoiceDate',
		'VendorInvoiceReceivedDate',
	],
} satisfies { readonly [Owner in OwnerName]?: ReadonlyArray<MemberName<Owner>> } & {
	ApSubmitPaymentCommand: ReadonlyArray<CommandMember<'ApSubmitPaymentCommand'>>;
	TimeCardActionCommand: ReadonlyArray<CommandMember<'TimeCardActionCommand'>>;
});

export function isDay(owner: string, path: string): boolean {
	const { owner: inner, member } = splitPath(owner, path);
	return days[inner]?.some((one) => one.toLowerCase() === member.toLowerCase()) === true;
}

/**
 * Returns `undefined` for a path that a search may compare with a time in UTC: one of a UTC member, of a
 * day, or of a time that the service sets and whose clock is not known.
 */
export function findLocalPath(entity: string, path: string): { utc?: string } | undefined {
	const { owner, names, member } = splitPath(entity, path);
	const local = findLocalMember(owner, member);
	if (local?.utc !== undefined) return { utc: [...names, local.utc].join('.') };
	const isOther =
		isLocalTime(owner, member) && !isReadOnlyMember(owner, member) && !isDay(owner, member);
	return local ?? (isOther ? {} : undefined);
}

/** The contract types zone numbers as plain integers, so the name of the member decides. */
export const isTimeZone = (path: string, type: string): boolean =>
	type === 'integer' && /(^|\.)TimeZone(Id)?$/.test(path);

/** IANA names by the number that Corrigo uses for a time zone (Microsoft's time zone index). */
export const timeZones = createTable<string | undefined>(contract.timeZoneNames);
