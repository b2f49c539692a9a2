import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { letOthersRun } from '../transport/eventLoop';
import { isCancelled } from '../transport/send';
import type { ItemContext } from './context';

export type Outcome = Done | Failed;

interface Done {
	items: INodeExecutionData[];
	/** The writes of the item were skipped. */
	isDryRun?: true;
}

export interface Failed {
	failure: unknown;
	/** The run failed as a whole, so all items have this outcome. */
	isOfRun?: true;
	/** Something was or may have been written for the item despite the failure. */
	mayHaveWritten?: true;
	/** Description of the error before the run adds to it. */
	description?: string;
}

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
	async check({ index: item }: ItemContext, work: () => unknown): Promise<void> {
		await letOthersRun();
		if (this.list[item] !== undefined) return;
		try {
			await work();
		} catch (failure) {
			this.list[item] = { failure };
			this.failed = true;
		}
	}

	/** Other items continue unless the failure ends the run, which Continue On Fail prevents. */
	async run(
		context: ItemContext,
		/** Resolves to undefined if the item was not started. */
		work: () => Promise<INodeExecutionData[] | undefined>,
	): Promise<void> {
		const { index: item } = context;
		const outcome: Outcome | undefined =
			this.list[item] ??
			(await work().then(
				(items) => items && { items },
				(failure: unknown) => ({ failure }),
			));
		if (outcome === undefined) return;
		this.list[item] = outcome;
		if ('failure' in outcome) {
			this.failed = true;
			if (context.writes.mayHaveRun) outcome.mayHaveWritten = true;
		}
		const isToRemember =
			'items' in outcome ? context.writes.skipped.length === 0 : outcome.mayHaveWritten;
		if (isToRemember) this.before?.set(item, outcome);
	}

	/** No item starts after a failure that ends the run, or after the run was stopped. */
	get isOver(): boolean {
		return (this.failed && !this.caller.continueOnFail()) || isCancelled(this.caller);
	}
}
