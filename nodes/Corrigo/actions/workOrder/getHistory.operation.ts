import type { INodeProperties } from 'n8n-workflow';

import { isEmpty } from '../../form/form';
import { detailInWords, recordIn } from '../../protocol/actionDetails';
import { isBlank, type JsonObject } from '../../protocol/checks';
import { allOf, and, greaterThan } from '../../protocol/criteria';
import { withReason } from '../../protocol/orderDetails';
import type { NameOf } from '../../protocol/knownNames';
import { dateTime, normalize } from '../../protocol/values';
import { lookUp, type RowsByValue } from '../../records/lookup';
import { itemOf, type ItemContext } from '../../run/context';
import { wasRefused } from '../../transport/errors';
import { isForCustomers, onlyShownIn, shownIn } from '../operations/audience';
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
	description: 'Retrieve what was done to a work order: when, by whom, why, and what it changed',
	fields: [afterField],
	options: ['audience'],
	asked: (context) => ({ after: afterOf(context), isForCustomers: isForCustomers(context) }),
	read: historiesOf,
	items: (actions) => actions.map(itemOf),
});

interface Asked {
	after: string;
	isForCustomers: boolean;
}

function afterOf(context: ItemContext): string {
	const after = context.param('after', '');
	return isEmpty(after) ? '' : dateTime(AFTER, after);
}

async function historiesOf(
	context: ItemContext,
	ids: number[],
	asked: Asked,
): Promise<Map<number, JsonObject[]>> {
	const log = {
		entity: 'WoActionLog',
		of: 'WorkOrderId',
		properties: PROPERTIES,
		where: allOf(
			asked.after === '' ? undefined : and(greaterThan('SystemDateUtc', asked.after)),
			onlyShownIn(context, 'WoActionLog'),
		),
	};
	const histories = await rowsByOrder(context, ids, log);
	const actions = [...histories.values()].flat();
	// Details contain names of staff and costs, which customers must not see.
	const details = asked.isForCustomers ? undefined : await detailsOf(context, actions);
	const { reasons, nameOf } = await namesIn(context, actions, details);
	const inWords = (action: JsonObject): JsonObject => ({
		...withReason(action, reasons),
		...(details && {
			Details: (details.get(normalize(action.Id)) ?? []).map((one) => detailInWords(one, nameOf)),
		}),
	});
	const shown = shownIn(context, 'WoActionLog');
	const shownOf = (own: JsonObject[]) => own.map(shown).filter((one) => one !== undefined);
	return new Map([...histories].map(([id, own]) => [id, shownOf(own).map(inWords)]));
}

/** The history is returned without details if the service user may not read them. */
async function detailsOf(
	context: ItemContext,
	actions: JsonObject[],
): Promise<RowsByValue | undefined> {
	const details = {
		entity: 'WoActionLogProp',
		by: ['WoActionLogId'],
		properties: ['TypeId', 'ValueInt', 'ValueStr'],
	};
	const ids = actions.map(({ Id }) => Id);
	return await lookUp(context, details, ids).catch((failure: unknown) => {
		if (!wasRefused(failure)) throw failure;
		context.run.hint(
			'Details are left out: the service user of the credential may not read WoActionLogProp.',
		);
		return undefined;
	});
}

const REASON = 'WoActionReasonLookup';

/** One request for each entity reads the names of reasons and of records in details. */
async function namesIn(
	context: ItemContext,
	actions: JsonObject[],
	details: RowsByValue = new Map(),
) {
	const records = [
		...actions.map(({ ActionReasonId }) => ({ entity: REASON, id: Number(ActionReasonId) })),
		...[...details.values()].flat().map(recordIn),
	].filter((record) => record !== undefined);
	const reading = [...new Set(records.map(({ entity }) => entity))].map(async (entity) => {
		const ids = records.filter((record) => record.entity === entity).map(({ id }) => id);
		return [entity, await namesOf(context, entity, ids)] as const;
	});
	const names = new Map(await Promise.all(reading));
	const nameOf: NameOf = (entity, id) => {
		const name = names.get(entity)?.get(Number(id))?.DisplayAs;
		return isBlank(name) ? undefined : String(name);
	};
	return { reasons: names.get(REASON) ?? new Map<number, JsonObject>(), nameOf };
}
