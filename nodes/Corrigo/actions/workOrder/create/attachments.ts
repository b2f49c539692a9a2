import { buildField } from '../../../form/fields';
import { buildReferenceField } from '../../../form/subjects';
import { buildRepeatedGroup, getFormFields } from '../../../operations/members';
import {
	type ItemContext,
	readRecordId,
	type ItemForm,
	type ResolvingForm,
} from '../../../run/context';
import { type JsonObject, getMember, isObject, readPath, toRows } from '../../../values/objects';
import {
	checkFileSize,
	findFile,
	getStoredName,
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
		description: `Files to add to the new order, up to ${MAX_FILE_MB} MB together. An order that already exists does not get them, unless 'Add Files to Existing Order' of 'Create' is on.`,
	},
);

/** `Blob` is the name of a binary field until the order is sent, so that no content is kept. */
export const readAttachments = (form: ResolvingForm): JsonObject[] =>
	form.readRows(attachmentsField).flatMap((row) => {
		const fields = row
			.read(inputFields)
			.split(',')
			.map((field) => field.trim())
			.filter((field) => field !== '');
		const found = fields.length > 0 ? fields : Object.keys(form.files);
		const Title = row.read(title);
		const DocType = { Id: readRecordId(form, documentType, undefined, row) };
		return found.map((field) => {
			findFile(form.files, field);
			return {
				...(Title === '' ? {} : { Title }),
				DocType,
				...readSharing(row),
				Blob: field,
			};
		});
	});

/** Titles and names of files, by which an order knows them, are known before their content is read. */
export function nameAttachment(form: ItemForm, { Title, Blob }: JsonObject): JsonObject {
	const name = typeof Blob === 'string' ? getStoredName(form.files, Blob) : undefined;
	const FileName = name ?? getMember(Blob, 'FileName');
	return { Title: Title ?? FileName ?? '', Blob: { FileName } };
}

/** Returns the members of a document with its content. */
export async function loadAttachment(
	context: ItemContext,
	document: JsonObject,
): Promise<JsonObject> {
	const { Blob: field, ...members } = document;
	return typeof field === 'string' ? { ...(await readFile(context, field)), ...members } : document;
}

/** The files of an order travel in one request, so the limit covers them together. */
export async function loadAttachments(context: ItemContext, body: JsonObject): Promise<JsonObject> {
	const { WorkOrder: order } = body;
	if (!isObject(order) || order.Documents === undefined) return body;
	const Documents: JsonObject[] = [];
	let bytes = 0;
	for (const document of toRows(order.Documents)) {
		const loaded = await loadAttachment(context, document);
		Documents.push(loaded);
		if (typeof document.Blob !== 'string') continue;
		bytes += Buffer.byteLength(String(readPath(loaded, 'Blob.Body')), 'base64');
		checkFileSize(`The total of '${attachmentsField.displayName}'`, bytes);
	}
	return { ...body, WorkOrder: { ...order, Documents } };
}
