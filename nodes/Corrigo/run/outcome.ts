import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { isCancelled } from '../transport/send';
import type { PlannedWrites } from './preview/confirmation';
import type { ItemContext } from './context';

export type Outcome = Done | Failed;

export interface Done {
	items: INodeExecutionData[];
	/** The writes of the item were skipped. */
	isDryRun?: true;
	/** Writes that a dry run planned for the item. */
	planned?: PlannedWrites;
}

export interface Failed {
	failure: unknown;
	/** Something was or may have been written for the item despite the failure. */
	mayHaveWritten?: true;
	/** Description of the error before the run adds to it. */
	description?: string;
}

/** Resolves to undefined if the item was not started. */
type Work = () => Promise<INodeExecutionData[] | undefined>;

/** Outcomes by item index; an item that has not started has none. */
export class Outcomes {
	readonly list: Outcome[] = [];
	private failed = false;

	constructor(
		private readonly caller: IExecuteFunctions,
		/** Outcomes of an earlier try of this run. */
		private readonly before?: Map<number, Outcome>,
	) {
		before?.forEach((outcome, item) => (this.list[item] = outcome));
	}

	/** An item that fails its check is not run. */
	async check({ index: item }: ItemContext, work: () => Promise<void>): Promise<void> {
		if (this.list[item] !== undefined) return;
		await work().catch((failure: unknown) => {
			this.list[item] = { failure };
			this.failed = true;
		});
	}

	/** Other items continue unless the failure ends the run, which Continue On Fail prevents. */
	async run(context: ItemContext, work: Work): Promise<void> {
		const { index: item } = context;
		const outcome = this.list[item] ?? (await toOutcome(work));
		if (outcome === undefined) return;
		this.list[item] = outcome;
		if ('failure' in outcome) {
			this.failed = true;
			if (context.mayHaveWritten) outcome.mayHaveWritten = true;
		}
		const isToRemember =
			'items' in outcome ? context.skippedWrites.length === 0 : outcome.mayHaveWritten;
		if (isToRemember) this.before?.set(item, outcome);
	}

	/** No item starts after a failure that ends the run, or after the run was stopped. */
	get isOver(): boolean {
		return (this.failed && !this.caller.continueOnFail()) || isCancelled(this.caller);
	}
}

const toOutcome = async (work: Work): Promise<Outcome | undefined> =>
	await work().then(
		(items) => items && { items },
		(failure: unknown) => ({ failure }),
	);

const triesByInput = new WeakMap<INodeExecutionData[], Map<string, Map<number, Outcome>>>();

/**
 * Retry On Fail runs the whole node again, in the same process. n8n passes the same array of input
 * items on every try, so it identifies the run. Items that are finished or may have written
 * something are remembered as long as the array exists, because they must not run again.
 */
export function getEarlierOutcomes(caller: IExecuteFunctions): Map<number, Outcome> {
	const { name, retryOnFail } = caller.getNode();
	if (retryOnFail !== true) return new Map();
	const input = caller.getInputData();
	const runs = triesByInput.get(input) ?? new Map<string, Map<number, Outcome>>();
	triesByInput.set(input, runs);
	// Another node or a later iteration of a loop may receive the same array.
	const run = [
		caller.getExecutionId(),
		caller.evaluateExpression('{{ $runIndex }}', 0),
		name,
	].join();
	const before = runs.get(run) ?? new Map<number, Outcome>();
	runs.set(run, before);
	return before;
}
