import type { IBinaryData } from 'n8n-workflow';

import { toOptionalText } from '../../form/form';
import { subjects } from '../../form/subjects';
import { buildOperations } from '../../operations';
import { buildGetManyOperation } from '../../operations/read/search';
import { createFieldBuilder } from '../../operations/members';
import { buildFormCreate } from '../../operations/write/command';
import type { ItemContext } from '../../run/context';
import type { Resource } from '../../run/operation';
import { ValidationError, quote, type JsonObject, parseChoice } from '../../values/checks';
import { buildAttachmentForm } from '../attachments';
import { download } from './download.operation';
import { decodeBase64, sanitizeFileName, type DecodedFile } from './file';

/** Base64 makes the request a third larger, and the limit of Corrigo is not documented. */
const MAX_FILE_MB = 20;
const MAX_FILE_BYTES = MAX_FILE_MB * 1024 * 1024;

const documentOwner = buildAttachmentForm({
	noun: 'document',
	types: [
		'Asset',
		'CommLease',
		'CommLeaseSpace',
		'Employee',
		'LeaseUser',
		'Org',
		'Property',
		'Provider',
		'WO',
	],
	defaultType: 'WO',
	defaultSearch: 'WO',
});

const builder = createFieldBuilder('Document');

const FILE_NAME = 'File Name';

const upload = buildFormCreate({
	value: 'upload',
	action: 'Upload document',
	description: 'Attach a file or a link to a work order, asset, customer or another record',
	entity: 'Document',
	fields: [
		...documentOwner.fields,
		{
			displayName: 'Source',
			name: 'source',
			type: 'options',
			options: [
				{ name: 'File', value: 'file', description: 'Upload a binary field of the input' },
				{ name: 'Link', value: 'link', description: 'Store a web address' },
			],
			default: 'file',
			description: 'Whether to upload a file or store a link',
		},
		{
			displayName: 'Input Data Field Name',
			name: 'binaryPropertyName',
			type: 'string',
			required: true,
			default: 'data',
			displayOptions: { show: { source: ['file'] } },
			description: `Name of the binary field with the file, up to ${MAX_FILE_MB} MB`,
		},
		{
			displayName: 'URL',
			name: 'url',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. https://example.org/manual.pdf',
			description: 'Web address of the document',
			displayOptions: { show: { source: ['link'] } },
		},
	],
	members: [builder.reference('DocType', 'documentType', 'documentType', { required: true })],
	added: [
		builder.field('Description', 'description', 'Description of the content', {
			typeOptions: { rows: 2 },
		}),
		builder.field('EndDate', 'endDate', 'Last day of validity'),
		builder.field('IsPublic', 'isPublic', 'Whether customers and providers can see the document', {
			default: true,
		}),
		builder.field(
			'IsShared',
			'isShared',
			'Whether to share the document with connected providers',
			{
				default: true,
			},
		),
		builder.field(
			'MimeType',
			'mimeType',
			'MIME type of the file, if n8n has a wrong one. Links default to text/html.',
			{ placeholder: 'e.g. application/pdf' },
		),
		builder.field('StartDate', 'startDate', 'First day of validity'),
		builder.field('Title', 'title', 'Title in Corrigo. Defaults to the file name or address.'),
	],
	addedFields: [
		{
			displayName: FILE_NAME,
			name: 'fileName',
			type: 'string',
			default: '',
			placeholder: 'e.g. photo.jpg',
			description: 'Name of the file in Corrigo, if different from its name in n8n',
		},
	],
	buildRecord: async (context, members) => {
		const source = parseChoice('Source', context.param('source', 'file'), ['file', 'link']);
		const actor = await documentOwner.readActor(context);
		const content = source === 'link' ? readLink(context) : await readFile(context);
		return { ...actor, ...content, ...members };
	},
});

function readLink(context: ItemContext): JsonObject {
	const url = context.text('url');
	if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
		throw new ValidationError(`'URL' must be a web address, but it is ${quote(url)}`);
	}
	return { Title: url, StorageTypeId: 'URL', DocUrl: url, MimeType: 'text/html' };
}

async function readFile(context: ItemContext): Promise<JsonObject> {
	const { fileName, mimeType } = context.collection('additionalFields');
	const field = context.text('binaryPropertyName');
	const file = context.caller.helpers.assertBinaryData(context.index, field);
	// An earlier node may have built an incomplete object.
	if (typeof file.data !== 'string')
		throw new ValidationError(`The input has no file in '${field}'`);
	const name = sanitizeFileName(toOptionalText(FILE_NAME, fileName) || getFileName(file, field));
	const place = `${quote(name)} in '${field}'`;
	const { body, mimeType: found } = await readContent(context, field, place, file);
	checkFileSize(field, body.length);
	return {
		Title: name,
		StorageTypeId: 'Cloud',
		MimeType: mimeType || file.mimeType || found || (await detectType(context, name, place, body)),
		Blob: { FileName: name, Body: body.toString('base64') },
	};
}

const getFileName = ({ fileName, fileExtension }: IBinaryData, field: string) =>
	String(fileName || [field, fileExtension].filter(Boolean).join('.'));

async function readContent(
	{ caller: { helpers }, index }: ItemContext,
	field: string,
	place: string,
	{ id, data }: IBinaryData,
): Promise<DecodedFile> {
	if (id) {
		// Files on disk or in a bucket are measured before they are loaded into memory.
		checkFileSize(field, (await helpers.getBinaryMetadata(id)).fileSize);
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
	{ caller: { helpers } }: ItemContext,
	name: string,
	place: string,
	body: Buffer,
): Promise<string> {
	const sample = body.subarray(0, SAMPLE_BYTES);
	const { mimeType } = await helpers.prepareBinaryData(sample, name);
	if (mimeType !== 'text/plain' || !sample.includes(0)) return mimeType;
	throw new ValidationError(
		`The type of ${place} is not known`,
		"Set 'MIME Type' in 'Additional Fields', or give the file a name with an extension.",
	);
}

function checkFileSize(field: string, size: number): void {
	if (size === 0) throw new ValidationError(`The file in '${field}' is empty`);
	if (size <= MAX_FILE_BYTES) return;
	const megabytes = (size / 1024 / 1024).toFixed(1);
	throw new ValidationError(
		`The file in '${field}' is too large: ${megabytes} MB, and ${MAX_FILE_MB} MB can be sent`,
		"Make it smaller, or upload it elsewhere and choose Link as the 'Source'.",
	);
}

export const document: Resource = {
	name: 'Document',
	value: 'document',
	description: 'Files and links attached to work orders, assets, customers and other records',
	operations: [
		upload,
		download,
		...buildOperations(subjects.document, 'delete', 'get', 'update'),
		buildGetManyOperation(subjects.document, documentOwner.search),
	],
};
