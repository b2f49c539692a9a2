import { getEntity, getEntityNoun, findEntityMemberType } from '../../catalogue/entities';
import { createRunRegistry, type DedupeRules } from '../upsert/registry';
import { batches } from '../../values/tools';
import { isObject, toRows, type JsonObject } from '../../values/checks';
import { isIn } from '../../wire/criteria';
import {
	carriesCustomFields,
	CUSTOM_ROW_PATHS,
	buildCustomCriteria,
} from '../../compare/customFields';
import { listComparedPaths } from '../../compare/differences';
import { loadRecordsById, loadAllRows } from '../../records/query';
import type { ItemContext } from '../../run/context';
import { getKnownNames } from '../../run/resolve';
import {
	getErrorCode,
	createNotFoundError,
	wasForbidden,
	wasRefused,
} from '../../transport/errors';
import { checksVersion } from './ifChanged';
import { getOutputPaths } from './writeOutput';
import { getZonePaths } from './zones';
import { getRecordKey } from '../../wire/answers';

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

export function getExtent(
	context: ItemContext,
	entity: string,
	{ members, utc = {} }: Members,
): Extent {
	const carries = carriesCustomFields(entity);
	const compared = listComparedPaths(entity, members).filter(
		(path) => carries || !path.startsWith('CustomFields.'),
	);
	const custom = toRows(members.CustomFields);
	return {
		paths: [
			'Id',
			...getOutputPaths(context, entity, compared),
			...(getEntity(entity)?.lock ? ['ConcurrencyId'] : []),
			...getZonePaths(entity, { members, utc }),
			...compared,
		],
		apart: carries ? [] : custom.flatMap(({ Descriptor }) => listIds(Descriptor)),
	};
}

const listIds = (reference: unknown): number[] =>
	isObject(reference) && reference.Id !== undefined ? [Number(reference.Id)] : [];

/** A property that the API may not know must fail only the items that use it. */
export const getUnknownPaths = (entity: string, paths: readonly string[]): string[] =>
	paths.filter(
		(path) =>
			path !== '*' && findEntityMemberType(entity, path.replace(/\.?\*$/, '')) === undefined,
	);

/** Adds custom fields that are stored as separate records, and notes the names in the records. */
export async function completeRecords(
	context: ItemContext,
	entity: string,
	rows: ReadonlyMap<unknown, JsonObject>,
	wanted: readonly Extent[],
): Promise<JsonObject[]> {
	const records = await addCustomFields(context, entity, rows, wanted);
	const paths = wanted.flatMap((one) => one.paths);
	for (const record of records) getKnownNames(context).noteRecord(entity, record, paths);
	return records;
}

async function addCustomFields(
	context: ItemContext,
	entity: string,
	rows: ReadonlyMap<unknown, JsonObject>,
	wanted: readonly Extent[],
): Promise<JsonObject[]> {
	const descriptors = new Set(wanted.flatMap(({ apart }) => apart));
	if (descriptors.size === 0) return [...rows.values()];
	const fields = new Map<unknown, JsonObject[]>([...rows.keys()].map((id) => [id, []]));
	for (const some of batches(rows.keys())) {
		const found = await loadCustomFields(context, entity, [...descriptors], isIn('ObjectId', some));
		for (const field of found) fields.get(field.ObjectId)?.push(field);
	}
	return [...rows].map(([id, row]) => ({ ...row, CustomFields: fields.get(id) }));
}

export const loadCustomFields = async (
	{ caller, sendOptions }: ItemContext,
	entity: string,
	descriptors: number[],
	condition: ReturnType<typeof isIn>,
) =>
	await loadAllRows(
		caller,
		'CustomField2',
		buildCustomCriteria(entity, isIn('Descriptor.Id', descriptors), condition),
		CUSTOM_ROW_PATHS,
		sendOptions,
	);

/** Update of a record that is identified by its ID. */
interface Update {
	entity: string;
	id: number;
}

type PendingUpdate = Update & Extent;

const BY_ID: DedupeRules<PendingUpdate> = {
	key: ({ entity, id }) => getRecordKey(entity, id),
	values: ({ id }) => [id],
	group: ({ entity, paths }) => [entity, ...getUnknownPaths(entity, paths)].join(),
	read: async (context, updates) => await readRecords(context, updates),
	reread: async (context, update) => await readRecords(context, [update]),
	matchKeys: ({ Id }, [{ entity }]) => [getRecordKey(entity, Id)],
	describe: ({ entity, id }) => `${getEntityNoun(entity)} ${id}`,
	unexpected: ['Corrigo answered with a record that was not asked for', 'Nothing was written.'],
};

async function readRecords(
	context: ItemContext,
	updates: readonly PendingUpdate[],
): Promise<JsonObject[]> {
	const [{ entity }] = updates;
	const properties = [...new Set(updates.flatMap(({ paths }) => paths))];
	const ids = updates.map(({ id }) => id);
	const found = await loadRecordsById(context, entity, ids, { properties });
	return await completeRecords(context, entity, found, updates);
}

/** Dry runs and these options need the record as it is before the update. */
const needsRecord = (context: ItemContext) =>
	context.isDryRun || context.isOn('returnBefore') || checksVersion(context);

/** Records are read in batches, and again for an item that comes after a change to its record. */
export function createRecordReader(
	readUpdate: (context: ItemContext) => Update & Members,
	isNeeded = needsRecord,
) {
	const updates = createRunRegistry(BY_ID, (context): PendingUpdate => {
		const update = readUpdate(context);
		return { ...update, ...getExtent(context, update.entity, update) };
	});
	return async (context: ItemContext): Promise<JsonObject | undefined> => {
		if (!isNeeded(context)) return undefined;
		const { registry, wanted } = await updates.of(context);
		const { entity, id } = wanted;
		const records = await registry
			.findRecords(context, wanted)
			.catch(async (failure: unknown) => {
				// Another item of the batch may use a property that does not exist.
				if (!wasRefused(failure) || context.run.contexts.length === 1) throw failure;
				return await readRecords(context, [wanted]);
			})
			.catch((failure: unknown) => {
				if (!wasForbidden(failure)) throw failure;
				context.run.addNotice(
					`What ${entity} records hold now is not known: they may not be read.`,
				);
			});
		if (records === undefined) return undefined;
		const [record] = records;
		if (record === undefined) throw createNotFoundError(context.caller.getNode(), entity, id);
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
		if (getErrorCode(failure) !== CHANGED_SINCE_READ) throw failure;
		const now = await reread();
		// Corrigo sends this code for other reasons, too.
		if (now === undefined || now.ConcurrencyId === record?.ConcurrencyId) throw failure;
		return await update(now);
	});
}
