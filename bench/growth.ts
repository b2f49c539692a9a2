import { randomUUID } from 'node:crypto';
import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { listen, type Listener } from '../test/support/webhook';
import { loadNode } from './built';
import type { Case } from './case';
import type { BenchContext } from './context';

export const GROWTH = 'growth';
/** Times that the larger work is the smaller one. */
const FACTOR = 10;
const CONCURRENCY = 8;
const RECORDS = 1000;
const WRITES = 400;
const PUSHES = 100;
const COMPARED = 10_000;

interface Needs extends Pick<Case, 'workOrders' | 'customers'> {
	/** Number of results for so many items, if it differs. */
	results?: (count: number) => number;
}

/** One row: work of two sizes, whose preparation does not count. */
function growth<Prepared>(
	title: string,
	size: number,
	prepare: (context: BenchContext, size: number) => Promise<Prepared> | Prepared,
	work: (context: BenchContext, prepared: Prepared) => Promise<unknown[]>,
	{ results = (count) => count, ...needs }: Needs = {},
): Case {
	return {
		name: `${GROWTH}: ${title}`,
		group: GROWTH,
		title,
		results: () => results(size),
		runs: 1,
		latencyMs: 0,
		...needs,
		contenders: [size, FACTOR * size].map((count) => {
			let prepared: Prepared;
			return {
				kind: 'node',
				variant: count.toLocaleString('en'),
				results: results(count),
				prepare: async (context) => {
					prepared = await prepare(context, count);
				},
				work: async (context) => await work(context, prepared),
				rows: (item) => (item as INodeExecutionData).json,
			};
		}),
	};
}

let runs = 0;
/** A text that no record has. */
const freshText = () => `G${process.pid}-${++runs}`;

const toItems = (jsons: IDataObject[]): INodeExecutionData[] => jsons.map((json) => ({ json }));
const locator = (mode: string) =>
	({ __rl: true, mode, value: '={{ $json.value }}' }) as INodeParameters;

const customers = (size: number, isNew: (index: number) => boolean) => {
	const text = freshText();
	return toItems(
		Array.from({ length: size }, (_, index) =>
			isNew(index)
				? {
						TenantCode: `${text}-${index}`,
						...{ DisplayAs: text, Name: text, Dba: text, TaxExempt: false },
						WorkZone: { Id: 11 },
					}
				: { TenantCode: `T${1000 + index}`, TaxExempt: index % 9 === 0 },
		),
	);
};

const upsert = (title: string, isNew: (index: number) => boolean, advanced: INodeParameters) =>
	growth(
		title,
		RECORDS,
		(_, size) => customers(size, isNew),
		async (context, items) =>
			await context.node(
				'customer:upsert',
				{
					fieldsMode: 'json',
					fieldsJson: '={{ $json }}',
					matchOn: 'TenantCode',
					options: { advanced },
				},
				items,
			),
		{ customers: FACTOR * RECORDS },
	);

const read = async (
	context: BenchContext,
	entity: string,
	properties: string,
	size: number,
): Promise<IDataObject[]> => {
	const found = await context.node(`${entity}:getMany`, {
		returnAll: false,
		limit: size,
		output: 'selected',
		properties,
	});
	return found.map(({ json }) => json);
};

const get = (title: string, entity: string, mode: string, property: string) =>
	growth(
		title,
		RECORDS,
		async (context, size) =>
			toItems(
				(await read(context, entity, property, size)).map((row) => ({ value: row[property] })),
			),
		async (context, items) => await context.node(`${entity}:get`, { id: locator(mode) }, items),
		{ workOrders: FACTOR * RECORDS, customers: FACTOR * RECORDS },
	);

const update = async (
	context: BenchContext,
	options: INodeParameters,
	items: INodeExecutionData[],
	fieldsJson = '={{ ({ PoNumber: $json.text }) }}',
) =>
	await context.node(
		'workOrder:update',
		{ id: locator('id'), fieldsMode: 'json', fieldsJson, options },
		items,
	);

const changes = async (context: BenchContext, size: number) => {
	const text = freshText();
	return toItems(
		(await read(context, 'workOrder', 'Id,ConcurrencyId', size)).map((row) => ({
			value: row.Id,
			version: row.ConcurrencyId,
			text,
		})),
	);
};

const write = <Prepared>(
	title: string,
	prepare: (context: BenchContext, size: number) => Promise<Prepared>,
	work: (context: BenchContext, prepared: Prepared) => Promise<unknown[]>,
	size = WRITES,
) => growth(title, size, prepare, work, { workOrders: FACTOR * size, customers: FACTOR * size });

const RETURN_BEFORE: INodeParameters = {
	returnBefore: true,
	ifChanged: 'fail',
	expectedVersion: '={{ $json.version }}',
};

const ID: INodeParameters = { __rl: true, mode: 'name', value: 'Id' };

/** Polls of Record Added, Edited or Deleted (by Comparison) over the work orders up to an ID. */
async function compare({ engine }: BenchContext, newest: number, staticData: IDataObject = {}) {
	const found = await engine.poll('corrigoTrigger', {
		parameters: {
			event: 'recordEdited',
			entity: { __rl: true, mode: 'name', value: 'WorkOrder' },
			searchBy: 'conditions',
			conditions: { values: [{ property: ID, operator: 'LessOrEqual', value: newest }] },
		},
		staticData,
		settings: { id: randomUUID() },
	});
	if (found.error) throw new Error(found.error.message);
	return found;
}

let opened: Listener | undefined;

async function openListener({ service }: BenchContext): Promise<Listener> {
	const listener = await listen({
		sandbox: service,
		node: loadNode('CorrigoWebhookTrigger'),
		parameters: { event: 'workOrderAction' },
	});
	await listener.activate();
	return listener;
}

/** One push for each order, after an action on all of them. */
async function pushAll(orders: IDataObject[]) {
	for (const { Id } of orders) await opened?.push({ WorkOrder: { Id } });
	await opened?.idle();
	return opened?.items().map((json) => ({ json })) ?? [];
}

const readNewestId = async (context: BenchContext, size: number) =>
	Number((await read(context, 'workOrder', 'Id', size)).at(-1)?.Id);

const NOTHING_NEW: Needs = { workOrders: FACTOR * COMPARED, results: () => 0 };

/** Each case runs at two sizes, and shows what grows faster than the work or blocks the process. */
export const growthCases: Case[] = [
	upsert('Create or Update, unchanged', () => false, {}),
	upsert(`Create or Update, half new, ${CONCURRENCY} at a time`, (index) => index % 2 === 0, {
		parallelRequests: CONCURRENCY,
	}),
	get('Get by name', 'customer', 'name', 'DisplayAs'),
	get('Get by number', 'workOrder', 'number', 'Number'),
	write(
		'Dry run of updates with a name each',
		async (context, size) => {
			const [orders, names] = [
				await changes(context, size),
				await read(context, 'customer', 'DisplayAs', size),
			];
			return orders.map(({ json }, index) => ({
				json: { ...json, text: names[index].DisplayAs },
			}));
		},
		async (context, items) =>
			await update(context, { dryRun: 'always' }, items, '={{ ({ Customer: $json.text }) }}'),
		RECORDS,
	),
	write(
		'Dry run of updates',
		changes,
		async (context, items) => await update(context, { dryRun: 'always' }, items),
	),
	write(
		'Updates that a dry run has planned',
		async (context, size) => {
			const items = await changes(context, size);
			const planned = await update(context, { dryRun: 'always' }, items);
			return items.map(({ json }, index) => ({
				json: { ...json, key: planned[index].json.ConfirmationKey },
			}));
		},
		async (context, items) => await update(context, { confirmationKey: '={{ $json.key }}' }, items),
	),
	write(
		'Updates with Return Before and If Changed',
		changes,
		async (context, items) => await update(context, RETURN_BEFORE, items),
	),
	write(
		'Restored values',
		async (context, size) =>
			toItems(
				(await update(context, RETURN_BEFORE, await changes(context, size))).map(
					({ json: { Before } }) => ({ Before }),
				),
			),
		async (context, items) =>
			await context.node(
				'record:restoreValues',
				{
					entity: { __rl: true, mode: 'name', value: 'WorkOrder' },
					before: '={{ $json.Before }}',
				},
				items,
			),
	),
	growth(
		'Comparison of records, first poll',
		COMPARED,
		readNewestId,
		async (context, newest) => (await compare(context, newest)).items ?? [],
		NOTHING_NEW,
	),
	growth(
		'Comparison of records, nothing changed',
		COMPARED,
		async (context, size) => {
			const newest = await readNewestId(context, size);
			return { newest, state: (await compare(context, newest)).staticData };
		},
		async (context, { newest, state }) => (await compare(context, newest, state)).items ?? [],
		NOTHING_NEW,
	),
	growth(
		'Pushes',
		PUSHES,
		async (context, size) => {
			// Each run starts without known changes.
			await opened?.close();
			opened = await openListener(context);
			// Both sizes have orders of their own, because each action is pushed once.
			const all = await read(context, 'workOrder', 'Id', PUSHES + FACTOR * PUSHES);
			const orders = size === PUSHES ? all.slice(-size) : all.slice(0, size);
			const items = toItems(orders.map(({ Id }) => ({ value: Id })));
			await context.node(
				'workOrder:addFlag',
				{
					id: locator('id'),
					flags: { values: [{ flag: { __rl: true, mode: 'name', value: 'Message' } }] },
				},
				items,
			);
			return orders;
		},
		async (_, orders) => await pushAll(orders),
		{ workOrders: PUSHES + FACTOR * PUSHES },
	),
];
