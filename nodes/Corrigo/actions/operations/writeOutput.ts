import type { INodeExecutionData } from 'n8n-workflow';

import type { Specifier } from '../../protocol/answers';
import type { JsonObject } from '../../protocol/checks';
import { createRequest, getRequest } from '../../protocol/requests';
import { itemOf, type Call } from '../../run/context';

/** The service answers a write with no more than which record it wrote. */
export async function writeOutput(
	call: Call,
	entity: string,
	specifier: Specifier,
): Promise<INodeExecutionData[]> {
	const isWanted = call.isOn('returnRecord') && !call.isDryRun;
	return [itemOf((isWanted && (await recordWritten(call, entity, specifier))) || specifier)];
}

/** What was written stays written, even if it cannot be read. */
async function recordWritten(call: Call, entity: string, { Id }: Specifier) {
	const record = await call.send(getRequest(entity, Id, ['*'])).catch(() => null);
	if (record === null) {
		call.run.hint(
			'Some records were written, but could not be read afterwards: only their IDs are returned.',
		);
	}
	return record;
}

export const created = async (call: Call, entity: string, fields: JsonObject) =>
	await writeOutput(call, entity, await call.send(createRequest(entity, fields, call.requestId())));
