import { isReadOnly } from '../catalogue/entities';
import { utcMembersOf } from '../catalogue/localTimes';
import { isBlank, quote, ValidationError, type JsonObject } from './checks';
import { memberNamed } from './kinds';
import { withLocalTimes } from './localTimes';
import { dateTime, instantOf, isZoned } from './values';

/** Separates the members in UTC, because the service writes only those in local time. */
export function splitUtcMembers(
	entity: string,
	given: JsonObject,
): { utc: JsonObject; others: JsonObject } {
	const names = [...utcMembersOf(entity).keys()];
	const utc: JsonObject = {};
	const others: JsonObject = {};
	for (const [name, value] of Object.entries(given)) {
		const known = names.find((one) => one.toLowerCase() === name.toLowerCase());
		if (known === undefined) others[name] = value;
		else utc[known] = value;
	}
	return { utc, others };
}

interface Place {
	/** The field that contains the members. */
	field: string;
	entity: string;
	/** The record as stored in Corrigo. */
	record: JsonObject;
	/** The time zone of the work zone, if it is known. */
	zone?: string;
}

/** Moves times in UTC to the members in local time, and omits times that change nothing. */
export function withUtcMembers(
	{ field, entity, record, zone }: Place,
	members: JsonObject,
	utc: JsonObject,
): { members: JsonObject; omitted: string[] } {
	const omitted: string[] = [];
	const all = { ...members };
	for (const [name, value] of Object.entries(utc)) {
		const local = utcMembersOf(entity).get(name) ?? name;
		const time = instantIn(name, value, record[name]);
		const given = memberNamed(members, local);
		if (
			time === undefined ||
			(given !== undefined && isSameTime(entity, local, given, time, zone))
		) {
			omitted.push(name);
			continue;
		}
		const change = `'${field}' changes '${name}' to ${quote(value)}`;
		if (isReadOnly(entity, local)) {
			throw new ValidationError(`${change}, but Corrigo alone sets it`, 'Remove it.');
		}
		if (given !== undefined) {
			throw new ValidationError(
				`${change}, but '${local}' to ${quote(given)}, which is another time`,
				`'${local}' shows '${name}' on the clock of the work zone. Give one of them.`,
			);
		}
		all[local] = time;
	}
	return { members: all, omitted };
}

/** Returns null for an empty time, and undefined if the record already has this time. */
function instantIn(name: string, value: unknown, stored: unknown): string | null | undefined {
	if (isBlank(value)) return isBlank(stored) ? undefined : null;
	const time = dateTime(name, value);
	const instant = isZoned(time) ? time : `${time}Z`;
	return instantOf(stored) === instantOf(instant) ? undefined : instant;
}

function isSameTime(
	entity: string,
	local: string,
	given: unknown,
	time: string | null,
	zone?: string,
): boolean {
	if (time === null || isBlank(given)) return time === null && isBlank(given);
	if (isZoned(given)) return instantOf(given) === instantOf(time);
	if (zone === undefined) return false;
	return instantOf(given) === instantOf(withLocalTimes(entity, { [local]: time }, zone)[local]);
}
