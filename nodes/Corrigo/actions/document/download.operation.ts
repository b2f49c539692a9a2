import type { INodeExecutionData } from 'n8n-workflow';

import { DEFAULT_FILE_SIZE, MAX_FILE_SIZE, optionsField, optionTitle } from '../../form/options';
import { isObject, ValidationError } from '../../protocol/checks';
import { commandRequest } from '../../protocol/requests';
import { wholeNumber } from '../../protocol/values';
import { fetchFile } from '../../transport/fetchFile';
import type { ItemContext } from '../../run/context';
import { subjects } from '../../form/subjects';
import { idFields, idOf } from '../operations/subject';
import type { Operation } from '../../run/operation';
import { readTogether, type Wanted } from '../../run/readTogether';
import { fileField, fileFieldOf, fileItem } from './file';

const COMMAND = 'GetDocDownloadUrlCommand';

/** Links expire soon, so the size of a batch is limited. */
const MAX_LINKS = 50;

interface WantedFile extends Wanted {
	field: string;
	maxMegabytes: number;
}

interface Link {
	url: string;
	fileName: string;
}

export const download: Operation = {
	name: 'Download',
	value: 'download',
	action: 'Download a document',
	description: 'Download the file of a document',
	command: COMMAND,
	fields: [
		...idFields(subjects.document),
		fileField,
		optionsField('combineItems', 'maxFileSize', 'parallelRequests', 'timeout'),
	],
	all: async (contexts) =>
		await readTogether(contexts, {
			label: subjects.document.label,
			wanted: async (context): Promise<WantedFile> => ({
				context,
				field: fileFieldOf(context),
				maxMegabytes: maxMegabytesOf(context),
				id: await idOf(subjects.document, context),
			}),
			key: ({ context }) => (context.isOn('combineItems', true) ? '' : undefined),
			// Items that want the same file count separately, because each of them downloads it.
			values: (wanted) => [wanted],
			maxValues: MAX_LINKS,
			expires: true,
			together: async (ids, [{ context }]) => await linksOf(context, ids),
			// One missing document makes the whole batch fail.
			alone: async ({ context, id }) => (await linksOf(context, [id])).get(id),
			items: async (link, wanted) => [await fileOf(wanted, link)],
		}),
};

const maxMegabytesOf = ({ options: { maxFileSize = DEFAULT_FILE_SIZE } }: ItemContext) =>
	wholeNumber(optionTitle('maxFileSize'), maxFileSize, 1, MAX_FILE_SIZE);

async function linksOf(context: ItemContext, ids: number[]): Promise<Map<number, Link>> {
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

async function fileOf(
	{ context, id, field, maxMegabytes }: WantedFile,
	{ url, fileName }: Link,
): Promise<INodeExecutionData> {
	if (!url) throw new ValidationError(`Corrigo has no file of the document ${id}`);
	const options = { ...context.sendOptions, maxMegabytes };
	const { body, mimeType } = await fetchFile(context.caller, url, options);
	return await fileItem(context, field, { id, name: fileName, body, mimeType });
}
