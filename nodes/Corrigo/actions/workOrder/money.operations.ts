import type { EntityName, MemberName } from '../../catalogue/entities';
import { itemOf } from '../../run/context';
import type { Operation } from '../../run/operation';
import { orderRead, rowsByOrder } from './orderRead';

const properties = ['*', 'Items.*', 'Items.InvoiceItem.Id', 'Items.InvoiceItem.DisplayAs'];

/** The member `orderMember` of a record holds the Id of its order. */
const read = <Entity extends EntityName>(
	value: string,
	many: string,
	entity: Entity,
	of: MemberName<Entity>,
): Operation =>
	orderRead({
		value,
		action: `Get the ${many} of a work order`,
		description: `Retrieve the ${many} of a work order with their lines`,
		asked: () => null,
		read: async (context, ids) => await rowsByOrder(context, ids, { entity, of, properties }),
		items: (rows) => rows.map(itemOf),
	});

/** Each estimate or quote becomes an item. */
export const money: readonly Operation[] = [
	read('getEstimates', 'estimates', 'WoEstimate', 'WorkOrderId'),
	read('getQuotes', 'quotes', 'WoQuote', 'WoId'),
];
