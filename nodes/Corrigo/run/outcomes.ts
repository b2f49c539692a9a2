import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { letOthersRun } from '../transport/concurrency';
import { isCancelled } from '../transport/send';
import type { ItemWrites } from './writes';

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

/** Ends an item that would need an answer of the service after the run is over. */
export class RunIsOver extends Error {}

interface Item {
	readonly index: number;
	readonly writes: Pick<ItemWrites, 'mayHaveRun' | 'skipped'>;
}

/** Outcomes by item index; an item that has not started has none. */
export class Outcomes {
	readonly list: Outcome[] = [];
	private failed = false;

	private before?: Map<number, Outcome>;

	constructor(private readonly caller: IExecuteFunctions) {}

	/** Takes over the outcomes of an earlier try of this run, and remembers more of them there. */
	continue(before: Map<number, Outcome>): void {
		this.before = before;
		before.forEach((outcome, item) => (this.list[item] = outcome));
	}

	/** An item that fails its check is not run. */
	async check({ index: item }: Item, work: () => unknown): Promise<void> {
		await letOthersRun();
		if (this.list[item] !== undefined) return;
		try {
			await work();
		} catch (failure) {
			if (failure instanceof RunIsOver) return;
			this.list[item] = { failure };
			this.failed = true;
		}
	}

	/** Other items continue unless the failure ends the run, which Continue On Fail prevents. */
	async run(
		item: Item,
		/** Gives undefined if the item was not started. */
		work: () => Promise<INodeExecutionData[] | undefined>,
	): Promise<void> {
		this.note(item, this.list[item.index] ?? (await settle(work)));
	}

	private note({ index: item, writes }: Item, outcome: Outcome | undefined): void {
		if (outcome === undefined) return;
		this.list[item] = outcome;
		if ('failure' in outcome) {
			this.failed = true;
			if (writes.mayHaveRun) outcome.mayHaveWritten = true;
		}
		const isToRemember = 'items' in outcome ? writes.skipped.length === 0 : outcome.mayHaveWritten;
		if (isToRemember) this.before?.set(item, outcome);
	}

	/** No item starts after a failure that ends the run, or after the run was stopped. */
	get isOver(): boolean {
		return (this.failed && !this.caller.continueOnFail()) || isCancelled(this.caller);
	}
}

async function settle(
	work: () => Promise<INodeExecutionData[] | undefined>,
): Promise<Outcome | undefined> {
	try {
		const items = await work();
		return items && { items };
	} catch (failure) {
		return failure instanceof RunIsOver ? undefined : { failure };
	}
}
