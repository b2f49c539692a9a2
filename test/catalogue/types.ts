import { getEntity, valueObjects } from '../../nodes/Corrigo/catalogue/entities';
import { isEnumerationName } from '../../nodes/Corrigo/catalogue/enumerations';

const primitives = ['string', 'integer', 'number', 'boolean', 'datetime'];

export function isKnownType(type: string): boolean {
	const one = type.replace(/\[\]$/, '');
	return (
		primitives.includes(one) ||
		isEnumerationName(one) ||
		// A look-up ignores case, but types in the catalogue must be exact.
		getEntity(one)?.name === one ||
		Object.keys(valueObjects).includes(one)
	);
}
