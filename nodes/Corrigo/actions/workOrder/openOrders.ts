import type { INodeProperties } from 'n8n-workflow';

import { FINISHED } from '../../catalogue/statusActions';
import { isEmpty } from '../../form/form';
import { isObject, Refusal, show, type JsonObject } from '../../protocol/checks';
import { and, atLeast, isIn, notIn } from '../../protocol/criteria';
import { createRequest } from '../../protocol/requests';
import { oneOf, positiveId, wholeNumber } from '../../protocol/values';
import { apiError } from '../../transport/errors';
import type { Call } from '../../run/context';
import { oncePer } from './knownOrders';
import {
	customerOf,
	NOTE_FIELDS,
	noteOf,
	orderItemsOf,
	subTypeIdOf,
	type OrderItem,
} from './order';

const SKIP = 'skipIfOpenExists';
export const SKIP_IF_OPEN = 'Skip if an Open Order Exists';
const WITHIN = 'openWithinHours';
const WITHIN_TITLE = 'Open Within Hours';
const NOTE = 'noteOnOpen';
const NOTE_TITLE = 'Note on Open Order';

const USUAL_HOURS = 24;
const A_YEAR = 8760;
const HOUR_MS = 3_600_000;

const WAYS = ['asset', 'task', 'subType'] as const;

export const openOrderOptions: INodeProperties[] = [
	{
		displayName: SKIP_IF_OPEN,
		name: SKIP,
		type: 'options',
		// What one fault is has to be the same for all items of a run.
		noDataExpression: true,
		options: [
			{ name: 'Same Customer and Asset', value: 'asset' },
			{ name: 'Same Customer, Asset and Sub Type', value: 'subType' },
			{ name: 'Same Customer, Asset and Task', value: 'task' },
		],
		default: 'asset',
		description:
			'Return the order that is open for the same fault in place of creating a second one, also when an item before made it. AlreadyExisted in the output tells which of both happened. Two workers that look at the same moment can still make one each.',
	},
	{
		displayName: WITHIN_TITLE,
		name: WITHIN,
		type: 'number',
		noDataExpression: true,
		typeOptions: { minValue: 1, maxValue: A_YEAR },
		default: USUAL_HOURS,
		description: `How old an open order may be to count for '${SKIP_IF_OPEN}'. Without this option, ${USUAL_HOURS}.`,
	},
	{
		displayName: NOTE_TITLE,
		name: NOTE,
		type: 'fixedCollection',
		placeholder: 'Add note',
		default: {},
		options: [{ displayName: 'Note', name: 'note', values: NOTE_FIELDS }],
		description: `What to add to the order that was there, or that an item before made, with '${SKIP_IF_OPEN}'`,
	},
];

/** What an order is about. */
interface Matter {
	customer: number | undefined;
	items: OrderItem[];
	subType: number | undefined;
	byTask: boolean;
}

/** What makes two orders orders for one fault. */
interface Fault extends Matter {
	hours: number;
}

export const isOncePerFault = ({ options }: Call): boolean => SKIP in options;

function faultOf(call: Call): Fault | undefined {
	const { options } = call;
	if (!isOncePerFault(call)) {
		const needing = [WITHIN, NOTE].find((name) => name in options);
		if (needing === undefined) return undefined;
		const title = needing === NOTE ? NOTE_TITLE : WITHIN_TITLE;
		throw new Refusal(`'${title}' is set, but '${SKIP_IF_OPEN}', which it belongs to, is not`);
	}
	const way = oneOf(SKIP_IF_OPEN, options[SKIP], WAYS);
	return {
		customer: customerOf(call),
		items: orderItemsOf(call),
		subType: way === 'subType' ? subTypeIdOf(call) : undefined,
		byTask: way === 'task',
		hours: wholeNumber(WITHIN_TITLE, options[WITHIN] ?? USUAL_HOURS, 1, A_YEAR),
	};
}

/**
 * Of every asset, as a Company may answer with those items of an order that were asked for, and with
 * no others.
 */
const assetsOf = ({ items }: Fault) => items.map(({ Asset }) => Asset.Id);

const idOf = (reference: unknown) => (isObject(reference) ? reference.Id : undefined);
const itemsIn = ({ Items }: JsonObject) => (Array.isArray(Items) ? Items.filter(isObject) : []);

/** All that the order of an item is to be about. */
export const matterOf = (call: Call): Matter => ({
	customer: customerOf(call),
	items: orderItemsOf(call),
	subType: subTypeIdOf(call),
	byTask: true,
});

/** All that the new order is to be about is dealt with by this one already. */
export const dealsWith = (
	order: JsonObject,
	{ customer, items, subType, byTask }: Matter,
): boolean =>
	idOf(order.Customer) === customer &&
	(subType === undefined || idOf(order.SubType) === subType) &&
	items.every(({ Asset, Task }) =>
		itemsIn(order).some(
			(one) => idOf(one.Asset) === Asset.Id && (!byTask || idOf(one.Task) === Task.Id),
		),
	);

export const oncePerFault = oncePer<Fault>({
	option: SKIP_IF_OPEN,
	given: faultOf,
	key: ({ customer, items, subType, byTask }) =>
		JSON.stringify([
			customer,
			subType,
			items.map(({ Asset, Task }) => `${Asset.Id} ${byTask ? Task.Id : ''}`).sort(),
		]),
	asked: assetsOf,
	query: (faults) => ({
		properties: ['*', 'Items.Asset.Id', 'Items.Task.Id'],
		criteria: and(
			isIn('Items.Asset.Id', [...new Set(faults.flatMap(assetsOf))]),
			notIn('StatusId', FINISHED),
			atLeast('CreatedDateUtc', new Date(Date.now() - faults[0].hours * HOUR_MS).toISOString()),
		),
	}),
	answered: (order, faults) => {
		const assets = new Set(itemsIn(order).map(({ Asset }) => idOf(Asset)));
		if (!faults.flatMap(assetsOf).some((asset) => assets.has(asset))) return undefined;
		return faults.filter((fault) => dealsWith(order, fault));
	},
	shown: ({ items: [{ Asset }] }) => `that is open for the asset ${Asset.Id}`,
});

/** What is to be added to an order that is open. Read before anything is sent. */
export function noteOnOpenOf(call: Call): JsonObject | undefined {
	const group = call.options[NOTE];
	if (isEmpty(group)) return undefined;
	const note: unknown = isObject(group) ? group.note : undefined;
	return noteOf(NOTE_TITLE, isObject(note) ? note : {});
}

/** A write of its own: what becomes of it says nothing about the order, which is there. */
export async function addNote(call: Call, order: JsonObject, note: JsonObject): Promise<void> {
	const WorkOrderId = call.isDryRun ? order.Id : positiveId('Work Order', order.Id);
	const request = createRequest('WoNote', { WorkOrderId, ...note }, call.requestId());
	// It is a part of the order.
	const rehearsal = { ...request.rehearsal, Outcome: 'wouldUpdate' as const };
	await call
		.send({ ...request, rehearsal })
		.catch((failure: Error & { description?: string | null }) => {
			throw apiError(
				call.caller.getNode(),
				`The work order ${show(order.Number ?? order.Id)} is open, but its note failed: ${failure.message}`,
				`${failure.description ?? ''} No second order was created.`.trim(),
			);
		});
}
