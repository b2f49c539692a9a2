import type { INodeProperties } from 'n8n-workflow';

import { FINISHED_STATUSES } from '../../../catalogue/statusActions';
import { isEmpty } from '../../../form/form';
import {
	isObject,
	toRows,
	ValidationError,
	quote,
	type JsonObject,
	toInstant,
	parseChoice,
	parseInteger,
} from '../../../values/checks';
import { and, atLeast, isIn, notIn } from '../../../wire/criteria';
import { buildCreateRequest } from '../../../wire/requests';
import { CLOCK_TOLERANCE_MS } from '../../../transport/clock';
import { createPartError } from '../../../transport/errors';
import { createRunRegistry } from '../../../operations/upsert/registry';
import { loadAllRows } from '../../../records/query';
import type { ItemContext } from '../../../run/context';
import { getKnownNames } from '../../../run/resolve';
import { readCustomerId, NOTE_FIELDS, toNote, readOrderItems, readSubTypeId } from './order';

const SKIP = 'skipIfOpenExists';
const SKIP_IF_OPEN = 'Skip if an Open Order Exists';
const WITHIN = 'openWithinHours';
const WITHIN_TITLE = 'Open Within Hours';
const NOTE = 'noteOnOpen';
const NOTE_TITLE = 'Note on Open Order';

const DEFAULT_HOURS = 24;
const MAX_HOURS = 8760;
const HOUR_MS = 3_600_000;

const ASSET = 'Items.Asset.Id';
const TASK = 'Items.Task.Id';

const SKIP_MODES = ['asset', 'task', 'subType'] as const;

export const openOrderOptions: INodeProperties[] = [
	{
		displayName: SKIP_IF_OPEN,
		name: SKIP,
		type: 'options',
		// Items can share an order only if all use the same definition of a fault.
		noDataExpression: true,
		options: [
			{ name: 'Same Customer and Asset', value: 'asset' },
			{ name: 'Same Customer, Asset and Sub Type', value: 'subType' },
			{ name: 'Same Customer, Asset and Task', value: 'task' },
		],
		default: 'asset',
		description:
			'Return the existing open order instead of creating a duplicate. AlreadyExisted shows which happened. Two n8n workers that run at the same moment can still create one each.',
	},
	{
		displayName: WITHIN_TITLE,
		name: WITHIN,
		type: 'number',
		noDataExpression: true,
		typeOptions: { minValue: 1, maxValue: MAX_HOURS },
		default: DEFAULT_HOURS,
		description: `Maximum age of an open order for '${SKIP_IF_OPEN}'. Without this option, ${DEFAULT_HOURS} hours.`,
	},
	{
		displayName: NOTE_TITLE,
		name: NOTE,
		type: 'fixedCollection',
		placeholder: 'Add note',
		default: {},
		options: [{ displayName: 'Note', name: 'note', values: NOTE_FIELDS }],
		description: `Note to add to the existing order that '${SKIP_IF_OPEN}' returns`,
	},
];

export const readOrderSubject = (
	context: ItemContext,
	{ bySubType = true, byTask = true } = {},
) => {
	const customer = readCustomerId(context);
	return {
		customer,
		items: readOrderItems(context, customer),
		subType: bySubType ? readSubTypeId(context) : undefined,
		byTask,
	};
};

type OrderSubject = ReturnType<typeof readOrderSubject>;

/** An open order with this subject that is at most `hours` old is for the same fault. */
interface FaultKey extends OrderSubject {
	hours: number;
}

export const isOncePerFault = ({ options }: ItemContext): boolean => SKIP in options;

function readFaultKey(context: ItemContext): FaultKey | undefined {
	const { options } = context;
	if (!isOncePerFault(context)) {
		const needing = [WITHIN, NOTE].find((name) => name in options);
		if (needing === undefined) return undefined;
		const title = needing === NOTE ? NOTE_TITLE : WITHIN_TITLE;
		throw new ValidationError(
			`'${title}' is set, but '${SKIP_IF_OPEN}', which it belongs to, is not`,
		);
	}
	const mode = parseChoice(SKIP_IF_OPEN, options[SKIP], SKIP_MODES);
	return {
		...readOrderSubject(context, { bySubType: mode === 'subType', byTask: mode === 'task' }),
		hours: parseInteger(WITHIN_TITLE, options[WITHIN] ?? DEFAULT_HOURS, 1, MAX_HOURS),
	};
}

/** The query has all assets, because a Company may return only the items of an order that match. */
const getAssetIds = ({ items }: FaultKey) => items.map(({ Asset }) => Asset.Id);

const getId = (reference: unknown) => (isObject(reference) ? reference.Id : undefined);

/** An order may have more items than the subject that it covers. */
export const coversSubject = (
	order: JsonObject,
	{ customer, items, subType, byTask }: OrderSubject,
): boolean =>
	getId(order.Customer) === customer &&
	(subType === undefined || getId(order.SubType) === subType) &&
	items.every(({ Asset, Task }) =>
		toRows(order.Items).some(
			(one) => getId(one.Asset) === Asset.Id && (!byTask || getId(one.Task) === Task.Id),
		),
	);

const serializeFaultKey = ({ customer, items, subType, byTask }: FaultKey) =>
	JSON.stringify([
		customer,
		subType,
		items.map(({ Asset, Task }) => `${Asset.Id} ${byTask ? Task.Id : ''}`).sort(),
	]);

/** Orders are read again if the first answer shows that n8n's clock was wrong. */
async function fetchOpenOrders(
	{ caller, run: { clock, time }, sendOptions }: ItemContext,
	faults: readonly FaultKey[],
): Promise<JsonObject[]> {
	const maxAgeMs = faults[0].hours * HOUR_MS;
	const orders = await time.read(async (now) => {
		const criteria = and(
			isIn(ASSET, [...new Set(faults.flatMap(getAssetIds))]),
			notIn('StatusId', FINISHED_STATUSES),
			atLeast('CreatedDateUtc', new Date(now() - CLOCK_TOLERANCE_MS - maxAgeMs).toISOString()),
		);
		return await loadAllRows(caller, 'WorkOrder', criteria, ['*', ASSET, TASK], sendOptions);
	});
	const earliest = clock.now() - maxAgeMs;
	// An order without a date may be recent, so it is kept.
	return orders.filter(({ CreatedDateUtc }) => !(toInstant(CreatedDateUtc) < earliest));
}

/** Message and advice for a look-up that returned unrelated orders. */
export const describeUnexpectedOrder = (option: string) =>
	[
		`Corrigo answered the look-up for '${option}' with an order that was not asked for`,
		`Nothing was created. Turn '${option}' off if this Company does not answer such a search.`,
	] as const;

export const ordersByFault = createRunRegistry<FaultKey, FaultKey | undefined>(
	{
		key: serializeFaultKey,
		values: getAssetIds,
		read: fetchOpenOrders,
		matchKeys: (order, faults) => {
			const assets = new Set(toRows(order.Items).map(({ Asset }) => getId(Asset)));
			if (!faults.flatMap(getAssetIds).some((asset) => assets.has(asset))) return undefined;
			return faults.filter((fault) => coversSubject(order, fault)).map(serializeFaultKey);
		},
		describe: ({ items: [{ Asset }] }) => `an order that is open for the asset ${Asset.Id}`,
		unexpected: describeUnexpectedOrder(SKIP_IF_OPEN),
	},
	readFaultKey,
);

/** An invalid note fails before anything is sent, because it is read first. */
export function readOpenOrderNote(context: ItemContext): JsonObject | undefined {
	const group = context.options[NOTE];
	if (isEmpty(group)) return undefined;
	const note: unknown = isObject(group) ? group.note : undefined;
	return toNote(NOTE_TITLE, isObject(note) ? note : {});
}

/** The note takes a request of its own, so the order remains if the note fails. */
export async function addNote(
	context: ItemContext,
	order: JsonObject,
	note: JsonObject,
): Promise<void> {
	getKnownNames(context).noteRecord('WorkOrder', order);
	const fields = { WorkOrderId: order.Id, ...note };
	const request = buildCreateRequest('WoNote', fields, context.getRequestId());
	// A dry run reports the note as an update of the order.
	await context
		.send({ ...request, dryRun: { ...request.dryRun, Outcome: 'wouldUpdate' } })
		.catch((failure: Error) => {
			throw createPartError(
				context.caller.getNode(),
				`The work order ${quote(order.Number ?? order.Id)} is open, but its note failed`,
				failure,
				'No second order was created.',
			);
		});
}
