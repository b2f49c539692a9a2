import { randomUUID } from 'node:crypto';
import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import type { Case, Contender } from './case';
import type { BenchContext } from './context';
import { growthCases } from './growth';
import { CHANGES, type Service } from './service';
import { getByIds, readInStreams, runCommands, type NodeWork } from './smallestNode';
import { httpRequest, pagedQuery, splitOut, type Paging } from './stock';

const ROWS = 100_000;
const CUSTOMERS = 50_000;

const GETS = 1000;
const CREATES = 200;
const UPDATES = 1000;
const CONCURRENCY = 10;
const STREAMS = 4;
const SMALL_HEAP_ROWS = 200_000;

const toItems = (jsons: IDataObject[]): INodeExecutionData[] => jsons.map((json) => ({ json }));
const byId = (value: unknown) => ({ __rl: true, mode: 'id', value }) as INodeParameters;
/** Selects the properties, because the default is a summary. */
const selected = (properties: string) => ({ output: 'selected', properties });
const json = (item: unknown) => (item as INodeExecutionData).json;

const node = (work: Contender['work'], variant?: string): Contender => ({
	kind: 'node',
	variant,
	work,
	rows: json,
});
const stock = (work: Contender['work'], variant?: string): Contender => ({
	kind: 'stock',
	variant,
	work,
	rows: (item) => json(item).Data ?? json(item),
});
const smallest = (
	work: (context: BenchContext) => NodeWork,
	parameters: INodeParameters = {},
	inputs: (context: BenchContext) => INodeExecutionData[] = () => [{ json: {} }],
	variant?: string,
): Contender => ({
	kind: 'smallest',
	variant,
	work: async (context) =>
		await context.engine.smallest(work(context), parameters, inputs(context)),
	rows: json,
});
const baseline = (work: Contender['work'], variant?: string): Contender => ({
	kind: 'baseline',
	variant,
	work,
});

const idItems = ({ service }: BenchContext, count: number) =>
	toItems(service.workOrders.slice(0, count).map((id) => ({ id })));

const PROPERTIES = [
	...['Id', 'Number', 'StatusId', 'TypeCategory', 'ShortLocation'],
	...['ContactName', 'TaskRefinement', 'DtCreated', 'DtDue', 'LastActionDateUtc'],
];

function readCase(
	name: string,
	title: string,
	properties: string[],
	{ operation = 'workOrder:getMany', ...parameters }: INodeParameters & { operation?: string } = {},
): Case {
	const getMany = { ...parameters, returnAll: true, ...selected(properties.join()) };
	const read = { entity: 'WorkOrder', properties };
	const buildStock = (paging: Paging) =>
		stock(
			async ({ engine, url }) =>
				await engine.run(
					pagedQuery(url('query/WorkOrder'), { PropertySet: { Properties: properties } }, paging),
					[{ json: {} }],
				),
			paging === 'byId' ? undefined : 'by offset',
		);
	return {
		name,
		title,
		results: () => ROWS,
		workOrders: ROWS,
		runs: 3,
		contenders: [
			node(async (context) => await context.node(operation, getMany), `${STREAMS} streams`),
			node(
				async (context) =>
					await context.node(operation, {
						...getMany,
						options: { advanced: { parallelRequests: 1 } },
					}),
			),
			smallest(() => readInStreams(properties, STREAMS), {}, undefined, `${STREAMS} streams`),
			...(['byId', 'byOffset'] as const).map(buildStock),
			baseline(async (context) => await context.baseline.all(read)),
			baseline(
				async (context) => await context.baseline.inStreams(read, STREAMS),
				`${STREAMS} streams`,
			),
		],
	};
}

const createOrder = ({ order: { subType, customer, asset, task } }: Service, comment: string) => ({
	WorkOrder: {
		TypeCategory: 'Request',
		SubType: { Id: subType },
		Customer: { Id: customer },
		Items: [{ Asset: { Id: asset }, Task: { Id: task }, Comment: comment }],
	},
	ComputeSchedule: true,
});

const comments = () =>
	toItems(Array.from({ length: CREATES }, (_, index) => ({ comment: `Order ${index}` })));

const pickerQuery = {
	PropertySet: { Properties: ['Id', 'DisplayAs', 'TenantCode', 'WorkZone.DisplayAs'] },
	Criteria: {
		FilterOperator: 'And',
		Conditions: [{ PropertyName: 'DisplayAs', Operator: 'Like', Values: ['%a%'] }],
	},
	Orders: [{ PropertyName: 'DisplayAs', OrderType: 'Ascending' }],
	Count: 100,
	FirstResultIndex: 0,
};

const changesQuery = ({ changedSince }: Service): IDataObject => ({
	PropertySet: { Properties: ['*', 'Actor.Id', 'Actor.TypeId', 'Actor.DisplayAs'] },
	Criteria: {
		FilterOperator: 'And',
		Conditions: [
			{ PropertyName: 'SystemDateUtc', Operator: 'GreaterOrEqual', Values: [changedSince] },
		],
	},
});

export const cases: Case[] = [
	...growthCases,
	{
		name: 'gets',
		title: 'Get 1,000 work orders by ID',
		results: () => GETS,
		workOrders: GETS,
		runs: 7,
		contenders: [
			node(
				async (context) =>
					await context.node(
						'workOrder:get',
						{ id: byId('={{ $json.id }}'), ...selected('*') },
						idItems(context, GETS),
					),
			),
			smallest(
				() => getByIds,
				{ value: '={{ $json.id }}' },
				(context) => idItems(context, GETS),
			),
			stock(
				async (context) =>
					await context.engine.run(
						[
							httpRequest({
								method: 'GET',
								url: `=${context.url('base/WorkOrder')}?ID={{ $json.id }}&properties=*`,
							}),
						],
						idItems(context, GETS),
					),
			),
			baseline(
				async ({ baseline: client, service }) =>
					await client.byIds('WorkOrder', service.workOrders.slice(0, GETS)),
			),
		],
	},
	readCase('rows', 'Read 100,000 rows', PROPERTIES),
	readCase('records', 'Read 100,000 rows by Record', PROPERTIES, {
		operation: 'record:getMany',
		entity: { __rl: true, mode: 'name', value: 'WorkOrder' },
	}),
	readCase('names', 'Read 100,000 rows with names of customer and zone', [
		...PROPERTIES,
		'Customer.DisplayAs',
		'WorkZone.DisplayAs',
	]),
	{
		name: 'picker',
		title: 'Search in a picker with 50,000 customers',
		results: () => pickerQuery.Count,
		customers: CUSTOMERS,
		runs: 7,
		contenders: [
			node(async ({ engine }) => {
				const { results } = await engine.listSearch('searchCustomers', { filter: 'a' });
				return results.map((result) => ({ json: result }));
			}),
			stock(
				async ({ engine, url }) =>
					await engine.run(
						[
							httpRequest({
								url: url('query/Customer'),
								jsonBody: JSON.stringify({ QueryExpression: pickerQuery }),
							}),
							splitOut,
						],
						[{ json: {} }],
					),
			),
			baseline(
				async ({ baseline: client }) =>
					await client.query({
						entity: 'Customer',
						properties: pickerQuery.PropertySet.Properties,
						conditions: pickerQuery.Criteria.Conditions,
						orders: pickerQuery.Orders,
						count: pickerQuery.Count,
					}),
			),
		],
	},
	{
		name: 'poll',
		title: 'Trigger poll with 5,000 changes',
		results: ({ changes }) => changes,
		workOrders: CHANGES,
		runs: 5,
		contenders: [
			node(async ({ engine, service }) => {
				const { items, error } = await engine.poll('corrigoTrigger', {
					parameters: {
						event: 'workOrderAction',
						returns: 'event',
						startFrom: 'time',
						startTime: `${service.changedSince.slice(0, 19)}Z`,
						options: { batchSize: 2 * service.changes },
					},
					// A process remembers what each node has delivered.
					settings: { id: randomUUID() },
				});
				if (error) throw new Error(error.message);
				return items ?? [];
			}),
			stock(
				async ({ engine, url, service }) =>
					await engine.run(pagedQuery(url('query/WoActionLog'), changesQuery(service)), [
						{ json: {} },
					]),
			),
			baseline(async ({ baseline: client, service }) => {
				const { PropertySet, Criteria } = changesQuery(service) as {
					PropertySet: { Properties: string[] };
					Criteria: (typeof pickerQuery)['Criteria'];
				};
				return await client.all({
					entity: 'WoActionLog',
					properties: PropertySet.Properties,
					conditions: Criteria.Conditions,
				});
			}),
		],
	},
	{
		name: 'creates',
		title: 'Create 200 work orders',
		results: () => CREATES,
		runs: 7,
		contenders: [
			node(async (context) => {
				const { subType, customer, asset, task } = context.service.order;
				return await context.node(
					'workOrder:create',
					{
						typeCategory: 'Request',
						subType: byId(subType),
						customer: byId(customer),
						items: {
							values: [{ asset: byId(asset), task: byId(task), comment: '={{ $json.comment }}' }],
						},
						options: { advanced: { parallelRequests: CONCURRENCY } },
					},
					comments(),
				);
			}, `${CONCURRENCY} at once`),
			smallest(
				({ service }) =>
					runCommands('WoCreateCommand', (comment) => createOrder(service, comment), CONCURRENCY),
				{ value: '={{ $json.comment }}' },
				comments,
				`${CONCURRENCY} at once`,
			),
			stock(
				async ({ engine, url, service }) =>
					await engine.run(
						[
							httpRequest({
								url: url('cmd/WoCreateCommand'),
								jsonBody: `=${JSON.stringify({ Command: createOrder(service, '{{ $json.comment }}') })}`,
							}),
						],
						comments(),
					),
				'all at once',
			),
			baseline(
				async ({ baseline: client, service }) =>
					await client.mapConcurrently(
						comments(),
						CONCURRENCY,
						async ({ json: { comment } }) =>
							await client.call('POST', 'cmd/WoCreateCommand', {
								Command: createOrder(service, String(comment)),
							}),
					),
				`${CONCURRENCY} at once`,
			),
		],
	},
	{
		name: 'updates',
		title: 'Update 1,000 work orders',
		results: () => UPDATES,
		workOrders: UPDATES,
		runs: 3,
		contenders: [
			node(
				async (context) =>
					await context.node(
						'workOrder:update',
						{
							id: byId('={{ $json.id }}'),
							fieldsMode: 'json',
							fieldsJson: '={{ ({ PoNumber: "PO-" + $json.id }) }}',
							options: { advanced: { parallelRequests: CONCURRENCY } },
						},
						idItems(context, UPDATES),
					),
				`${CONCURRENCY} at once`,
			),
			stock(
				async (context) =>
					await context.engine.run(
						[
							httpRequest({
								method: 'PUT',
								url: context.url('base/WorkOrder'),
								jsonBody:
									'={{ ({ Properties: ["PoNumber"], Entity: { Id: $json.id, PoNumber: "PO-" + $json.id } }) }}',
							}),
						],
						idItems(context, UPDATES),
					),
				'all at once',
			),
			baseline(
				async (context) =>
					await context.baseline.mapConcurrently(
						context.service.workOrders.slice(0, UPDATES),
						CONCURRENCY,
						async (Id) =>
							await context.baseline.call('PUT', 'base/WorkOrder', {
								Properties: ['PoNumber'],
								Entity: { Id, PoNumber: `PO-${Id}` },
							}),
					),
				`${CONCURRENCY} at once`,
			),
		],
	},
	{
		name: 'heap',
		title: 'Read 200,000 rows in a heap of 512 MB',
		results: () => SMALL_HEAP_ROWS,
		workOrders: ROWS,
		runs: 1,
		heapMb: 512,
		contenders: [
			node(
				async (context) =>
					await context.node('record:getMany', {
						entity: { __rl: true, mode: 'name', value: 'WoActionLog' },
						returnAll: false,
						limit: SMALL_HEAP_ROWS,
						...selected('*'),
					}),
			),
		],
	},
];
