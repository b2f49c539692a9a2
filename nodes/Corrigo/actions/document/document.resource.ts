import { subjects } from '../../descriptions/subjects';
import { and, equal } from '../../protocol/criteria';
import { operationsOn, searchesOn } from '../operations';
import { narrowedBy, type Variant } from '../operations/search';
import type { Resource } from '../operations/operation';
import { optionalActorFields, optionalActorOf } from './actors';
import { download } from './download.operation';
import { upload } from './upload.operation';

const search: Variant = {
	fields: optionalActorFields,
	adapt: narrowedBy(async (call) => {
		const actor = await optionalActorOf(call);
		return actor && and(equal('ActorTypeId', actor.ActorTypeId), equal('ActorId', actor.ActorId));
	}),
};

export const document: Resource = {
	name: 'Document',
	value: 'document',
	description: 'Files and links attached to work orders, assets, customers and other records',
	operations: [
		...operationsOn(subjects.document, 'delete', 'get', 'update'),
		...searchesOn(subjects.document, search),
		download,
		upload,
	],
};
