import type { INodeProperties } from 'n8n-workflow';

import { FINISHED_STATUSES } from '../../../catalogue/statusActions';
import { buildField, defineField, sortByTitle } from '../../../form/fields';
import { createEmptyError, quote, ValidationError } from '../../../values/errors';
import { type JsonObject, isObject, readPath, toRows } from '../../../values/objects';
import { normalize } from '../../../values/input';
import { toInstant, CLOCK_TOLERANCE_MS, HOUR_MS } from '../../../values/times';
import type { CommandAnswer } from '../../../wire/answers';
import { and, atLeast, isIn, notIn } from '../../../wire/criteria';
import { buildCreateRequest } from '../../../wire/requests';
import { getId } from '../../../compare/differences';
import { createPartError, mayHaveRun } from '../../../transport/errors';
import { additionalFields, createFieldBuilder } from '../../../operations/members';
import { createRunRegistry, createOrRecover } from '../../../operations/upsert/registry';
import { loadAllRows } from '../../../records/query';
import {
	oncePerRun,
	type ItemContext,
	type ResolvingForm,
	resolveForm,
} from '../../../run/context';
import { identifyCompany, readCredential } from '../../../session/credential';
import { readCustomerId, NOTE_FIELDS, readNote, readOrderItems, readSubTypeId } from './order';
import type { Form } from '../../../form/form';

const SKIP_IF_OPEN = 'Skip if an Open Order Exists';
const SKIP_IF_NUMBER = 'Skip if External Number Exists';
export const ADD_FILES = 'Add Files to Existing Order';

export const externalNumber = createFieldBuilder('WoCreateCommand').field(
	'ExternalNumber',
	'externalNumber',
	'Number of the order in your own system',
	{
		placeholder: 'e.g. TICKET-4711',
		displayOptions: { hide: { '/operation': ['upsert'] } },
	},
);

const DEFAULT_HOURS = 24;
const MAX_HOURS = 8760;

const ASSET = 'Items.Asset.Id';
const TASK = 'Items.Task.Id';

/** Hours and note belong to the look-up for an open order, files to both look-ups. */
const rules = {
	number: buildField(
		'skipIfExternalNumberExists',
		'boolean',
		'Whether to return the work order that has this external number, in any status, instead of creating a duplicate',
		{ displayName: SKIP_IF_NUMBER, default: true },
	),
	open: buildField(
		'skipIfOpenOrderExists',
		'options',
		'Return the existing open order instead of creating a duplicate. Two executions at the same moment can still create one each.',
		{
			displayName: SKIP_IF_OPEN,
			// Items can share an order only if all use the same definition of a fault.
			noDataExpression: true,
			options: [
				{ name: 'Same Customer and Asset', value: 'asset' },
				{ name: 'Same Customer, Asset and Sub Type', value: 'subType' },
				{ name: 'Same Customer, Asset and Task', value: 'task' },
			],
			default: 'asset',
		},
	),
	hours: buildField(
		'openWithinHours',
		'number',
		`Maximum age of an open order for '${SKIP_IF_OPEN}', ${DEFAULT_HOURS} hours unless set`,
		{
			displayName: 'Only Orders of the Last … Hours',
			noDataExpression: true,
			typeOptions: { minValue: 1, maxValue: MAX_HOURS },
			default: DEFAULT_HOURS,
		},
	),
	note: defineField({
		displayName: 'Note on Open Order',
		name: 'noteOnOpenOrder',
		type: 'fixedCollection',
		placeholder: 'Add note',
		default: {},
		options: [{ displayName: 'Note', name: 'note', values: NOTE_FIELDS }],
		description: `Note to add to the existing order that '${SKIP_IF_OPEN}' returns`,
	}),
	files: buildField(
		'addFilesToExistingOrder',
		'boolean',
		"Whether to store the files of 'Attachments' with the existing order, except those of a title and file name that it already has",
		{ displayName: ADD_FILES, default: true },
	),
} satisfies Record<string, INodeProperties>;

export const preventDuplicatesField = defineField({
	displayName: 'Prevent Duplicates',
	name: 'preventDuplicates',
	type: 'collection',
	placeholder: 'Add rule',
	default: {},
	options: sortByTitle(Object.values(rules)),
	description:
		'When to return an existing work order instead of creating one. AlreadyExisted shows which happened.',
});

const readOrderSubject = (form: ResolvingForm, { bySubType = true, byTask = true } = {}) => {
	const customer = readCustomerId(form);
	return {
		customer,
		items: readOrderItems(form, customer),
		subType: bySubType ? readSubTypeId(form) : undefined,
		byTask,
	};
};

type OrderItem = { Asset?: unknown; Task?: unknown };

type OrderSubject = ReturnType<typeof readOrderSubject>;

/** An open order with this subject that is at most `hours` old is for the same fault. */
interface FaultKey extends OrderSubject {
	hours: number;
}

/** Undefined unless an open order for the same fault takes the place of a new one. */
function readFaultRule(form: Form) {
	const mode = form.readAdded(preventDuplicatesField, rules.open);
	if (mode === undefined) {
		const added = form.read(preventDuplicatesField);
		const needing = [rules.hours, rules.note].find(({ name }) => name in added);
		if (needing === undefined) return undefined;
		throw new ValidationError(
			`'${needing.displayName}' is set without '${SKIP_IF_OPEN}', which it needs`,
		);
	}
	const hours = form.readAdded(preventDuplicatesField, rules.hours) ?? DEFAULT_HOURS;
	return { bySubType: mode === 'subType', byTask: mode === 'task', hours };
}

/** Tells whether an order that exists gets the files that it does not have. */
export function addsFiles(form: Form): boolean {
	if (!form.readAdded(preventDuplicatesField, rules.files)) return false;
	if (readUniqueNumber(form) !== undefined || isOncePerFault(form)) return true;
	throw new ValidationError(
		`'${ADD_FILES}' is set without '${SKIP_IF_NUMBER}' or '${SKIP_IF_OPEN}': it needs one of them`,
	);
}

export const isOncePerFault = (form: Form): boolean => readFaultRule(form) !== undefined;

function readFaultKey(form: ResolvingForm): FaultKey | undefined {
	const rule = readFaultRule(form);
	return rule && { ...readOrderSubject(form, rule), hours: rule.hours };
}

/** The query has all assets, because a Company may return only the items of an order that match. */
const getAssetIds = ({ items }: FaultKey) => items.map(({ Asset }) => Asset.Id);

const isSameItem = (one: OrderItem, other: OrderItem, byTask: boolean): boolean =>
	getId(one.Asset) === getId(other.Asset) && (!byTask || getId(one.Task) === getId(other.Task));

/** An order may have more items than the subject that it covers. */
const coversSubject = (
	order: JsonObject,
	{ customer, items, subType, byTask }: OrderSubject,
): boolean =>
	getId(order.Customer) === customer &&
	(subType === undefined || getId(order.SubType) === subType) &&
	items.every((item) => toRows(order.Items).some((one) => isSameItem(one, item, byTask)));

/** An order for the first fault is one for the second fault, too. */
const coversFault = (fault: FaultKey, other: FaultKey): boolean =>
	fault.customer === other.customer &&
	fault.subType === other.subType &&
	other.items.every((item) => fault.items.some((one) => isSameItem(one, item, other.byTask)));

const serializeFaultKey = ({ customer, items, subType, byTask }: FaultKey) =>
	JSON.stringify([
		customer,
		subType,
		items.map(({ Asset, Task }) => `${Asset.Id} ${byTask ? Task.Id : ''}`).sort(),
	]);

/** Orders are read again if the first answer shows that n8n's clock was wrong. */
async function fetchOpenOrders(
	context: ItemContext,
	faults: readonly FaultKey[],
): Promise<JsonObject[]> {
	const maxAgeMs = faults[0].hours * HOUR_MS;
	const { clock, time } = context.run;
	const orders = await time.repeatIfWrong(async (now) => {
		const criteria = and(
			isIn(ASSET, [...new Set(faults.flatMap(getAssetIds))]),
			notIn('StatusId', FINISHED_STATUSES),
			atLeast('CreatedDateUtc', new Date(now() - CLOCK_TOLERANCE_MS - maxAgeMs).toISOString()),
		);
		return await loadAllRows(context, 'WorkOrder', criteria, ['*', ASSET, TASK]);
	});
	const earliest = clock.now() - maxAgeMs;
	// An order without a date may be recent, so it is kept.
	return orders.filter(({ CreatedDateUtc }) => !(toInstant(CreatedDateUtc) < earliest));
}

/** Message and advice for a look-up that returned unrelated orders. */
const describeUnexpectedOrder = (option: string) =>
	[
		`Corrigo answered the look-up for '${option}' with an order that was not asked for`,
		'Nothing was created.',
		`Turn '${option}' off if this Company does not answer such a search.`,
	] as const;

export const ordersByFault = createRunRegistry<FaultKey, FaultKey | undefined>(
	{
		key: serializeFaultKey,
		values: getAssetIds,
		covers: coversFault,
		load: fetchOpenOrders,
		readKeys: (order, faults) =>
			faults.filter((fault) => coversSubject(order, fault)).map(serializeFaultKey),
		mayFind: (order, faults) => {
			const assets = new Set(toRows(order.Items).map(({ Asset }) => getId(Asset)));
			return faults.flatMap(getAssetIds).some((asset) => assets.has(asset));
		},
		describe: ({ items: [{ Asset }] }) => `an order that is open for the asset ${Asset.Id}`,
		unexpected: describeUnexpectedOrder(SKIP_IF_OPEN),
	},
	readFaultKey,
);

/** An invalid note fails before anything is sent, because it is read first. */
export function readOpenOrderNote(form: Form): JsonObject | undefined {
	const added = form.open(preventDuplicatesField);
	if (added.isEmpty(rules.note)) return undefined;
	const [note] = added.readRows(rules.note);
	if (note !== undefined) return readNote(note);
	throw createEmptyError(rules.note.displayName);
}

/** The note takes a request of its own, so the order remains if the note fails. */
export async function addNote(
	context: ItemContext,
	order: JsonObject,
	note: JsonObject,
): Promise<void> {
	context.run.names.noteRecord('WorkOrder', order);
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

/** Corrigo returns the external number of an order in this property. */
export const X_NUMBER = 'LastAction.XNumber';

export function readUniqueNumber(form: Form): string | undefined {
	// A value that is neither true nor false is refused: as `false`, it could create a duplicate.
	if (!form.readAdded(preventDuplicatesField, rules.number)) return undefined;
	const { property } = externalNumber;
	const number = String(form.readAdded(additionalFields, property) ?? '').trim();
	if (number !== '') return number;
	throw new ValidationError(
		`'${property.displayName}' is empty, but '${rules.number.displayName}' needs it`,
		"Give it in 'Additional Fields'.",
		{ forAuthor: `Or turn '${rules.number.displayName}' off.` },
	);
}

const getNumber = (order: JsonObject): string => String(readPath(order, X_NUMBER) ?? '').trim();

/** Numbers that differ only in case count as the same number. */
const toNumberKey = (number: string) => number.toLowerCase();

export const ordersByNumber = createRunRegistry<string, string | undefined>(
	{
		key: toNumberKey,
		load: async (context, numbers) => {
			const values = new Map(numbers.map((number) => [toNumberKey(number), number])).values();
			const criteria = and(isIn(X_NUMBER, [...values]));
			return await loadAllRows(context, 'WorkOrder', criteria, ['*', X_NUMBER]);
		},
		readKeys: (order) => [toNumberKey(getNumber(order))],
		describe: (number) => `an order with the external number ${quote(number)}`,
		unexpected: describeUnexpectedOrder(rules.number.displayName),
	},
	readUniqueNumber,
);

/** Company and external number of creates by this process that are running or have an unknown result. */
const pendingCreates = new Set<{ number: string }>();

/** Orders that this process has created, newest last. */
const createdOrders = new Set<string>();
const MAX_REMEMBERED = 1000;

const getIdentity = (number: string, { Id }: JsonObject) => `${String(Id)} ${number}`;

const readCompany = oncePerRun(async ({ run: { caller } }) =>
	identifyCompany(readCredential(await caller.getCredentials('corrigoApi'))),
);

/** Other Companies may use the same numbers. */
const identifyNumber = async (context: ItemContext, externalNumber: string): Promise<string> =>
	`${await readCompany(context)} ${normalize(externalNumber)}`;

export const getOrder = ({ CommandResult }: CommandAnswer): JsonObject =>
	isObject(CommandResult.Wo) ? CommandResult.Wo : CommandResult;

export const toAnswer = (order: JsonObject): CommandAnswer => ({ CommandResult: { Wo: order } });

/** Remembers the new order by its external number, so that no other create takes it for its own. */
export async function createWithNumber(
	context: ItemContext,
	externalNumber: string,
	create: () => Promise<CommandAnswer>,
): Promise<CommandAnswer> {
	if (externalNumber === '') return await create();
	const pending = { number: await identifyNumber(context, externalNumber) };
	pendingCreates.add(pending);
	const answer = await create().catch((failure: unknown) => {
		if (!mayHaveRun(failure)) pendingCreates.delete(pending);
		throw failure;
	});
	const [oldest] = createdOrders.add(getIdentity(pending.number, getOrder(answer)));
	if (createdOrders.size > MAX_REMEMBERED) createdOrders.delete(oldest);
	pendingCreates.delete(pending);
	return answer;
}

/**
 * Creates an order that no option looks up. If the answer is lost, the order is looked up by its
 * external number. Other orders may have the same number, so a match must be new, have the same
 * subject, and not come from another create.
 */
export async function createOrFindOwn(
	context: ItemContext,
	externalNumber: string,
	create: () => Promise<CommandAnswer>,
): Promise<CommandAnswer> {
	if (externalNumber === '') return await create();
	const sentAt = performance.now();
	const description = `an order with the external number ${quote(externalNumber)} that can only be its own`;
	const find = async () => {
		const order = await findOwnOrder(context, externalNumber, sentAt);
		return order && toAnswer(order);
	};
	return await createWithNumber(
		context,
		externalNumber,
		async () => await createOrRecover(context, description, create, find),
	);
}

/** The clock of answers and the dates of some Companies have no fractions of seconds. */
const SECOND_MS = 1000;

async function findOwnOrder(
	context: ItemContext,
	externalNumber: string,
	sentAt: number,
): Promise<JsonObject | undefined> {
	const number = await identifyNumber(context, externalNumber);
	const criteria = and(isIn(X_NUMBER, [externalNumber]));
	const rows = await loadAllRows(context, 'WorkOrder', criteria, ['*', X_NUMBER, ASSET, TASK]);
	// The time of the create is converted to Corrigo's clock; without that clock, no order is new.
	const { clock } = context.run;
	const since = clock.isKnown ? clock.now() - (performance.now() - sentAt) - SECOND_MS : NaN;
	const subject = await resolveForm(context, (form) => readOrderSubject(form));
	const isOnly = [...pendingCreates].filter((one) => one.number === number).length === 1;
	const [order, ...others] = rows.filter(
		(row) =>
			normalize(getNumber(row)) === normalize(externalNumber) &&
			toInstant(row.CreatedDateUtc) >= since &&
			coversSubject(row, subject) &&
			!createdOrders.has(getIdentity(number, row)),
	);
	return others.length === 0 && isOnly ? order : undefined;
}
