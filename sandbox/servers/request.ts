import { z } from 'zod';

import { refuse } from '../errors';
import type { RecordedRequest } from '../runtime/journal';
import { isJson, requestId, shape, type Json } from '../shapes';

const object = z.custom<Json>(isJson, 'an object is required');

export const commandRequest = shape({ RequestId: requestId, Command: object });

export const createRequest = shape({
	RequestId: requestId,
	EntityType: z.string().optional(),
	Entity: object,
	Properties: z.array(z.string()).optional(),
});

export const updateRequest = shape({
	RequestId: requestId,
	EntityType: z.string().optional(),
	Entity: object,
	Properties: z.array(z.string()),
});

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
