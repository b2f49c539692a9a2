import { chosenProperties } from '../../form/properties';
import { ValidationError, type JsonObject } from '../../protocol/checks';
import {
	carriesCustomFields,
	CUSTOM_FIELD_PATHS,
	flatCustomFields,
} from '../../protocol/customFields';
import type { ItemContext } from '../../run/context';
import type { Subject } from '../../form/subjects';

export function propertyPaths(subject: Subject, entity: string, context: ItemContext): string[] {
	const chosen = chosenProperties(
		subject.entity,
		() => context.param('propertySet', 'summary'),
		() => context.param('properties', '*'),
	);
	return isFlat(entity, context) ? [...new Set([...chosen, ...CUSTOM_FIELD_PATHS])] : chosen;
}

/** Custom fields as `{ name: value }` in place of rows with descriptors. */
export const shaperOf = (
	entity: string,
	context: ItemContext,
): ((record: JsonObject) => JsonObject) =>
	isFlat(entity, context) ? flatCustomFields : (record) => record;

function isFlat(entity: string, context: ItemContext): boolean {
	if (!context.isOn('flattenCustomFields')) return false;
	if (carriesCustomFields(entity)) return true;
	throw new ValidationError(
		`'Flatten Custom Fields' is on, but ${entity} records carry no custom fields`,
	);
}

/** The properties to read where one of them has to be there. */
export const withProperty = (name: string, properties: string[]): string[] =>
	properties.some((path) => path === '*' || path === name) ? properties : [name, ...properties];
