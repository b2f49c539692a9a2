import { isEmpty } from '../../form/form';
import { reference } from '../../form/references';
import type { ItemContext } from '../../run/context';
import { named, recordIn } from '../../run/resolve';
import type { Variant } from '../operations/search';

export const orderField = reference('workOrder', 'workOrder', { required: true });

export const orderChosen = async (context: ItemContext): Promise<number> =>
	await named(context, (one) => recordIn(one, 'workOrder', 'Work Order', 'workOrder'));

/** Searches for records of work orders cover one order, or all of them. */
export const ofOneOrder = (property: string, many: string): Variant => ({
	fields: [
		reference('workOrder', 'workOrder', {
			description: `Leave it empty to search the ${many} of all work orders`,
		}),
	],
	owner: async (context) =>
		isEmpty(context.param('workOrder', ''))
			? undefined
			: { property, id: await orderChosen(context) },
});
