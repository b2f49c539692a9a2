import { z } from 'zod';

import { refuse } from '../errors';
import type { RecordedRequest } from '../runtime/journal';
import { isJson, request, requestId, type Json } from '../shapes';

const object = z.custom<Json>(isJson, 'an object is required');

export const commandRequest = request((shapeOf) =>
	shapeOf({ RequestId: requestId, Command: object }),
);

const properties = z.array(z.string());

const entityRequest = <Properties extends z.ZodTypeAny>(Properties: Properties) =>
	request((shapeOf) =>
		shapeOf({
			RequestId: requestId,
			EntityType: z.string().optional(),
			Entity: object,
			Properties,
		}),
	);

export const createRequest = entityRequest(properties.optional());

export const updateRequest = entityRequest(properties);

export const echo = (RequestId: string | undefined): Json =>
	RequestId === undefined ? {} : { RequestId };

/** The body of a request, once it is known to be one. */
export function jsonBody({ rawBody, body, headers }: RecordedRequest): unknown {
	if (rawBody.trim() === '') {
		return refuse('EMPTY_INPUT_PARAMETER', 'The body of the request is empty.');
	}
	if (!/^application\/json\b/i.test(headers['content-type'] ?? '')) {
		return refuse('DATA_PARSING_ERROR', 'Content-Type must be application/json.');
	}
	if (typeof body === 'string' && !rawBody.trim().startsWith('"')) {
		return refuse('DATA_PARSING_ERROR', 'The body of the request is not valid JSON.');
	}
	return body;
}
