import { isObject, Refusal, type JsonObject } from '../../protocol/checks';
import { batches } from '../../protocol/batches';
import { and, isIn } from '../../protocol/criteria';
import { truth } from '../../protocol/values';
import { apiError } from '../../transport/errors';
import { pages } from '../../transport/query';
import { oncePerRun, type Call, type Run } from '../call';

/** Where the service keeps the number that the caller gave on create. */
const X_NUMBER = 'LastAction.XNumber';

export const SKIP = 'skipIfExternalNumberExists';
export const SKIP_TITLE = 'Skip if External Number Exists';

/** What an expression makes of the switch has to be clear: off means that a second order is created. */
export const skips = ({ options }: Call): boolean =>
	SKIP in options && truth(SKIP_TITLE, options[SKIP]);

type Known = () => Promise<JsonObject | undefined>;

/**
 * Orders by the numbers their callers know them by, so that none is made twice: neither when it is
 * there from an earlier run, nor when two items of this one carry the same number.
 */
export class ExternalNumbers {
	/** The order of a number, as soon as it is known: found, or made by another item. */
	private readonly orders = new Map<string, Known>();

	static readonly of = oncePerRun(async ({ run }) => await new ExternalNumbers().ahead(run));

	/** One query does for the numbers of many items. It is sent when the first of them is needed. */
	private async ahead({ calls }: Run): Promise<this> {
		const numbers = new Map<string, Call>();
		for (const call of calls) {
			// An item whose form cannot be read says so when its turn comes.
			const number = await wanted(call).catch(() => undefined);
			if (number !== undefined && !numbers.has(number)) numbers.set(number, call);
		}
		for (const some of batches(numbers.keys())) this.expect(numbers.get(some[0]) as Call, some);
		return this;
	}

	private expect(call: Call, numbers: string[]): void {
		let found: Promise<Map<string, JsonObject>> | undefined;
		for (const number of numbers) {
			this.orders.set(number, async () => {
				found ??= lookUp(call, numbers);
				return (await found).get(number);
			});
		}
	}

	/** The order with this number, or the one that `make` makes. */
	async orderOf(call: Call, number: string, make: () => Promise<JsonObject>) {
		if (!this.orders.has(number)) this.expect(call, [number]);
		const known = this.orders.get(number) as Known;
		const work = (async () => {
			const found = await known();
			return { order: found ?? (await make()), existed: found !== undefined };
		})();
		// Who asks meanwhile waits for this one; a create that failed may have left an order to look for.
		this.orders.set(number, async () => (await work).order);
		return await work.finally(() => work.catch(() => this.orders.delete(number)));
	}
}

const wanted = async (call: Call) => (skips(call) ? externalNumberOf(call) : undefined);

export function externalNumberOf(call: Call): string {
	const given = call.collection('additionalFields').externalNumber;
	const number = typeof given === 'object' ? '' : String(given ?? '').trim();
	if (number !== '') return number;
	throw new Refusal(
		`'External Number' is empty, but '${SKIP_TITLE}' needs it`,
		"Give it in 'Additional Fields', or turn the option off.",
	);
}

async function lookUp(call: Call, numbers: string[]): Promise<Map<string, JsonObject>> {
	const query = {
		properties: ['*', X_NUMBER],
		criteria: and(isIn(X_NUMBER, numbers)),
		limit: Infinity,
	};
	const found = new Map<string, JsonObject>();
	for await (const rows of pages(call.caller, 'WorkOrder', query, call.sendOptions)) {
		for (const row of rows) {
			const number = whose(row, numbers);
			if (number === undefined) throw notAsked(call);
			// The first of several is the oldest.
			if (!found.has(number)) found.set(number, row);
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
