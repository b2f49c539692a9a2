import { quote, type JsonObject } from '../../protocol/checks';
import { and, isIn } from '../../protocol/criteria';
import { queryRequest, type Order } from '../../protocol/requests';
import { normalize, instantOf } from '../../protocol/values';
import { ServiceClock } from '../../transport/clock';
import { mayHaveRun } from '../../transport/errors';
import { send } from '../../transport/send';
import { equalsIgnoringAccents } from '../../records/lookup';
import type { ItemContext } from '../../run/context';
import { createOrRecover } from '../../once/createOrRecover';
import { numberIn, X_NUMBER } from './externalNumbers';
import { covers, orderSubjectOf } from './openOrders';

/** The numbers of creates of this process that are under way or in doubt. */
const open: string[] = [];

/** The orders that creates of this process have made, the newest last. */
const made: string[] = [];
const MAX_REMEMBERED = 1000;

const nameOf = (number: string, { Id }: JsonObject) => `${String(Id)} ${number}`;

/**
 * Sends a create with an external number and, unless an option looks for the order in its own way, looks
 * for it by that number when the answer is lost. Other orders may have the same number: one is taken
 * only if it is new, has the same subject, and cannot come from another create.
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
/** The clock of answers has no fractions of seconds, nor have the dates of some Companies. */
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
	const rows = await send(context.caller, request, {
		...context.sendOptions,
		onDate: clock.onDate,
	});
	// When the create was sent, by the clock of Corrigo. Without that clock, no order is new.
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
