import type { EntityName, MemberName } from '../../../catalogue/entities';
import { toItem } from '../../../run/context';
import type { Operation } from '../../../run/operation';
import { buildOrderRead, loadRowsByOrder } from './orderRead';

const properties = ['*', 'Items.*', 'Items.InvoiceItem.Id', 'Items.InvoiceItem.DisplayAs'];

/** The member `orderMember` of a record holds the Id of its order. */
const buildMoneyRead = <Entity extends EntityName>(
	value: string,
	many: string,
	entity: Entity,
	orderMember: MemberName<Entity>,
): Operation =>
	buildOrderRead({
		value,
		action: `Get the ${many} of a work order`,
		description: `Retrieve the ${many} of a work order with their lines`,
		readSettings: () => null,
		read: async (context, ids) =>
			await loadRowsByOrder(context, ids, { entity, orderMember, properties }),
		toItems: (rows) => rows.map(toItem),
	});

/** Each estimate or quote becomes an item. */
export const money: readonly Operation[] = [
	buildMoneyRead('getEstimates', 'estimates', 'WoEstimate', 'WorkOrderId'),
	buildMoneyRead('getQuotes', 'quotes', 'WoQuote', 'WoId'),
];
