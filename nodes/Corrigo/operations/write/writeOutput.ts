import type { INodeExecutionData } from 'n8n-workflow';

import { buildOptions, WRITE_OPTIONS, type OptionName } from '../../form/options';
import { isRaw, readWrittenProperties, writeOutputField } from '../../form/form';
import type { Specifier } from '../../wire/answers';
import type { JsonObject } from '../../values/checks';
import { getNamePaths, buildWrittenRecord } from '../../records/names';
import { buildGetRequest } from '../../wire/requests';
import { toItem, type ItemContext } from '../../run/context';
import { getKnownNames } from '../../run/resolve';

/** Every form of a write ends with these fields. */
export const getWriteFields = (entity: string | undefined, ...options: OptionName[]) => [
	writeOutputField,
	buildOptions([...WRITE_OPTIONS, 'requestId', 'returnRecord', ...options], entity),
];

export const writeFields = getWriteFields(undefined);

/** Forms that change a record can also return it as it was before. */
export const updateFields = getWriteFields(undefined, 'returnBefore');

/** The output needs these properties of an existing record, so they are read before the write. */
export const getOutputPaths = (
	context: ItemContext,
	entity: string,
	written: readonly string[],
) => [
	...(context.isDryRun ? getNamePaths(entity, written) : []),
	...(context.isOn('returnRecord') ? readWrittenProperties(context, entity) : []),
];

/**
 * Corrigo answers a write with little more than an ID, so the output is built from the written
 * members, or the record is read again. The form is read before anything is sent.
 */
export function createOutputBuilder(context: ItemContext, entity: string) {
	const properties = readWrittenProperties(context, entity);
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
				(await context.readAfterWrite(
					async () => await fetchWritten(context, entity, specifier, properties),
				)))
			: undefined;
		const { getName } = getKnownNames(context);
		const answer = raw ? specifier : buildWrittenRecord(entity, specifier, written, getName);
		return [toItem(read ?? answer)];
	};
}

export const toSpecifier = (entity: string, { Id, ConcurrencyId }: JsonObject) => ({
	EntityType: entity,
	Id: Number(Id),
	...(ConcurrencyId === undefined ? {} : { ConcurrencyId: Number(ConcurrencyId) }),
});

/** The record was written, so the item does not fail if it cannot be read. */
async function fetchWritten(
	context: ItemContext,
	entity: string,
	{ Id }: Specifier,
	properties: string[],
) {
	const record = await context.send(buildGetRequest(entity, Id, properties)).catch(() => null);
	if (record === null) {
		context.run.addNotice(
			'Some records were written, but could not be read afterwards: only their IDs are returned.',
		);
	}
	return record;
}
