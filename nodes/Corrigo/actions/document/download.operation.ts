import type { INodeExecutionData } from 'n8n-workflow';

import { buildOptions, optionFields } from '../../form/options';
import { ValidationError } from '../../values/errors';
import { toRows } from '../../values/objects';
import { fetchFile } from '../../transport/fetchFile';
import type { Sender } from '../../run/context';
import { subjects } from '../../form/subjects';
import { getIdFields, resolveSubjectId } from '../../operations/subject';
import { sendCommand } from '../../operations/write/command';
import type { Operation } from '../../run/operation';
import { loadTogether, type PendingRead } from '../../run/loadTogether';
import { fileField, readFileField, buildFileItem } from './file';
import { FILE } from '../../operations/specimens';

const COMMAND = 'GetDocDownloadUrlCommand';

/** Links expire soon, so the size of a batch is limited. */
const MAX_LINKS = 50;

interface FileRequest extends PendingRead {
	field: string;
	maxMegabytes: number;
}

interface Link {
	url: string;
	fileName: string;
}

export const download: Operation = {
	value: 'download',
	action: 'Download document',
	description: 'Download the file of a document',
	command: COMMAND,
	output: () => FILE,
	fields: [
		...getIdFields(subjects.document),
		fileField,
		buildOptions(['combineItems', 'maxFileSize', 'parallelRequests', 'timeout']),
	],
	reads: true,
	all: async (contexts) =>
		await loadTogether(contexts, {
			label: subjects.document.label,
			prepare: async (context): Promise<FileRequest> => ({
				context,
				field: readFileField(context),
				maxMegabytes: context.option('maxFileSize') ?? optionFields.maxFileSize.default,
				id: await resolveSubjectId(subjects.document, context),
			}),
			key: ({ context }) => (context.isOn('combineItems', true) ? '' : undefined),
			maxItems: MAX_LINKS,
			loadMany: (ids, [{ context }]) => fetchLinks(context, ids),
			// One missing document makes the whole batch fail.
			loadOne: async ({ context, id }) => (await fetchLinks(context, [id])).get(id),
			toItems: async (link, request) => [await downloadFile(request, link)],
		}),
};

async function fetchLinks(sender: Sender, ids: number[]): Promise<Map<number, Link>> {
	const { CommandResult } = await sendCommand(sender, COMMAND, { DocumentIds: ids });
	return new Map(
		toRows(CommandResult.Results).map(({ DocumentId, Url, FileName }) => [
			Number(DocumentId),
			{ url: String(Url ?? ''), fileName: String(FileName ?? '') },
		]),
	);
}

async function downloadFile(
	{ context, id, field, maxMegabytes }: FileRequest,
	{ url, fileName }: Link,
): Promise<INodeExecutionData> {
	if (!url) throw new ValidationError(`Corrigo has no file of the document ${id}`);
	const options = { ...context.sendOptions, maxMegabytes };
	const { body, mimeType } = await fetchFile(context.caller, url, options);
	return await buildFileItem(context.caller, field, { id, name: fileName, body, mimeType });
}
