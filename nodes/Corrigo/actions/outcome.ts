import type { INodeExecutionData } from 'n8n-workflow';

/** What became of one input item. */
export type Outcome = { items: INodeExecutionData[] } | { failure: unknown };

/** One item that fails must not decide about the others here: that is the user's choice. */
export async function settle(work: () => Promise<INodeExecutionData[]>): Promise<Outcome> {
	return await work().then(
		(items) => ({ items }),
		(failure: unknown) => ({ failure }),
	);
}
