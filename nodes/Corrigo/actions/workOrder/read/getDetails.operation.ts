import type { INodeProperties } from 'n8n-workflow';

import { parseChoice, type JsonObject } from '../../../values/checks';
import {
	getAssetIds,
	ATTRIBUTE_PATHS,
	getDetailPaths,
	buildDetails,
	getEmployeeIds,
	getKnownEmployees,
	PART_NAMES,
	PARTS,
	getReasonIds,
	getKnownReasons,
	DEFAULT_PARTS,
	type Names,
	type PartName,
} from './orderDetails';
import { wasRefused } from '../../../transport/errors';
import { toItem, type ItemContext } from '../../../run/context';
import { lookUp, lookUpIfAllowed, type RowsByValue } from '../../../records/lookup';
import { loadAllNames, loadNames } from './names';
import { isForCustomers, isInternal, keepVisible } from '../../../operations/read/output';
import { buildOrderRead } from './orderRead';

const INCLUDE = 'Include';

const includeOption: INodeProperties = {
	displayName: INCLUDE,
	name: 'include',
	type: 'multiOptions',
	options: PART_NAMES.map((value) => ({ name: PARTS[value].title, value })),
	default: [...DEFAULT_PARTS],
	description:
		'Parts of the order to read in addition to its own properties. Without this option, all except the names of cost statuses, which take two more requests.',
};

export const getDetails = buildOrderRead({
	value: 'getDetails',
	action: 'Get the details of a work order',
	description:
		'Retrieve everything about a work order: items, people, notes, documents, actions, costs and time left',
	ownOptions: [includeOption],
	options: ['audience'],
	readSettings: (context) => ({
		parts: readParts(context),
		isForCustomers: isForCustomers(context),
	}),
	read: loadDetails,
	toItems: (details) => [toItem(details)],
});

interface DetailsSettings {
	parts: PartName[];
	isForCustomers: boolean;
}

function readParts(context: ItemContext): PartName[] {
	const parts = readChosenParts(context);
	return isForCustomers(context)
		? parts.filter((name) => !isInternal('WorkOrder', PARTS[name].member))
		: parts;
}

function readChosenParts({ options: { include } }: ItemContext): PartName[] {
	if (include === undefined) return DEFAULT_PARTS;
	const input = Array.isArray(include) ? (include as unknown[]) : String(include).split(',');
	const names = input.map((one) => (typeof one === 'string' ? one.trim() : one));
	const chosen = names
		.filter((one) => one !== '')
		.map((one) => parseChoice(INCLUDE, one, PART_NAMES, getPartTitle));
	return PART_NAMES.filter((name) => chosen.includes(name));
}

const getPartTitle = (name: PartName) => PARTS[name].title;

const buildOrderLookUp = (parts: readonly PartName[], more: readonly string[] = []) => ({
	entity: 'WorkOrder',
	by: ['Id'],
	properties: [...getDetailPaths(parts), ...more],
});

const NO_NAMES: Names['apStatuses'] = new Map();

/** One query reads all orders; names that are missing take one more for each entity. */
async function loadDetails(
	context: ItemContext,
	ids: number[],
	{ parts }: DetailsSettings,
): Promise<Map<number, JsonObject>> {
	const attributePaths = parts.includes('items') ? ATTRIBUTE_PATHS : [];
	const whole = await lookUp(context, buildOrderLookUp(parts, attributePaths), ids).catch(
		(failure: unknown) => {
			if (attributePaths.length > 0 && wasRefused(failure)) return undefined;
			throw failure;
		},
	);
	const found = flattenRows(whole ?? (await lookUp(context, buildOrderLookUp(parts), ids)));
	const orders = keepVisible(context, 'WorkOrder', found);
	const [employees, reasons, apStatuses, costStatuses, attributes] = await Promise.all([
		loadNames(
			context,
			'Employee',
			orders.flatMap(getEmployeeIds),
			orders.flatMap(getKnownEmployees),
		),
		loadNames(
			context,
			'WoActionReasonLookup',
			orders.flatMap(getReasonIds),
			orders.flatMap(getKnownReasons),
		),
		parts.includes('costStatuses') ? loadAllNames(context, 'ApInvoiceStatus') : NO_NAMES,
		parts.includes('costStatuses') ? loadAllNames(context, 'InternalCostStatus') : NO_NAMES,
		whole === undefined ? loadAttributes(context, orders.flatMap(getAssetIds)) : undefined,
	]);
	const names: Names = { employees, reasons, apStatuses, costStatuses, attributes };
	const now = context.run.clock.now();
	return new Map(orders.map((one) => [Number(one.Id), buildDetails(one, parts, names, now)]));
}

const flattenRows = (found: RowsByValue) => [...found.values()].flat();

/** Some services refuse to return attributes with the order, so they are read separately. */
async function loadAttributes(
	context: ItemContext,
	assets: unknown[],
): Promise<Map<number, JsonObject[]>> {
	const attributes = {
		entity: 'AssetAttribute',
		by: ['AssetId'],
		properties: ['Value', 'Descriptor.Name'],
	};
	const found = await lookUpIfAllowed(context, attributes, new Set(assets.filter(Boolean)));
	return new Map([...found].map(([id, rows]) => [Number(id), rows]));
}
