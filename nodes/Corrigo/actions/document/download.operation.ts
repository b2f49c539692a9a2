import type { INodeExecutionData } from 'n8n-workflow';

import { optionsField } from '../../form/options';
import { isObject, ValidationError } from '../../protocol/checks';
import { batches } from '../../protocol/batches';
import { commandRequest } from '../../protocol/requests';
import { fetchFile } from '../../transport/fetchFile';
import { wasRefused } from '../../transport/errors';
import { DEFAULT_READS, type ItemContext } from '../../run/context';
import { subjects } from '../../form/subjects';
import { idFields, idOf } from '../operations/subject';
import { forEachLimit } from '../../run/mapLimit';
import { Outcomes, type Outcome } from '../../run/outcome';
import type { Operation } from '../../run/operation';
import { fileField, fileFieldOf, fileItem } from './file';

const COMMAND = 'GetDocDownloadUrlCommand';

/** Links live for a short time only: no more at once than are fetched soon. */
const MAX_LINKS = 50;

interface Wanted {
	context: ItemContext;
	id: number;
	field: string;
}

interface Link {
	url: string;
	fileName: string;
}

export const download: Operation = {
	name: 'Download',
	value: 'download',
	action: 'Download a document',
	description: `Fetch the file of a document (${COMMAND})`,
	command: COMMAND,
	fields: [
		...idFields(subjects.document),
		fileField,
		optionsField('combineItems', 'parallelRequests', 'timeout'),
	],
	all: downloadAll,
};

async function downloadAll(contexts: ItemContext[]): Promise<Outcome[]> {
	const [first] = contexts;
	const outcomes = new Outcomes(first.caller);
	const concurrency = first.concurrency(DEFAULT_READS);
	const wanted: Wanted[] = [];
	for (const context of contexts) {
		await outcomes.run(context, async () => {
			wanted.push(await wantedBy(context));
			return [];
		});
		if (outcomes.isOver) return outcomes.list;
	}
	for (const group of batchesOf(wanted)) {
		if (outcomes.isOver) break;
		const links = await linksOf(group);
		await forEachLimit(
			group.length,
			concurrency,
			async (index) => {
				const one = group[index];
				await outcomes.run(one.context, async () => [await fileOf(one, links)]);
			},
			() => outcomes.isOver,
		);
	}
	return outcomes.list;
}

async function wantedBy(context: ItemContext): Promise<Wanted> {
	return { context, field: fileFieldOf(context), id: await idOf(subjects.document, context) };
}

const batchesOf = (wanted: Wanted[]) =>
	batches(wanted, {
		key: ({ context }) => (context.isOn('combineItems', true) ? '' : undefined),
		most: MAX_LINKS,
	});

type Links = Map<number, Link> | { failure: unknown } | undefined;

/** Nothing where each needs a request of its own: one document that is not there spoils the answer for all. */
async function linksOf(group: Wanted[]): Promise<Links> {
	if (group.length === 1) return undefined;
	const ids = [...new Set(group.map(({ id }) => id))];
	return await askFor(group[0].context, ids).catch((failure: unknown) =>
		ids.length > 1 && wasRefused(failure) ? undefined : { failure },
	);
}

async function askFor(context: ItemContext, ids: number[]): Promise<Map<number, Link>> {
	const request = commandRequest(COMMAND, { DocumentIds: ids }, context.requestId());
	const { Results } = (await context.send(request)).CommandResult;
	const rows: unknown[] = Array.isArray(Results) ? Results : [];
	return new Map(
		rows
			.filter(isObject)
			.map(({ DocumentId, Url, FileName }) => [
				Number(DocumentId),
				{ url: String(Url ?? ''), fileName: String(FileName ?? '') },
			]),
	);
}

async function fileOf({ context, id, field }: Wanted, links: Links): Promise<INodeExecutionData> {
	if (links !== undefined && 'failure' in links) throw links.failure;
	const link = (links ?? (await askFor(context, [id]))).get(id);
	if (!link?.url) throw new ValidationError(`Corrigo has no file of the document ${id}`);
	const { body, mimeType } = await fetchFile(context.caller, link.url, context.sendOptions);
	return await fileItem(context, field, { id, name: link.fileName, body, mimeType });
}
