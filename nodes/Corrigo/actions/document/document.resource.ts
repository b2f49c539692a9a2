import { subjects } from '../../descriptions/subjects';
import { and, equal } from '../../protocol/criteria';
import { operationsOn } from '../operations';
import { getManyOperation, narrowedBy } from '../operations/getMany';
import type { Resource } from '../operations/operation';
import { optionalActorFields, optionalActorOf } from './actors';
import { download } from './download.operation';
import { upload } from './upload.operation';

const getMany = getManyOperation(subjects.document, {
	fields: optionalActorFields,
	adapt: narrowedBy(async (call) => {
		const actor = await optionalActorOf(call);
		return actor && and(equal('ActorTypeId', actor.ActorTypeId), equal('ActorId', actor.ActorId));
	}),
});

export const document: Resource = {
	name: 'Document',
	value: 'document',
	description: 'Files and links attached to work orders, assets, customers and other records',
	operations: [...operationsOn(subjects.document, 'delete', 'get'), download, getMany, upload],
};
