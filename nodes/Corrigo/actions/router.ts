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
import { Call } from './call';
import { settle, type Outcome } from './outcome';
import { operationNamed } from './registry';

/** The one loop over input items, for every operation there is. */
export async function router(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	const operation = operationNamed(
		this.getNodeParameter('resource', 0) as string,
		this.getNodeParameter('operation', 0) as string,
	);
	const calls = this.getInputData().map((_, item) => new Call(this, item));
	const output: INodeExecutionData[] = [];

	if ('all' in operation) {
		const outcomes = await operation.all(calls);
		outcomes.forEach((outcome, item) => deliver(this, item, outcome, output));
	} else {
		for (const call of calls) {
			deliver(this, call.item, await settle(async () => await operation.each(call)), output);
		}
	}
	return [output];
}

function deliver(
	caller: IExecuteFunctions,
	item: number,
	outcome: Outcome,
	output: INodeExecutionData[],
): void {
	if ('items' in outcome) {
		for (const one of outcome.items) output.push({ ...one, pairedItem: { item } });
		return;
	}
	const error = nodeError(caller, item, outcome.failure);
	if (!caller.continueOnFail() || isCancelled(caller)) throw error;
	output.push({ json: errorJson(error), pairedItem: { item } });
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
