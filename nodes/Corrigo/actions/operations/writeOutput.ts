import type { INodeExecutionData } from 'n8n-workflow';

import { optionsField } from '../../form/options';
import { writtenProperties, writeOutputField } from '../../form/output';
import type { Specifier } from '../../protocol/answers';
import { getRequest } from '../../protocol/requests';
import { itemOf, type ItemContext } from '../../run/context';

/** The fields with which the form of a write ends. */
export const writeFields = [
	writeOutputField,
	optionsField('dryRun', 'parallelRequests', 'requestId', 'returnRecord', 'timeout'),
];

/**
 * Makes the output of a write: the service answers with no more than which record it wrote. The form is
 * read before anything is sent.
 */
export function outputOfWrite(context: ItemContext, entity: string) {
	const properties = writtenProperties(context, entity);
	const returnsRecord = context.isOn('returnRecord');
	return async (specifier: Specifier): Promise<INodeExecutionData[]> => {
		const record = returnsRecord
			? await context.afterWrite(
					async () => await readWritten(context, entity, specifier, properties),
				)
			: undefined;
		return [itemOf(record ?? specifier)];
	};
}

/** The item does not fail if its record cannot be read: the record was written. */
async function readWritten(
	context: ItemContext,
	entity: string,
	{ Id }: Specifier,
	properties: string[],
) {
	const record = await context.send(getRequest(entity, Id, properties)).catch(() => null);
	if (record === null) {
		context.run.hint(
			'Some records were written, but could not be read afterwards: only their IDs are returned.',
		);
	}
	return record;
}
