import type { INodeProperties } from 'n8n-workflow';

import { getEntity, type Entity } from '../catalogue/entities';
import { getEntityTarget } from '../catalogue/targets';
import { getNoun, getRecordView } from '../catalogue/views';
import { ValidationError } from '../values/errors';
import { entityField } from '../form/fields';
import { buildReferenceField, type ReferenceType, type Subject } from '../form/subjects';
import { type ItemContext, readRecordId, resolveForm } from '../run/context';
import { getRecordKey } from '../wire/answers';

/** Choosing a work order shortens a list in which many records look alike. */
const narrowField = buildReferenceField('workOrder', 'workOrder', {
	description: 'Work order whose records the list below shows. Not used otherwise.',
});

const isNarrowedByOrder = (kind: ReferenceType) =>
	kind !== 'record' && getRecordView(kind).narrowedBy?.parameter === narrowField.name;

export const getEntityFields = ({ entity }: Pick<Subject, 'entity'>) =>
	entity === undefined ? [entityField] : [];

/** A record of the subject. */
export const buildIdField = ({ kind, label }: Pick<Subject, 'kind' | 'label'>) =>
	buildReferenceField(kind, 'id', { displayName: label, required: true });

export const getIdFields = ({ entity, label, kind }: Subject): INodeProperties[] => [
	...getEntityFields({ entity }),
	...(isNarrowedByOrder(kind) ? [narrowField] : []),
	buildIdField({ kind, label }),
];

/** Names are looked up only inside `resolveForm`, so the form must be read there. */
export function readSubjectId(subject: Subject, context: ItemContext): number {
	const target = subject.kind === 'record' ? getEntityTarget(context.entity()) : undefined;
	return readRecordId(context, buildIdField(subject), target);
}

export const resolveSubjectId = async (subject: Subject, context: ItemContext): Promise<number> =>
	await resolveForm(context, (one) => readSubjectId(subject, one));

/** Changes with the same key are sent one after another. */
export const createKeyReader =
	(subject: Subject) =>
	async (context: ItemContext): Promise<string> =>
		getRecordKey(context.entity(subject), await resolveSubjectId(subject, context));

/** Fails early if Corrigo is known to refuse the request, and says what to do instead. */
export function requireSupport(entity: string, verb: keyof NonNullable<Entity['refuses']>): string {
	const instead = getEntity(entity)?.refuses?.[verb];
	if (instead === undefined) return entity;
	throw new ValidationError(
		`Corrigo does not ${verb} ${getNoun(entity)} records this way`,
		instead,
	);
}
