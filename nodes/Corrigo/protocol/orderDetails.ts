import { FINISHED } from '../catalogue/statusActions';
import { isObject, rowsIn, type JsonObject } from './checks';
import { CUSTOM_FIELD_PATHS, flatCustomFields } from './customFields';
import { instantOf } from './values';

/** Names of records that the order refers to by Id only. */
export interface Names {
	employees: ReadonlyMap<number, JsonObject>;
	reasons: ReadonlyMap<number, JsonObject>;
	apStatuses: ReadonlyMap<number, JsonObject>;
	costStatuses: ReadonlyMap<number, JsonObject>;
	/** Attributes by asset, in case the service does not return them with the order. */
	attributes?: ReadonlyMap<number, JsonObject[]>;
}

interface Part {
	title: string;
	/** Member of the order; `as` is its name in the output. */
	member: string;
	as: string;
	paths: readonly string[];
	/** Output if the order has no value. */
	empty?: unknown;
	format?: (value: unknown, names: Names, order: JsonObject) => unknown;
}

/** Most parts use one name as title, member and output. */
const part = (name: string, paths: readonly string[], other: Partial<Part> = {}): Part => ({
	title: name,
	member: name,
	as: name,
	paths,
	...other,
});

const list = (format: (row: JsonObject, names: Names) => JsonObject = (row) => row) => ({
	empty: [],
	format: (rows: unknown, names: Names) => rowsIn(rows).map((row) => format(row, names)),
});

/** Limits the output; Get History returns the whole log. */
const MAX_ACTIONS = 20;

const COSTS = part('Costs', ['WorkOrderCost.*'], { member: 'WorkOrderCost' });

/** Parts of an order that a user can select, with the properties to read for them. */
export const PARTS = {
	address: part('Address', ['Address.*']),
	assignments: part(
		'Assignments',
		['Assignments.*', ...nameOf('Employee')],
		list(({ EmployeeId, IsPrimary }, { employees }) => ({
			Employee: named(employees, EmployeeId),
			IsPrimary: IsPrimary === true,
		})),
	),
	checkIns: part('CheckIns', ['CheckInOuts.*'], {
		title: 'Check-Ins',
		member: 'CheckInOuts',
		...list(({ EmployeeId, ...row }, { employees }) => ({
			...row,
			Employee: named(employees, EmployeeId),
		})),
	}),
	contact: part(
		'Contact',
		[
			...nameOf('RequestorContact'),
			...addressOf('RequestorContact.ContactAddresses'),
			...addressOf('ContactAddress'),
		],
		{ member: 'RequestorContact', format: contactOf },
	),
	costs: COSTS,
	/** Replaces the output of `costs`. */
	costStatuses: { ...COSTS, title: 'Costs With Names of Statuses', format: costsOf },
	customFields: part('CustomFields', CUSTOM_FIELD_PATHS, {
		title: 'Custom Fields',
		empty: {},
		format: (rows) => flatCustomFields({ CustomFields: rows }).CustomFields,
	}),
	customer: part('Customer', [
		...nameOf('Customer'),
		'Customer.TenantCode',
		'Customer.Instructions',
	]),
	documents: part('Documents', ['Documents.*', ...nameOf('Documents.DocType')], list()),
	estimate: part('Estimate', ['Estimate.*', 'Estimate.Items.*']),
	flags: part(
		'Flags',
		['Flags.*', ...nameOf('Flag')],
		list(({ FlagId, Comment = null, UtcStamp = null }, { reasons }) => ({
			...named(reasons, FlagId),
			Comment,
			UtcStamp,
		})),
	),
	history: part('History', ['ActionLogRecords.*', ...actorOf('ActionLogRecords.Actor')], {
		member: 'ActionLogRecords',
		empty: [],
		format: (rows, { reasons }) =>
			rowsIn(rows)
				.sort((a, b) => Number(a.Id) - Number(b.Id))
				.slice(-MAX_ACTIONS)
				.map((action) => withReason(action, reasons)),
	}),
	items: part(
		'Items',
		[
			...['Items.*', ...nameOf('Items.Task')],
			...['Items.Asset.Id', 'Items.Asset.Name', 'Items.Asset.TypeId', 'Items.Asset.ModelId'],
			...['Items.Asset.Info.SerialNumber', 'Items.Asset.Info.TagId'],
		],
		list((item, names) => ({ ...item, Asset: assetOf(item.Asset, names) })),
	),
	notes: part('Notes', ['Notes.*', ...actorOf('Notes.CreatedBy')], list()),
	quote: part('Quote', ['Quote.*', 'Quote.Items.*']),
	verifications: part('Verifications', ['Verifications.*'], list()),
};

export type PartName = keyof typeof PARTS;

export const partNames = Object.keys(PARTS) as PartName[];

/** Names of cost statuses need additional requests, so they are not a default. */
export const defaultParts = partNames.filter((name) => name !== 'costStatuses');

/** Members of an order that are returned in a part, or replaced by other output. */
export const REPLACED_MEMBERS: readonly string[] = [
	...Object.values(PARTS).map(({ member }) => member),
	...['CompletionNote', 'ContactAddress', 'LastAction'],
];

/** Every order is read with its own members and the names of its references. */
const BASE_PATHS = [
	'*',
	...['SubType', 'Specialty', 'WorkZone', 'RepairCode', 'Owner'].flatMap(nameOf),
	...[...nameOf('Priority'), 'Priority.IsEmergency'],
	...['MainAsset.Id', 'MainAsset.Name'],
	...nameOf('LastAction.Reason'),
];

function nameOf(reference: string): string[] {
	return [`${reference}.Id`, `${reference}.DisplayAs`];
}

function actorOf(reference: string): string[] {
	return ['Id', 'TypeId', 'DisplayAs'].map((name) => `${reference}.${name}`);
}

function addressOf(path: string): string[] {
	return [`${path}.AddrTypeId`, `${path}.Address`];
}

/** The service may refuse these: no documented example follows two references in a collection. */
export const ATTRIBUTE_PATHS = [
	'Items.Asset.Attributes.Value',
	'Items.Asset.Attributes.Descriptor.Name',
];

export const detailPaths = (chosen: readonly PartName[]): string[] => [
	...new Set([...BASE_PATHS, ...chosen.flatMap((name) => PARTS[name].paths)]),
];

const named = (names: ReadonlyMap<number, JsonObject>, id: unknown): JsonObject =>
	names.get(Number(id)) ?? { Id: id };

/** The log contains only the Id of the reason. */
export function withReason(
	action: JsonObject,
	reasons: ReadonlyMap<number, JsonObject>,
): JsonObject {
	const reason = reasons.get(Number(action.ActionReasonId));
	return reason === undefined ? action : { ...action, Reason: reason };
}

/** Flattens an asset and shows its attributes by name. */
function assetOf(asset: unknown, { attributes }: Names): unknown {
	if (!isObject(asset)) return null;
	const { Info, Attributes, ...own } = asset;
	const { SerialNumber = null, TagId = null } = isObject(Info) ? Info : {};
	const rows = attributes?.get(Number(asset.Id)) ?? rowsIn(Attributes);
	// A descriptor holds an attribute's name, as it does for custom fields.
	const { CustomFields } = flatCustomFields({ CustomFields: rows });
	return { ...own, SerialNumber, TagId, Attributes: CustomFields };
}

/** Each Company defines these statuses, so their names are looked up. */
function costsOf(costs: unknown, { apStatuses, costStatuses }: Names): unknown {
	if (!isObject(costs) || !isPresent(costs)) return null;
	const { ApStatusId, CostStatusId } = costs;
	return {
		...costs,
		ApStatus: ApStatusId ? named(apStatuses, ApStatusId) : null,
		CostStatus: CostStatusId ? named(costStatuses, CostStatusId) : null,
	};
}

/** Returns the primary phone number and email address, or else the first of each. */
function contactOf(contact: unknown, _: Names, order: JsonObject): unknown {
	const { ContactAddresses, ...own } = isObject(contact) ? contact : {};
	const addresses = [...rowsIn(ContactAddresses), ...rowsIn([order.ContactAddress])].sort(
		(a, b) => Number(isPrimary(b)) - Number(isPrimary(a)),
	);
	if (addresses.length === 0 && own.Id === undefined) return null;
	const first = (fits: (address: JsonObject) => boolean) => addresses.find(fits)?.Address ?? null;
	return { ...own, Phone: first(isPhone), Email: first(isEmail) };
}

const isPrimary = ({ AddrTypeId }: JsonObject) => String(AddrTypeId).startsWith('Prim');
const isEmail = ({ Address }: JsonObject) => String(Address).includes('@');
const isPhone = (address: JsonObject) =>
	/Phone|Contact/.test(String(address.AddrTypeId)) && !isEmail(address);

export const employeesIn = ({ Assignments, CheckInOuts }: JsonObject): unknown[] =>
	[...rowsIn(Assignments), ...rowsIn(CheckInOuts)].map(({ EmployeeId }) => EmployeeId);

export const reasonsIn = ({ ActionLogRecords, Flags }: JsonObject): unknown[] => [
	...rowsIn(ActionLogRecords).map(({ ActionReasonId }) => ActionReasonId),
	...rowsIn(Flags).map(({ FlagId }) => FlagId),
];

/** The order contains the names of these records, so they need no look-up. */
export const knownEmployeesIn = ({ Employee }: JsonObject): unknown[] => [Employee];

export const knownReasonsIn = ({ Flag, LastAction }: JsonObject): unknown[] => [
	Flag,
	isObject(LastAction) ? LastAction.Reason : undefined,
];

export const assetsIn = ({ Items }: JsonObject): unknown[] =>
	rowsIn(Items).map(({ Asset }) => (isObject(Asset) ? Asset.Id : undefined));

/** Selected parts that the order lacks are empty; parts that are not selected are left out. */
export function detailsOf(
	order: JsonObject,
	chosen: readonly PartName[],
	names: Names,
	now: number,
): JsonObject {
	const reason = isObject(order.LastAction) ? order.LastAction.Reason : undefined;
	const own = Object.entries(order).filter(([member]) => !REPLACED_MEMBERS.includes(member));
	return {
		...Object.fromEntries(own),
		...dueState(order, now),
		CurrentReason: isPresent(reason) ? reason : null,
		...Object.fromEntries(
			chosen.map((name) => {
				const { member, as, empty = null, format }: Part = PARTS[name];
				const value = format ? format(order[member], names, order) : order[member];
				return [as, isPresent(value) ? value : empty];
			}),
		),
	};
}

const isPresent = (value: unknown) =>
	Array.isArray(value) || (isObject(value) && Object.keys(value).length > 0 && value.Id !== 0);

const HOUR = 3_600_000;

/** Compares times in UTC, because the others are in the local time of the work zone. */
function dueState({ StatusId, DueDateUtc }: JsonObject, now: number): JsonObject {
	const IsOpen = !FINISHED.includes(String(StatusId));
	const left = typeof DueDateUtc === 'string' ? instantOf(DueDateUtc) - now : NaN;
	const isDue = IsOpen && Number.isFinite(left);
	return {
		IsOpen,
		IsOverdue: isDue && left < 0,
		HoursLeft: isDue ? Math.round((left / HOUR) * 100) / 100 : null,
	};
}
