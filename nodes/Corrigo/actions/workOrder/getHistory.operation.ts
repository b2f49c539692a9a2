import type { INodeProperties } from 'n8n-workflow';

import { isEmpty } from '../../form/form';
import { optionsField } from '../../form/options';
import { reference } from '../../form/references';
import type { JsonObject } from '../../protocol/checks';
import { and, greaterThan } from '../../protocol/criteria';
import { withReason } from '../../protocol/orderDetails';
import { dateTime } from '../../protocol/values';
import { itemOf, type ItemContext } from '../../run/context';
import type { Operation } from '../../run/operation';
import { byOrder } from './byOrder';
import { namesOf } from './names';
import { ofOrders } from './ofOrders';

const AFTER = 'After';

const afterField: INodeProperties = {
	displayName: AFTER,
	name: 'after',
	type: 'dateTime',
	default: '',
	description:
		'Only what was done after this time. Without a zone, in UTC. Leave it empty for the whole history.',
};

const PROPERTIES = [
	...['Id', 'WorkOrderId', 'TypeId', 'ActionDate', 'SystemDateUtc', 'IsBackDate', 'Comment'],
	...['Actor.Id', 'Actor.TypeId', 'Actor.DisplayAs', 'ActionReasonId', 'UiTypeId', 'ObjectId'],
];

export const getHistory: Operation = {
	name: 'Get History',
	value: 'getHistory',
	action: 'Get the history of a work order',
	description: 'Read what was done to a work order, in order: when, by whom and why (POST /query)',
	fields: [
		reference('workOrder', 'id', { required: true }),
		afterField,
		optionsField('parallelRequests', 'timeout'),
	],
	all: async (contexts) =>
		await ofOrders(contexts, {
			asked: afterOf,
			read: historiesOf,
			items: (actions) => actions.map(itemOf),
		}),
};

function afterOf(context: ItemContext): string {
	const after = context.param('after', '');
	return isEmpty(after) ? '' : dateTime(AFTER, after);
}

async function historiesOf(
	context: ItemContext,
	ids: number[],
	after: string,
): Promise<Map<number, JsonObject[]>> {
	const log = {
		entity: 'WoActionLog',
		of: 'WorkOrderId',
		properties: PROPERTIES,
		...(after === '' ? {} : { where: and(greaterThan('SystemDateUtc', after)) }),
	};
	const histories = await byOrder(context, ids, log);
	const reasons = await namesOf(
		context,
		'WoActionReasonLookup',
		[...histories.values()].flat().map(({ ActionReasonId }) => ActionReasonId),
	);
	return new Map(
		[...histories].map(([id, actions]) => [
			id,
			actions.map((action) => withReason(action, reasons)),
		]),
	);
}
