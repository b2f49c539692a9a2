import { findTypeMember } from '../catalogue/members';
import { findActorTarget, findMemberTarget, type Target } from '../catalogue/targets';
import { ValidationError, quote } from './errors';
import { isName, toRecordId } from './ids';
import type { JsonObject } from './objects';
import { isBlank, parseMember } from './scalars';

/** Finds the ID of the record that a value names; throws if there is none, or more than one. */
export type IdResolver = (field: string, value: unknown, target: Target) => number;

export type RecordValue = string | number | boolean;

/** Finds the records with this value in the property that the target names. */
export type RecordFinder = (target: Target, value: RecordValue) => JsonObject[];

export interface RecordNames {
	resolveId: IdResolver;
	findRows: RecordFinder;
}

export interface FilterContext extends RecordNames {
	/** Current time on the clock of Corrigo. */
	now: () => number;
	/** Time zone of the workflow. */
	timeZone: string;
}

/** A record or reference may hold a name in place of its Id. */
export const isNamed = (value: unknown): boolean => isName(toRecordId(value));

/** A member of an entity or command, with access to the input next to it. */
export interface MemberContext {
	owner: string;
	path: string;
	fieldLabel: string;
	/** Records that the value can name, if not those of the catalogue. */
	target?: Target;
	/** Returns the input at another path. */
	getSibling: (path: string) => unknown;
}

/** Some members can refer to records of several types; another member says which type is meant. */
export function resolveTarget(
	{ owner, path, fieldLabel, getSibling }: MemberContext,
	value: unknown,
): Target | undefined {
	const typeMember = findTypeMember(owner, path);
	if (typeMember === undefined) return findMemberTarget(owner, path);
	const type = getSibling(typeMember);
	const target = !isBlank(type)
		? findActorTarget(parseMember(`${fieldLabel} (${typeMember})`, type, 'ActorType'))
		: findMemberTarget(owner, path);
	if (target === undefined && isNamed(value)) {
		throw new ValidationError(
			`'${fieldLabel}' is ${quote(toRecordId(value))}, which cannot be looked up`,
			isBlank(type)
				? `Give '${typeMember}' as well, such as Property for a work zone, or give the ID.`
				: 'Give the ID.',
		);
	}
	return target;
}
