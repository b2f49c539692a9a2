import type { INodeProperties } from 'n8n-workflow';

import { optionalText } from '../../form/form';
import { isObject, ValidationError, quote, type JsonObject } from '../../protocol/checks';
import { and, isIn } from '../../protocol/criteria';
import { booleanOf } from '../../protocol/values';
import { matchingKeys, registryPerRun } from '../../once/registry';
import type { ItemContext } from '../../run/context';
import { allRows } from '../../records/query';

/** The property in which Corrigo returns the external number of an order. */
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

export function uniqueNumberOf(context: ItemContext): string | undefined {
	// A value that is neither true nor false is refused: off would create a second order.
	if (!(SKIP in context.options && booleanOf(SKIP_TITLE, context.options[SKIP]))) return undefined;
	const { externalNumber } = context.collection('additionalFields');
	const number = optionalText('External Number', externalNumber).trim();
	if (number !== '') return number;
	throw new ValidationError(
		`'External Number' is empty, but '${SKIP_TITLE}' needs it`,
		"Give it in 'Additional Fields', or turn the option off.",
	);
}

/** Message and hint for a look-up of orders whose answer does not fit. */
export const unexpectedOrder = (option: string) =>
	[
		`Corrigo answered the look-up for '${option}' with an order that was not asked for`,
		`Nothing was created. Turn '${option}' off if this Company does not answer such a search.`,
	] as const;

export const numberIn = ({ LastAction: last }: JsonObject): string =>
	isObject(last) && typeof last.XNumber === 'string' ? last.XNumber.trim() : '';

/** Numbers that differ by case alone are one number. */
const keyOf = (number: string) => number.toLowerCase();

export const ordersByNumber = registryPerRun<string, string | undefined>(
	{
		key: keyOf,
		read: async ({ caller, sendOptions }, numbers) => {
			const values = new Map(numbers.map((number) => [keyOf(number), number])).values();
			const criteria = and(isIn(X_NUMBER, [...values]));
			return await allRows(caller, 'WorkOrder', criteria, ['*', X_NUMBER], sendOptions);
		},
		keysIn: (order, _numbers, wantedKeys) => {
			const found = matchingKeys([keyOf(numberIn(order))], wantedKeys);
			return found.length === 0 ? undefined : found;
		},
		describe: (number) => `an order with the external number ${quote(number)}`,
		unexpected: unexpectedOrder(SKIP_TITLE),
	},
	uniqueNumberOf,
);
