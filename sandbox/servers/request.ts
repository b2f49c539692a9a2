import { z } from 'zod';

import { fail } from '../errors';
import type { RecordedRequest } from '../runtime/journal';
import { isJsonObject, requestShapes, requestId, type Json } from '../shapes';

const jsonObject = z.custom<Json>(isJsonObject, 'an object is required');

export const commandRequest = requestShapes((shapeOf) =>
	shapeOf({ RequestId: requestId, Command: jsonObject }),
);

const properties = z.array(z.string());

const entityRequest = <Properties extends z.ZodTypeAny>(Properties: Properties) =>
	requestShapes((shapeOf) =>
		shapeOf({
			RequestId: requestId,
			EntityType: z.string().optional(),
			Entity: jsonObject,
			Properties,
		}),
	);

export const createRequest = entityRequest(properties.optional());

export const updateRequest = entityRequest(properties);

export const echoRequestId = (RequestId: string | undefined): Json =>
	RequestId === undefined ? {} : { RequestId };

/** Rejects a body that is empty or not JSON. */
export function jsonBody({ rawBody, body, headers }: RecordedRequest): unknown {
	if (rawBody.trim() === '') {
		return fail('EMPTY_INPUT_PARAMETER', 'The body of the request is empty.');
	}
	if (!/^application\/json\b/i.test(headers['content-type'] ?? '')) {
		return fail('DATA_PARSING_ERROR', 'Content-Type must be application/json.');
	}
	if (typeof body === 'string' && !rawBody.trim().startsWith('"')) {
		return fail('DATA_PARSING_ERROR', 'The body of the request is not valid JSON.');
	}
	return body;
}
