import { isReadOnly } from '../catalogue/entities';
import { getUtcMembers } from '../catalogue/localTimes';
import { isBlank, quote, ValidationError, type JsonObject } from './checks';
import { getMember } from './kinds';
import { toLocalTimes } from './localTimes';
import { parseDateTime, toInstant, isZoned } from './values';

/** Separates the members in UTC, because the service writes only those in local time. */
export function splitUtcMembers(
	entity: string,
	input: JsonObject,
): { utc: JsonObject; others: JsonObject } {
	const names = [...getUtcMembers(entity).keys()];
	const utc: JsonObject = {};
	const others: JsonObject = {};
	for (const [name, value] of Object.entries(input)) {
		const known = names.find((one) => one.toLowerCase() === name.toLowerCase());
		if (known === undefined) others[name] = value;
		else utc[known] = value;
	}
	return { utc, others };
}

interface ZonedRecord {
	/** The field that contains the members. */
	field: string;
	entity: string;
	/** The record as stored in Corrigo. */
	record: JsonObject;
	/** The time zone of the work zone, if it is known. */
	zone?: string;
}

/** Moves times in UTC to the members in local time, and omits times that change nothing. */
export function replaceUtcMembers(
	{ field, entity, record, zone }: ZonedRecord,
	members: JsonObject,
	utc: JsonObject,
): { members: JsonObject; omitted: string[] } {
	const omitted: string[] = [];
	const all = { ...members };
	for (const [name, value] of Object.entries(utc)) {
		const local = getUtcMembers(entity).get(name) ?? name;
		const time = toChangedInstant(name, value, record[name]);
		const input = getMember(members, local);
		if (
			time === undefined ||
			(input !== undefined && isSameTime(entity, local, input, time, zone))
		) {
			omitted.push(name);
			continue;
		}
		const change = `'${field}' changes '${name}' to ${quote(value)}`;
		if (isReadOnly(entity, local)) {
			throw new ValidationError(`${change}, but Corrigo alone sets it`, 'Remove it.');
		}
		if (input !== undefined) {
			throw new ValidationError(
				`${change}, but '${local}' to ${quote(input)}, which is another time`,
				`'${local}' shows '${name}' on the clock of the work zone. Give one of them.`,
			);
		}
		all[local] = time;
	}
	return { members: all, omitted };
}

/** Returns null for an empty time, and undefined if the record already has this time. */
function toChangedInstant(
	name: string,
	value: unknown,
	stored: unknown,
): string | null | undefined {
	if (isBlank(value)) return isBlank(stored) ? undefined : null;
	const time = parseDateTime(name, value);
	const instant = isZoned(time) ? time : `${time}Z`;
	return toInstant(stored) === toInstant(instant) ? undefined : instant;
}

function isSameTime(
	entity: string,
	local: string,
	input: unknown,
	time: string | null,
	zone?: string,
): boolean {
	if (time === null || isBlank(input)) return time === null && isBlank(input);
	if (isZoned(input)) return toInstant(input) === toInstant(time);
	if (zone === undefined) return false;
	return toInstant(input) === toInstant(toLocalTimes(entity, { [local]: time }, zone)[local]);
}
