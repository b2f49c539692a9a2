import type { INodeExecutionData } from 'n8n-workflow';

import type { Specifier } from '../../protocol/answers';
import type { JsonObject } from '../../protocol/checks';
import { createRequest, getRequest } from '../../protocol/requests';
import { itemOf, type Call } from '../call';

/** The service answers a write with no more than which record it wrote. */
export async function writeOutput(
	call: Call,
	entity: string,
	specifier: Specifier,
): Promise<INodeExecutionData[]> {
	const record = call.isOn('returnRecord')
		? await call.send(getRequest(entity, specifier.Id, ['*']))
		: undefined;
	return [itemOf(record ?? specifier)];
}

export const created = async (call: Call, entity: string, fields: JsonObject) =>
	await writeOutput(call, entity, await call.send(createRequest(entity, fields, call.requestId())));
