import type { INodeProperties } from 'n8n-workflow';

import { getRecordTarget } from '../../../catalogue/targets';
import { buildField } from '../../../form/fields';
import { toOptionalText } from '../../../form/form';
import { buildReferenceField } from '../../../form/subjects';
import { buildRepeatedGroup, getFormFields } from '../../../operations/members';
import type { ItemContext } from '../../../run/context';
import { resolveFieldId } from '../../../run/resolve';
import { type JsonObject, isObject, toRows } from '../../../values/objects';
import { parseBoolean } from '../../../values/scalars';
import {
	checkFileSize,
	findFile,
	MAX_FILE_MB,
	readFile,
	sharingMembers,
} from '../../document/file';

const LABEL = 'Attachments';
const FIELDS = 'Input Data Field Names';

const ATTACHMENT_FIELDS: INodeProperties[] = [
	buildField(
		'binaryPropertyNames',
		'string',
		'Names of the binary fields with the files, comma-separated. Leave it empty to attach all files of the item.',
		{ displayName: FIELDS, placeholder: 'e.g. data, photo' },
	),
	buildReferenceField('documentType', 'documentType', { required: true }),
	buildField('title', 'string', 'Title in Corrigo. Defaults to the file name.'),
	...getFormFields(sharingMembers),
];

export const attachmentsField = buildRepeatedGroup('attachments', 'Attachment', ATTACHMENT_FIELDS, {
	description: `Files to add to the new order, up to ${MAX_FILE_MB} MB together. An order that already exists gets none.`,
});

/** `Blob` is the name of a binary field until the order is sent, so that no content is kept. */
export const readAttachments = (context: ItemContext): JsonObject[] =>
	context.rows('attachments').flatMap(({ binaryPropertyNames, documentType, ...row }) => {
		const fields = toOptionalText(`${LABEL} > ${FIELDS}`, binaryPropertyNames)
			.split(',')
			.map((field) => field.trim())
			.filter((field) => field !== '');
		const item = context.caller.getInputData()[context.index];
		const found = fields.length > 0 ? fields : Object.keys(item.binary ?? {});
		const Title = toOptionalText(`${LABEL} > Title`, row.title);
		const target = getRecordTarget('documentType');
		const DocType = {
			Id: resolveFieldId(context, `${LABEL} > Document Type`, documentType, target),
		};
		return found.map((field) => {
			findFile(context, field);
			return {
				...(Title === '' ? {} : { Title }),
				DocType,
				IsPublic: parseBoolean(`${LABEL} > Is Public`, row.isPublic ?? true),
				IsShared: parseBoolean(`${LABEL} > Is Shared`, row.isShared ?? true),
				Blob: field,
			};
		});
	});

/** The files of an order travel in one request, so the limit covers them together. */
export async function loadAttachments(context: ItemContext, body: JsonObject): Promise<JsonObject> {
	const { WorkOrder: order } = body;
	if (!isObject(order) || order.Documents === undefined) return body;
	const Documents: JsonObject[] = [];
	let bytes = 0;
	for (const document of toRows(order.Documents)) {
		const { Blob: field, ...members } = document;
		const file = typeof field === 'string' ? await readFile(context, field) : undefined;
		Documents.push(file === undefined ? document : { ...file, ...members });
		bytes += Buffer.byteLength(file?.Blob.Body ?? '', 'base64');
		checkFileSize(`The total of '${LABEL}'`, bytes);
	}
	return { ...body, WorkOrder: { ...order, Documents } };
}
