import type { INodeProperties } from 'n8n-workflow';

import { isInternal } from '../../protocol/audience';
import type { JsonObject } from '../../protocol/checks';
import {
	assetsIn,
	ATTRIBUTE_PATHS,
	detailPaths,
	detailsOf,
	employeesIn,
	knownEmployeesIn,
	partNames,
	PARTS,
	reasonsIn,
	knownReasonsIn,
	defaultParts,
	type Names,
	type PartName,
} from '../../protocol/orderDetails';
import { oneOf } from '../../protocol/values';
import { wasRefused } from '../../transport/errors';
import { itemOf, type ItemContext } from '../../run/context';
import { lookUp, lookUpIfAllowed, type RowsByValue } from '../../records/lookup';
import { allNames, namesOf } from './names';
import { isForCustomers, shownIn } from '../operations/audience';
import { orderRead } from './orderRead';

const INCLUDE = 'Include';

const includeOption: INodeProperties = {
	displayName: INCLUDE,
	name: 'include',
	type: 'multiOptions',
	options: partNames.map((value) => ({ name: PARTS[value].title, value })),
	default: [...defaultParts],
	description:
		'Parts of the order to read in addition to its own properties. Without this option, all except the names of cost statuses, which take two more requests.',
};

export const getDetails = orderRead({
	value: 'getDetails',
	action: 'Get the details of a work order',
	description:
		'Retrieve everything about a work order: items, people, notes, documents, actions, costs and time left',
	ownOptions: [includeOption],
	options: ['audience'],
	asked: (context) => ({ parts: partsOf(context), isForCustomers: isForCustomers(context) }),
	read: detailsBy,
	items: (details) => [itemOf(details)],
});

interface Asked {
	parts: PartName[];
	isForCustomers: boolean;
}

function partsOf(context: ItemContext): PartName[] {
	const parts = chosenParts(context);
	return isForCustomers(context)
		? parts.filter((name) => !isInternal('WorkOrder', PARTS[name].member))
		: parts;
}

function chosenParts({ options: { include } }: ItemContext): PartName[] {
	if (include === undefined) return defaultParts;
	const given = Array.isArray(include) ? (include as unknown[]) : String(include).split(',');
	const named = given.map((one) => (typeof one === 'string' ? one.trim() : one));
	const chosen = named
		.filter((one) => one !== '')
		.map((one) => oneOf(INCLUDE, one, partNames, titleOf));
	return partNames.filter((name) => chosen.includes(name));
}

const titleOf = (name: PartName) => PARTS[name].title;

const order = (parts: readonly PartName[], more: readonly string[] = []) => ({
	entity: 'WorkOrder',
	by: ['Id'],
	properties: [...detailPaths(parts), ...more],
});

const NONE: Names['apStatuses'] = new Map();

/** One query reads all orders; names that are missing take one more for each entity. */
async function detailsBy(
	context: ItemContext,
	ids: number[],
	{ parts }: Asked,
): Promise<Map<number, JsonObject>> {
	const deep = parts.includes('items') ? ATTRIBUTE_PATHS : [];
	const whole = await lookUp(context, order(parts, deep), ids).catch((failure: unknown) => {
		if (deep.length > 0 && wasRefused(failure)) return undefined;
		throw failure;
	});
	const found = rowsOf(whole ?? (await lookUp(context, order(parts), ids)));
	const shown = shownIn(context, 'WorkOrder');
	const orders = found.map(shown).filter((one) => one !== undefined);
	const [employees, reasons, apStatuses, costStatuses, attributes] = await Promise.all([
		namesOf(context, 'Employee', orders.flatMap(employeesIn), orders.flatMap(knownEmployeesIn)),
		namesOf(
			context,
			'WoActionReasonLookup',
			orders.flatMap(reasonsIn),
			orders.flatMap(knownReasonsIn),
		),
		parts.includes('costStatuses') ? allNames(context, 'ApInvoiceStatus') : NONE,
		parts.includes('costStatuses') ? allNames(context, 'InternalCostStatus') : NONE,
		whole === undefined ? attributesOf(context, orders.flatMap(assetsIn)) : undefined,
	]);
	const names: Names = { employees, reasons, apStatuses, costStatuses, attributes };
	const now = context.run.clock.now();
	return new Map(orders.map((one) => [Number(one.Id), detailsOf(one, parts, names, now)]));
}

const rowsOf = (found: RowsByValue) => [...found.values()].flat();

/** Some services refuse to return attributes with the order, so they are read separately. */
async function attributesOf(
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
