import { subjects } from '../../form/subjects';
import { operationsOn, searchesOn } from '../operations';
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
		...operationsOn(subjects.document, 'delete', 'get', 'update'),
		...searchesOn(subjects.document, documentOwner.search),
	],
};
