import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import { ValidationError } from '../protocol/checks';
import type { Reason } from '../protocol/verdict';
import { apiError } from '../transport/errors';
import type { TriggerContext } from './context';

export type Hints = Readonly<Record<Reason, string>>;

/**
 * What to do about a trigger that failed, and how it goes on. It has no time-out to raise, and no
 * values of its own.
 */
export const hintsFor = (goesOn: string): Hints => ({
	refused: `Check the entity, the properties, the filters and the conditions of this node. ${goesOn}`,
	session: `Check the Corrigo credential: 'Company Name', 'Region' and whether the client is still active. ${goesOn}`,
	busy: goesOn,
	unreadable: `Something between n8n and Corrigo, such as a proxy, may have answered in its place. ${goesOn}`,
	redirected: `Something between n8n and Corrigo, such as a proxy or a login page, may have answered in its place. ${goesOn}`,
	unreachable: `Check the network of n8n and whether Corrigo is available. ${goesOn}`,
	timeout: goesOn,
	lost: `Check the network of n8n. ${goesOn}`,
	cancelled: goesOn,
	failed: goesOn,
});

/** The kind of failure decides how n8n counts it. */
export function nodeError(
	caller: TriggerContext,
	failure: unknown,
	{ failed }: Hints,
): NodeApiError | NodeOperationError {
	if (failure instanceof NodeApiError || failure instanceof NodeOperationError) return failure;
	const { message } = failure as Error;
	if (failure instanceof ValidationError) {
		return new NodeOperationError(caller.getNode(), message, { description: failure.hint });
	}
	return apiError(caller.getNode(), message, failed);
}
