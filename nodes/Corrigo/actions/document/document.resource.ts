import { buildField } from '../../form/fields';
import { subjects } from '../../form/subjects';
import { buildOperations } from '../../operations';
import { buildGetManyOperation } from '../../operations/read/search';
import { additionalFields, createFieldBuilder } from '../../operations/members';
import { buildFormCreate } from '../../operations/write/formCreate';
import type { ItemContext } from '../../run/context';
import type { Resource } from '../../run/operation';
import { ValidationError, quote } from '../../values/errors';
import { normalize } from '../../values/input';
import { readPath, type JsonObject } from '../../values/objects';
import { buildAttachmentForm } from '../attachments';
import { download } from './download.operation';
import {
	FILE_NAME,
	findFile,
	getStoredName,
	isLinkDocument,
	MAX_FILE_MB,
	readFile,
	sharingMembers,
} from './file';
import type { Form } from '../../form/form';
import { showWritten } from '../../operations/specimens';

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
	defaultSearch: 'WO',
});

const documentFields = createFieldBuilder('Document');

const sourceField = buildField('source', 'options', 'Whether to upload a file or store a link', {
	options: [
		{ name: 'File', value: 'file', description: 'Upload a binary field of the input' },
		{ name: 'Link', value: 'link', description: 'Store a web address' },
	],
	default: 'file',
});

const inputField = buildField(
	'binaryPropertyName',
	'string',
	`Name of the binary field with the file, up to ${MAX_FILE_MB} MB`,
	{
		displayName: 'Input Data Field Name',
		required: true,
		default: 'data',
		displayOptions: { show: { source: ['file'] } },
	},
);

const urlField = buildField('url', 'string', 'Web address of the document', {
	required: true,
	placeholder: 'e.g. https://example.org/manual.pdf',
	displayOptions: { show: { source: ['link'] } },
});

const fileNameField = buildField(
	'fileName',
	'string',
	'Name of the file in Corrigo, if different from its name in n8n',
	{ placeholder: 'e.g. photo.jpg' },
);

const mimeType = documentFields.field(
	'MimeType',
	'mimeType',
	'MIME type of the file, if n8n has a wrong one. Links default to text/html.',
	{ placeholder: 'e.g. application/pdf' },
);

const upload = buildFormCreate({
	value: 'upload',
	action: 'Upload document',
	description: 'Attach a file or a link to a work order, asset, customer or another record',
	entity: 'Document',
	output: () => showWritten('Document', ['StorageTypeId']),
	shown: [
		...documentOwner.fields,
		sourceField,
		inputField,
		urlField,
		documentFields.reference('DocType', 'documentType', 'documentType', { required: true }),
	],
	added: [
		documentFields.field('Description', 'description', 'Description of the content', {
			typeOptions: { rows: 2 },
		}),
		documentFields.field('EndDate', 'endDate', 'Last day of validity'),
		...sharingMembers,
		mimeType,
		documentFields.field('StartDate', 'startDate', 'First day of validity'),
		documentFields.field(
			'Title',
			'title',
			'Title in Corrigo. Defaults to the file name, or the host of the link.',
		),
		fileNameField,
	],
	same: {
		owner: ['ActorId', 'ActorTypeId'],
		properties: ['Title', 'DocUrl', 'StorageTypeId', FILE_NAME],
		identify: (one) =>
			isLinkDocument(one)
				? [one.DocUrl]
				: [normalize(one.Title ?? ''), normalize(readPath(one, FILE_NAME) ?? '')],
		nameContent: (form, record) => {
			if (isLinkChosen(form)) return record;
			const given = form.readAdded(additionalFields, fileNameField);
			const FileName = getStoredName(form.files, readFieldName(form), given);
			return { Title: FileName, ...record, Blob: { FileName } };
		},
	},
	buildRecord: (context, members) => {
		const isChosen = isLinkChosen(context);
		if (!isChosen) findFile(context.files, readFieldName(context));
		const link = isChosen ? readLink(context) : {};
		return { ...documentOwner.readActor(context), ...link, ...members };
	},
	loadContent: async (context) => (isLinkChosen(context) ? {} : await readContent(context)),
});

const isLinkChosen = (form: Form) => form.read(sourceField) === 'link';

const readFieldName = (form: Form) => form.read(inputField).trim();

function readLink(form: Form): JsonObject {
	const url = form.read(urlField).trim();
	if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) {
		throw new ValidationError(
			`'${urlField.displayName}' must be a web address, but it is ${quote(url, 'DocUrl')}`,
		);
	}
	// Whoever has the link can read the file, so no other member repeats it.
	return { Title: new URL(url).host, StorageTypeId: 'URL', DocUrl: url, MimeType: 'text/html' };
}

async function readContent(context: ItemContext): Promise<JsonObject> {
	const name = context.readAdded(additionalFields, fileNameField);
	const type = context.readAdded(additionalFields, mimeType.property);
	return await readFile(context, readFieldName(context), name, type);
}

export const document: Resource = {
	value: 'document',
	description: 'Files and links attached to work orders, assets, customers and other records',
	operations: [
		upload,
		download,
		...buildOperations(subjects.document, 'delete', 'get', 'update'),
		buildGetManyOperation(subjects.document, documentOwner.search),
	],
};
