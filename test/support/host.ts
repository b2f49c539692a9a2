/**
 * The only import of n8n-core, and the only module that knows the differences of its versions. The
 * types are those of the newest n8n; the oldest replaces it at run time.
 */
import { ExecuteContext } from 'n8n-core';
import { version } from 'n8n-core/package.json';
import * as n8nWorkflow from 'n8n-workflow';
import type {
	ICredentialDataDecryptedObject,
	IHttpRequestHelper,
	IHttpRequestOptions,
	Logger,
	Workflow,
} from 'n8n-workflow';

export {
	ActiveWorkflowTriggers,
	BinaryDataService,
	ExecuteContext,
	ExecutionLifecycleHooks,
	ExternalSecretsProxy,
	HookContext,
	LoadOptionsContext,
	PollContext,
	PollTriggerExecutor,
	RoutingNode,
	Tracing,
	TriggersAndPollers,
	WebhookContext,
	WorkflowExecute,
} from 'n8n-core';

/** Version of n8n-core, for the few expectations that depend on it. */
export const HOST_VERSION: string = version;

/** Where both versions run generated cases, each runs half of them: that with 0 or that with 1. */
export const HOST_HALF = HOST_VERSION.startsWith('2.0.') ? 0 : 1;

/** Marks members as optional that n8n 2.0 lacks. */
type Newer<T, K extends keyof T> = Omit<T, K> & Partial<Pick<T, K>>;

const { getCredentialOwnRequestAllowedDomains: allowedDomainsOf } = n8nWorkflow as Newer<
	typeof n8nWorkflow,
	'getCredentialOwnRequestAllowedDomains'
>;

/** Newer hosts limit the requests of `preAuthentication` to the domains that the credential allows. */
export function restrictToCredentialDomains(
	{ helpers }: IHttpRequestHelper,
	credentials: ICredentialDataDecryptedObject,
): IHttpRequestHelper {
	const allowedDomains = allowedDomainsOf?.(credentials);
	const httpRequest = async (request: IHttpRequestOptions): Promise<unknown> =>
		await helpers.httpRequest(
			allowedDomains === undefined ? request : { ...request, allowedDomains },
		);
	return { helpers: { httpRequest } };
}

/** Evaluates expressions in the isolated VM, with the settings that newer hosts have by default. */
export async function startExpressionEngine(): Promise<void> {
	await n8nWorkflow.Expression.initExpressionEngine({
		engine: 'vm',
		poolSize: 1,
		maxCodeCacheSize: 1024,
		bridgeTimeout: 5000,
		bridgeMemoryLimit: 128,
	});
}

export async function stopExpressionEngine(): Promise<void> {
	await n8nWorkflow.Expression.disposeExpressionEngine();
	n8nWorkflow.Expression.setExpressionEngine('legacy');
}

/** Newer hosts may evaluate expressions in an isolate, which has to be acquired and released. */
export async function withExpressions<T>(
	{
		expression,
	}: { expression: Newer<Workflow['expression'], 'acquireIsolate' | 'releaseIsolate'> },
	work: () => Promise<T>,
): Promise<T> {
	await expression.acquireIsolate?.();
	try {
		return await work();
	} finally {
		await expression.releaseIsolate?.();
	}
}

function createLog() {
	const warnings: string[] = [];
	const ignore = () => {};
	const warn = (text: string) => warnings.push(text);
	const logger = { error: ignore, warn, info: ignore, debug: ignore } satisfies Logger;
	return { logger, warnings };
}

/** Collects the warnings that all nodes of executions write to the log of n8n, until it is restored. */
export function watchLog() {
	const { logger, warnings } = createLog();
	let owner: object = ExecuteContext.prototype;
	while (!Object.hasOwn(owner, 'logger')) owner = Object.getPrototypeOf(owner) as object;
	const spy = jest.spyOn(owner as { logger: Logger }, 'logger', 'get').mockReturnValue(logger);
	return { warnings, restore: () => spy.mockRestore() };
}

/** Returns the warnings that a node writes to the log of n8n from now on. */
export function collectWarnings(context: object): string[] {
	const { logger, warnings } = createLog();
	// The context caches its logger on first use.
	Object.defineProperty(context, 'logger', { value: logger });
	return warnings;
}
