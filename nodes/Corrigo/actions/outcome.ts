import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { isCancelled } from '../transport/send';

/** What became of one input item. */
export type Outcome = { items: INodeExecutionData[] } | { failure: unknown };

type Work = () => Promise<INodeExecutionData[]>;

const settle = async (work: Work): Promise<Outcome> =>
	await work().then(
		(items) => ({ items }),
		(failure: unknown) => ({ failure }),
	);

/** What became of the items so far, by their index. */
export class Outcomes {
	readonly list: Outcome[] = [];
	private failed = false;

	constructor(private readonly caller: IExecuteFunctions) {}

	/** One item that fails does not decide about the others, unless the user wants it so. */
	async settle(item: number, work: Work): Promise<void> {
		this.list[item] = await settle(work);
		if ('failure' in this.list[item]) this.failed = true;
	}

	/** Nothing new is to be started: an item failed and that ends the run, or the run was stopped. */
	get areFinal(): boolean {
		return (this.failed && !this.caller.continueOnFail()) || isCancelled(this.caller);
	}
}
