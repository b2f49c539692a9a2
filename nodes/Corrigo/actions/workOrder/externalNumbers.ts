import { NodeApiError } from 'n8n-workflow';

import { isObject, Refusal, show, type JsonObject } from '../../protocol/checks';
import { batches } from '../../protocol/batches';
import { and, isIn } from '../../protocol/criteria';
import { truth } from '../../protocol/values';
import { apiError, mayHaveRun } from '../../transport/errors';
import { pause } from '../../transport/pause';
import { pages } from '../../transport/query';
import { oncePerRun, type Call, type Run } from '../call';

/** Where the service keeps the number that the caller gave on create. */
const X_NUMBER = 'LastAction.XNumber';

export const SKIP = 'skipIfExternalNumberExists';
export const SKIP_TITLE = 'Skip if External Number Exists';

/** What an expression makes of the switch has to be clear: off means that a second order is created. */
export const skips = ({ options }: Call): boolean =>
	SKIP in options && truth(SKIP_TITLE, options[SKIP]);

/** No create is sent on the word of an older look-up. */
const LONGEST_VALID_MS = 30_000;
/** The service may still be at work on a create whose answer was lost. */
const SECOND_LOOK_MS = 5000;

type Known = () => Promise<JsonObject | undefined>;
type Found = Map<string, JsonObject>;

/** Numbers that differ by case alone are one number. */
const folded = (number: string) => number.toLowerCase();

/**
 * Orders by the numbers their callers know them by, so that none is made twice: neither when it is
 * there from an earlier run, nor when two items of this one carry the same number.
 */
export class ExternalNumbers {
	/** The order of a number, as soon as it is known: found, or made by another item. */
	private readonly orders = new Map<string, Known>();

	private static readonly shared = oncePerRun(
		async ({ run }, isDryRun: boolean) => await new ExternalNumbers().ahead(run, isDryRun),
	);

	/** What a rehearsal did not make is there for rehearsals only. */
	static readonly of = async (call: Call) => await this.shared(call, call.isDryRun);

	/** One query does for the numbers of many items. It is sent when the first of them is needed. */
	private async ahead({ calls }: Run, isDryRun: boolean): Promise<this> {
		const numbers = new Map<string, { number: string; call: Call }>();
		for (const call of calls) {
			// An item whose form cannot be read says so when its turn comes.
			const number = await wanted(call, isDryRun).catch(() => undefined);
			if (number !== undefined && !numbers.has(folded(number))) {
				numbers.set(folded(number), { number, call });
			}
		}
		for (const some of batches(numbers.values())) {
			this.expect(
				some[0].call,
				some.map(({ number }) => number),
			);
		}
		return this;
	}

	private expect(call: Call, numbers: string[]): void {
		let found: Promise<Found> | undefined;
		let askedAt = 0;
		for (const number of numbers) {
			this.orders.set(folded(number), async () => {
				// Somebody else may have made the order since.
				if (found === undefined || performance.now() - askedAt > LONGEST_VALID_MS) {
					askedAt = performance.now();
					found = lookUp(call, numbers);
				}
				return (await found).get(folded(number));
			});
		}
	}

	/** The order with this number, or the one that `make` makes. */
	async orderOf(call: Call, number: string, make: () => Promise<JsonObject>) {
		const key = folded(number);
		if (!this.orders.has(key)) this.expect(call, [number]);
		const work = takenOrMade(call, number, this.orders.get(key) as Known, make);
		// Who asks meanwhile waits for this one. While a create is in doubt, no second one is sent.
		this.orders.set(key, async () => (await work).order);
		return await work.catch((failure: unknown) => {
			if (!mayHaveRun(failure)) this.orders.delete(key);
			throw failure;
		});
	}
}

/** The order that is there, or the new one: also when the answer to its creation was lost. */
async function takenOrMade(
	call: Call,
	number: string,
	known: Known,
	make: () => Promise<JsonObject>,
): Promise<{ order: JsonObject; existed: boolean }> {
	const found = await known();
	if (found !== undefined) return { order: found, existed: true };
	const order = await make().catch(async (failure: unknown) => {
		if (!(failure instanceof NodeApiError) || !mayHaveRun(failure)) throw failure;
		return await lateOrder(call, number, failure);
	});
	return { order, existed: false };
}

/** The number tells whether a create was carried out, at once or a little later. */
async function lateOrder(call: Call, number: string, failure: NodeApiError): Promise<JsonObject> {
	for (const waitMs of [0, SECOND_LOOK_MS]) {
		await pause(waitMs, call.caller.getExecutionCancelSignal());
		const found = await lookUp(call, [number]).catch((): Found => new Map());
		const order = found.get(folded(number));
		if (order === undefined) continue;
		call.run.hint('The answer to a create was lost; its order was found by its external number.');
		return order;
	}
	failure.description = `${failure.description ?? ''} An order with the external number ${show(number)} was not there ${SECOND_LOOK_MS / 1000} seconds later; it may still come.`;
	throw failure;
}

const wanted = async (call: Call, isDryRun: boolean) =>
	skips(call) && call.isDryRun === isDryRun ? externalNumberOf(call) : undefined;

export function externalNumberOf(call: Call): string {
	const given = call.collection('additionalFields').externalNumber;
	const number = typeof given === 'object' ? '' : String(given ?? '').trim();
	if (number !== '') return number;
	throw new Refusal(
		`'External Number' is empty, but '${SKIP_TITLE}' needs it`,
		"Give it in 'Additional Fields', or turn the option off.",
	);
}

async function lookUp(call: Call, numbers: string[]): Promise<Found> {
	const query = {
		properties: ['*', X_NUMBER],
		criteria: and(isIn(X_NUMBER, numbers)),
		limit: Infinity,
	};
	const found: Found = new Map();
	for await (const rows of pages(call.caller, 'WorkOrder', query, call.sendOptions)) {
		for (const row of rows) {
			const number = whose(row, numbers);
			if (number === undefined) throw notAsked(call);
			// The first of several is the oldest.
			if (!found.has(folded(number))) found.set(folded(number), row);
		}
	}
	return found;
}

/** Which of the numbers a row answers. The service may not care for case, accents and blanks at the end. */
function whose(row: JsonObject, numbers: string[]): string | undefined {
	const last: unknown = row.LastAction;
	const number = isObject(last) && typeof last.XNumber === 'string' ? last.XNumber : undefined;
	if (number === undefined || numbers.includes(number)) return number;
	return numbers.find((wanted) => alike.compare(wanted, number.trim()) === 0);
}

const alike = new Intl.Collator('en', { sensitivity: 'base' });

/** Nothing may be created on the word of an answer that does not fit the question. */
const notAsked = (call: Call) =>
	apiError(
		call.caller.getNode(),
		'Corrigo answered the look-up of external numbers with an order that has none of them',
		`Nothing was created. Turn '${SKIP_TITLE}' off if this Company does not keep external numbers.`,
		{ itemIndex: call.item },
	);
