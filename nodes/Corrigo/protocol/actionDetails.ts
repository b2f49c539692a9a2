import type { EntityName } from '../catalogue/entities';
import { enumerationOptions, enumerations, type EnumerationName } from '../catalogue/enumerations';
import { memberLabel } from '../catalogue/enumerations/labels';
import { isBlank, type JsonObject } from './checks';
import type { NameOf } from './knownNames';
import { normalize } from './values';

type DetailType = (typeof enumerations)['WOActionProperty'][number];
type ByType<Value> = Readonly<Partial<Record<string, Value>>>;

/** The records whose IDs details hold. IDs that other Companies may have given are not among them. */
const ENTITIES: ByType<EntityName> = {
	AssignmentAdded: 'Employee',
	AssignmentRemoved: 'Employee',
	ByContactId: 'Contact',
	CostStatusId: 'InternalCostStatus',
	CustomerAdded: 'Customer',
	CustomerRemoved: 'Customer',
	FlagId: 'WoActionReasonLookup',
	InitialReasonID: 'WoActionReasonLookup',
	InvoiceId: 'Invoice',
} satisfies Partial<Record<DetailType, EntityName>>;

const ENUMERATIONS: ByType<EnumerationName> = {
	PrevWoStatus: 'WorkOrderStatus',
	Rating: 'WoRating',
} satisfies Partial<Record<DetailType, EnumerationName>>;

/** The record whose name a detail lacks. */
export function recordIn(detail: JsonObject): { entity: string; id: number } | undefined {
	const entity = ENTITIES[String(detail.TypeId)];
	const id = Number(detail.ValueInt);
	return entity !== undefined && id > 0 && isBlank(detail.ValueStr) ? { entity, id } : undefined;
}

/** A change that an action made, in words. */
export function detailInWords(detail: JsonObject, nameOf: NameOf): JsonObject {
	const { TypeId, ValueInt, ValueStr } = detail;
	const label = memberLabel('WOActionProperty', String(TypeId));
	const record = recordIn(detail);
	if (record !== undefined) {
		const { entity, id } = record;
		const Value = nameOf(entity, id) ?? String(id);
		return { TypeId, Type: label.replace(/ ID$/, ''), Value, Id: id };
	}
	const given = isBlank(ValueStr) ? ValueInt : ValueStr;
	const Value = memberLabelIn(detail) ?? (isBlank(given) ? null : String(given));
	return { TypeId, Type: label, Value };
}

/** The status from which a work order came; undefined if that is not known. */
export const previousStatusIn = (detail: JsonObject): string | undefined =>
	memberIn('WorkOrderStatus', detail);

function memberLabelIn(detail: JsonObject): string | undefined {
	const enumeration = ENUMERATIONS[String(detail.TypeId)];
	const member = enumeration && memberIn(enumeration, detail);
	return enumeration && member && memberLabel(enumeration, member);
}

/** Nothing is published about how a detail holds a member: its name, label and position are accepted. */
function memberIn(
	enumeration: EnumerationName,
	{ ValueStr, ValueInt }: JsonObject,
): string | undefined {
	const positions: readonly string[] = enumerations[enumeration];
	const known = enumerationOptions(enumeration).map(({ name, value }) => ({
		value,
		texts: [name, value, String(positions.indexOf(value))].map(normalize),
	}));
	return [ValueStr, ValueInt]
		.map((given) => known.find(({ texts }) => texts.includes(normalize(given)))?.value)
		.find((member) => member !== undefined);
}
