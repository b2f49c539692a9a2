import { NodeOperationError, type INodeExecutionData, type IPollFunctions } from 'n8n-workflow';

import type { Plan, Service, Warn } from './plan';
import { loadPlan } from './triggerForm';
import {
	buildAdvice,
	toNodeError,
	createDeadline,
	createService,
	fetchRecentItems,
} from './service';
import { getState, watchEmit } from './state';
import { logWarning } from '../transport/log';

const NEXT_POLL = 'The next poll goes on from the same place.';
const ADVICE = {
	...buildAdvice(NEXT_POLL),
	timeout: `Lower 'Batch Size' if this happens again. ${NEXT_POLL}`,
};

/** Older versions of n8n set no time budget for a poll, so this one applies. */
const DEFAULT_BUDGET_MS = 5 * 60_000;

/**
 * n8n creates one object per activation and passes it to every poll, so it identifies the
 * activation.
 */
const polledBefore = new WeakSet<IPollFunctions>();

export async function poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const isFirst = !polledBefore.has(this);
	polledBefore.add(this);
	if (isFirst) watchEmit(this);
	return await pollItems(this, isFirst).catch((failure: unknown) => {
		const error = toNodeError(this, failure, ADVICE);
		if (!isFirst || !isUnattended(this)) throw error;
		createWarn(this)(`The first poll failed: ${error.message}. ${NEXT_POLL}`);
		return null;
	});
}

/**
 * Returns whether n8n activated the workflow by itself: when it starts, takes over from another
 * process, or repairs an activation (mode 'update'). If the first poll fails then, n8n retries a
 * few times and gives up the trigger for good, even if the cause is gone later, and nobody notices.
 * n8n's durable scheduler also polls in mode 'update', but with a shorter budget.
 */
function isUnattended(caller: IPollFunctions): boolean {
	const activation = caller.getActivationMode();
	if (activation !== 'update') return activation === 'init' || activation === 'leadershipChange';
	return !isScheduled(caller) && getState(caller).feed !== undefined;
}

/**
 * Returns whether n8n's durable scheduler polls. It discards what a poll returns if another process
 * has taken over the poll or the workflow was unpublished meanwhile.
 */
const isScheduled = (caller: IPollFunctions) => getBudget(caller) !== DEFAULT_BUDGET_MS;

const getBudget = (caller: IPollFunctions) =>
	(caller as Partial<IPollFunctions>).getPollBudgetMs?.() ?? DEFAULT_BUDGET_MS;

const createWarn =
	(caller: IPollFunctions): Warn =>
	(message) =>
		logWarning(caller, `${message} (${caller.getNode().name})`);

async function pollItems(
	caller: IPollFunctions,
	isFirst: boolean,
): Promise<INodeExecutionData[][] | null> {
	const deadline = createDeadline(getBudget(caller));
	// Read once: n8n starts a virtual machine for the expressions of a credential each time.
	const credentials = await caller.getCredentials('corrigoApi');
	const plan = await loadPlan(caller, credentials, deadline.at);
	const service = createService(caller, plan, { credentials, deadline, advice: ADVICE });
	if (caller.getMode() === 'manual') return [await fetchExamples(caller, plan, service)];
	return await plan.strategy.watch(plan, {
		caller,
		credentials,
		service,
		warn: createWarn(caller),
		// Each poll of the durable scheduler has an object of its own.
		...(isScheduled(caller) ? { mayDiscard: true } : { activation: caller }),
		isStored: isFirst && !isScheduled(caller),
	});
}

/** Returns items for a manual test as the workflow would get them. The cursor does not move. */
async function fetchExamples(
	caller: IPollFunctions,
	plan: Plan,
	service: Service,
): Promise<INodeExecutionData[]> {
	const feed = (await plan.strategy.narrowExamples?.(plan.feed, service)) ?? plan.feed;
	const items = await fetchRecentItems({ ...plan, feed }, service);
	if (items.length > 0) return items;
	throw new NodeOperationError(caller.getNode(), 'No matching events found', {
		description:
			'No recent change in Corrigo matches this node. Make one or choose other filters, and try again. A published workflow starts as soon as there is a match.',
	});
}
