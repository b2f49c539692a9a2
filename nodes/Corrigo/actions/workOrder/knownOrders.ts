import { batches } from '../../protocol/batches';
import type { JsonObject } from '../../protocol/checks';
import type { Query } from '../../protocol/paging';
import { apiError, mayHaveRun } from '../../transport/errors';
import { pages } from '../../records/query';
import { oncePerRun, type Call, type Run } from '../../run/context';
import { allNamed } from '../../run/resolve';
import { lateRecord, sharedLookUp } from '../../once/recoverLostCreate';

/** By what an order is known to those who would make a second one. */
export interface Mark<Given> {
	/** The option that asks for it. */
	option: string;
	/** What an item gives, where it asks for it at all. */
	given: (call: Call) => Given | undefined;
	/** The same for all that are to have one order. */
	key: (given: Given) => string;
	/** The values by which its orders are asked for. */
	asked: (given: Given) => readonly unknown[];
	/** The orders that have what is given. */
	query: (given: Given[]) => Pick<Query, 'properties' | 'criteria'>;
	/** Whose order a row is; nothing where the row does not fit the question. */
	answered: (row: JsonObject, given: Given[]) => Given[] | undefined;
	/** "with …" */
	shown: (given: Given) => string;
}

export interface TakenOrder {
	order: JsonObject;
	/** The option by which it was found, if it was there. */
	foundBy?: string;
}

type Known = () => Promise<JsonObject | undefined>;
type Found = Map<string, JsonObject>;

/**
 * Takes the order that has the mark of an item, or has it made: neither is one made that is there
 * from an earlier run, nor a second one when two items of this run have the same mark.
 */
export function oncePer<Given>(mark: Mark<Given>) {
	// What a rehearsal did not make is there for rehearsals only.
	const known = oncePerRun(async ({ run }, isDryRun: boolean) => {
		await allNamed(run, mark.given);
		return new KnownOrders(mark).ahead(run, isDryRun);
	});
	return async (call: Call, make: () => Promise<TakenOrder>): Promise<TakenOrder> => {
		const given = mark.given(call);
		if (given === undefined) return await make();
		return await (await known(call, call.isDryRun)).orderOf(call, given, make);
	};
}

class KnownOrders<Given> {
	/** The order of a key, as soon as it is known: found, or made by another item. */
	private readonly orders = new Map<string, Known>();

	constructor(private readonly mark: Mark<Given>) {}

	/** One query does for the marks of many items. It is sent when the first of them is needed. */
	ahead({ calls }: Run, isDryRun: boolean): this {
		const wanted = new Map<string, { given: Given; call: Call }>();
		for (const call of calls) {
			const given = this.readable(call, isDryRun);
			if (given === undefined || wanted.has(this.mark.key(given))) continue;
			wanted.set(this.mark.key(given), { given, call });
		}
		const values = ({ given }: { given: Given }) => this.mark.asked(given);
		for (const some of batches(wanted.values(), { values })) {
			this.expect(
				some[0].call,
				some.map(({ given }) => given),
			);
		}
		return this;
	}

	/** An item whose form cannot be read says so when its turn comes. */
	private readable(call: Call, isDryRun: boolean): Given | undefined {
		try {
			return call.isDryRun === isDryRun ? this.mark.given(call) : undefined;
		} catch {
			return undefined;
		}
	}

	private expect(call: Call, all: Given[]): void {
		const found = sharedLookUp(async (one) => await ordersOf(one, this.mark, all));
		for (const key of all.map(this.mark.key)) {
			// Somebody else may have made the order since.
			this.orders.set(key, async () => (await found(call, true)).get(key));
		}
	}

	/** The order with this mark, or the one that `make` makes. */
	async orderOf(call: Call, given: Given, make: () => Promise<TakenOrder>): Promise<TakenOrder> {
		const key = this.mark.key(given);
		if (!this.orders.has(key)) this.expect(call, [given]);
		const work = takenOrMade(call, this.mark, given, this.orders.get(key) as Known, make);
		// Who asks meanwhile waits for this one. While a create is in doubt, no second one is sent.
		this.orders.set(key, async () => (await work).order);
		return await work.catch((failure: unknown) => {
			if (!mayHaveRun(failure)) this.orders.delete(key);
			throw failure;
		});
	}
}

/** The order that is there, or the new one: also when the answer to its creation was lost. */
async function takenOrMade<Given>(
	call: Call,
	mark: Mark<Given>,
	given: Given,
	known: Known,
	make: () => Promise<TakenOrder>,
): Promise<TakenOrder> {
	const found = await known();
	if (found !== undefined) return { order: found, foundBy: mark.option };
	return await make().catch(async (failure: unknown) => {
		const look = async () => (await ordersOf(call, mark, [given])).get(mark.key(given));
		return { order: await lateRecord(call, failure, `an order ${mark.shown(given)}`, look) };
	});
}

async function ordersOf<Given>(call: Call, mark: Mark<Given>, all: Given[]): Promise<Found> {
	const query = { ...mark.query(all), limit: Infinity };
	const found: Found = new Map();
	for await (const rows of pages(call.caller, 'WorkOrder', query, call.sendOptions)) {
		for (const row of rows) {
			const answered = mark.answered(row, all);
			if (answered === undefined) throw notAsked(call, mark.option);
			// The first of several is the oldest.
			for (const key of answered.map(mark.key)) if (!found.has(key)) found.set(key, row);
		}
	}
	return found;
}

/** Nothing may be created on the word of an answer that does not fit the question. */
const notAsked = (call: Call, option: string) =>
	apiError(
		call.caller.getNode(),
		`Corrigo answered the look-up for '${option}' with an order that was not asked for`,
		`Nothing was created. Turn '${option}' off if this Company does not answer such a search.`,
	);
