import type { INodeProperties } from 'n8n-workflow';

import { toOptionalText } from '../../../form/form';
import {
	createOrRecover,
	createRunRegistry,
	findMatchingKeys,
} from '../../../operations/upsert/registry';
import {
	isObject,
	ValidationError,
	quote,
	type JsonObject,
	parseBoolean,
	toInstant,
	normalize,
} from '../../../values/checks';
import { and, isIn } from '../../../wire/criteria';
import { buildQueryRequest, type SortOrder } from '../../../wire/requests';
import { equalsIgnoringAccents } from '../../../records/lookup';
import { loadAllRows } from '../../../records/query';
import type { ItemContext } from '../../../run/context';
import { mayHaveRun } from '../../../transport/errors';
import { send } from '../../../transport/send';
import { coversSubject, readOrderSubject, describeUnexpectedOrder } from './openOrders';

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

export function readUniqueNumber(context: ItemContext): string | undefined {
	// A value that is neither true nor false is refused: as `false`, it could create a duplicate.
	if (!(SKIP in context.options && parseBoolean(SKIP_TITLE, context.options[SKIP])))
		return undefined;
	const { externalNumber } = context.collection('additionalFields');
	const number = toOptionalText('External Number', externalNumber).trim();
	if (number !== '') return number;
	throw new ValidationError(
		`'External Number' is empty, but '${SKIP_TITLE}' needs it`,
		"Give it in 'Additional Fields', or turn the option off.",
	);
}

const getNumber = ({ LastAction: last }: JsonObject): string =>
	isObject(last) && typeof last.XNumber === 'string' ? last.XNumber.trim() : '';

/** Numbers that differ only in case count as the same number. */
const toNumberKey = (number: string) => number.toLowerCase();

export const ordersByNumber = createRunRegistry<string, string | undefined>(
	{
		key: toNumberKey,
		read: async ({ caller, sendOptions }, numbers) => {
			const values = new Map(numbers.map((number) => [toNumberKey(number), number])).values();
			const criteria = and(isIn(X_NUMBER, [...values]));
			return await loadAllRows(caller, 'WorkOrder', criteria, ['*', X_NUMBER], sendOptions);
		},
		matchKeys: (order, _numbers, wantedKeys) => {
			const found = findMatchingKeys([toNumberKey(getNumber(order))], wantedKeys);
			return found.length === 0 ? undefined : found;
		},
		describe: (number) => `an order with the external number ${quote(number)}`,
		unexpected: describeUnexpectedOrder(SKIP_TITLE),
	},
	readUniqueNumber,
);

/** Creates by this process that are running or have an unknown result. */
const pendingCreates = new Set<{ number: string }>();

/** Orders that this process has created, newest last. */
const createdOrders = new Set<string>();
const MAX_REMEMBERED = 1000;

const getIdentity = (number: string, { Id }: JsonObject) => `${String(Id)} ${number}`;

/**
 * Creates an order that may have an external number. If the answer is lost, the order is looked up
 * by that number, unless an option has its own look-up. Other orders may have the same number, so a
 * match must be new, have the same subject, and not come from another create.
 */
export async function createWithNumber(
	context: ItemContext,
	number: unknown,
	isLookedUp: boolean,
	create: () => Promise<JsonObject>,
): Promise<JsonObject> {
	const externalNumber = String(number ?? '').trim();
	if (externalNumber === '') return await create();
	const pending = { number: normalize(externalNumber) };
	const sentAt = performance.now();
	const description = `an order with the external number ${quote(externalNumber)} that can only be its own`;
	const find = async () => await findOwnOrder(context, externalNumber, sentAt);
	pendingCreates.add(pending);
	const sent = isLookedUp ? create() : createOrRecover(context, description, create, find);
	const order = await sent.catch((failure: unknown) => {
		if (!mayHaveRun(failure)) pendingCreates.delete(pending);
		throw failure;
	});
	const [oldest] = createdOrders.add(getIdentity(pending.number, order));
	if (createdOrders.size > MAX_REMEMBERED) createdOrders.delete(oldest);
	pendingCreates.delete(pending);
	return order;
}

const newestFirst: SortOrder[] = [{ PropertyName: 'Id', OrderType: 'Descending' }];
const MAX_CANDIDATES = 50;
/** The clock of answers and the dates of some Companies have no fractions of seconds. */
const SECOND_MS = 1000;

async function findOwnOrder(
	context: ItemContext,
	externalNumber: string,
	sentAt: number,
): Promise<JsonObject | undefined> {
	const number = normalize(externalNumber);
	const { clock } = context.run;
	const request = buildQueryRequest('WorkOrder', {
		PropertySet: { Properties: ['*', X_NUMBER, 'Items.Asset.Id', 'Items.Task.Id'] },
		Criteria: and(isIn(X_NUMBER, [externalNumber])),
		Orders: newestFirst,
		Count: MAX_CANDIDATES,
		FirstResultIndex: 0,
	});
	const rows = await send(context.caller, request, context.sendOptions);
	// The time of the create is converted to Corrigo's clock; without that clock, no order is new.
	const since = clock.isKnown ? clock.now() - (performance.now() - sentAt) - SECOND_MS : NaN;
	const subject = readOrderSubject(context);
	const isOnly = [...pendingCreates].filter((one) => one.number === number).length === 1;
	const [order, ...others] = rows.filter(
		(row) =>
			equalsIgnoringAccents(getNumber(row), externalNumber) &&
			toInstant(row.CreatedDateUtc) >= since &&
			coversSubject(row, subject) &&
			!createdOrders.has(getIdentity(number, row)),
	);
	return others.length === 0 && isOnly ? order : undefined;
}
