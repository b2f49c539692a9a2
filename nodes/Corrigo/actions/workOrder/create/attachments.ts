import { buildField } from '../../../form/fields';
import { buildReferenceField } from '../../../form/subjects';
import { buildRepeatedGroup, getFormFields } from '../../../operations/members';
import { type ItemContext, readRecordId, type ItemForm } from '../../../run/context';
import { type JsonObject, isObject, toRows } from '../../../values/objects';
import {
	checkFileSize,
	findFile,
	MAX_FILE_MB,
	readFile,
	readSharing,
	sharingMembers,
} from '../../document/file';

const inputFields = buildField(
	'binaryPropertyNames',
	'string',
	'Names of the binary fields with the files, comma-separated. Leave it empty to attach all files of the item.',
	{ displayName: 'Input Data Field Names', placeholder: 'e.g. data, photo' },
);
const documentType = buildReferenceField('documentType', 'documentType', { required: true });
const title = buildField('title', 'string', 'Title in Corrigo. Defaults to the file name.');

export const attachmentsField = buildRepeatedGroup(
	'attachments',
	'Attachment',
	[inputFields, documentType, title, ...getFormFields(sharingMembers)],
	{
		description: `Files to add to the new order, up to ${MAX_FILE_MB} MB together. An order that already exists gets none.`,
	},
);

/** `Blob` is the name of a binary field until the order is sent, so that no content is kept. */
export const readAttachments = (form: ItemForm): JsonObject[] =>
	form.readRows(attachmentsField).flatMap((row) => {
		const fields = row
			.read(inputFields)
			.split(',')
			.map((field) => field.trim())
			.filter((field) => field !== '');
		const found = fields.length > 0 ? fields : Object.keys(form.inputItem.binary ?? {});
		const Title = row.read(title);
		const DocType = { Id: readRecordId(form, documentType, undefined, row) };
		return found.map((field) => {
			findFile(form.inputItem, field);
			return {
				...(Title === '' ? {} : { Title }),
				DocType,
				...readSharing(row),
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
		checkFileSize(`The total of '${attachmentsField.displayName}'`, bytes);
	}
	return { ...body, WorkOrder: { ...order, Documents } };
}
