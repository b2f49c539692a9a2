import type { EntityName, MemberName } from '../../../catalogue/entities';
import { type JsonObject, isObject } from '../../../values/objects';
import { normalize } from '../../../values/input';
import { emptyIfForbidden } from '../../../transport/errors';
import {
	loadAllRows,
	loadRecordsById,
	lookUp,
	type LookUp,
	type Requester,
} from '../../../records/query';
import { type ItemContext, oncePerRun, toItem } from '../../../run/context';
import { arrangeAction } from '../../../records/actionDetails';
import { arrangeRecord, getNameProperty } from '../../../records/names';
import { subjects } from '../../../form/subjects';
import type { Operation } from '../../../run/operation';
import { buildSharedRead } from '../../../operations/read/sharedRead';
import { buildRecord, NAMED, NUMBER, TEXT } from '../../../operations/specimens';

type Names = ReadonlyMap<number, JsonObject>;

export const buildPaths = (
	owner: string,
	members: readonly string[] = ['Id', 'DisplayAs'],
): string[] => members.map((member) => `${owner}.${member}`);

/**
 * Loads names of records by their Ids; a service user who may not read them gets none. Names that
 * `knownReferences` contain are not read again.
 */
export async function loadNamesById(
	requester: Requester,
	entity: string,
	ids: Iterable<unknown>,
	knownReferences: readonly unknown[] = [],
): Promise<Names> {
	const known = toNames(knownReferences);
	const missing = new Set([...ids].map(Number).filter((id) => id > 0 && !known.has(id)));
	if (missing.size === 0) return known;
	const name = getTitleMember(entity);
	const look = { properties: [name], isOptional: true };
	const found = await loadRecordsById(requester, entity, missing, look);
	const named = [...found.values()].map(({ Id, [name]: DisplayAs }) => ({ Id, DisplayAs }));
	return new Map([...known, ...toNames(named)]);
}

const getTitleMember = (entity: string) => getNameProperty(entity) ?? 'Id';

const toNames = (references: readonly unknown[]): Names =>
	new Map(
		references
			.filter(isObject)
			.filter(({ DisplayAs }) => DisplayAs !== undefined)
			.map(({ Id, DisplayAs }) => [Number(Id), { Id, DisplayAs }]),
	);

/** Companies have few records of these entities, so all names are read once for each run. */
export const loadAllNames = oncePerRun(
	async (context: ItemContext, entity: EntityName): Promise<Names> => {
		const name = getTitleMember(entity);
		const reading = loadAllRows(context, entity, undefined, ['Id', name]);
		const rows = await reading.catch(emptyIfForbidden);
		return new Map(rows.map(({ Id, [name]: DisplayAs }) => [Number(Id), { Id, DisplayAs }]));
	},
);

/** Shows an action as `arrangeAction` arranges it, with all that may be known of it. */
export function showArrangedAction(order: JsonObject = {}, previousStatus?: string): JsonObject {
	const action = {
		...buildRecord('WoActionLog'),
		...{ Actor: { TypeId: TEXT, ...NAMED }, Reason: NAMED, TypeId: 'Start', TimeZone: 35 },
	};
	const delay = { HoursInStatusBefore: NUMBER, PlannedUtc: TEXT, HoursLate: NUMBER };
	return arrangeAction(action, order, { previousStatus, delay });
}

/** The log contains only the Id of the reason. */
export function addReason(action: JsonObject, reasons: Names): JsonObject {
	const reason = reasons.get(Number(action.ActionReasonId));
	return reason === undefined ? action : { ...action, Reason: reason };
}

/**
 * Loads work orders with these properties, and the rows of each: those whose member `orderMember`
 * holds its Id. An order that cannot be read is omitted, because its rows may have outlived it.
 */
export async function loadRowsByOrder(
	requester: Requester,
	ids: number[],
	{
		orderMember,
		orderProperties,
		...rows
	}: Omit<LookUp, 'by'> & { orderMember: string; orderProperties?: string[] },
): Promise<Map<number, { order: JsonObject; rows: JsonObject[] }>> {
	const found = await lookUp(requester, { ...rows, by: [orderMember] }, ids);
	const orders = await loadRecordsById(requester, 'WorkOrder', ids, {
		properties: orderProperties,
	});
	return new Map(
		[...orders].map(([id, order]) => [id, { order, rows: found.get(normalize(id)) ?? [] }]),
	);
}

const properties = ['*', 'Items.*', 'Items.InvoiceItem.Id', 'Items.InvoiceItem.DisplayAs'];

const showMoney = (entity: string, order: JsonObject, row: JsonObject): JsonObject => ({
	WorkOrder: order,
	...arrangeRecord(entity, row),
});

/** The member `orderMember` of a record holds the Id of its order. */
const buildMoneyRead = <Entity extends EntityName>(
	value: string,
	many: string,
	entity: Entity,
	orderMember: MemberName<Entity>,
): Operation =>
	buildSharedRead(subjects.workOrder, {
		value,
		action: `Get ${many} of work order`,
		description: `Retrieve the ${many} of a work order with their lines`,
		output: () =>
			showMoney(
				entity,
				{ Id: 1, Number: TEXT },
				{
					...buildRecord(entity),
					Items: [{ ...buildRecord('QuoteOrEstimateItem'), InvoiceItem: NAMED }],
				},
			),
		readSettings: () => null,
		load: (context, ids) =>
			loadRowsByOrder(context, ids, {
				entity,
				orderMember,
				properties,
				orderProperties: ['Id', 'Number'],
			}),
		toItems: ({ order, rows }) => rows.map((row) => toItem(showMoney(entity, order, row))),
	});

/** Each estimate or quote becomes an item. */
export const money: readonly Operation[] = [
	buildMoneyRead('getEstimates', 'estimates', 'WoEstimate', 'WorkOrderId'),
	buildMoneyRead('getQuotes', 'quotes', 'WoQuote', 'WoId'),
];
