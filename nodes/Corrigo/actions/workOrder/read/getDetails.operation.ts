import type { IExecuteFunctions } from 'n8n-workflow';

import { isSharedMember } from '../../../catalogue/audience';
import type { EntityName } from '../../../catalogue/entities';
import { FINISHED_STATUSES } from '../../../catalogue/statusActions';
import { getSummary } from '../../../catalogue/summaries';
import { buildField } from '../../../form/fields';
import { subjects } from '../../../form/subjects';
import { buildSharedRead } from '../../../operations/read/sharedRead';
import { parseList } from '../../../values/json';
import {
	type JsonObject,
	filterMembers,
	isObject,
	readPath,
	toRows,
	collectValues,
} from '../../../values/objects';
import { isBlank, normalize, parseChoice } from '../../../values/input';
import { readTime } from '../../../values/times';
import {
	nameAttributes,
	VALUE_PATHS,
	CUSTOM_FIELD_PATHS,
	flattenCustomFields,
	type RowNamer,
} from '../../../compare/customFields';
import { createPartError, ignoreRefusal, wasForbidden } from '../../../transport/errors';
import { toItem, type ItemContext } from '../../../run/context';
import { arrangeAction } from '../../../records/actionDetails';
import {
	arrangeMembers,
	arrangeRecord,
	listSummaryMembers,
	showLabels,
} from '../../../records/names';
import {
	loadProcedures,
	PROCEDURE_PATHS,
	STEP_PATHS,
	toProcedures,
} from '../../../records/procedures';
import { loadRecordsById, lookUp, type Requester } from '../../../records/query';
import { PROCEDURES } from './procedures';
import { LINKED_ORDERS, loadLinkedOrders } from './linkedOrders';
import { readDelays, toHours } from '../timeline';
import {
	addReason,
	buildPaths,
	loadAllNames,
	loadNamesById,
	showArrangedAction,
} from './orderRead';
import {
	addUrls,
	keepVisible,
	loadAssetNamer,
	loadFieldNamer,
	selectVisible,
} from '../../../operations/output';
import type { OperationForm } from '../../../form/options';
import { buildRecord, NAMED, NUMBER, TEXT } from '../../../operations/specimens';

/** Names of records that the order refers to by Id only. */
export interface Names {
	employees: ReadonlyMap<number, JsonObject>;
	reasons: ReadonlyMap<number, JsonObject>;
	apStatuses: ReadonlyMap<number, JsonObject>;
	costStatuses: ReadonlyMap<number, JsonObject>;
	/** Attributes by asset, in case the service does not return them with the order. */
	attributes?: ReadonlyMap<number, JsonObject[]>;
	/** Procedures by order, in the same case. */
	procedures?: ReadonlyMap<string, JsonObject[]>;
	/** Orders that an order is linked with, by its Id. */
	linked?: ReadonlyMap<string, JsonObject>;
	/** Names what the Company has defined. */
	nameField?: RowNamer;
	nameAttribute?: RowNamer;
}

interface OrderPart {
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
const createPart = (
	name: string,
	paths: readonly string[],
	other: Partial<OrderPart> = {},
): OrderPart => ({ title: name, member: name, as: name, paths, ...other });

const createList = (format: (row: JsonObject, names: Names) => JsonObject = (row) => row) => ({
	empty: [],
	format: (rows: unknown, names: Names) => toRows(rows).map((row) => format(row, names)),
});

/** A part begins as a simplified record of its entity. */
const arrangePart = (entity: EntityName): Partial<OrderPart> => ({
	format: (part) => isObject(part) && arrangeRecord(entity, part),
});

/** An order begins with whether it is late, and why it stands still. */
const ORDER_MEMBERS = new Set([
	...['Number', 'Id', 'Status', 'IsOpen', 'IsOverdue', 'HoursLeft', 'CurrentReason'],
	...(listSummaryMembers('WorkOrder') ?? []),
]);

const arrangeOrder = (order: JsonObject) => arrangeMembers(ORDER_MEMBERS, order);

const ACTOR = ['Id', 'TypeId', 'DisplayAs'];
const ADDRESS = ['AddrTypeId', 'Address'];

/** Limits the output; Get History returns the whole log. */
const MAX_ACTIONS = 20;

const COSTS = createPart('Costs', ['WorkOrderCost.*'], { member: 'WorkOrderCost' });

/** Parts of an order that a user can select, with the properties to read for them. */
export const PARTS = {
	address: createPart('Address', ['Address.*']),
	assignments: createPart(
		'Assignments',
		['Assignments.*', ...buildPaths('Employee')],
		createList(({ EmployeeId, IsPrimary }, { employees }) => ({
			Employee: getNamedRecord(employees, EmployeeId),
			IsPrimary: IsPrimary === true,
		})),
	),
	checkIns: createPart(
		'CheckIns',
		getSummary('WoOnSite').map((path) => `CheckInOuts.${path}`),
		{
			title: 'Check-Ins',
			member: 'CheckInOuts',
			...createList(({ EmployeeId, ...row }, { employees }) =>
				arrangeRecord('WoOnSite', { ...row, Employee: getNamedRecord(employees, EmployeeId) }),
			),
		},
	),
	contact: createPart(
		'Contact',
		[
			...buildPaths('RequestorContact'),
			...buildPaths('RequestorContact.ContactAddresses', ADDRESS),
			...buildPaths('ContactAddress', ADDRESS),
		],
		{ member: 'RequestorContact', format: toContact },
	),
	costs: COSTS,
	/** Replaces the output of `costs`. */
	costStatuses: { ...COSTS, title: 'Costs With Names of Statuses', format: toCosts },
	customFields: createPart('CustomFields', CUSTOM_FIELD_PATHS, {
		title: 'Custom Fields',
		empty: {},
		format: (rows, { nameField }) =>
			flattenCustomFields({ CustomFields: rows }, nameField).CustomFields,
	}),
	customer: createPart(
		'Customer',
		buildPaths('Customer', ['Id', 'DisplayAs', 'TenantCode', 'Instructions']),
	),
	documents: createPart(
		'Documents',
		['Documents.*', ...buildPaths('Documents.DocType')],
		createList((row) => arrangeRecord('Document', row)),
	),
	estimate: createPart('Estimate', ['Estimate.*', 'Estimate.Items.*'], arrangePart('WoEstimate')),
	flags: createPart(
		'Flags',
		['Flags.*', ...buildPaths('Flag')],
		createList(({ FlagId, Comment = null, UtcStamp = null }, { reasons }) => ({
			...getNamedRecord(reasons, FlagId),
			Comment,
			UtcStamp,
		})),
	),
	history: createPart(
		'History',
		['ActionLogRecords.*', ...buildPaths('ActionLogRecords.Actor', ACTOR)],
		{
			member: 'ActionLogRecords',
			empty: [],
			format: (rows, { reasons }, order) => {
				const delays = readDelays(order, toRows(rows));
				return toRows(rows)
					.sort((a, b) => Number(a.Id) - Number(b.Id))
					.slice(-MAX_ACTIONS)
					.map((action) =>
						arrangeAction(addReason(action, reasons), {}, { delay: delays.get(Number(action.Id)) }),
					);
			},
		},
	),
	items: createPart(
		'Items',
		[
			...['Items.*', ...buildPaths('Items.Task')],
			...buildPaths('Items.Asset', ['Id', 'Name', 'TypeId', 'ModelId']),
			...buildPaths('Items.Asset.Info', ['SerialNumber', 'TagId']),
		],
		createList((item, names) => ({ ...item, Asset: toAsset(item.Asset, names) })),
	),
	/** Links are read separately, as the order has no member for them. */
	linkedOrders: createPart('LinkedOrders', [], {
		title: 'Linked Orders',
		format: (_, { linked }, { Id }) => linked?.get(normalize(Id)),
	}),
	notes: createPart(
		'Notes',
		['Notes.*', ...buildPaths('Notes.CreatedBy', ACTOR)],
		createList((row) => arrangeRecord('WoNote', row)),
	),
	/** Steps are deep properties, which are read with the order, or else separately. */
	procedures: createPart('Procedures', [], {
		empty: [],
		format: (rows, { procedures }, { Id }) =>
			toProcedures(procedures === undefined ? rows : procedures.get(normalize(Id))),
	}),
	quote: createPart('Quote', ['Quote.*', 'Quote.Items.*'], arrangePart('WoQuote')),
	verifications: createPart(
		'Verifications',
		['Verifications.*'],
		createList((row) => arrangeRecord('WoVerification', row)),
	),
};

type PartName = keyof typeof PARTS;

export const PART_NAMES = Object.keys(PARTS) as PartName[];

/** Names of cost statuses need additional requests, so they are not a default. */
export const DEFAULT_PARTS = PART_NAMES.filter((name) => name !== 'costStatuses');

/** Members of an order that are returned in a part, or replaced by other output. */
const REPLACED_MEMBERS: readonly string[] = [
	...Object.values(PARTS).map(({ member }) => member),
	...['CompletionNote', 'ContactAddress', 'LastAction'],
];

/** Every order is read with its own members and the names of its references. */
const BASE_PATHS = [
	'*',
	...['SubType', 'Specialty', 'WorkZone', 'RepairCode', 'Owner'].flatMap((one) => buildPaths(one)),
	...buildPaths('Priority', ['Id', 'DisplayAs', 'IsEmergency']),
	...buildPaths('MainAsset', ['Id', 'Name']),
	...buildPaths('LastAction.Reason'),
];

/** The service may refuse these: no documented example follows two references in a collection. */
export const DEEP_PATHS = {
	items: buildPaths('Items.Asset.Attributes', VALUE_PATHS),
	procedures: [
		...buildPaths('Procedures', PROCEDURE_PATHS),
		...buildPaths('Procedures.Steps', STEP_PATHS),
	],
} satisfies Partial<Record<PartName, readonly string[]>>;

export const getDetailPaths = (chosen: readonly PartName[]): string[] => [
	...new Set([...BASE_PATHS, ...chosen.flatMap((name) => PARTS[name].paths)]),
];

const getNamedRecord = (names: ReadonlyMap<number, JsonObject>, id: unknown): JsonObject =>
	names.get(Number(id)) ?? { Id: id };

/** Flattens an asset and shows its attributes by name. */
function toAsset(asset: unknown, { attributes, nameAttribute }: Names): unknown {
	if (!isObject(asset)) return null;
	const { Info, Attributes, ...own } = asset;
	const { SerialNumber = null, TagId = null } = isObject(Info) ? Info : {};
	const rows = attributes?.get(Number(asset.Id)) ?? toRows(Attributes);
	return { ...own, SerialNumber, TagId, ...nameAttributes({ Attributes: rows }, nameAttribute) };
}

/** Each Company defines these statuses, so their names are looked up. */
function toCosts(costs: unknown, { apStatuses, costStatuses }: Names): unknown {
	if (!isObject(costs) || !isPresent(costs)) return null;
	const { ApStatusId, CostStatusId } = costs;
	return {
		...costs,
		ApStatus: ApStatusId ? getNamedRecord(apStatuses, ApStatusId) : null,
		CostStatus: CostStatusId ? getNamedRecord(costStatuses, CostStatusId) : null,
	};
}

/** Returns the primary phone number and email address, or else the first of each. */
function toContact(contact: unknown, _: Names, order: JsonObject): unknown {
	const { ContactAddresses, ...own } = isObject(contact) ? contact : {};
	const addresses = [...toRows(ContactAddresses), ...toRows([order.ContactAddress])]
		.filter(({ Address }) => !isBlank(Address))
		.sort((a, b) => Number(isPrimary(b)) - Number(isPrimary(a)));
	if (addresses.length === 0 && own.Id === undefined) return null;
	const findAddress = (matches: (address: JsonObject) => boolean) =>
		addresses.find(matches)?.Address ?? null;
	return { ...own, Phone: findAddress(isPhone), Email: findAddress(isEmail) };
}

const isPrimary = ({ AddrTypeId }: JsonObject) => String(AddrTypeId).startsWith('Prim');
const isEmail = ({ Address }: JsonObject) => String(Address).includes('@');
const isPhone = (address: JsonObject) =>
	/Phone|Contact/.test(String(address.AddrTypeId)) && !isEmail(address);

/** Selected parts that the order lacks are empty; parts that are not selected are left out. */
export function buildDetails(
	order: JsonObject,
	chosen: readonly PartName[],
	names: Names,
	now: number,
): JsonObject {
	const reason = readPath(order, 'LastAction.Reason');
	// An ID of 0 refers to nothing.
	const own = filterMembers(
		order,
		(member, value) =>
			!REPLACED_MEMBERS.includes(member) && !(value === 0 && member.endsWith('Id')),
	);
	return arrangeOrder({
		...showLabels('WorkOrder', own),
		...getDueState(order, now),
		CurrentReason: isPresent(reason) ? reason : null,
		...Object.fromEntries(
			chosen.map((name) => {
				const { member, as, empty = null, format }: OrderPart = PARTS[name];
				const value = format ? format(order[member], names, order) : order[member];
				return [as, isPresent(value) ? value : empty];
			}),
		),
	});
}

const isPresent = (value: unknown) =>
	Array.isArray(value) || (isObject(value) && Object.keys(value).length > 0 && value.Id !== 0);

/** Compares times in UTC, because the others are in the local time of the work zone. */
function getDueState({ StatusId, DueDateUtc }: JsonObject, now: number): JsonObject {
	const IsOpen = !FINISHED_STATUSES.includes(String(StatusId));
	const due = IsOpen ? readTime(DueDateUtc) : undefined;
	return {
		IsOpen,
		IsOverdue: due !== undefined && due < now,
		HoursLeft: due === undefined ? null : toHours(due - now),
	};
}

function showDetails(): JsonObject {
	const own = filterMembers(buildRecord('WorkOrder'), (name) => !REPLACED_MEMBERS.includes(name));
	const late = { IsOpen: true, IsOverdue: true, HoursLeft: NUMBER, CurrentReason: NAMED };
	const lines = [buildRecord('QuoteOrEstimateItem')];
	const asset = { Id: 1, Name: TEXT, TypeId: TEXT, ModelId: 1, SerialNumber: TEXT, TagId: TEXT };
	return arrangeOrder({
		...showLabels('WorkOrder', own),
		...late,
		...{ TimeZone: TEXT, Url: TEXT },
		...{ MainAsset: { Id: 1, Name: TEXT }, Specialty: NAMED, SubType: NAMED, WorkZone: NAMED },
		...{ RepairCode: NAMED, Owner: NAMED, Flag: NAMED },
		Address: buildRecord('Address2'),
		Assignments: [{ Employee: NAMED, IsPrimary: true }],
		CheckIns: [{ ...buildRecord('WoOnSite'), Employee: NAMED }],
		Contact: { ...NAMED, Phone: TEXT, Email: TEXT },
		Costs: buildRecord('WorkOrderCost'),
		CustomFields: {},
		Customer: { ...NAMED, TenantCode: TEXT, Instructions: TEXT },
		Documents: [buildRecord('Document')],
		Estimate: arrangeRecord('WoEstimate', { ...buildRecord('WoEstimate'), Items: lines }),
		Flags: [{ ...NAMED, Comment: TEXT, UtcStamp: TEXT }],
		History: [showArrangedAction()],
		Items: [{ ...buildRecord('WoItem'), Asset: { ...asset, Attributes: {} }, Task: NAMED }],
		LinkedOrders: LINKED_ORDERS,
		Notes: [buildRecord('WoNote')],
		Procedures: PROCEDURES,
		Quote: arrangeRecord('WoQuote', { ...buildRecord('WoQuote'), Items: lines }),
		Verifications: [arrangeRecord('WoVerification', buildRecord('WoVerification'))],
	});
}

const INCLUDE = 'Include';

const includeOption = buildField(
	'include',
	'multiOptions',
	'Parts of the order to read in addition to its own fields. Without this option, all except the names of cost statuses, which take two more requests.',
	{
		options: PART_NAMES.map((value) => ({ name: PARTS[value].title, value })),
		default: [...DEFAULT_PARTS],
	},
);

export const getDetails = buildSharedRead(subjects.workOrder, {
	value: 'getDetails',
	action: 'Get details of work order',
	description:
		'Retrieve everything about a work order: items, people, notes, documents, procedures, the last 20 actions, costs and time left',
	output: showDetails,
	ownOptions: [includeOption],
	options: ['audience'],
	readSettings: (context) => ({
		parts: readParts(context),
		isForCustomers: context.isForCustomers,
	}),
	load: loadDetails,
	toItems: (build) => [toItem(build())],
});

function readParts(form: OperationForm): PartName[] {
	const { include = DEFAULT_PARTS } = form.options;
	const chosen = parseList(INCLUDE, include)
		.filter((one) => one !== '')
		.map((one) => parseChoice(INCLUDE, one, PART_NAMES, (name) => PARTS[name].title));
	const offered = form.isForCustomers
		? PART_NAMES.filter((name) => isSharedMember('WorkOrder', PARTS[name].member))
		: PART_NAMES;
	return offered.filter((name) => chosen.includes(name));
}

/**
 * One query reads all orders; names that are missing take one more for each entity. The details of
 * an order are built in its turn, as those of all of them would block n8n.
 */
async function loadDetails(
	context: ItemContext,
	ids: number[],
	{ parts }: { parts: PartName[] },
): Promise<Map<number, () => JsonObject>> {
	const loadOrders = async (paths: readonly string[]) => {
		const properties = selectVisible(context, 'WorkOrder', paths);
		return await loadRecordsById(context, 'WorkOrder', ids, { properties });
	};
	const paths = getDetailPaths(parts);
	const hasAttributes = parts.includes('items') && !context.isForCustomers;
	const hasProcedures = parts.includes('procedures');
	const deep = [
		...(hasAttributes ? DEEP_PATHS.items : []),
		...(hasProcedures ? DEEP_PATHS.procedures : []),
	];
	const whole =
		deep.length > 0 ? await loadOrders([...paths, ...deep]).catch(ignoreRefusal) : undefined;
	const found =
		whole ??
		(await loadOrders(paths).catch((failure: Error) => {
			throw suggestInclude(context.caller, failure);
		}));
	const visible = keepVisible(context, 'WorkOrder', [...found.values()]);
	const orders = await addUrls(context, 'WorkOrder', visible);
	const collect = (...members: string[]) =>
		orders.flatMap((order) => members.flatMap((path) => collectValues(order, path)));
	const loadStatuses = async (entity: 'ApInvoiceStatus' | 'InternalCostStatus') =>
		parts.includes('costStatuses')
			? await loadAllNames(context, entity)
			: new Map<number, JsonObject>();
	const assets = hasAttributes ? collect('Items.Asset.Id') : [];
	const [
		employees,
		reasons,
		apStatuses,
		costStatuses,
		attributes,
		procedures,
		linked,
		nameField,
		nameAttribute,
	] = await Promise.all([
		loadNamesById(
			context,
			'Employee',
			collect('Assignments.EmployeeId', 'CheckInOuts.EmployeeId'),
			collect('Employee'),
		),
		loadNamesById(
			context,
			'WoActionReasonLookup',
			collect('ActionLogRecords.ActionReasonId', 'Flags.FlagId'),
			collect('Flag', 'LastAction.Reason'),
		),
		loadStatuses('ApInvoiceStatus'),
		loadStatuses('InternalCostStatus'),
		hasAttributes && whole === undefined ? loadAttributes(context, assets) : undefined,
		hasProcedures && whole === undefined ? loadAllowedProcedures(context, orders) : undefined,
		parts.includes('linkedOrders') ? loadLinkedOrders(context, orders) : undefined,
		collect('CustomFields').length > 0 ? loadFieldNamer(context, 'WorkOrder') : undefined,
		collect('Items.Asset.Attributes').length > 0 || (assets.length > 0 && whole === undefined)
			? loadAssetNamer(context)
			: undefined,
	]);
	const names: Names = {
		...{ employees, reasons, apStatuses, costStatuses },
		...{ attributes, procedures, linked, nameField, nameAttribute },
	};
	const now = context.run.clock.now();
	return new Map(orders.map((one) => [Number(one.Id), () => buildDetails(one, parts, names, now)]));
}

/** Corrigo refuses the whole query if the service user may not read one part. */
const suggestInclude = (caller: IExecuteFunctions, failure: Error) =>
	wasForbidden(failure)
		? createPartError(
				caller.getNode(),
				'The order could not be read with these parts',
				failure,
				'',
				`Leave out parts that the service user may not read: choose the others under 'Options > ${INCLUDE}'.`,
			)
		: failure;

/** An empty list would say that there are no procedures, so a notice says why it is empty. */
async function loadAllowedProcedures(context: ItemContext, orders: JsonObject[]) {
	return await loadProcedures(
		context,
		orders.map(({ Id }) => Id),
	).catch((failure: unknown) => {
		context.run.addNotice(
			'Procedures are left out: the service user of the credential may not read WoProcedure or WoProcedureStep.',
		);
		return ignoreRefusal(failure);
	});
}

/** Some services refuse to return attributes with the order, so they are read separately. */
async function loadAttributes(
	requester: Requester,
	assets: unknown[],
): Promise<Map<number, JsonObject[]>> {
	const attributes = {
		entity: 'AssetAttribute',
		by: ['AssetId'],
		properties: VALUE_PATHS,
		isOptional: true,
	};
	const found = await lookUp(requester, attributes, new Set(assets.filter(Boolean)));
	return new Map([...found].map(([id, rows]) => [Number(id), rows]));
}
