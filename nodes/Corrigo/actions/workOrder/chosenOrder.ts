import { buildReferenceField } from '../../form/subjects';
import { resolveForm, readRecordId, type ResolvingForm } from '../../run/context';
import type { SearchVariant } from '../../operations/read/search';

export const orderField = buildReferenceField('workOrder', 'workOrder', { required: true });

export const readOrderId = (form: ResolvingForm): number => readRecordId(form, orderField);

/** Searches for records of work orders cover one order, or all of them. */
export const buildOrderVariant = (property: string, many: string): SearchVariant => ({
	fields: [
		buildReferenceField('workOrder', 'workOrder', {
			description: `Leave it empty to search the ${many} of all work orders`,
		}),
	],
	resolveOwner: async (context) =>
		context.isEmpty(orderField)
			? undefined
			: { property, id: await resolveForm(context, readOrderId) },
});
