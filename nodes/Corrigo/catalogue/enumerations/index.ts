import { enumerations } from '../contract';
import { getMemberLabel } from './labels';

/** Members are sent by name, because the integer is known for only a few of them. */
export { enumerations } from '../contract';

export type EnumerationName = keyof typeof enumerations;

/** Type of a record, by which rules, notes and documents can refer to records of any entity. */
export type ActorType = (typeof enumerations)['ActorType'][number];

export const isEnumerationName = (name: string): name is EnumerationName =>
	Object.hasOwn(enumerations, name);

// The service itself misspells the first member of TimeCardType and TimeCardAction as 'Uknown'.
const UNSET: readonly unknown[] = ['Unknown', 'Uknown'];

export const isUnset = (member: unknown): boolean => UNSET.includes(member);

/** The member that means "nothing chosen" cannot be chosen. */
export const listMembers = (enumeration: EnumerationName): string[] =>
	enumerations[enumeration].filter((member) => !isUnset(member));

export const listEnumerationOptions = (
	enumeration: EnumerationName,
): Array<{ name: string; value: string }> =>
	listMembers(enumeration).map((value) => ({ name: getMemberLabel(enumeration, value), value }));
