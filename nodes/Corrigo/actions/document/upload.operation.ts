import type { IBinaryData } from 'n8n-workflow';

import { optionalText } from '../../form/form';
import { ValidationError, quote, type JsonObject } from '../../protocol/checks';
import { oneOf } from '../../protocol/values';
import type { ItemContext } from '../../run/context';
import { attachments } from '../attachments';
import { createByForm } from '../operations/create';
import { inputsFor } from '../operations/members';
import { plainFileName } from './file';

/** Base64 makes the request a third larger, and the limit of Corrigo is not documented. */
const MAX_FILE_MB = 20;
const MAX_FILE = MAX_FILE_MB * 1024 * 1024;

export const documentOwner = attachments({
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

const document = inputsFor('Document');

const FILE_NAME = 'File Name';

export const upload = createByForm({
	value: 'upload',
	action: 'Upload a document',
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
			displayName: 'Input Binary Field',
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
	members: [document.reference('DocType', 'documentType', 'documentType', { required: true })],
	added: [
		document.field('Description', 'description', 'Description of the content', {
			typeOptions: { rows: 2 },
		}),
		document.field('EndDate', 'endDate', 'Last day of validity'),
		document.field('IsPublic', 'isPublic', 'Whether customers and providers can see the document', {
			default: true,
		}),
		document.field(
			'IsShared',
			'isShared',
			'Whether to share the document with connected providers',
			{
				default: true,
			},
		),
		document.field(
			'MimeType',
			'mimeType',
			'MIME type of the file, if n8n has a wrong one. Links default to text/html.',
			{ placeholder: 'e.g. application/pdf' },
		),
		document.field('StartDate', 'startDate', 'First day of validity'),
		document.field('Title', 'title', 'Title in Corrigo. Defaults to the file name or address.'),
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
	record: async (context, members) => {
		const source = oneOf('Source', context.param('source', 'file'), ['file', 'link']);
		const actor = await documentOwner.actorOf(context);
		const content = source === 'link' ? linkOf(context) : await fileOf(context);
		return { ...actor, ...content, ...members };
	},
});

function linkOf(context: ItemContext): JsonObject {
	const url = context.text('url');
	if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
		throw new ValidationError(`'URL' must be a web address, but it is ${quote(url)}`);
	}
	return { Title: url, StorageTypeId: 'URL', DocUrl: url, MimeType: 'text/html' };
}

async function fileOf(context: ItemContext): Promise<JsonObject> {
	const { fileName } = context.collection('additionalFields');
	const field = context.text('binaryPropertyName');
	const { helpers } = context.caller;
	const file = helpers.assertBinaryData(context.index, field);
	// An earlier node may have built an incomplete object.
	if (typeof file.data !== 'string')
		throw new ValidationError(`The input has no file in '${field}'`);
	mustFit(field, await sizeOf(context, file));
	const content = await helpers.getBinaryDataBuffer(context.index, field);
	mustFit(field, content.length);
	const name = plainFileName(optionalText(FILE_NAME, fileName) || nameOf(file, field));
	return {
		Title: name,
		StorageTypeId: 'Cloud',
		MimeType: file.mimeType,
		Blob: { FileName: name, Body: content.toString('base64') },
	};
}

const nameOf = ({ fileName, fileExtension }: IBinaryData, field: string) =>
	String(fileName || [field, fileExtension].filter(Boolean).join('.'));

/** Files on disk or in a bucket are measured before they are loaded into memory. */
const sizeOf = async (
	{ caller: { helpers } }: ItemContext,
	{ id, data }: IBinaryData,
): Promise<number> =>
	id ? (await helpers.getBinaryMetadata(id)).fileSize : Buffer.byteLength(data, 'base64');

function mustFit(field: string, size: number): void {
	if (size === 0) throw new ValidationError(`The file in '${field}' is empty`);
	if (size <= MAX_FILE) return;
	const megabytes = (size / 1024 / 1024).toFixed(1);
	throw new ValidationError(
		`The file in '${field}' is too large: ${megabytes} MB, and ${MAX_FILE_MB} MB can be sent`,
		"Make it smaller, or upload it elsewhere and choose Link as the 'Source'.",
	);
}
