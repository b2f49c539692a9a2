import type { Requester } from '../../records/query';
import type { ItemContext } from '../../run/context';
import { isReadOnlyAccess, readLocatorUrl } from '../../session/credential';
import { send, type SendOptions } from '../../transport/send';
import type { JsonObject } from '../../values/objects';
import {
	buildDiscoveryRequest,
	buildQueryRequest,
	type QueryExpression,
} from '../../wire/requests';

export async function discover(
	{ caller, sendOptions }: Requester,
	options: SendOptions | undefined = sendOptions,
): Promise<JsonObject> {
	const credentials = await caller.getCredentials('corrigoApi');
	const request = buildDiscoveryRequest(String(credentials.companyName).trim());
	const baseUrl = readLocatorUrl(credentials);
	return (await send(caller, request, { ...options, baseUrl })).CommandResult;
}

/** The form promises that *Check Access* sends no more requests than these, not counting logins. */
export const MAX_CHECK_REQUESTS = 40;

/** The checks need 36 requests if none has to be sent again. */
const MAX_REPEATS = MAX_CHECK_REQUESTS - 36;

export type Probe = Awaited<ReturnType<typeof createProbe>>;

/** The checks of a run share their answers, so no request is sent twice. */
export async function createProbe(context: ItemContext) {
	const credentials = await context.caller.getCredentials('corrigoApi');
	// A limit on repeats keeps the promised number of requests, whatever fails.
	const options = { ...context.sendOptions, extraRequests: { left: MAX_REPEATS } };
	const answers = new Map<string, Promise<unknown>>();
	const askOnce = async <T>(question: string, ask: () => Promise<T>): Promise<T> => {
		if (!answers.has(question)) answers.set(question, ask());
		return await (answers.get(question) as Promise<T>);
	};
	const query = async (entity: string, expression: Partial<QueryExpression> = {}) => {
		const defaults = { PropertySet: { Properties: ['Id'] }, Count: 1, FirstResultIndex: 0 };
		const request = buildQueryRequest(entity, { ...defaults, ...expression });
		return await send(context.caller, request, options);
	};
	return {
		isReadOnly: isReadOnlyAccess(credentials),
		/** `ahead` is the lead of Corrigo's clock in milliseconds, if the answer has a date. */
		loadDiscovery: () =>
			askOnce('discovery', async () => {
				const company = await discover(context, options);
				const { latest } = context.run.clock;
				return { company, ahead: latest === undefined ? undefined : latest - Date.now() };
			}),
		loadRows: (entity: string, expression: Partial<QueryExpression>) =>
			askOnce(JSON.stringify([entity, expression]), () => query(entity, expression)),
		measureDuration: async (entity: string) => {
			const start = performance.now();
			await query(entity);
			return performance.now() - start;
		},
	};
}
