import type { INodeExecutionData } from 'n8n-workflow';

import { writeOptionsOn } from '../../form/options';
import { isRaw, writtenProperties, writeOutputField } from '../../form/output';
import type { Specifier } from '../../protocol/answers';
import type { JsonObject } from '../../protocol/checks';
import { namePaths } from '../../protocol/knownNames';
import { getRequest } from '../../protocol/requests';
import { writtenRecord } from '../../protocol/withNames';
import { itemOf, type ItemContext } from '../../run/context';
import { knownNamesIn } from '../../run/resolve';

/** The fields with which the form of a write ends. */
export const writeFieldsOn = (...[entity, ...options]: Parameters<typeof writeOptionsOn>) => [
	writeOutputField,
	writeOptionsOn(entity, 'requestId', 'returnRecord', ...options),
];

export const writeFields = writeFieldsOn(undefined);

/** The fields with which the form of a write that changes a record ends. */
export const updateFields = writeFieldsOn(undefined, 'returnBefore');

/** The properties that the output takes from a record that is there before a write of some properties. */
export const outputPaths = (context: ItemContext, entity: string, written: readonly string[]) => [
	...(context.isDryRun ? namePaths(entity, written) : []),
	...(context.isOn('returnRecord') ? writtenProperties(context, entity) : []),
];

/**
 * Makes the output of a write of these members: the service answers with no more than which record it
 * wrote. The form is read before anything is sent.
 */
export function outputOfWrite(context: ItemContext, entity: string) {
	const properties = writtenProperties(context, entity);
	const raw = isRaw(context);
	const returnsRecord = context.isOn('returnRecord');
	return async (
		specifier: Specifier,
		written: JsonObject,
		/** The record, where it has been read already. */
		record?: JsonObject,
	): Promise<INodeExecutionData[]> => {
		const read = returnsRecord
			? (record ??
				(await context.afterWrite(
					async () => await readWritten(context, entity, specifier, properties),
				)))
			: undefined;
		const { nameOf } = knownNamesIn(context);
		const answer = raw ? specifier : writtenRecord(entity, specifier, written, nameOf);
		return [itemOf(read ?? answer)];
	};
}

export const specifierIn = (entity: string, { Id, ConcurrencyId }: JsonObject) => ({
	EntityType: entity,
	Id: Number(Id),
	...(ConcurrencyId === undefined ? {} : { ConcurrencyId: Number(ConcurrencyId) }),
});

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
