import type { INodeExecutionData } from 'n8n-workflow';

import { optionsField } from '../../form/options';
import type { Specifier } from '../../protocol/answers';
import { getRequest } from '../../protocol/requests';
import { itemOf, type ItemContext } from '../../run/context';

export const writeOptions = optionsField(
	'dryRun',
	'parallelRequests',
	'requestId',
	'returnRecord',
	'timeout',
);

/** The service answers a write with no more than which record it wrote. */
export async function writeOutput(
	context: ItemContext,
	entity: string,
	specifier: Specifier,
): Promise<INodeExecutionData[]> {
	const record = context.isOn('returnRecord')
		? await context.afterWrite(async () => await recordWritten(context, entity, specifier))
		: undefined;
	return [itemOf(record ?? specifier)];
}

/** The item does not fail if its record cannot be read: the record was written. */
async function recordWritten(context: ItemContext, entity: string, { Id }: Specifier) {
	const record = await context.send(getRequest(entity, Id, ['*'])).catch(() => null);
	if (record === null) {
		context.run.hint(
			'Some records were written, but could not be read afterwards: only their IDs are returned.',
		);
	}
	return record;
}
