import { entityNamed, valueObjects } from '../../nodes/Corrigo/catalogue/entities';
import { isEnumerationName } from '../../nodes/Corrigo/catalogue/enumerations';

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
