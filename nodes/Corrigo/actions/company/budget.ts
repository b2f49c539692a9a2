import type { IHttpRequestOptions, IN8nHttpFullResponse } from 'n8n-workflow';

import { RENEW_MARKER } from '../../session/session';
import { send, type Caller } from '../../transport/send';

/** A renewal also requests a token and the host of the Company. */
export const LOGIN_REQUESTS = 2;

/** Replaces `send` with a function that repeats at most `repeatsLeft` requests in total. */
export function limitRepeats(repeatsLeft: number): typeof send {
	/** When no repeats are left, `send` gets the same answer again until it gives up. */
	function limitCaller(caller: Caller): Caller {
		let answer: Promise<IN8nHttpFullResponse> | undefined;
		const httpRequestWithAuthentication = async (
			credential: string,
			request: IHttpRequestOptions,
		): Promise<IN8nHttpFullResponse> => {
			const cost = request.headers?.[RENEW_MARKER] === undefined ? 1 : LOGIN_REQUESTS + 1;
			if (answer !== undefined) {
				if (cost > repeatsLeft) return removeRetryDelay(await answer);
				repeatsLeft -= cost;
			}
			answer = caller.helpers.httpRequestWithAuthentication.call(
				caller,
				credential,
				request,
			) as Promise<IN8nHttpFullResponse>;
			return await answer;
		};
		return Object.assign(Object.create(caller) as Caller, {
			helpers: { ...caller.helpers, httpRequestWithAuthentication },
		});
	}
	return async (caller, request, options) => await send(limitCaller(caller), request, options);
}

const removeRetryDelay = (answer: IN8nHttpFullResponse): IN8nHttpFullResponse => ({
	...answer,
	headers: { ...answer.headers, 'retry-after': '0' },
});
