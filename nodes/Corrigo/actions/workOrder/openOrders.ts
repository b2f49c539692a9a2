import type { INodeProperties } from 'n8n-workflow';

import { FINISHED } from '../../catalogue/statusActions';
import { isEmpty } from '../../form/form';
import { isObject, ValidationError, quote, type JsonObject } from '../../protocol/checks';
import { and, atLeast, isIn, notIn } from '../../protocol/criteria';
import { createRequest } from '../../protocol/requests';
import { oneOf, positiveId, wholeNumber } from '../../protocol/values';
import { apiError } from '../../transport/errors';
import type { ItemContext } from '../../run/context';
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

const DEFAULT_HOURS = 24;
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
		default: DEFAULT_HOURS,
		description: `How old an open order may be to count for '${SKIP_IF_OPEN}'. Without this option, ${DEFAULT_HOURS}.`,
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
interface OrderSubject {
	customer: number | undefined;
	items: OrderItem[];
	subType: number | undefined;
	byTask: boolean;
}

/** What makes two orders orders for one fault. */
interface FaultKey extends OrderSubject {
	hours: number;
}

export const isOncePerFault = ({ options }: ItemContext): boolean => SKIP in options;

function faultKeyOf(context: ItemContext): FaultKey | undefined {
	const { options } = context;
	if (!isOncePerFault(context)) {
		const needing = [WITHIN, NOTE].find((name) => name in options);
		if (needing === undefined) return undefined;
		const title = needing === NOTE ? NOTE_TITLE : WITHIN_TITLE;
		throw new ValidationError(
			`'${title}' is set, but '${SKIP_IF_OPEN}', which it belongs to, is not`,
		);
	}
	const way = oneOf(SKIP_IF_OPEN, options[SKIP], WAYS);
	return {
		customer: customerOf(context),
		items: orderItemsOf(context),
		subType: way === 'subType' ? subTypeIdOf(context) : undefined,
		byTask: way === 'task',
		hours: wholeNumber(WITHIN_TITLE, options[WITHIN] ?? DEFAULT_HOURS, 1, A_YEAR),
	};
}

/**
 * Of every asset, as a Company may answer with those items of an order that were asked for, and with
 * no others.
 */
const assetsOf = ({ items }: FaultKey) => items.map(({ Asset }) => Asset.Id);

const idOf = (reference: unknown) => (isObject(reference) ? reference.Id : undefined);
const itemsIn = ({ Items }: JsonObject) => (Array.isArray(Items) ? Items.filter(isObject) : []);

/** All that the order of an item is to be about. */
export const orderSubjectOf = (context: ItemContext): OrderSubject => ({
	customer: customerOf(context),
	items: orderItemsOf(context),
	subType: subTypeIdOf(context),
	byTask: true,
});

/** All that the new order is to be about is dealt with by this one already. */
export const covers = (
	order: JsonObject,
	{ customer, items, subType, byTask }: OrderSubject,
): boolean =>
	idOf(order.Customer) === customer &&
	(subType === undefined || idOf(order.SubType) === subType) &&
	items.every(({ Asset, Task }) =>
		itemsIn(order).some(
			(one) => idOf(one.Asset) === Asset.Id && (!byTask || idOf(one.Task) === Task.Id),
		),
	);

export const oncePerFault = oncePer<FaultKey>({
	option: SKIP_IF_OPEN,
	given: faultKeyOf,
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
		return faults.filter((fault) => covers(order, fault));
	},
	shown: ({ items: [{ Asset }] }) => `that is open for the asset ${Asset.Id}`,
});

/** What is to be added to an order that is open. Read before anything is sent. */
export function noteOnOpenOf(context: ItemContext): JsonObject | undefined {
	const group = context.options[NOTE];
	if (isEmpty(group)) return undefined;
	const note: unknown = isObject(group) ? group.note : undefined;
	return noteOf(NOTE_TITLE, isObject(note) ? note : {});
}

/** A write of its own: what becomes of it says nothing about the order, which is there. */
export async function addNote(
	context: ItemContext,
	order: JsonObject,
	note: JsonObject,
): Promise<void> {
	const WorkOrderId = context.isDryRun ? order.Id : positiveId('Work Order', order.Id);
	const request = createRequest('WoNote', { WorkOrderId, ...note }, context.requestId());
	// It is a part of the order.
	const rehearsal = { ...request.dryRun, Outcome: 'wouldUpdate' as const };
	await context
		.send({ ...request, dryRun: rehearsal })
		.catch((failure: Error & { description?: string | null }) => {
			throw apiError(
				context.caller.getNode(),
				`The work order ${quote(order.Number ?? order.Id)} is open, but its note failed: ${failure.message}`,
				`${failure.description ?? ''} No second order was created.`.trim(),
			);
		});
}
