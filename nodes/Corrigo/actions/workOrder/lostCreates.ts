import type { CommandAnswer } from '../../protocol/answers';
import { isObject, quote, type JsonObject } from '../../protocol/checks';
import { and, isIn } from '../../protocol/criteria';
import { queryRequest, type Order } from '../../protocol/requests';
import { normalize, instantOf } from '../../protocol/values';
import { ServiceClock } from '../../transport/clock';
import { mayHaveRun } from '../../transport/errors';
import { send } from '../../transport/send';
import type { ItemContext } from '../../run/context';
import { recoverLostCreate } from '../../once/recoverLostCreate';
import { hasNumber, X_NUMBER } from './externalNumbers';
import { covers, orderSubjectOf } from './openOrders';

/** How many creates of this process, by their numbers, are under way, or are lost and were not found. */
const open = new Map<string, number>();

/** The orders that creates of this process have made, with their numbers, the newest last. */
const made = new Set<string>();
const MAX_REMEMBERED = 1000;

function count(number: string, more: number): void {
	const left = (open.get(number) ?? 0) + more;
	if (left > 0) open.set(number, left);
	else open.delete(number);
}

const nameOf = (number: string, { Id }: JsonObject) => `${String(Id)} ${number}`;

function remember(number: string, { Wo }: JsonObject): void {
	if (isObject(Wo)) made.add(nameOf(number, Wo));
	const [oldest] = made;
	if (made.size > MAX_REMEMBERED) made.delete(oldest);
}

/**
 * Sends a create with an external number and, unless somebody else does, looks for its order by that
 * when the answer is lost. Older orders may have the same number, and so may those of other creates:
 * one is taken only if it is new, is for the same, and can be no other one's.
 */
export async function createWithNumber(
	context: ItemContext,
	externalNumber: string,
	isLookedUp: boolean,
	create: () => Promise<CommandAnswer>,
): Promise<CommandAnswer> {
	const number = normalize(externalNumber);
	const sentAt = performance.now();
	count(number, 1);
	const answer = await create()
		.catch(async (failure: unknown): Promise<CommandAnswer> => {
			if (isLookedUp) throw failure;
			const shown = `an order with the external number ${quote(externalNumber)} that can only be its own`;
			const look = async () => await ownOrder(context, externalNumber, sentAt);
			return { CommandResult: { Wo: await recoverLostCreate(context, failure, shown, look) } };
		})
		.catch((failure: unknown) => {
			if (!mayHaveRun(failure)) count(number, -1);
			throw failure;
		});
	remember(number, answer.CommandResult);
	count(number, -1);
	return answer;
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
	const question = queryRequest('WorkOrder', {
		PropertySet: { Properties: ['*', X_NUMBER, 'Items.Asset.Id', 'Items.Task.Id'] },
		Criteria: and(isIn(X_NUMBER, [externalNumber])),
		Orders: newestFirst,
		Count: MAX_READ,
		FirstResultIndex: 0,
	});
	const rows = await send(context.caller, question, {
		...context.sendOptions,
		onDate: clock.onDate,
	});
	// When the create was sent, by the clock of Corrigo. Where that is not told, no order is new.
	const since = (clock.latest ?? NaN) - (performance.now() - sentAt) - A_SECOND;
	const matter = orderSubjectOf(context);
	const [order, ...others] = rows.filter(
		(row) =>
			hasNumber(row, externalNumber) &&
			instantOf(row.CreatedDateUtc) >= since &&
			covers(row, matter) &&
			!made.has(nameOf(number, row)),
	);
	return others.length === 0 && open.get(number) === 1 ? order : undefined;
}
