import { buildField } from '../../../form/fields';
import { subjects } from '../../../form/subjects';
import { buildSharedRead } from '../../../operations/read/sharedRead';
import {
	arrangeAction,
	describeDetail,
	findSubject,
	getPreviousStatus,
	ACTION_ORDER_PATHS,
} from '../../../records/actionDetails';
import type { JsonObject } from '../../../values/objects';
import { isBlank, normalize } from '../../../values/input';
import { joinCriteria, and, greaterThan } from '../../../wire/criteria';
import type { NameReader } from '../../../records/names';
import { lookUp, type RowsByValue, type Requester } from '../../../records/query';
import { toItem, type ItemContext } from '../../../run/context';
import { wasRefused } from '../../../transport/errors';
import { buildAudienceCriteria, keepVisible, selectVisible } from '../../../operations/output';
import { DELAY_PATHS, readDelays } from '../timeline';
import { addReason, loadNamesById, loadRowsByOrder, showArrangedAction } from './orderRead';
import { buildRecord, TEXT } from '../../../operations/specimens';

const PROPERTIES = [
	...['Id', 'WorkOrderId', 'TypeId', 'ActionDate', 'SystemDateUtc', 'TimeZone', 'IsBackDate'],
	...[
		'Comment',
		'Actor.Id',
		'Actor.TypeId',
		'Actor.DisplayAs',
		'ActionReasonId',
		'UiTypeId',
		'ObjectId',
	],
];

/** n8n's table begins with the columns of the first item, of which little is known. */
const UNKNOWN = {
	...{ StatusBefore: null, StatusAfter: null },
	...{ HoursInStatusBefore: null, PlannedUtc: null, HoursLate: null },
	...{ Reason: null, Comment: null },
};

const afterField = buildField(
	'after',
	'dateTime',
	'Returns only later actions. In UTC, unless the value has a time zone. Leave empty for the whole history.',
);

export const getHistory = buildSharedRead(subjects.workOrder, {
	value: 'getHistory',
	action: 'Get history of work order',
	description: 'Retrieve what was done to a work order: when, by whom, why, and what it changed',
	output: () => ({
		...showArrangedAction(buildRecord('WorkOrder', ACTION_ORDER_PATHS), 'Open'),
		Details: [{ TypeId: TEXT, Type: TEXT, Value: TEXT, Id: 1 }],
	}),
	fields: [afterField],
	options: ['audience'],
	readSettings: (context) => ({
		after: context.readOptional(afterField) ?? '',
		isForCustomers: context.isForCustomers,
	}),
	load: loadHistories,
	toItems: (actions) => actions.map(toItem),
});

async function loadHistories(
	context: ItemContext,
	ids: number[],
	settings: { after: string; isForCustomers: boolean },
): Promise<Map<number, JsonObject[]>> {
	const log = {
		entity: 'WoActionLog',
		orderMember: 'WorkOrderId',
		orderProperties: selectVisible(context, 'WorkOrder', [...ACTION_ORDER_PATHS, ...DELAY_PATHS]),
		properties: selectVisible(context, 'WoActionLog', PROPERTIES),
		where: joinCriteria(
			settings.after === '' ? undefined : and(greaterThan('SystemDateUtc', settings.after)),
			buildAudienceCriteria(context, 'WoActionLog'),
		),
	};
	const histories = await loadRowsByOrder(context, ids, log);
	const actions = [...histories.values()].flatMap(({ rows }) => rows);
	// Details contain names of staff and costs, which customers must not see.
	const details = settings.isForCustomers ? undefined : await loadDetails(context, actions);
	const { reasons, findName } = await loadRecordNames(context, actions, details);
	const describeAction = (
		action: JsonObject,
		order: JsonObject,
		delay?: JsonObject,
	): JsonObject => {
		const rows = details?.get(normalize(action.Id)) ?? [];
		const Details = rows.map((row) => describeDetail(row, findName));
		const previous = rows.find(({ TypeId }) => TypeId === 'PrevWoStatus');
		const { WorkOrderNumber, Action, ...others } = arrangeAction(
			addReason(action, reasons),
			order,
			{ previousStatus: previous && getPreviousStatus(previous), delay },
		);
		return { WorkOrderNumber, Action, ...UNKNOWN, ...others, ...(details && { Details }) };
	};
	return new Map(
		[...histories].map(([id, { order, rows }]) => {
			const [shown = {}] = keepVisible(context, 'WorkOrder', [order]);
			const visible = keepVisible(context, 'WoActionLog', rows);
			const delays = readDelays(shown, visible, { isWhole: settings.after === '' });
			return [
				id,
				visible.map((action) => describeAction(action, shown, delays.get(Number(action.Id)))),
			];
		}),
	);
}

/** The history is returned without details if the service user may not read them. */
async function loadDetails(
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
		context.run.addNotice(
			'Details are left out: the service user of the credential may not read WoActionLogProp.',
		);
		return undefined;
	});
}

const REASON = 'WoActionReasonLookup';

/** One request for each entity reads the names of reasons and of records in details. */
async function loadRecordNames(
	requester: Requester,
	actions: JsonObject[],
	details: RowsByValue = new Map(),
) {
	const records = [
		...actions.map(({ ActionReasonId }) => ({ entity: REASON, id: Number(ActionReasonId) })),
		...[...details.values()].flat().map(findSubject),
	].filter((record) => record !== undefined);
	const reading = [...new Set(records.map(({ entity }) => entity))].map(async (entity) => {
		const ids = records.filter((record) => record.entity === entity).map(({ id }) => id);
		return [entity, await loadNamesById(requester, entity, ids)] as const;
	});
	const names = new Map(await Promise.all(reading));
	const findName: NameReader = (entity, id) => {
		const name = names.get(entity)?.get(Number(id))?.DisplayAs;
		return isBlank(name) ? undefined : String(name);
	};
	return { reasons: names.get(REASON) ?? new Map<number, JsonObject>(), findName };
}
