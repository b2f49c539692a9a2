import type { INodeProperties } from 'n8n-workflow';

import { isEmpty } from '../../descriptions/form';
import { optionsField } from '../../descriptions/options';
import { reference } from '../../descriptions/references';
import type { JsonObject } from '../../protocol/checks';
import { and, greaterThan } from '../../protocol/criteria';
import { withReason } from '../../protocol/orderDetails';
import { dateTime, folded } from '../../protocol/values';
import { itemOf, type Call } from '../call';
import { lookUp } from '../operations/lookup';
import type { Operation } from '../operations/operation';
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
	all: async (calls) =>
		await ofOrders(calls, {
			asked: afterOf,
			read: historiesOf,
			items: (actions) => actions.map(itemOf),
		}),
};

function afterOf(call: Call): string {
	const after = call.param('after', '');
	return isEmpty(after) ? '' : dateTime(AFTER, after);
}

async function historiesOf(
	call: Call,
	ids: number[],
	after: string,
): Promise<Map<number, JsonObject[]>> {
	const log = {
		entity: 'WoActionLog',
		by: ['WorkOrderId'],
		properties: PROPERTIES,
		...(after === '' ? {} : { where: and(greaterThan('SystemDateUtc', after)) }),
	};
	const found = await lookUp(call, log, ids);
	const actions = [...found.values()].flat();
	const reasons = await namesOf(
		call,
		'WoActionReasonLookup',
		actions.map(({ ActionReasonId }) => ActionReasonId),
	);
	const quiet = await existing(
		call,
		ids.filter((id) => !found.has(folded(id))),
	);
	return new Map(
		[...ids.filter((id) => found.has(folded(id))), ...quiet].map((id) => [
			id,
			(found.get(folded(id)) ?? []).map((action) => withReason(action, reasons)),
		]),
	);
}

/** Orders of which the log says nothing may still be there. */
async function existing(call: Call, ids: number[]): Promise<number[]> {
	if (ids.length === 0) return [];
	const found = await lookUp(call, { entity: 'WorkOrder', by: ['Id'] }, ids);
	return ids.filter((id) => found.has(folded(id)));
}
