import type { INodeExecutionData } from 'n8n-workflow';

import { getSharedRows, isSearchable, isSharedMember, selectShared } from '../catalogue/audience';
import { getKeyProperties, carriesCustomFields } from '../catalogue/entities';
import { getNamedMembers } from '../catalogue/summaries';
import { getNoun } from '../catalogue/views';
import {
	CUSTOM_FIELD_PATHS,
	createRowNamer,
	flattenCustomFields,
	getAttributes,
	getCustomFields,
	listHiddenValues,
	type RowNamer,
} from '../compare/customFields';
import { listComparedFields, readFilters } from '../form/filters';
import {
	isSimplified,
	readChosenNames,
	readOutputProperties,
	wantsUrl,
	isRaw,
	readWrittenProperties,
} from '../form/form';
import {
	arrangeMembers,
	loadMemberNames,
	showAttributes,
	simplifyRecord,
	addOrders,
	addUrl,
	KnownNames,
	listSummaryMembers,
	readWebOrigin,
	selectShownMembers,
	getNamePaths,
	buildWrittenRecord,
} from '../records/names';
import { lookUpShared, oncePerRun, type ItemContext, type ItemForm, toItem } from '../run/context';
import { emptyIfForbidden } from '../transport/errors';
import { quoteUnlessPlain, ValidationError } from '../values/errors';
import { type JsonObject, filterMembers, isObject } from '../values/objects';
import type { RecordNames } from '../values/references';
import { addUtcZones } from '../values/times';
import { and, isIn, type Criteria } from '../wire/criteria';
import { omitSelected } from '../wire/paging';
import { getInnerType } from '../catalogue/members';
import type { OperationForm } from '../form/options';
import type { Specifier } from '../wire/answers';
import { listComparedPaths } from '../compare/differences';
import { buildGetRequest } from '../wire/requests';

/** Leaves out the paths that the audience may not see. */
export const selectVisible = (
	form: OperationForm,
	entity: string,
	paths: readonly string[],
): string[] => (form.isForCustomers ? selectShared(entity, paths) : [...paths]);

/** Which records are found, and in which order, would also show what customers must not see. */
export function refuseHiddenPaths(
	form: OperationForm,
	entity: string,
	/** Labels of other fields, each with the property that it names. */
	named: ReadonlyArray<[string, string]>,
): void {
	if (!form.isForCustomers) return;
	// No name is looked up, because a failure would suggest names of other records.
	const used = [
		...readFilters(form, entity).map(({ label, property }) => [label, property]),
		...listComparedFields(form, entity).map((path) => ['Search By', path]),
		...named,
	];
	const hidden = used.find(([, path]) => !isSearchable(entity, path));
	if (hidden === undefined) return;
	throw new ValidationError(
		`'${hidden[0]}' uses ${hidden[1]}, which 'Audience: Customer' hides`,
		'Use another field.',
		{ forAuthor: "Or remove 'Options > Audience'." },
	);
}

/** Returns undefined for a record that customers must not see at all. */
function toCustomerView(owner: string, record: JsonObject): JsonObject | undefined {
	const rows = Object.entries(getSharedRows(owner) ?? {});
	if (!rows.every(([by, values]) => values.some((value) => value === record[by]))) return undefined;
	return Object.fromEntries(
		Object.entries(record)
			.filter(([member]) => isSharedMember(owner, member))
			.map(([member, value]) => [member, toCustomerValue(getInnerType(owner, member), value)]),
	);
}

function toCustomerValue(type: string, value: unknown): unknown {
	if (Array.isArray(value)) {
		return value
			.map((row: unknown) => toCustomerValue(type, row))
			.filter((row) => row !== undefined);
	}
	return isObject(value) ? toCustomerView(type, value) : value;
}

/** Keeps the records that the audience may see, and of each the members that it may see. */
export const keepVisible = (
	form: OperationForm,
	entity: string,
	records: JsonObject[],
): JsonObject[] =>
	form.isForCustomers
		? records.map((one) => toCustomerView(entity, one)).filter((one) => one !== undefined)
		: records;

/** Limits a search to the records that the audience may see; undefined means all of them. */
export function buildAudienceCriteria(form: OperationForm, entity: string): Criteria | undefined {
	const rows = form.isForCustomers ? getSharedRows(entity) : undefined;
	return rows && and(...Object.entries(rows).map(([by, values]) => isIn(by, values)));
}

export function readPropertyPaths(entity: string, form: OperationForm): string[] {
	if (form.isForCustomers && !isSimplified(form)) {
		throw new ValidationError("'Output' must be Simplified with 'Audience: Customer'");
	}
	const custom = isFlat(entity, form) ? CUSTOM_FIELD_PATHS : [];
	const chosen = [...readOutputProperties(form, entity), ...custom];
	return selectVisible(form, entity, [...new Set(chosen)]);
}

/** Names as they are stored; a choice in a form may show an old one. */
const getReadNames = oncePerRun(() => new KnownNames());

/** Looks up the names that the records of several items will show, so that the items share requests. */
export async function loadShownNames(
	context: ItemContext,
	entity: string,
	records: JsonObject[],
): Promise<void> {
	if (!isSimplified(context) || context.isForCustomers) return;
	const members = getNamedMembers(entity);
	await loadMemberNames(context, entity, records, members, getReadNames(context));
}

/** The namers of custom fields by entity, and of attributes. */
export const loadFieldNamer = oncePerRun((context: ItemContext, entity: string) =>
	loadNamer(context, ({ findRows }) => getCustomFields(entity, findRows).present),
);
export const loadAssetNamer = oncePerRun((context: ItemContext) =>
	loadNamer(context, ({ findRows }) => getAttributes(findRows).present),
);

/** A name that two definitions share has an ID, so all definitions have to be known. */
const loadNamer = async (
	context: ItemContext,
	list: (names: RecordNames) => readonly JsonObject[],
): Promise<RowNamer> => createRowNamer(await lookUpShared(context, list).catch(emptyIfForbidden));

/** Hides what the audience may not see; simplified records get names, labels and zones. */
export async function prepareRecords(
	context: ItemContext,
	entity: string,
	read: JsonObject[],
): Promise<JsonObject[]> {
	const visible = keepVisible(context, entity, read);
	const nameRows = isFlat(entity, context) ? await loadFieldNamer(context, entity) : undefined;
	const hidden = nameRows ? visible.flatMap((one) => listHiddenValues(one, nameRows)) : [];
	if (hidden.length > 0) {
		context.run.addNotice(
			'Only the newest value is shown of custom fields that a record has several times',
			hidden.map(quoteUnlessPlain),
		);
	}
	const records = nameRows ? visible.map((one) => flattenCustomFields(one, nameRows)) : visible;
	const shown = isSimplified(context) ? await simplify(context, entity, records) : records;
	return wantsUrl(context) ? await addUrls(context, entity, shown) : shown;
}

async function simplify(
	context: ItemContext,
	entity: string,
	read: JsonObject[],
): Promise<JsonObject[]> {
	const records = await showAttributes(entity, read, () => loadAssetNamer(context));
	for (const record of records) addUtcZones(record);
	// Customers see a fixed list of members.
	const members = context.isForCustomers ? [] : getNamedMembers(entity);
	const names = getReadNames(context);
	const getName = await loadMemberNames(context, entity, records, members, names);
	const summary = getSummaryMembers(context, entity);
	const shown = records.map((one) => simplifyRecord(entity, one, getName, members, summary));
	return entity === 'WorkOrderCost' ? await addOrders(context, shown) : shown;
}

export const getSummaryMembers = oncePerRun((_, entity: string) => listSummaryMembers(entity));

const loadWebOrigin = oncePerRun(async ({ run }) => await readWebOrigin(run.caller));

/** Adds the addresses of work orders; other records have none, and customers see none. */
export async function addUrls(
	form: ItemForm,
	entity: string,
	records: JsonObject[],
): Promise<JsonObject[]> {
	if (entity !== 'WorkOrder' || records.length === 0 || form.isForCustomers) return records;
	const origin = await loadWebOrigin(form);
	return records.map((record) => addUrl(origin, record));
}

/**
 * Arranges the members as they were chosen, and removes the key, which is always read, unless it was
 * selected.
 */
export function createShaper(
	entity: string,
	form: OperationForm,
	properties: readonly string[],
): (record: JsonObject) => JsonObject {
	const names = readChosenNames(form, entity);
	const first = names.length > 0 ? new Set(names) : undefined;
	const shape = (record: JsonObject) => arrangeMembers(first, record);
	const added = new Set(omitSelected(['Id', ...(getKeyProperties(entity) ?? [])], properties));
	if (added.size === 0) return shape;
	return (record) => shape(filterMembers(record, (name) => !added.has(name)));
}

function isFlat(entity: string, form: OperationForm): boolean {
	if (!form.isOn('flattenCustomFields')) return false;
	if (form.isForCustomers) {
		throw new ValidationError("'Flatten Custom Fields' is on, but customers see no custom fields");
	}
	if (carriesCustomFields(entity)) return true;
	throw new ValidationError(
		`'Flatten Custom Fields' is on, but ${getNoun(entity)} records carry no custom fields`,
	);
}

/**
 * Corrigo answers a write with little more than an ID, so the output is built from the written
 * members, or the record is read again. The form is read before anything is sent.
 */
export function createOutputBuilder(context: ItemContext, entity: string, { isNew = false } = {}) {
	const raw = isRaw(context);
	const returnsRecord = context.isOn('returnRecord');
	const buildJson = async (specifier: Specifier, written: JsonObject, record?: JsonObject) => {
		if (returnsRecord) {
			const shown = listComparedPaths(entity, selectShownMembers(entity, written));
			const names = raw ? [] : [...shown, ...getNamePaths(entity, shown)];
			const properties = [...new Set([...readWrittenProperties(context, entity), ...names])];
			const read =
				record === undefined
					? await context.loadAfterWrite(() => fetchWritten(context, entity, specifier, properties))
					: selectMembers(record, properties);
			if (read) return (await prepareRecords(context, entity, [read]))[0];
		}
		const { getName } = context.run.names;
		if (raw) return specifier;
		const summary = getSummaryMembers(context, entity);
		const shown = buildWrittenRecord(entity, specifier, written, getName, { summary, isNew });
		return (await addUrls(context, entity, [shown]))[0];
	};
	return async (
		specifier: Specifier,
		written: JsonObject,
		more: JsonObject = {},
		/** Saves a request if the record has already been read. */
		record?: JsonObject,
	): Promise<INodeExecutionData[]> => {
		context.noteSubject(entity, specifier.Id);
		return [toItem({ ...more, ...(await buildJson(specifier, written, record)) })];
	};
}

/** Corrigo answers with no record, so the output is built from the input. */
export const toWrittenItem = (
	context: ItemContext,
	entity: string,
	Id: number,
	written: JsonObject,
): INodeExecutionData =>
	toItem(buildWrittenRecord(entity, { Id }, written, context.run.names.getName));

/** A record that was read before the write may have members that the write needed. */
function selectMembers(record: JsonObject, paths: readonly string[]): JsonObject {
	if (paths.includes('*')) return record;
	const names = new Set(paths.map((path) => path.split('.')[0]));
	return filterMembers(record, (name) => names.has(name));
}

/** The record was written, so the item does not fail if it cannot be read. */
async function fetchWritten(
	context: ItemContext,
	entity: string,
	{ Id }: Specifier,
	properties: readonly string[],
) {
	const record = await context.send(buildGetRequest(entity, Id, properties)).catch(() => null);
	if (record === null) {
		context.run.addNotice(
			'Some records were written, but could not be read afterwards: only their IDs are returned.',
		);
	}
	return record;
}
