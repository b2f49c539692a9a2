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
	/** "cost lines" */
	many: string;
	description: string;
	/** The property that holds the Id of the order. */
	of: MemberName<Entity>;
	/** Records that are named along with their Ids. */
	named: readonly string[];
	/** What else is read. */
	lines?: string;
}

const namesAt = (path: string) => [`${path}.Id`, `${path}.DisplayAs`];

const read = <Entity extends EntityName>(
	entity: Entity,
	{ name, value, many, description, of, named, lines }: Read<Entity>,
): Operation => {
	const properties = ['*', ...(lines === undefined ? [] : [lines]), ...named.flatMap(namesAt)];
	return {
		name,
		value,
		action: `Get the ${many} of a work order`,
		description: `${description} (POST /query)`,
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
	};
};

/** What an order costs, was offered and is expected to cost: an item for each, for many orders together. */
export const money: readonly Operation[] = [
	read('FinancialItem', {
		name: 'Get Costs',
		value: 'getCosts',
		many: 'cost lines',
		description: 'Read the cost lines of a work order: labor, material and other expenses',
		of: 'WoId',
		named: ['Employee', 'InvoiceItem', 'LaborCode', 'Product'],
	}),
	read('WoEstimate', {
		name: 'Get Estimates',
		value: 'getEstimates',
		many: 'estimates',
		description: 'Read the estimates of a work order with their lines',
		of: 'WorkOrderId',
		lines: 'Items.*',
		named: ['Items.InvoiceItem'],
	}),
	read('WoQuote', {
		name: 'Get Quotes',
		value: 'getQuotes',
		many: 'quotes',
		description: 'Read the quotes of a work order with their lines',
		of: 'WoId',
		lines: 'Items.*',
		named: ['Items.InvoiceItem'],
	}),
];
