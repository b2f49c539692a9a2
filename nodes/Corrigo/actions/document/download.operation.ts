import type { INodeExecutionData } from 'n8n-workflow';

import { optionsField } from '../../form/options';
import { isObject, Refusal } from '../../protocol/checks';
import { batches } from '../../protocol/batches';
import { commandRequest } from '../../protocol/requests';
import { fetchFile } from '../../transport/fetchFile';
import { wasRefused } from '../../transport/errors';
import { USUAL_READS, type Call } from '../../run/context';
import { subjects } from '../../form/subjects';
import { idFields, idOf } from '../operations/subject';
import { inLanes } from '../../run/mapLimit';
import { Outcomes, type Outcome } from '../../run/outcome';
import type { Operation } from '../../run/operation';
import { fileField, fileFieldOf, fileItem } from './file';

const COMMAND = 'GetDocDownloadUrlCommand';

/** Links live for a short time only: no more at once than are fetched soon. */
const MOST_LINKS = 50;

interface Wanted {
	call: Call;
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

async function downloadAll(calls: Call[]): Promise<Outcome[]> {
	const [first] = calls;
	const outcomes = new Outcomes(first.caller);
	const lanes = first.lanes(USUAL_READS);
	const wanted: Wanted[] = [];
	for (const call of calls) {
		await outcomes.settle(call, async () => {
			wanted.push(await wantedBy(call));
			return [];
		});
		if (outcomes.areFinal) return outcomes.list;
	}
	for (const group of batchesOf(wanted)) {
		if (outcomes.areFinal) break;
		const links = await linksOf(group);
		await inLanes(
			group.length,
			lanes,
			async (index) => {
				const one = group[index];
				await outcomes.settle(one.call, async () => [await fileOf(one, links)]);
			},
			() => outcomes.areFinal,
		);
	}
	return outcomes.list;
}

async function wantedBy(call: Call): Promise<Wanted> {
	return { call, field: fileFieldOf(call), id: await idOf(subjects.document, call) };
}

const batchesOf = (wanted: Wanted[]) =>
	batches(wanted, {
		key: ({ call }) => (call.isOn('combineItems', true) ? '' : undefined),
		most: MOST_LINKS,
	});

type Links = Map<number, Link> | { failure: unknown } | undefined;

/** Nothing where each needs a request of its own: one document that is not there spoils the answer for all. */
async function linksOf(group: Wanted[]): Promise<Links> {
	if (group.length === 1) return undefined;
	const ids = [...new Set(group.map(({ id }) => id))];
	return await askFor(group[0].call, ids).catch((failure: unknown) =>
		ids.length > 1 && wasRefused(failure) ? undefined : { failure },
	);
}

async function askFor(call: Call, ids: number[]): Promise<Map<number, Link>> {
	const request = commandRequest(COMMAND, { DocumentIds: ids }, call.requestId());
	const { Results } = (await call.send(request)).CommandResult;
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

async function fileOf({ call, id, field }: Wanted, links: Links): Promise<INodeExecutionData> {
	if (links !== undefined && 'failure' in links) throw links.failure;
	const link = (links ?? (await askFor(call, [id]))).get(id);
	if (!link?.url) throw new Refusal(`Corrigo has no file of the document ${id}`);
	const { body, mimeType } = await fetchFile(call.caller, link.url, call.sendOptions);
	return await fileItem(call, field, { id, name: link.fileName, body, mimeType });
}
