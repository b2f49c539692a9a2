import {
	NodeApiError,
	NodeOperationError,
	type IDataObject,
	type IExecuteFunctions,
	type INodeExecutionData,
} from 'n8n-workflow';

import { Refusal } from '../protocol/checks';
import { ownWords } from '../transport/errors';
import { isCancelled } from '../transport/send';
import { Run, USUAL_READS, type Call } from './call';
import { inLanes, Turns } from './lanes';
import { Outcomes, type Outcome } from './outcome';
import { operationNamed } from './registry';
import type { EachOperation } from './operations/operation';

/** The one loop over input items, for every operation there is. */
export async function router(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const operation = operationNamed(
		this.getNodeParameter('resource', 0) as string,
		this.getNodeParameter('operation', 0) as string,
	);
	const { calls } = new Run(this);
	if (calls.length === 0) return [[]];
	const work = 'all' in operation ? operation.all(calls) : eachOf(operation, calls);
	const outcomes = await work.catch((failure: unknown) => calls.map(() => ({ failure })));

	const output: INodeExecutionData[] = [];
	outcomes.forEach((outcome, item) => deliver(this, item, outcome, output));
	return [output];
}

/** Reads go a few at a time. Writes do only when asked to, and those to one record never do. */
async function eachOf({ each, reads, changes }: EachOperation, calls: Call[]): Promise<Outcome[]> {
	const outcomes = new Outcomes(calls[0].caller);
	const oneByOne = new Turns();
	const work = async (call: Call) => (outcomes.areFinal ? [] : await each(call));
	await inLanes(
		calls.length,
		calls[0].lanes(reads ? USUAL_READS : 1),
		async (item) => {
			const call = calls[item];
			await outcomes.settle(item, async () =>
				changes === undefined
					? await work(call)
					: await oneByOne.take(changes(call), async () => await work(call)),
			);
		},
		() => outcomes.areFinal,
	);
	return outcomes.list;
}

function deliver(
	caller: IExecuteFunctions,
	item: number,
	outcome: Outcome,
	output: INodeExecutionData[],
): void {
	const pairedItem = { item };
	if ('items' in outcome) {
		for (const one of outcome.items) {
			one.pairedItem = pairedItem;
			output.push(one);
		}
		return;
	}
	const error = nodeError(caller, item, outcome.failure);
	if (!caller.continueOnFail() || isCancelled(caller)) throw error;
	output.push({ json: errorJson(error), pairedItem });
}

function nodeError(
	caller: IExecuteFunctions,
	itemIndex: number,
	failure: unknown,
): NodeApiError | NodeOperationError {
	if (failure instanceof NodeApiError || failure instanceof NodeOperationError) {
		failure.context.itemIndex ??= itemIndex;
		return failure;
	}
	const description = failure instanceof Refusal ? failure.hint : undefined;
	const error = new NodeOperationError(caller.getNode(), failure as Error, {
		itemIndex,
		description,
	});
	error.message = ownWords((failure as Error).message);
	return error;
}

/** Exactly these two keys: with others, older hosts send the item to the success output. */
const errorJson = ({ message, description }: NodeApiError | NodeOperationError): IDataObject => ({
	error: message,
	message: description || message,
});
