import type { INodeProperties } from 'n8n-workflow';

import { optionalText } from '../../form/form';
import { createOrRecover } from '../../once/createOrRecover';
import { matchingKeys, registryPerRun } from '../../once/registry';
import { isObject, ValidationError, quote, type JsonObject } from '../../protocol/checks';
import { and, isIn } from '../../protocol/criteria';
import { queryRequest, type Order } from '../../protocol/requests';
import { booleanOf, instantOf, normalize } from '../../protocol/values';
import { equalsIgnoringAccents } from '../../records/lookup';
import { allRows } from '../../records/query';
import type { ItemContext } from '../../run/context';
import { ServiceClock } from '../../transport/clock';
import { mayHaveRun } from '../../transport/errors';
import { send } from '../../transport/send';
import { covers, orderSubjectOf, unexpectedOrder } from './openOrders';

/** Corrigo returns the external number of an order in this property. */
export const X_NUMBER = 'LastAction.XNumber';

const SKIP = 'skipIfExternalNumberExists';
const SKIP_TITLE = 'Skip if External Number Exists';

export const skipIfExternalNumberExists: INodeProperties = {
	displayName: SKIP_TITLE,
	name: SKIP,
	type: 'boolean',
	default: true,
	description:
		'Whether to return the work order that has this external number, in any status, instead of creating a duplicate. AlreadyExisted shows which happened.',
};

export function uniqueNumberOf(context: ItemContext): string | undefined {
	// A value that is neither true nor false is refused: as `false`, it could create a duplicate.
	if (!(SKIP in context.options && booleanOf(SKIP_TITLE, context.options[SKIP]))) return undefined;
	const { externalNumber } = context.collection('additionalFields');
	const number = optionalText('External Number', externalNumber).trim();
	if (number !== '') return number;
	throw new ValidationError(
		`'External Number' is empty, but '${SKIP_TITLE}' needs it`,
		"Give it in 'Additional Fields', or turn the option off.",
	);
}

const numberIn = ({ LastAction: last }: JsonObject): string =>
	isObject(last) && typeof last.XNumber === 'string' ? last.XNumber.trim() : '';

/** Numbers that differ only in case count as the same number. */
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

/** Numbers of creates by this process that are running or have an unknown result. */
const open: string[] = [];

/** Orders that this process has created, newest last. */
const made: string[] = [];
const MAX_REMEMBERED = 1000;

const nameOf = (number: string, { Id }: JsonObject) => `${String(Id)} ${number}`;

/**
 * Creates an order with an external number. If the answer is lost, the order is looked up by that
 * number, unless an option has its own look-up. Other orders may have the same number, so a match
 * must be new, have the same subject, and not come from another create.
 */
export async function createWithNumber(
	context: ItemContext,
	externalNumber: string,
	isLookedUp: boolean,
	create: () => Promise<JsonObject>,
): Promise<JsonObject> {
	const number = normalize(externalNumber);
	const sentAt = performance.now();
	const description = `an order with the external number ${quote(externalNumber)} that can only be its own`;
	const find = async () => await ownOrder(context, externalNumber, sentAt);
	const close = () => open.splice(open.indexOf(number), 1);
	open.push(number);
	const sent = isLookedUp ? create() : createOrRecover(context, description, create, find);
	const order = await sent.catch((failure: unknown) => {
		if (!mayHaveRun(failure)) close();
		throw failure;
	});
	made.push(nameOf(number, order));
	if (made.length > MAX_REMEMBERED) made.shift();
	close();
	return order;
}

const newestFirst: Order[] = [{ PropertyName: 'Id', OrderType: 'Descending' }];
const MAX_READ = 50;
/** The clock of answers and the dates of some Companies have no fractions of seconds. */
const A_SECOND = 1000;

async function ownOrder(
	context: ItemContext,
	externalNumber: string,
	sentAt: number,
): Promise<JsonObject | undefined> {
	const number = normalize(externalNumber);
	const clock = new ServiceClock();
	const request = queryRequest('WorkOrder', {
		PropertySet: { Properties: ['*', X_NUMBER, 'Items.Asset.Id', 'Items.Task.Id'] },
		Criteria: and(isIn(X_NUMBER, [externalNumber])),
		Orders: newestFirst,
		Count: MAX_READ,
		FirstResultIndex: 0,
	});
	const options = { ...context.sendOptions, onDate: clock.onDate };
	const rows = await send(context.caller, request, options);
	// The time of the create is converted to Corrigo's clock; without that clock, no order is new.
	const since = (clock.latest ?? NaN) - (performance.now() - sentAt) - A_SECOND;
	const subject = orderSubjectOf(context);
	const isOnly = open.filter((one) => one === number).length === 1;
	const [order, ...others] = rows.filter(
		(row) =>
			equalsIgnoringAccents(numberIn(row), externalNumber) &&
			instantOf(row.CreatedDateUtc) >= since &&
			covers(row, subject) &&
			!made.includes(nameOf(number, row)),
	);
	return others.length === 0 && isOnly ? order : undefined;
}
