import { batches } from '../../protocol/batches';
import type { JsonObject } from '../../protocol/checks';
import type { Query } from '../../protocol/paging';
import { apiError, mayHaveRun } from '../../transport/errors';
import { pages } from '../../records/query';
import { oncePerRun, type ItemContext, type RunContext } from '../../run/context';
import { allNamed } from '../../run/resolve';
import { recoverLostCreate, sharedLookUp } from '../../once/recoverLostCreate';

/** By what an order is known to those who would make a second one. */
export interface DedupeKey<Given> {
	/** The option that asks for it. */
	option: string;
	/** What an item gives, where it asks for it at all. */
	given: (context: ItemContext) => Given | undefined;
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
export function oncePer<Given>(mark: DedupeKey<Given>) {
	// What a rehearsal did not make is there for rehearsals only.
	const known = oncePerRun(async ({ run }, isDryRun: boolean) => {
		await allNamed(run, mark.given);
		return new KnownOrders(mark).ahead(run, isDryRun);
	});
	return async (context: ItemContext, make: () => Promise<TakenOrder>): Promise<TakenOrder> => {
		const given = mark.given(context);
		if (given === undefined) return await make();
		return await (await known(context, context.isDryRun)).orderOf(context, given, make);
	};
}

class KnownOrders<Given> {
	/** The order of a key, as soon as it is known: found, or made by another item. */
	private readonly orders = new Map<string, Known>();

	constructor(private readonly mark: DedupeKey<Given>) {}

	/** One query does for the marks of many items. It is sent when the first of them is needed. */
	ahead({ contexts }: RunContext, isDryRun: boolean): this {
		const wanted = new Map<string, { given: Given; context: ItemContext }>();
		for (const context of contexts) {
			const given = this.readable(context, isDryRun);
			if (given === undefined || wanted.has(this.mark.key(given))) continue;
			wanted.set(this.mark.key(given), { given, context });
		}
		const values = ({ given }: { given: Given }) => this.mark.asked(given);
		for (const some of batches(wanted.values(), { values })) {
			this.expect(
				some[0].context,
				some.map(({ given }) => given),
			);
		}
		return this;
	}

	/** An item whose form cannot be read says so when its turn comes. */
	private readable(context: ItemContext, isDryRun: boolean): Given | undefined {
		try {
			return context.isDryRun === isDryRun ? this.mark.given(context) : undefined;
		} catch {
			return undefined;
		}
	}

	private expect(context: ItemContext, all: Given[]): void {
		const found = sharedLookUp(async (one) => await ordersOf(one, this.mark, all));
		for (const key of all.map(this.mark.key)) {
			// Somebody else may have made the order since.
			this.orders.set(key, async () => (await found(context, true)).get(key));
		}
	}

	/** The order with this mark, or the one that `make` makes. */
	async orderOf(
		context: ItemContext,
		given: Given,
		make: () => Promise<TakenOrder>,
	): Promise<TakenOrder> {
		const key = this.mark.key(given);
		if (!this.orders.has(key)) this.expect(context, [given]);
		const work = takenOrMade(context, this.mark, given, this.orders.get(key) as Known, make);
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
	context: ItemContext,
	mark: DedupeKey<Given>,
	given: Given,
	known: Known,
	make: () => Promise<TakenOrder>,
): Promise<TakenOrder> {
	const found = await known();
	if (found !== undefined) return { order: found, foundBy: mark.option };
	return await make().catch(async (failure: unknown) => {
		const look = async () => (await ordersOf(context, mark, [given])).get(mark.key(given));
		return {
			order: await recoverLostCreate(context, failure, `an order ${mark.shown(given)}`, look),
		};
	});
}

async function ordersOf<Given>(
	context: ItemContext,
	mark: DedupeKey<Given>,
	all: Given[],
): Promise<Found> {
	const query = { ...mark.query(all), limit: Infinity };
	const found: Found = new Map();
	for await (const rows of pages(context.caller, 'WorkOrder', query, context.sendOptions)) {
		for (const row of rows) {
			const answered = mark.answered(row, all);
			if (answered === undefined) throw notAsked(context, mark.option);
			// The first of several is the oldest.
			for (const key of answered.map(mark.key)) if (!found.has(key)) found.set(key, row);
		}
	}
	return found;
}

/** Nothing may be created on the word of an answer that does not fit the question. */
const notAsked = (context: ItemContext, option: string) =>
	apiError(
		context.caller.getNode(),
		`Corrigo answered the look-up for '${option}' with an order that was not asked for`,
		`Nothing was created. Turn '${option}' off if this Company does not answer such a search.`,
	);
