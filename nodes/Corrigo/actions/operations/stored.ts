import { entityNamed, entityNoun, fieldType } from '../../catalogue/entities';
import { registryPerRun, type DedupeKey } from '../../once/registry';
import { batches } from '../../protocol/batches';
import { isObject, rowsIn, type JsonObject } from '../../protocol/checks';
import { isIn } from '../../protocol/criteria';
import { carriesCustomFields, CUSTOM_ROW_PATHS, customRows } from '../../protocol/customFields';
import { comparedPathsOf } from '../../protocol/differences';
import { keyOfRecord } from '../../protocol/keys';
import { recordsById } from '../../records/lookup';
import { allRows } from '../../records/query';
import type { ItemContext } from '../../run/context';
import { knownNamesIn } from '../../run/resolve';
import { codeOf, notFound, wasForbidden, wasRefused } from '../../transport/errors';
import { checksVersion } from './ifChanged';
import { outputPaths } from './writeOutput';
import { zonePaths } from './zones';

/** Parts of a record to read before some of its members are written. */
export interface Extent {
	paths: readonly string[];
	/** Descriptors of custom fields that are stored as separate records. */
	apart: readonly number[];
}

/** Members to write; those in UTC are kept separately. */
interface Members {
	members: JsonObject;
	utc?: JsonObject;
}

export function extentOf(
	context: ItemContext,
	entity: string,
	{ members, utc = {} }: Members,
): Extent {
	const carries = carriesCustomFields(entity);
	const compared = comparedPathsOf(entity, members).filter(
		(path) => carries || !path.startsWith('CustomFields.'),
	);
	const custom = rowsIn(members.CustomFields);
	return {
		paths: [
			'Id',
			...outputPaths(context, entity, compared),
			...(entityNamed(entity)?.lock ? ['ConcurrencyId'] : []),
			...zonePaths(entity, { members, utc }),
			...compared,
		],
		apart: carries ? [] : custom.flatMap(({ Descriptor }) => idsIn(Descriptor)),
	};
}

const idsIn = (reference: unknown): number[] =>
	isObject(reference) && reference.Id !== undefined ? [Number(reference.Id)] : [];

/** A property that the API may not know must fail only the items that use it. */
export const unknownPaths = (entity: string, paths: readonly string[]): string[] =>
	paths.filter(
		(path) => path !== '*' && fieldType(entity, path.replace(/\.?\*$/, '')) === undefined,
	);

/** Adds custom fields that are stored as separate records, and notes the names in the records. */
export async function completeRecords(
	context: ItemContext,
	entity: string,
	rows: ReadonlyMap<unknown, JsonObject>,
	wanted: readonly Extent[],
): Promise<JsonObject[]> {
	const records = await withFieldsApart(context, entity, rows, wanted);
	const paths = wanted.flatMap((one) => one.paths);
	for (const record of records) knownNamesIn(context).noteRecord(entity, record, paths);
	return records;
}

async function withFieldsApart(
	context: ItemContext,
	entity: string,
	rows: ReadonlyMap<unknown, JsonObject>,
	wanted: readonly Extent[],
): Promise<JsonObject[]> {
	const descriptors = new Set(wanted.flatMap(({ apart }) => apart));
	if (descriptors.size === 0) return [...rows.values()];
	const fields = new Map<unknown, JsonObject[]>([...rows.keys()].map((id) => [id, []]));
	for (const some of batches(rows.keys())) {
		const found = await fieldsApart(context, entity, [...descriptors], isIn('ObjectId', some));
		for (const field of found) fields.get(field.ObjectId)?.push(field);
	}
	return [...rows].map(([id, row]) => ({ ...row, CustomFields: fields.get(id) }));
}

export const fieldsApart = async (
	{ caller, sendOptions }: ItemContext,
	entity: string,
	descriptors: number[],
	condition: ReturnType<typeof isIn>,
) =>
	await allRows(
		caller,
		'CustomField2',
		customRows(entity, isIn('Descriptor.Id', descriptors), condition),
		CUSTOM_ROW_PATHS,
		sendOptions,
	);

/** Update of a record that is identified by its ID. */
interface Update {
	entity: string;
	id: number;
}

type Wanted = Update & Extent;

const BY_ID: DedupeKey<Wanted> = {
	key: ({ entity, id }) => keyOfRecord(entity, id),
	values: ({ id }) => [id],
	group: ({ entity, paths }) => [entity, ...unknownPaths(entity, paths)].join(),
	read: async (context, updates) => await read(context, updates),
	reread: async (context, update) => await read(context, [update]),
	keysIn: ({ Id }, [{ entity }]) => [keyOfRecord(entity, Id)],
	describe: ({ entity, id }) => `${entityNoun(entity)} ${id}`,
	unexpected: ['Corrigo answered with a record that was not asked for', 'Nothing was written.'],
};

async function read(context: ItemContext, updates: readonly Wanted[]): Promise<JsonObject[]> {
	const [{ entity }] = updates;
	const properties = [...new Set(updates.flatMap(({ paths }) => paths))];
	const ids = updates.map(({ id }) => id);
	const found = await recordsById(context, entity, ids, { properties });
	return await completeRecords(context, entity, found, updates);
}

/** Dry runs and these options need the record as it is before the update. */
const needsRecord = (context: ItemContext) =>
	context.isDryRun || context.isOn('returnBefore') || checksVersion(context);

/** Records are read in batches, and again for an item that comes after a change to its record. */
export function storedRecords(
	updateIn: (context: ItemContext) => Update & Members,
	isNeeded = needsRecord,
) {
	const updates = registryPerRun(BY_ID, (context): Wanted => {
		const update = updateIn(context);
		return { ...update, ...extentOf(context, update.entity, update) };
	});
	return async (context: ItemContext): Promise<JsonObject | undefined> => {
		if (!isNeeded(context)) return undefined;
		const { registry, wanted } = await updates.of(context);
		const { entity, id } = wanted;
		const records = await registry
			.records(context, wanted)
			.catch(async (failure: unknown) => {
				// Another item of the batch may use a property that does not exist.
				if (!wasRefused(failure) || context.run.contexts.length === 1) throw failure;
				return await read(context, [wanted]);
			})
			.catch((failure: unknown) => {
				if (!wasForbidden(failure)) throw failure;
				context.run.hint(`What ${entity} records hold now is not known: they may not be read.`);
			});
		if (records === undefined) return undefined;
		const [record] = records;
		if (record === undefined) throw notFound(context.caller.getNode(), entity, id);
		registry.markChanged(context, wanted, record);
		return record;
	};
}

const CHANGED_SINCE_READ = 'ERROR_CODE_6';

/** Updates a record; if somebody else has changed it in the meantime, reads it and tries again. */
export async function updateCurrent<T, Read extends JsonObject | undefined>(
	record: Read,
	reread: () => Promise<JsonObject | undefined>,
	update: (record: JsonObject | Read) => Promise<T>,
): Promise<T> {
	return await update(record).catch(async (failure: unknown) => {
		if (codeOf(failure) !== CHANGED_SINCE_READ) throw failure;
		const now = await reread();
		// Corrigo sends this code for other reasons, too.
		if (now === undefined || now.ConcurrencyId === record?.ConcurrencyId) throw failure;
		return await update(now);
	});
}
