import type { EntityName } from '../catalogue/entities';
import {
	listEnumerationOptions,
	enumerations,
	type EnumerationName,
} from '../catalogue/enumerations';
import { getMemberLabel } from '../catalogue/enumerations/labels';
import { findResultingStatus } from '../catalogue/statusActions';
import { timeZones } from '../catalogue/times';
import { filterMembers, type JsonObject } from '../values/objects';
import { isBlank, normalize } from '../values/input';
import type { NameReader } from './names';
import { createTable } from '../catalogue/table';

type DetailType = (typeof enumerations)['WOActionProperty'][number];

/**
 * Entities of the records that details refer to. IDs that other Companies may have assigned are
 * left out.
 */
const ENTITIES = createTable<EntityName | undefined>({
	AssignmentAdded: 'Employee',
	AssignmentRemoved: 'Employee',
	ByContactId: 'Contact',
	CostStatusId: 'InternalCostStatus',
	CustomerAdded: 'Customer',
	CustomerRemoved: 'Customer',
	FlagId: 'WoActionReasonLookup',
	InitialReasonID: 'WoActionReasonLookup',
	InvoiceId: 'Invoice',
} satisfies Partial<Record<DetailType, EntityName>>);

const ENUMERATIONS = createTable<EnumerationName | undefined>({
	PrevWoStatus: 'WorkOrderStatus',
	Rating: 'WoRating',
} satisfies Partial<Record<DetailType, EnumerationName>>);

/** Details often have the Id of a record but not its name. */
export function findSubject(detail: JsonObject): { entity: string; id: number } | undefined {
	const entity = ENTITIES[String(detail.TypeId)];
	const id = Number(detail.ValueInt);
	return entity !== undefined && id > 0 && isBlank(detail.ValueStr) ? { entity, id } : undefined;
}

/** Details hold codes and Ids, so labels and names replace them for people. */
export function describeDetail(detail: JsonObject, getName: NameReader): JsonObject {
	const { TypeId, ValueInt, ValueStr } = detail;
	const label = getMemberLabel('WOActionProperty', String(TypeId));
	const record = findSubject(detail);
	if (record !== undefined) {
		const { entity, id } = record;
		const Value = getName(entity, id) ?? String(id);
		return { TypeId, Type: label.replace(/ ID$/, ''), Value, Id: id };
	}
	const stored = isBlank(ValueStr) ? ValueInt : ValueStr;
	const enumeration = ENUMERATIONS[String(TypeId)];
	const member = enumeration && findMember(enumeration, detail);
	const text = enumeration && member ? getMemberLabel(enumeration, member) : undefined;
	return { TypeId, Type: label, Value: text ?? (isBlank(stored) ? null : String(stored)) };
}

/** Returns the status that a work order had before; undefined if it is not known. */
export const getPreviousStatus = (detail: JsonObject): string | undefined =>
	findMember('WorkOrderStatus', detail);

/** Corrigo writes 0 in these members for "none". */
const ZERO_IS_NONE = ['ActionReasonId', 'ObjectId'];

/** Members of a work order that an action shows. */
export const ACTION_ORDER_PATHS = ['Number', 'Customer.DisplayAs', 'ShortLocation'];

/**
 * Begins an action with what people read: the order, what happened and why, who did it, when and
 * where. Whatever is not known is left out.
 */
export function arrangeAction(
	action: JsonObject,
	order: JsonObject = {},
	{ previousStatus, delay }: { previousStatus?: string; delay?: JsonObject } = {},
): JsonObject {
	const { Reason, Comment, Actor, ActionDate, TimeZone, ...others } = action;
	const nameStatus = (status?: string) => status && getMemberLabel('WorkOrderStatus', status);
	const arranged: JsonObject = {
		WorkOrderNumber: order.Number,
		Action: getMemberLabel('WOActionType', String(action.TypeId)),
		StatusBefore: nameStatus(previousStatus),
		StatusAfter: nameStatus(findResultingStatus(action.TypeId)),
		...delay,
		...{ Reason, Comment, Actor, ActionDate },
		TimeZone: timeZones[String(TimeZone)] ?? TimeZone,
		Customer: order.Customer,
		ShortLocation: order.ShortLocation,
		...others,
	};
	return filterMembers(
		arranged,
		(member, value) => value !== undefined && !(value === 0 && ZERO_IS_NONE.includes(member)),
	);
}

/** The format of members is not published, so names, labels and positions are accepted. */
function findMember(
	enumeration: EnumerationName,
	{ ValueStr, ValueInt }: JsonObject,
): string | undefined {
	const positions: readonly string[] = enumerations[enumeration];
	const known = listEnumerationOptions(enumeration).map(({ name, value }) => ({
		value,
		texts: [name, value, String(positions.indexOf(value))].map(normalize),
	}));
	return [ValueStr, ValueInt]
		.map((stored) => known.find(({ texts }) => texts.includes(normalize(stored)))?.value)
		.find((member) => member !== undefined);
}
