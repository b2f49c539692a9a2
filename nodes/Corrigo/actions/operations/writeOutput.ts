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

/** Every form of a write ends with these fields. */
export const writeFieldsOn = (...[entity, ...options]: Parameters<typeof writeOptionsOn>) => [
	writeOutputField,
	writeOptionsOn(entity, 'requestId', 'returnRecord', ...options),
];

export const writeFields = writeFieldsOn(undefined);

/** Forms that change a record can also return it as it was before. */
export const updateFields = writeFieldsOn(undefined, 'returnBefore');

/** The output needs these properties of an existing record, so they are read before the write. */
export const outputPaths = (context: ItemContext, entity: string, written: readonly string[]) => [
	...(context.isDryRun ? namePaths(entity, written) : []),
	...(context.isOn('returnRecord') ? writtenProperties(context, entity) : []),
];

/**
 * Corrigo answers a write with little more than an ID, so the output is built from the written
 * members, or the record is read again. The form is read before anything is sent.
 */
export function outputOfWrite(context: ItemContext, entity: string) {
	const properties = writtenProperties(context, entity);
	const raw = isRaw(context);
	const returnsRecord = context.isOn('returnRecord');
	return async (
		specifier: Specifier,
		written: JsonObject,
		/** Saves a request if the record has already been read. */
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

/** The record was written, so the item does not fail if it cannot be read. */
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
