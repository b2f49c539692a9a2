import { subjects } from '../../form/subjects';
import { buildOperations, buildSearches } from '../../operations';
import type { Resource } from '../../run/operation';
import { download } from './download.operation';
import { documentOwner, upload } from './upload.operation';

export const document: Resource = {
	name: 'Document',
	value: 'document',
	description: 'Files and links attached to work orders, assets, customers and other records',
	operations: [
		upload,
		download,
		...buildOperations(subjects.document, 'delete', 'get', 'update'),
		...buildSearches(subjects.document, documentOwner.search),
	],
};
