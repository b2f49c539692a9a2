import type { INodeProperties } from 'n8n-workflow';

import { isObject, ValidationError, quote, type JsonObject } from '../../protocol/checks';
import { and, isIn } from '../../protocol/criteria';
import { booleanOf } from '../../protocol/values';
import type { ItemContext } from '../../run/context';
import { equalsIgnoringAccents } from '../../records/lookup';
import { oncePer } from './knownOrders';

/** Where the service keeps the number that the caller gave on create. */
export const X_NUMBER = 'LastAction.XNumber';

const SKIP = 'skipIfExternalNumberExists';
const SKIP_TITLE = 'Skip if External Number Exists';

export const skipIfExternalNumberExists: INodeProperties = {
	displayName: SKIP_TITLE,
	name: SKIP,
	type: 'boolean',
	default: true,
	description:
		'Whether to look the external number up first, and return the work order that has it, whatever its status, in place of creating a second one. AlreadyExisted in the output tells which of both happened.',
};

/** The number of an item that asks for one order each; nothing where it does not. */
export function uniqueNumberOf(context: ItemContext): string | undefined {
	// What an expression makes of the switch has to be clear: off means that a second order is created.
	if (!(SKIP in context.options && booleanOf(SKIP_TITLE, context.options[SKIP]))) return undefined;
	const given = context.collection('additionalFields').externalNumber;
	const number = typeof given === 'object' ? '' : String(given ?? '').trim();
	if (number !== '') return number;
	throw new ValidationError(
		`'External Number' is empty, but '${SKIP_TITLE}' needs it`,
		"Give it in 'Additional Fields', or turn the option off.",
	);
}

const numberIn = ({ LastAction: last }: JsonObject): string | undefined =>
	isObject(last) && typeof last.XNumber === 'string' ? last.XNumber : undefined;

export function hasNumber(row: JsonObject, wanted: string): boolean {
	const number = numberIn(row);
	return number !== undefined && equalsIgnoringAccents(wanted, number.trim());
}

export const oncePerExternalNumber = oncePer<string>({
	option: SKIP_TITLE,
	given: uniqueNumberOf,
	/** Numbers that differ by case alone are one number. */
	key: (number) => number.toLowerCase(),
	asked: (number) => [number],
	query: (numbers) => ({
		properties: ['*', X_NUMBER],
		criteria: and(isIn(X_NUMBER, numbers)),
	}),
	answered: (row, numbers) => {
		const number = numberIn(row);
		if (number !== undefined && numbers.includes(number)) return [number];
		const meant = numbers.find((wanted) => hasNumber(row, wanted));
		return meant === undefined ? undefined : [meant];
	},
	shown: (number) => `with the external number ${quote(number)}`,
});
