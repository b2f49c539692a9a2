import type { INodeProperties } from 'n8n-workflow';

import { getEntityTarget, getRecordTarget, toRemovedTarget } from '../catalogue/targets';
import { getRecordView } from '../catalogue/views';
import { entityField } from '../form/fields';
import { buildReferenceField, type ReferenceType, type Subject } from '../form/subjects';
import {
	type FormResolver,
	type ItemContext,
	readRecordId,
	resolveForm,
	type ResolvingForm,
} from '../run/context';
import { getRecordKey } from '../wire/answers';

/** Choosing a work order shortens a list in which many records look alike. */
export const narrowField = buildReferenceField('workOrder', 'workOrder', {
	description: 'Shortens the list below to the records of this order. Has no other effect.',
});

/** Such records have the ID of their work order. */
const isNarrowedByOrder = (recordType: ReferenceType) =>
	recordType !== 'record' &&
	getRecordView(recordType).narrowedBy?.some(
		({ parameter, of }) => parameter === narrowField.name && of === undefined,
	);

export const getEntityFields = ({ entity }: Pick<Subject, 'entity'>) =>
	entity === undefined ? [entityField] : [];

export const getIdFields = ({ entity, idField, recordType }: Subject): INodeProperties[] => [
	...getEntityFields({ entity }),
	...(isNarrowedByOrder(recordType) ? [narrowField] : []),
	idField,
];

export function readSubjectId(subject: Subject, form: ResolvingForm): number {
	const { recordType, idField, isRemoved } = subject;
	const target =
		recordType === 'record' ? getEntityTarget(form.entity()) : getRecordTarget(recordType);
	return readRecordId(form, idField, isRemoved ? toRemovedTarget(target) : target);
}

export const resolveSubjectId = async (subject: Subject, context: ItemContext): Promise<number> =>
	await resolveForm(context, (one) => readSubjectId(subject, one));

/** Changes with the same key are sent one after another. */
export const createKeyResolver =
	(subject: Subject): FormResolver<string> =>
	async (context) =>
		getRecordKey(context.entity(subject), await resolveSubjectId(subject, context));
