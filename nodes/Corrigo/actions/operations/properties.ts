import { chosenProperties } from '../../form/properties';
import { Refusal, type JsonObject } from '../../protocol/checks';
import {
	carriesCustomFields,
	CUSTOM_FIELD_PATHS,
	flatCustomFields,
} from '../../protocol/customFields';
import type { Call } from '../../run/context';
import type { Subject } from '../../form/subjects';

export function propertyPaths(subject: Subject, entity: string, call: Call): string[] {
	const chosen = chosenProperties(
		subject.entity,
		() => call.param('propertySet', 'selected'),
		() => call.param('properties', '*'),
	);
	return isFlat(entity, call) ? [...new Set([...chosen, ...CUSTOM_FIELD_PATHS])] : chosen;
}

/** Custom fields as `{ name: value }` in place of rows with descriptors. */
export const shaperOf = (entity: string, call: Call): ((record: JsonObject) => JsonObject) =>
	isFlat(entity, call) ? flatCustomFields : (record) => record;

function isFlat(entity: string, call: Call): boolean {
	if (!call.isOn('flattenCustomFields')) return false;
	if (carriesCustomFields(entity)) return true;
	throw new Refusal(`'Flatten Custom Fields' is on, but ${entity} records carry no custom fields`);
}
