import {
	NodeApiError,
	NodeOperationError,
	type IHookFunctions,
	type IPollFunctions,
	type IWebhookFunctions,
} from 'n8n-workflow';

import { ValidationError } from '../values/errors';
import type { Reason } from '../wire/answers';
import { createApiError } from '../transport/errors';

/** The caller is the polling trigger, or the webhook trigger during a push or an activation. */
export type TriggerContext = IPollFunctions | IWebhookFunctions | IHookFunctions;

export type Advice = Readonly<Record<Reason, string>>;

/**
 * A failed trigger needs advice of its own, because it has neither a timeout to raise nor a value to
 * correct. `next` says how the trigger continues.
 */
export const buildAdvice = (next: string): Advice => ({
	refused: `Check the entity, the fields, the filters and the conditions of this node. ${next}`,
	session: `Check the Corrigo credential: 'Company Name', 'Region' and whether the client is still active. ${next}`,
	busy: next,
	unreadable: `Something between n8n and Corrigo, such as a proxy, may have answered instead. ${next}`,
	redirected: `Something between n8n and Corrigo, such as a proxy or a login page, may have answered instead. ${next}`,
	unreachable: `Check the network of n8n and whether Corrigo is available. ${next}`,
	timeout: next,
	lost: `Check the network of n8n. ${next}`,
	cancelled: next,
	failed: next,
});

/** n8n treats API errors and errors in the settings differently. */
export function toNodeError(
	caller: TriggerContext,
	failure: unknown,
	{ failed }: Advice,
): NodeApiError | NodeOperationError {
	if (failure instanceof NodeApiError || failure instanceof NodeOperationError) return failure;
	const { message, description = failed } = failure as Error & { description?: string };
	if (failure instanceof ValidationError) {
		return new NodeOperationError(caller.getNode(), message, { description: failure.advice });
	}
	return createApiError(caller.getNode(), message, description);
}
