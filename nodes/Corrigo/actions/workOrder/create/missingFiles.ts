import { createPartError } from '../../../transport/errors';
import { KeyedMutex } from '../../../transport/concurrency';
import { createOrRecover } from '../../../operations/upsert/registry';
import { loadAllRows } from '../../../records/query';
import { oncePerRun, type ItemContext } from '../../../run/context';
import { quote, quoteUnlessPlain } from '../../../values/errors';
import { isBlank } from '../../../values/input';
import { type JsonObject, readPath, toRows } from '../../../values/objects';
import { and, equal } from '../../../wire/criteria';
import { buildCreateRequest, NOT_CREATED } from '../../../wire/requests';
import { FILE_NAME, isSameFile } from '../../document/file';
import { loadAttachment, nameAttachment } from './attachments';
import { ADD_FILES } from './duplicates';

/** Documents of an order that Corrigo has, and those that this run has stored. */
type StoredFiles = () => Promise<JsonObject[]>;

const getTurns = oncePerRun(() => new KeyedMutex());

const getStoredFiles = oncePerRun((): Map<unknown, StoredFiles> => new Map());

/** Identifies an order. All new orders of a dry run have the same ID. */
const getKey = (order: JsonObject): unknown => (order.Id === NOT_CREATED ? order : order.Id);

/** Remembers what a new order was created with. */
export function noteFiles(context: ItemContext, order: JsonObject, body: JsonObject): void {
	const files = listAttachments(body).map((file) => nameAttachment(context, file));
	getStoredFiles(context).set(getKey(order), async () => files);
}

const listAttachments = (body: JsonObject): JsonObject[] =>
	toRows(readPath(body, 'WorkOrder.Documents'));

/** Files of a request, and whether an order that exists gets those that it does not have. */
export interface GivenFiles {
	body: JsonObject;
	areAdded: boolean;
}

/**
 * An order that exists gets no files unless the form says so: people may have sent them with the
 * first request. Returns the files that are left out.
 */
export async function addMissingFiles(
	context: ItemContext,
	order: JsonObject,
	{ body, areAdded }: GivenFiles,
): Promise<string[]> {
	const files = listAttachments(body);
	if (files.length === 0) return [];
	const work = async () => (areAdded ? await storeMissing(context, order, files) : files);
	const left = await getTurns(context).run(String(order.Id), work);
	if (left.length > 0) {
		const reason = areAdded
			? 'Files were left out, as these orders have files of the same title and name'
			: 'Files were left out, as these orders existed already';
		const advice = areAdded ? '' : `Turn on '${ADD_FILES}' to add them.`;
		context.run.addNotice(reason, [quoteUnlessPlain(getOrderName(order))], advice);
	}
	return left.map((file) => String(nameAttachment(context, file).Title));
}

/** An update stores no files. */
export function noteLeftFiles(context: ItemContext, order: JsonObject): void {
	const reason =
		"Files were left out, as these orders existed already: store them with 'Upload' of documents";
	context.run.addNotice(reason, [quoteUnlessPlain(getOrderName(order))]);
}

const getOrderName = ({ Id, Number }: JsonObject) => String(isBlank(Number) ? Id : Number);

/** Stores the files that the order does not have, one after the other, and returns the others. */
async function storeMissing(
	context: ItemContext,
	order: JsonObject,
	files: readonly JsonObject[],
): Promise<JsonObject[]> {
	const key = getKey(order);
	const known = getStoredFiles(context);
	const stored = await (known.get(key)?.() ?? loadFiles(context, order)).catch((failure: Error) => {
		throw createExistingError(context, order, 'its documents cannot be read', failure);
	});
	known.set(key, async () => stored);
	const open = [...stored];
	const left: JsonObject[] = [];
	for (const file of files) {
		const named = nameAttachment(context, file);
		const index = open.findIndex((row) => isSameFile(row, named));
		if (index < 0) {
			stored.push(await storeFile(context, order, file, stored));
			continue;
		}
		open.splice(index, 1);
		left.push(file);
	}
	return left;
}

const loadFiles = async (context: ItemContext, { Id }: JsonObject): Promise<JsonObject[]> => {
	const criteria = and(equal('ActorTypeId', 'WO'), equal('ActorId', Id));
	return await loadAllRows(context, 'Document', criteria, ['Title', 'StorageTypeId', FILE_NAME]);
};

/** Each file takes a request of its own, so the order and the files before it remain if one fails. */
async function storeFile(
	context: ItemContext,
	order: JsonObject,
	file: JsonObject,
	stored: readonly JsonObject[],
): Promise<JsonObject> {
	const named = nameAttachment(context, file);
	const name = `the file ${quote(named.Title)} of the work order ${quote(getOrderName(order))}`;
	const owner = { ActorTypeId: 'WO', ActorId: order.Id };
	context.run.names.noteRecord('WorkOrder', order);
	const content = await loadAttachment(context, file);
	const request = buildCreateRequest('Document', { ...owner, ...content }, context.getRequestId());
	const create = async () => {
		// A dry run reports the file as an update of the order.
		await context.send({ ...request, dryRun: { ...request.dryRun, Outcome: 'wouldUpdate' } });
		return named;
	};
	const count = (rows: readonly JsonObject[]) =>
		rows.filter((row) => isSameFile(row, named)).length;
	const find = async () =>
		count(await loadFiles(context, order)) > count(stored) ? named : undefined;
	return await createOrRecover(context, name, create, find).catch((failure: Error) => {
		throw createExistingError(context, order, `its file ${quote(named.Title)} failed`, failure);
	});
}

const createExistingError = (
	{ caller }: ItemContext,
	order: JsonObject,
	problem: string,
	failure: Error,
) =>
	createPartError(
		caller.getNode(),
		`The work order ${quote(getOrderName(order))} exists, but ${problem}`,
		failure,
		'No second order was created. Run the item again to add what is missing.',
	);
