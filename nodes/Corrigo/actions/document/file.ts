import type {
	IBinaryData,
	IBinaryKeyData,
	IExecuteFunctions,
	INodeExecutionData,
} from 'n8n-workflow';

import { defineField } from '../../form/fields';
import type { Form } from '../../form/form';
import { createEmptyError, quote, ValidationError, formatNames } from '../../values/errors';
import { normalize } from '../../values/input';
import { readPath, type JsonObject } from '../../values/objects';
import { createFieldBuilder } from '../../operations/members';
import type { ItemContext } from '../../run/context';

const documentFields = createFieldBuilder('Document');

/** Uploads and the attachments of a new order share these fields. */
export const sharingMembers = [
	documentFields.field(
		'IsPublic',
		'isPublic',
		'Whether customers and vendors can see the document',
	),
	documentFields.field(
		'IsShared',
		'isShared',
		'Whether to share the document with connected vendors',
	),
];

/** Fields of a row are always shown, so each has a value. */
export const readSharing = (row: Form): JsonObject =>
	Object.fromEntries(sharingMembers.map(({ member, property }) => [member, row.read(property)]));

export const fileField = defineField({
	displayName: 'Output Data Field Name',
	name: 'binaryPropertyName',
	type: 'string',
	required: true,
	default: 'data',
	hint: 'The name of the output binary field to put the file in',
	placeholder: 'e.g. data',
});

export function readFileField(form: Form): string {
	const field = form.read(fileField).trim();
	if (field === '') throw createEmptyError(fileField.displayName);
	return field;
}

/** The name may be used on a disk, so paths and characters that hide its end are removed. */
function sanitizeFileName(name: string): string {
	const [last] = name.split(/[\\/]/).slice(-1);
	const plain = last.replace(/[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu, '').trim();
	return /^\.*$/.test(plain) ? 'document' : plain;
}

export interface DecodedFile {
	body: Buffer;
	/** Empty unless the text is a data URL with a type. */
	mimeType: string;
}

/**
 * Decodes base64 and data URLs, which Code nodes build. Other text is refused, because n8n would
 * decode it to other bytes.
 */
export function decodeBase64(text: string): DecodedFile | undefined {
	const [head = '', mimeType = ''] =
		/^\s*data:([^,;]*)(?:;[^,;]{0,200}){0,9};base64,/i.exec(text) ?? [];
	const encoded = text.slice(head.length).replace(/\s+/g, '').replace(/-/g, '+').replace(/_/g, '/');
	const body = Buffer.from(encoded, 'base64');
	return body.toString('base64') === encoded ? { body, mimeType } : undefined;
}

/** n8n detects a missing or empty type from the content and the name. */
export async function buildFileItem(
	caller: IExecuteFunctions,
	field: string,
	{ id, name, body, mimeType }: { id: unknown; name: string; body: Buffer; mimeType?: string },
): Promise<INodeExecutionData> {
	const plain = sanitizeFileName(name);
	const file = await caller.helpers.prepareBinaryData(body, plain, mimeType);
	return {
		json: { Id: id as number, FileName: plain, MimeType: file.mimeType, FileSize: body.length },
		binary: { [field]: file },
	};
}

/** Reads a file of the input as the members of a new document. */
export async function readFile(
	context: ItemContext,
	field: string,
	fileName = '',
	mimeType?: unknown,
): Promise<JsonObject & { Blob: { FileName: string; Body: string } }> {
	const file = findFile(context.files, field);
	const name = getStoredName(context.files, field, fileName);
	const place = `${quote(name)} in '${field}'`;
	const { body, mimeType: found } = await readContent(context, field, place, file);
	checkFileSize(`The file in '${field}'`, body.length);
	return {
		Title: name,
		StorageTypeId: 'Cloud',
		MimeType:
			mimeType || file.mimeType || found || (await detectType(context.caller, name, place, body)),
		Blob: { FileName: name, Body: body.toString('base64') },
	};
}

/** Refuses a field without a file, whose content is not read yet. */
export function findFile(files: IBinaryKeyData, field: string): IBinaryData {
	// An earlier node may have built an incomplete object.
	if (typeof files[field]?.data === 'string') return files[field];
	const others = Object.keys(files).filter((name) => name !== field);
	throw new ValidationError(
		`The item has no file in the binary field ${quote(field)}`,
		others.length > 0
			? `Enter the name of the field that has the file. There are files in ${formatNames(others)}.`
			: 'It has no files. Check which node they come from.',
	);
}

const getFileName = ({ fileName, fileExtension }: IBinaryData, field: string) =>
	String(fileName || [field, fileExtension].filter(Boolean).join('.'));

/** Name that a file of the input gets in Corrigo, unless the form gives another one. */
export const getStoredName = (files: IBinaryKeyData, field: string, given = ''): string =>
	sanitizeFileName(given || getFileName(findFile(files, field), field));

export const FILE_NAME = 'Blob.FileName';

export const isLinkDocument = ({ StorageTypeId }: JsonObject): boolean => StorageTypeId === 'URL';

/** A link is never the same as a file. The names of some stored files are not known. */
export function isSameFile(stored: JsonObject, file: JsonObject): boolean {
	if (isLinkDocument(stored)) return false;
	const [name, other] = [stored, file].map((one) => normalize(readPath(one, FILE_NAME) ?? ''));
	return normalize(stored.Title ?? '') === normalize(file.Title) && (name === '' || name === other);
}

async function readContent(
	{ caller: { helpers }, index }: ItemContext,
	field: string,
	place: string,
	{ id, data }: IBinaryData,
): Promise<DecodedFile> {
	if (id) {
		// Files on disk or in a bucket are measured before they are loaded into memory.
		checkFileSize(`The file in '${field}'`, (await helpers.getBinaryMetadata(id)).fileSize);
		return { body: await helpers.getBinaryDataBuffer(index, field), mimeType: '' };
	}
	const decoded = decodeBase64(data);
	if (decoded !== undefined) return decoded;
	throw new ValidationError(
		`The content of ${place} is not base64, so it would arrive damaged`,
		"Encode it in the Code node with Buffer.from(content).toString('base64'), or use the node Convert to File.",
	);
}

/** n8n detects types by name and content from the beginning of a file. */
const SAMPLE_BYTES = 4100;

/** n8n has `text/plain` for what it does not know. */
async function detectType(
	caller: IExecuteFunctions,
	name: string,
	place: string,
	body: Buffer,
): Promise<string> {
	const sample = body.subarray(0, SAMPLE_BYTES);
	const { mimeType } = await caller.helpers.prepareBinaryData(sample, name);
	if (mimeType !== 'text/plain' || !sample.includes(0)) return mimeType;
	throw new ValidationError(
		`The type of ${place} is not known`,
		"Give the file a name with an extension. 'Upload' of documents takes a 'MIME Type', too.",
	);
}

/** Base64 makes the request a third larger, and the limit of Corrigo is not documented. */
export const MAX_FILE_MB = 20;
const MAX_FILE_BYTES = MAX_FILE_MB * 1024 * 1024;

export function checkFileSize(subject: string, size: number): void {
	if (size === 0) throw new ValidationError(`${subject} is empty`);
	if (size <= MAX_FILE_BYTES) return;
	const megabytes = (size / 1024 / 1024).toFixed(1);
	throw new ValidationError(
		`${subject} is too large: ${megabytes} MB, and ${MAX_FILE_MB} MB can be sent`,
		"Make it smaller, or store it elsewhere and add a link to it with 'Upload' of documents.",
	);
}
