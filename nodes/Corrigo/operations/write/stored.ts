import { findEntityMemberType, getEntity, carriesCustomFields } from '../../catalogue/entities';
import { getSummary } from '../../catalogue/summaries';
import { getNoun } from '../../catalogue/views';
import { getId, listComparedPaths } from '../../compare/differences';
import { buildCustomCriteria, CUSTOM_ROW_PATHS } from '../../compare/customFields';
import { getRecordKey } from '../../wire/answers';
import { readWrittenProperties } from '../../form/form';
import { loadAllRows, loadRecordsById, type Requester } from '../../records/query';
import {
	oncePerRun,
	type ItemContext,
	resolveForm,
	type ItemForm,
	type ResolvingForm,
} from '../../run/context';
import { getNamePaths } from '../../records/names';
import { createNotFoundError, wasForbidden, wasRefused } from '../../transport/errors';
import { batches, isIn, type Condition } from '../../wire/criteria';
import { type JsonObject, toRows } from '../../values/objects';
import { checksVersion } from './versions';
import {
	createRunLoader,
	MAX_RECORD_AGE_MS,
	type PendingRead,
	type RunLoader,
} from '../../run/loadTogether';
import { getZonePaths, type ZonedMembers } from './zones';

/** Parts of a record to read before some of its members are written. */
export interface Extent {
	paths: readonly string[];
	/** Descriptors of custom fields that are stored as separate records. */
	apart: readonly number[];
}

export function getExtent(form: ItemForm, entity: string, written: ZonedMembers): Extent {
	const { paths, apart } = getComparedExtent(entity, written.members);
	return {
		paths: [
			'Id',
			...getOutputPaths(form, entity, paths),
			...(getEntity(entity)?.lock ? ['ConcurrencyId'] : []),
			...getZonePaths(entity, written),
			...paths,
		],
		apart,
	};
}

function getComparedExtent(entity: string, members: JsonObject): Extent {
	const paths = listComparedPaths(entity, members);
	if (carriesCustomFields(entity)) return { paths, apart: [] };
	return {
		paths: paths.filter((path) => !path.startsWith('CustomFields.')),
		apart: toRows(members.CustomFields)
			.map(({ Descriptor }) => Number(getId(Descriptor)))
			.filter((id) => !Number.isNaN(id)),
	};
}

/** The output of a write shows these properties of a record that exists; a key covers them, too. */
const getOutputPaths = (form: ItemForm, entity: string, written: readonly string[]) => [
	...(form.isDryRun ? getSummary(entity) : []),
	...(form.isOn('returnRecord') ? readWrittenProperties(form, entity) : []),
	...getNamePaths(entity, form.isDryRun || form.isOn('returnRecord') ? written : []),
];

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
	const paths = [...new Set(wanted.flatMap((one) => one.paths))];
	for (const record of records) context.run.names.noteRecord(entity, record, paths);
	return records;
}

async function addCustomFields(
	requester: Requester,
	entity: string,
	rows: ReadonlyMap<unknown, JsonObject>,
	wanted: readonly Extent[],
): Promise<JsonObject[]> {
	const descriptors = new Set(wanted.flatMap(({ apart }) => apart));
	if (descriptors.size === 0) return [...rows.values()];
	const fields = new Map<unknown, JsonObject[]>([...rows.keys()].map((id) => [id, []]));
	for (const some of batches(rows.keys())) {
		const found = await loadCustomFields(
			requester,
			entity,
			[...descriptors],
			[isIn('ObjectId', some)],
		);
		for (const field of found) fields.get(field.ObjectId)?.push(field);
	}
	return [...rows].map(([id, row]) => ({ ...row, CustomFields: fields.get(id) }));
}

export const loadCustomFields = async (
	requester: Requester,
	entity: string,
	descriptors: number[],
	conditions: readonly Condition[],
) =>
	await loadAllRows(
		requester,
		'CustomField2',
		buildCustomCriteria(entity, isIn('Descriptor.Id', descriptors), ...conditions),
		CUSTOM_ROW_PATHS,
	);

/** Update of a record that is identified by its ID. */
interface Update extends ZonedMembers {
	entity: string;
	id: number;
	/** Members that depend on what the record has, such as rows, which are matched by their Ids. */
	matched?: JsonObject;
}

interface PendingUpdate extends PendingRead, Extent {
	entity: string;
	/** Everything that is written is read as it is before, or only what the update depends on. */
	isWhole: boolean;
	/** The update remains possible after these failures to read the record. */
	canIgnore: (failure: unknown) => boolean;
}

/** Dry runs and these options need the whole record as it is before the update. */
const needsRecord = (form: ItemForm) =>
	form.isDryRun || form.isOn('returnBefore') || checksVersion(form);

function toPendingUpdate(
	form: ItemForm,
	{ isWhole, ...update }: Update & { isWhole: boolean },
): Omit<PendingUpdate, 'context'> | undefined {
	const { entity, id, matched = {} } = update;
	const needed = getComparedExtent(entity, matched);
	const { paths, apart } = isWhole
		? getExtent(form, entity, update)
		: { ...needed, paths: [...getZonePaths(entity, update), ...needed.paths] };
	if (paths.length + apart.length === 0) return undefined;
	const read = { entity, id, paths, apart, isWhole };
	if (needed.paths.length + needed.apart.length > 0) return { ...read, canIgnore: () => false };
	// A user who may not read the record can still enter times as its clock shows them.
	return { ...read, canIgnore: isWhole ? wasForbidden : wasRefused };
}

/** Records are read in batches, and again for an item that comes after a change to its record. */
export function createRecordLoader(
	readUpdate: (form: ResolvingForm) => Update,
	isWhole = needsRecord,
): Record<'loadForWrite' | 'loadForCheck', RunLoader<JsonObject | undefined>> & {
	isFirst: RunLoader<boolean>;
} {
	const getKeys = oncePerRun(() => new Map<number, string>());
	const getFirsts = oncePerRun(() => new Map<string, number>());
	const findRecord = createRunLoader(
		async (context) => {
			const update = await resolveForm(context, (form) => {
				const own = readUpdate(form);
				const key = getRecordKey(own.entity, own.id);
				getKeys(form).set(form.index, key);
				const firsts = getFirsts(form);
				firsts.set(key, Math.min(firsts.get(key) ?? form.index, form.index));
				return toPendingUpdate(form, { ...own, isWhole: isWhole(form) });
			});
			return update && { context, ...update };
		},
		{
			key: ({ entity, paths }) => [entity, ...getUnknownPaths(entity, paths)].join(),
			loadMany: loadRecords,
		},
		MAX_RECORD_AGE_MS,
	);
	const getWrittenKeys = oncePerRun(() => new Set<string>());
	const loadRecord = async (context: ItemContext, isCheck: boolean) => {
		const shared = await findRecord(context);
		const key = getKeys(context).get(context.index) ?? '';
		const writtenKeys = getWrittenKeys(context);
		const isWritten = writtenKeys.has(key);
		// An item may write a record without reading it first.
		if (!context.isDryRun && !isCheck) writtenKeys.add(key);
		if (shared === undefined) return undefined;
		const { wanted, load, reload } = shared;
		const { entity, id } = wanted;
		const record = await (isWritten ? reload() : load()).catch((failure: unknown) => {
			if (!wanted.canIgnore(failure)) throw failure;
			context.run.addUnreadableNotice(entity);
			return null;
		});
		if (record === null) return undefined;
		if (record === undefined)
			throw createNotFoundError(context.caller.getNode(), getNoun(entity), id);
		if (wanted.isWhole) context.noteRecordRead();
		return record;
	};
	return {
		/** An item that loads a record for a write may change it. */
		loadForWrite: async (context) => await loadRecord(context, false),
		loadForCheck: async (context) => await loadRecord(context, true),
		/** The record will not be as it is now if an earlier item writes it. */
		isFirst: async (context) => {
			await findRecord(context);
			const key = getKeys(context).get(context.index) ?? '';
			return getFirsts(context).get(key) === context.index;
		},
	};
}

async function loadRecords(
	ids: number[],
	updates: readonly PendingUpdate[],
): Promise<Map<number, JsonObject>> {
	const [{ context, entity }] = updates;
	const properties = [...new Set(updates.flatMap(({ paths }) => paths))];
	// Custom fields that are stored as separate records may be all that is needed.
	const rows =
		properties.length > 0
			? await loadRecordsById(context, entity, ids, { properties })
			: new Map(ids.map((Id) => [Id, { Id }]));
	const records = await completeRecords(context, entity, rows, updates);
	return new Map(records.map((record) => [Number(record.Id), record]));
}
