import type { INodeProperties } from 'n8n-workflow';

import { FINISHED } from '../../catalogue/statusActions';
import { isEmpty } from '../../form/form';
import { isObject, rowsIn, ValidationError, quote, type JsonObject } from '../../protocol/checks';
import { and, atLeast, isIn, notIn } from '../../protocol/criteria';
import { createRequest } from '../../protocol/requests';
import { instantOf, oneOf, wholeNumber } from '../../protocol/values';
import { partError } from '../../transport/errors';
import { registryPerRun } from '../../once/registry';
import { allRows } from '../../records/query';
import type { ItemContext } from '../../run/context';
import { knownNamesIn } from '../../run/resolve';
import { customerOf, NOTE_FIELDS, noteOf, orderItemsOf, subTypeIdOf } from './order';

const SKIP = 'skipIfOpenExists';
const SKIP_IF_OPEN = 'Skip if an Open Order Exists';
const WITHIN = 'openWithinHours';
const WITHIN_TITLE = 'Open Within Hours';
const NOTE = 'noteOnOpen';
const NOTE_TITLE = 'Note on Open Order';

const DEFAULT_HOURS = 24;
const A_YEAR = 8760;
const HOUR_MS = 3_600_000;

const ASSET = 'Items.Asset.Id';
const TASK = 'Items.Task.Id';

const WAYS = ['asset', 'task', 'subType'] as const;

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
		typeOptions: { minValue: 1, maxValue: A_YEAR },
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

export const orderSubjectOf = (context: ItemContext, { bySubType = true, byTask = true } = {}) => ({
	customer: customerOf(context),
	items: orderItemsOf(context),
	subType: bySubType ? subTypeIdOf(context) : undefined,
	byTask,
});

type OrderSubject = ReturnType<typeof orderSubjectOf>;

/** An open order with this subject that is at most `hours` old is for the same fault. */
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
		...orderSubjectOf(context, { bySubType: way === 'subType', byTask: way === 'task' }),
		hours: wholeNumber(WITHIN_TITLE, options[WITHIN] ?? DEFAULT_HOURS, 1, A_YEAR),
	};
}

/** The query has all assets, because a Company may return only the items of an order that match. */
const assetsOf = ({ items }: FaultKey) => items.map(({ Asset }) => Asset.Id);

const idOf = (reference: unknown) => (isObject(reference) ? reference.Id : undefined);

/** An order may have more items than the subject that it covers. */
export const covers = (
	order: JsonObject,
	{ customer, items, subType, byTask }: OrderSubject,
): boolean =>
	idOf(order.Customer) === customer &&
	(subType === undefined || idOf(order.SubType) === subType) &&
	items.every(({ Asset, Task }) =>
		rowsIn(order.Items).some(
			(one) => idOf(one.Asset) === Asset.Id && (!byTask || idOf(one.Task) === Task.Id),
		),
	);

const keyOf = ({ customer, items, subType, byTask }: FaultKey) =>
	JSON.stringify([
		customer,
		subType,
		items.map(({ Asset, Task }) => `${Asset.Id} ${byTask ? Task.Id : ''}`).sort(),
	]);

/** One request is enough if the clocks of n8n and Corrigo differ by less than this. */
const CLOCK_TOLERANCE_MS = 600_000;

/** A second request follows if the first answer shows that n8n's clock was wrong. */
async function openOrdersFor(
	{ caller, run: { clock }, sendOptions }: ItemContext,
	faults: readonly FaultKey[],
): Promise<JsonObject[]> {
	const earliest = () => clock.now() - faults[0].hours * HOUR_MS;
	const createdSince = async (instant: number) => {
		const criteria = and(
			isIn(ASSET, [...new Set(faults.flatMap(assetsOf))]),
			notIn('StatusId', FINISHED),
			atLeast('CreatedDateUtc', new Date(instant).toISOString()),
		);
		return await allRows(caller, 'WorkOrder', criteria, ['*', ASSET, TASK], sendOptions);
	};
	const asked = earliest() - CLOCK_TOLERANCE_MS;
	const orders = await createdSince(asked);
	const all = earliest() < asked ? await createdSince(earliest()) : orders;
	// An order without a date may be recent, so it is kept.
	return all.filter(({ CreatedDateUtc }) => !(instantOf(CreatedDateUtc) < earliest()));
}

/** Message and advice for a look-up that returned unrelated orders. */
export const unexpectedOrder = (option: string) =>
	[
		`Corrigo answered the look-up for '${option}' with an order that was not asked for`,
		`Nothing was created. Turn '${option}' off if this Company does not answer such a search.`,
	] as const;

export const ordersByFault = registryPerRun<FaultKey, FaultKey | undefined>(
	{
		key: keyOf,
		values: assetsOf,
		read: openOrdersFor,
		keysIn: (order, faults) => {
			const assets = new Set(rowsIn(order.Items).map(({ Asset }) => idOf(Asset)));
			if (!faults.flatMap(assetsOf).some((asset) => assets.has(asset))) return undefined;
			return faults.filter((fault) => covers(order, fault)).map(keyOf);
		},
		describe: ({ items: [{ Asset }] }) => `an order that is open for the asset ${Asset.Id}`,
		unexpected: unexpectedOrder(SKIP_IF_OPEN),
	},
	faultKeyOf,
);

/** An invalid note fails before anything is sent, because it is read first. */
export function noteOnOpenOf(context: ItemContext): JsonObject | undefined {
	const group = context.options[NOTE];
	if (isEmpty(group)) return undefined;
	const note: unknown = isObject(group) ? group.note : undefined;
	return noteOf(NOTE_TITLE, isObject(note) ? note : {});
}

/** The note takes a request of its own, so the order remains if the note fails. */
export async function addNote(
	context: ItemContext,
	order: JsonObject,
	note: JsonObject,
): Promise<void> {
	knownNamesIn(context).noteRecord('WorkOrder', order);
	const fields = { WorkOrderId: order.Id, ...note };
	const request = createRequest('WoNote', fields, context.requestId());
	// A dry run reports the note as an update of the order.
	await context
		.send({ ...request, dryRun: { ...request.dryRun, Outcome: 'wouldUpdate' } })
		.catch((failure: Error) => {
			throw partError(
				context.caller.getNode(),
				`The work order ${quote(order.Number ?? order.Id)} is open, but its note failed`,
				failure,
				'No second order was created.',
			);
		});
}
