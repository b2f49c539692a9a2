import type { IBinaryData } from 'n8n-workflow';

import { optionalText } from '../../form/form';
import { ValidationError, quote, type JsonObject } from '../../protocol/checks';
import { oneOf } from '../../protocol/values';
import type { ItemContext } from '../../run/context';
import { attachments } from '../attachments';
import { createByForm } from '../operations/create';
import { inputsFor } from '../operations/members';
import { plainFileName } from './file';

/** The file travels inside JSON, as text that is a third longer. What Corrigo accepts is not documented. */
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
				{ name: 'File', value: 'file', description: 'A binary field of the input' },
				{ name: 'Link', value: 'link', description: 'An address where the document is' },
			],
			default: 'file',
			description: 'Where the document comes from',
		},
		{
			displayName: 'Input Binary Field',
			name: 'binaryPropertyName',
			type: 'string',
			required: true,
			default: 'data',
			displayOptions: { show: { source: ['file'] } },
			description: `Name of the input field that holds the file, of ${MAX_FILE_MB} MB at most`,
		},
		{
			displayName: 'URL',
			name: 'url',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. https://example.org/manual.pdf',
			description: 'Where the document is',
			displayOptions: { show: { source: ['link'] } },
		},
	],
	members: [document.reference('DocType', 'documentType', 'documentType', { required: true })],
	added: [
		document.field('Description', 'description', 'What the document shows', {
			typeOptions: { rows: 2 },
		}),
		document.field('EndDate', 'endDate', 'Until when it is valid'),
		document.field('IsPublic', 'isPublic', 'Whether customers and providers may see it', {
			default: true,
		}),
		document.field('IsShared', 'isShared', 'Whether it is shared with connected providers', {
			default: true,
		}),
		document.field(
			'MimeType',
			'mimeType',
			'Kind of file, if not as n8n knows it. For links, text/html unless given here.',
			{ placeholder: 'e.g. application/pdf' },
		),
		document.field('StartDate', 'startDate', 'From when it is valid'),
		document.field(
			'Title',
			'title',
			'What Corrigo lists it by. Without it, the name of the file or the address.',
		),
	],
	addedFields: [
		{
			displayName: FILE_NAME,
			name: 'fileName',
			type: 'string',
			default: '',
			placeholder: 'e.g. photo.jpg',
			description: 'Name of the file in Corrigo, if not the one it has in n8n',
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
	// A node before this one may have made it up.
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

/** Files on disk or in a bucket are measured where they are, before they fill the memory. */
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
