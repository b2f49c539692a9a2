import type { EntityName, MemberName } from '../../catalogue/entities';
import { optionsField } from '../../form/options';
import { reference } from '../../form/references';
import { itemOf } from '../../run/context';
import type { Operation } from '../../run/operation';
import { byOrder } from './byOrder';
import { ofOrders } from './ofOrders';

interface Read<Entity extends EntityName> {
	name: string;
	value: string;
	/** "quotes" */
	many: string;
	/** The property that holds the Id of the order. */
	of: MemberName<Entity>;
}

const properties = ['*', 'Items.*', 'Items.InvoiceItem.Id', 'Items.InvoiceItem.DisplayAs'];

const read = <Entity extends EntityName>(
	entity: Entity,
	{ name, value, many, of }: Read<Entity>,
): Operation => ({
	name,
	value,
	action: `Get the ${many} of a work order`,
	description: `Read the ${many} of a work order with their lines (POST /query)`,
	fields: [
		reference('workOrder', 'id', { required: true }),
		optionsField('parallelRequests', 'timeout'),
	],
	all: async (contexts) =>
		await ofOrders(contexts, {
			asked: () => null,
			read: async (context, ids) => await byOrder(context, ids, { entity, of, properties }),
			items: (rows) => rows.map(itemOf),
		}),
});

/** Quotes and estimates of many orders together: an item for each. */
export const money: readonly Operation[] = [
	read('WoEstimate', {
		name: 'Get Estimates',
		value: 'getEstimates',
		many: 'estimates',
		of: 'WorkOrderId',
	}),
	read('WoQuote', { name: 'Get Quotes', value: 'getQuotes', many: 'quotes', of: 'WoId' }),
];
