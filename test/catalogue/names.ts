import { entityNamed, valueObjects } from '../../nodes/Corrigo/catalogue/entities';
import { isEnumerationName } from '../../nodes/Corrigo/catalogue/enumerations';

/** names.json keeps lists as words in one line, and fields as "Name type, Name type". */
export const listed = (words: string): string[] => words.split(' ');

export const typesOf = (fields: string): Record<string, string> =>
	Object.fromEntries(fields.split(', ').map((field) => field.split(' ')));

const primitives = ['string', 'integer', 'number', 'boolean', 'datetime'];

export function isKnownType(type: string): boolean {
	const one = type.replace(/\[\]$/, '');
	return (
		primitives.includes(one) ||
		isEnumerationName(one) ||
		// Looking up an entity forgives upper and lower case, a type in a table must not need that.
		entityNamed(one)?.name === one ||
		Object.keys(valueObjects).includes(one)
	);
}
