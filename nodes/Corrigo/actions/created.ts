import type { INodeExecutionData } from 'n8n-workflow';

import type { JsonObject } from '../protocol/checks';
import { createRequest, getRequest } from '../protocol/requests';
import { itemOf, type Call } from './call';

/** Creates a record; the service answers with no more than which one it made. */
export async function created(
	call: Call,
	entity: string,
	fields: JsonObject,
): Promise<INodeExecutionData[]> {
	const specifier = await call.send(createRequest(entity, fields, call.requestId()));
	if (call.options.returnRecord !== true) return [itemOf(specifier)];
	return [itemOf((await call.send(getRequest(entity, specifier.Id, ['*']))) ?? specifier)];
}
