import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { isCancelled } from '../transport/send';
import type { Planned } from './confirmation';
import type { ItemContext } from './context';

export type Outcome = Done | Failed;

export interface Done {
	items: INodeExecutionData[];
	/** Nothing was carried out. */
	isDryRun?: true;
	/** The writes that a dry run has planned for an item. */
	planned?: Planned;
}

export interface Failed {
	failure: unknown;
	/** Something was written on its behalf all the same, or may have been. */
	mayHaveWritten?: true;
	/** How the failure describes itself, before the run has its say. */
	description?: string;
}

/** Nothing where the item was not begun. */
type Work = () => Promise<INodeExecutionData[] | undefined>;

/** Outcomes by the index of their items; items that have not started are left out. */
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

	/** One item that fails does not decide about the others, unless the user wants it so. */
	async run(context: ItemContext, work: Work): Promise<void> {
		const { index: item } = context;
		const outcome = this.list[item] ?? (await outcomeOf(work));
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

	/** Nothing new is to be started: an item failed and that ends the run, or the run was stopped. */
	get isOver(): boolean {
		return (this.failed && !this.caller.continueOnFail()) || isCancelled(this.caller);
	}
}

const outcomeOf = async (work: Work): Promise<Outcome | undefined> =>
	await work().then(
		(items) => items && { items },
		(failure: unknown) => ({ failure }),
	);

const triesOf = new WeakMap<INodeExecutionData[], Map<string, Map<number, Outcome>>>();

/**
 * With n8n's Retry On Fail the whole node runs again, in the same process and with the same array of
 * input items. By it is remembered what must not be done a second time: items that are finished, and
 * those of which something may have been written. The memory ends with the array.
 */
export function outcomesOfEarlierTries(caller: IExecuteFunctions): Map<number, Outcome> {
	const { name, retryOnFail } = caller.getNode();
	if (retryOnFail !== true) return new Map();
	const input = caller.getInputData();
	const runs = triesOf.get(input) ?? new Map<string, Map<number, Outcome>>();
	triesOf.set(input, runs);
	// Another node may be given the same array, and so may a later round of a loop.
	const run = [
		caller.getExecutionId(),
		caller.evaluateExpression('{{ $runIndex }}', 0),
		name,
	].join();
	const before = runs.get(run) ?? new Map<number, Outcome>();
	runs.set(run, before);
	return before;
}
