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
export const timeZones: Readonly<Partial<Record<string, string>>> = {
	0: 'Etc/GMT+12',
	1: 'Pacific/Pago_Pago',
	2: 'Pacific/Honolulu',
	3: 'America/Anchorage',
	4: 'America/Los_Angeles',
	10: 'America/Denver',
	13: 'America/Mazatlan',
	15: 'America/Phoenix',
	20: 'America/Chicago',
	25: 'America/Regina',
	30: 'America/Mexico_City',
	33: 'America/Guatemala',
	35: 'America/New_York',
	40: 'America/Indiana/Indianapolis',
	45: 'America/Bogota',
	50: 'America/Halifax',
	55: 'America/La_Paz',
	56: 'America/Santiago',
	60: 'America/St_Johns',
	65: 'America/Sao_Paulo',
	70: 'America/Argentina/Buenos_Aires',
	73: 'America/Nuuk',
	75: 'Etc/GMT+2',
	80: 'Atlantic/Azores',
	83: 'Atlantic/Cape_Verde',
	85: 'Europe/London',
	90: 'Africa/Monrovia',
	95: 'Europe/Budapest',
	100: 'Europe/Warsaw',
	105: 'Europe/Paris',
	110: 'Europe/Berlin',
	113: 'Africa/Lagos',
	115: 'Europe/Bucharest',
	120: 'Africa/Cairo',
	125: 'Europe/Helsinki',
	130: 'Europe/Athens',
	135: 'Asia/Jerusalem',
	140: 'Africa/Johannesburg',
	145: 'Europe/Moscow',
	150: 'Asia/Riyadh',
	155: 'Africa/Nairobi',
	158: 'Asia/Baghdad',
	160: 'Asia/Tehran',
	165: 'Asia/Dubai',
	170: 'Asia/Tbilisi',
	175: 'Asia/Kabul',
	180: 'Asia/Yekaterinburg',
	185: 'Asia/Karachi',
	190: 'Asia/Kolkata',
	193: 'Asia/Kathmandu',
	195: 'Asia/Dhaka',
	200: 'Asia/Colombo',
	201: 'Asia/Novosibirsk',
	203: 'Asia/Yangon',
	205: 'Asia/Bangkok',
	207: 'Asia/Krasnoyarsk',
	210: 'Asia/Shanghai',
	215: 'Asia/Singapore',
	220: 'Asia/Taipei',
	225: 'Australia/Perth',
	227: 'Asia/Irkutsk',
	230: 'Asia/Seoul',
	235: 'Asia/Tokyo',
	240: 'Asia/Yakutsk',
	245: 'Australia/Darwin',
	250: 'Australia/Adelaide',
	255: 'Australia/Sydney',
	260: 'Australia/Brisbane',
	265: 'Australia/Hobart',
	270: 'Asia/Vladivostok',
	275: 'Pacific/Port_Moresby',
	280: 'Pacific/Guadalcanal',
	285: 'Pacific/Fiji',
	290: 'Pacific/Auckland',
	300: 'Pacific/Tongatapu',
};
