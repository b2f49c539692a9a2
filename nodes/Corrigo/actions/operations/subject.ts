import type { INodeProperties } from 'n8n-workflow';

import { entityNamed, type Entity } from '../../catalogue/entities';
import { targetOn, type Target } from '../../catalogue/targets';
import { rowOf } from '../../catalogue/views';
import { ValidationError } from '../../protocol/checks';
import { keyOfRecord } from '../../protocol/keys';
import { entityField } from '../../form/fields';
import { reference, targetOfKind, type ReferenceKind } from '../../form/references';
import type { Subject } from '../../form/subjects';
import type { ItemContext } from '../../run/context';
import { idIn, named } from '../../run/resolve';

/** Choosing a work order shortens a list in which many records look alike. */
const narrowField = reference('workOrder', 'workOrder', {
	description: 'Work order whose records the list below shows. Not used otherwise.',
});

const isNarrowedByOrder = (kind: ReferenceKind) =>
	kind !== 'record' && rowOf(kind).narrowedBy?.parameter === narrowField.name;

export const entityFields = ({ entity }: Pick<Subject, 'entity'>) =>
	entity === undefined ? [entityField] : [];

export const idFields = ({ entity, label, kind }: Subject): INodeProperties[] => [
	...entityFields({ entity }),
	...(isNarrowedByOrder(kind) ? [narrowField] : []),
	reference(kind, 'id', { displayName: label, required: true }),
];

/** Names are looked up only inside `resolveForm`, so the form must be read there. */
export const subjectIn = ({ label, kind }: Subject, context: ItemContext): number =>
	idIn(context, label, context.field('id', ''), targetIn(kind, context));

export const idOf = async (subject: Subject, context: ItemContext): Promise<number> =>
	await named(context, (one) => subjectIn(subject, one));

const targetIn = (kind: ReferenceKind, context: ItemContext): Target =>
	kind === 'record' ? targetOn(context.entity()) : targetOfKind(kind);

/** Changes with the same key are sent one after another. */
export const recordKey =
	(subject: Subject) =>
	async (context: ItemContext): Promise<string> =>
		keyOfRecord(entityOf(subject, context), await idOf(subject, context));

export const entityOf = ({ entity }: Subject, context: ItemContext): string =>
	entity ?? context.entity();

/** Fails early if Corrigo is known to refuse the request, and says what to do instead. */
export function mustSupport(entity: string, verb: keyof NonNullable<Entity['refuses']>): string {
	const instead = entityNamed(entity)?.refuses?.[verb];
	if (instead === undefined) return entity;
	throw new ValidationError(`${entity} records do not take a plain ${verb}`, instead);
}
