import type { INodeProperties } from 'n8n-workflow';

import { isEmpty } from '../../form/form';
import type { JsonObject } from '../../protocol/checks';
import { and, greaterThan } from '../../protocol/criteria';
import { withReason } from '../../protocol/orderDetails';
import { dateTime } from '../../protocol/values';
import { itemOf, type ItemContext } from '../../run/context';
import { namesOf } from './names';
import { orderRead, rowsByOrder } from './orderRead';

const AFTER = 'After';

const afterField: INodeProperties = {
	displayName: AFTER,
	name: 'after',
	type: 'dateTime',
	default: '',
	description:
		'Returns only later actions. In UTC, unless the value has a time zone. Leave empty for the whole history.',
};

const PROPERTIES = [
	...['Id', 'WorkOrderId', 'TypeId', 'ActionDate', 'SystemDateUtc', 'IsBackDate', 'Comment'],
	...['Actor.Id', 'Actor.TypeId', 'Actor.DisplayAs', 'ActionReasonId', 'UiTypeId', 'ObjectId'],
];

export const getHistory = orderRead({
	value: 'getHistory',
	action: 'Get the history of a work order',
	description: 'Retrieve what was done to a work order: when, by whom and why',
	fields: [afterField],
	asked: afterOf,
	read: historiesOf,
	items: (actions) => actions.map(itemOf),
});

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
	const histories = await rowsByOrder(context, ids, log);
	const given = [...histories.values()].flat().map(({ ActionReasonId }) => ActionReasonId);
	const reasons = await namesOf(context, 'WoActionReasonLookup', given);
	return new Map(
		[...histories].map(([id, actions]) => [
			id,
			actions.map((action) => withReason(action, reasons)),
		]),
	);
}
