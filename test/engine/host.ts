/**
 * The only import of n8n-core, and the only place that knows where its versions differ. The types
 * are those of the newest n8n; the oldest takes its place at run time.
 */
import { rmSync } from 'node:fs';

import {
	ExecuteContext,
	ExecutionLifecycleHooks,
	ExternalSecretsProxy,
	HookContext,
	LoadOptionsContext,
	PollContext,
	RoutingNode,
	WebhookContext,
	WorkflowExecute,
} from 'n8n-core';
import { version } from 'n8n-core/package.json';
import * as n8nWorkflow from 'n8n-workflow';
import type {
	ICredentialDataDecryptedObject,
	IHttpRequestHelper,
	IHttpRequestOptions,
	Workflow,
} from 'n8n-workflow';

export {
	ExecuteContext,
	ExecutionLifecycleHooks,
	ExternalSecretsProxy,
	HookContext,
	LoadOptionsContext,
	PollContext,
	RoutingNode,
	WebhookContext,
	WorkflowExecute,
};

/** For the few expectations that hold for one version only. */
export const HOST_VERSION: string = version;

// Named in setup.ts, where no hook can be set, and made by n8n when it first needs it.
afterAll(() => rmSync(String(process.env.N8N_USER_FOLDER), { recursive: true, force: true }));

/** What n8n 2.0 lacks. */
type Newer<T, K extends keyof T> = Omit<T, K> & Partial<Pick<T, K>>;

const { getCredentialOwnRequestAllowedDomains: allowedDomainsOf } = n8nWorkflow as Newer<
	typeof n8nWorkflow,
	'getCredentialOwnRequestAllowedDomains'
>;

/** Newer hosts bind the requests of `preAuthentication` to the domains the credential allows. */
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

/** Newer hosts may evaluate expressions in an isolate that has to be taken and given back. */
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
