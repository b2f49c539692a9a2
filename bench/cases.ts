import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import type { Desk } from './context';
import type { Service } from './service';
import { commands, gets, rowsInStreams, type Work } from './smallestNode';
import { httpRequest, pagedQuery, splitOut, type Paging } from './stock';

/** Which contender: this node, the smallest node, the stock HTTP Request node, or bare Node.js. */
export type Who = 'node' | 'smallest' | 'stock' | 'floor';

export interface Contender {
	who: Who;
	/** How it goes about it, where one contender has several ways. */
	how?: string;
	work: (desk: Desk) => Promise<unknown[]>;
	/** Out of items, the rows in them. */
	rows?: (item: unknown) => unknown;
}

export interface Case {
	name: string;
	title: string;
	/** How many results each contender must come back with. */
	results: (service: Service) => number;
	/** Timed runs at each latency. */
	runs: number;
	contenders: Contender[];
	/** The heap that all of it must fit into. */
	heapMb?: number;
}

export const ROWS = 100_000;
export const CUSTOMERS = 50_000;

const GETS = 1000;
const CREATES = 200;
const UPDATES = 1000;
const AT_ONCE = 10;
const STREAMS = 4;
const ROWS_IN_SMALL_HEAP = 200_000;

const itemsOf = (jsons: IDataObject[]): INodeExecutionData[] => jsons.map((json) => ({ json }));
const byId = (value: unknown) => ({ __rl: true, mode: 'id', value }) as INodeParameters;
/** New nodes start with summaries, which are other properties. */
const selected = (properties: string) => ({ propertySet: 'selected', properties });
const json = (item: unknown) => (item as INodeExecutionData).json;

const node = (work: Contender['work'], how?: string): Contender => ({
	who: 'node',
	how,
	work,
	rows: json,
});
const stock = (work: Contender['work'], how?: string): Contender => ({
	who: 'stock',
	how,
	work,
	rows: (item) => json(item).Data ?? json(item),
});
const smallest = (
	work: (desk: Desk) => Work,
	parameters: INodeParameters = {},
	inputs: (desk: Desk) => INodeExecutionData[] = () => [{ json: {} }],
	how?: string,
): Contender => ({
	who: 'smallest',
	how,
	work: async (desk) => await desk.engine.smallest(work(desk), parameters, inputs(desk)),
	rows: json,
});
const floor = (work: Contender['work'], how?: string): Contender => ({ who: 'floor', how, work });

const idItems = ({ service }: Desk, count: number) =>
	itemsOf(service.workOrders.slice(0, count).map((id) => ({ id })));

const PROPERTIES = [
	...['Id', 'Number', 'StatusId', 'TypeCategory', 'ShortLocation'],
	...['ContactName', 'TaskRefinement', 'DtCreated', 'DtDue', 'LastActionDateUtc'],
];

function reading(name: string, title: string, properties: string[]): Case {
	const getMany: INodeParameters = { returnAll: true, ...selected(properties.join()) };
	const read = { entity: 'WorkOrder', properties };
	const stockBy = (paging: Paging) =>
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
		runs: 3,
		contenders: [
			node(async (desk) => await desk.node('workOrder:getMany', getMany), `${STREAMS} streams`),
			node(
				async (desk) =>
					await desk.node('workOrder:getMany', { ...getMany, options: { parallelRequests: 1 } }),
			),
			smallest(() => rowsInStreams(properties, STREAMS), {}, undefined, `${STREAMS} streams`),
			...(['byId', 'byOffset'] as const).map(stockBy),
			floor(async (desk) => await desk.floor.all(read)),
			floor(async (desk) => await desk.floor.inStreams(read, STREAMS), `${STREAMS} streams`),
		],
	};
}

const orderOf = ({ order: { subType, customer, asset, task } }: Service, comment: string) => ({
	WorkOrder: {
		TypeCategory: 'Request',
		SubType: { Id: subType },
		Customer: { Id: customer },
		Items: [{ Asset: { Id: asset }, Task: { Id: task }, Comment: comment }],
	},
	ComputeSchedule: true,
});

const comments = () =>
	itemsOf(Array.from({ length: CREATES }, (_, index) => ({ comment: `Order ${index}` })));

const picker = {
	PropertySet: { Properties: ['Id', 'DisplayAs', 'TenantCode', 'WorkZone.DisplayAs'] },
	Criteria: {
		FilterOperator: 'And',
		Conditions: [{ PropertyName: 'DisplayAs', Operator: 'Like', Values: ['%a%'] }],
	},
	Orders: [{ PropertyName: 'DisplayAs', OrderType: 'Ascending' }],
	Count: 100,
	FirstResultIndex: 0,
};

const changes = ({ changedSince }: Service): IDataObject => ({
	PropertySet: { Properties: ['*', 'Actor.Id', 'Actor.TypeId', 'Actor.DisplayAs'] },
	Criteria: {
		FilterOperator: 'And',
		Conditions: [
			{ PropertyName: 'SystemDateUtc', Operator: 'GreaterOrEqual', Values: [changedSince] },
		],
	},
});

export const cases: Case[] = [
	{
		name: 'gets',
		title: 'Get 1,000 work orders by ID',
		results: () => GETS,
		runs: 7,
		contenders: [
			node(
				async (desk) =>
					await desk.node(
						'workOrder:get',
						{ id: byId('={{ $json.id }}'), ...selected('*') },
						idItems(desk, GETS),
					),
			),
			smallest(
				() => gets,
				{ value: '={{ $json.id }}' },
				(desk) => idItems(desk, GETS),
			),
			stock(
				async (desk) =>
					await desk.engine.run(
						[
							httpRequest({
								method: 'GET',
								url: `=${desk.url('base/WorkOrder')}?ID={{ $json.id }}&properties=*`,
							}),
						],
						idItems(desk, GETS),
					),
			),
			floor(
				async ({ floor: bare, service }) =>
					await bare.byIds('WorkOrder', service.workOrders.slice(0, GETS)),
			),
		],
	},
	reading('rows', 'Read 100,000 rows', PROPERTIES),
	reading('names', 'Read 100,000 rows with names of customer and zone', [
		...PROPERTIES,
		'Customer.DisplayAs',
		'WorkZone.DisplayAs',
	]),
	{
		name: 'picker',
		title: 'Search in a picker with 50,000 customers',
		results: () => picker.Count,
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
								jsonBody: JSON.stringify({ QueryExpression: picker }),
							}),
							splitOut,
						],
						[{ json: {} }],
					),
			),
			floor(
				async ({ floor: bare }) =>
					await bare.query({
						entity: 'Customer',
						properties: picker.PropertySet.Properties,
						conditions: picker.Criteria.Conditions,
						orders: picker.Orders,
						count: picker.Count,
					}),
			),
		],
	},
	{
		name: 'tick',
		title: 'Trigger tick on 5,000 changes',
		results: ({ changes: count }) => count,
		runs: 5,
		contenders: [
			node(async ({ engine, service }) => {
				const { items, error } = await engine.poll('corrigoTrigger', {
					parameters: {
						event: 'workOrderAction',
						output: 'event',
						startFrom: 'time',
						startTime: `${service.changedSince.slice(0, 19)}Z`,
						options: { batchSize: 2 * service.changes },
					},
				});
				if (error) throw new Error(error.message);
				return items ?? [];
			}),
			stock(
				async ({ engine, url, service }) =>
					await engine.run(pagedQuery(url('query/WoActionLog'), changes(service)), [{ json: {} }]),
			),
			floor(async ({ floor: bare, service }) => {
				const { PropertySet, Criteria } = changes(service) as {
					PropertySet: { Properties: string[] };
					Criteria: (typeof picker)['Criteria'];
				};
				return await bare.all({
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
			node(async (desk) => {
				const { subType, customer, asset, task } = desk.service.order;
				return await desk.node(
					'workOrder:create',
					{
						typeCategory: 'Request',
						subType: byId(subType),
						customer: byId(customer),
						items: {
							values: [{ asset: byId(asset), task: byId(task), comment: '={{ $json.comment }}' }],
						},
						options: { parallelRequests: AT_ONCE },
					},
					comments(),
				);
			}, `${AT_ONCE} at once`),
			smallest(
				({ service }) =>
					commands('WoCreateCommand', (comment) => orderOf(service, comment), AT_ONCE),
				{ value: '={{ $json.comment }}' },
				comments,
				`${AT_ONCE} at once`,
			),
			stock(
				async ({ engine, url, service }) =>
					await engine.run(
						[
							httpRequest({
								url: url('cmd/WoCreateCommand'),
								jsonBody: `=${JSON.stringify({ Command: orderOf(service, '{{ $json.comment }}') })}`,
							}),
						],
						comments(),
					),
				'all at once',
			),
			floor(
				async ({ floor: bare, service }) =>
					await bare.each(
						comments(),
						AT_ONCE,
						async ({ json: { comment } }) =>
							await bare.call('POST', 'cmd/WoCreateCommand', {
								Command: orderOf(service, String(comment)),
							}),
					),
				`${AT_ONCE} at once`,
			),
		],
	},
	{
		name: 'updates',
		title: 'Update 1,000 work orders',
		results: () => UPDATES,
		runs: 3,
		contenders: [
			node(
				async (desk) =>
					await desk.node(
						'workOrder:update',
						{
							id: byId('={{ $json.id }}'),
							fieldsMode: 'json',
							fieldsJson: '={{ ({ PoNumber: "PO-" + $json.id }) }}',
							options: { parallelRequests: AT_ONCE },
						},
						idItems(desk, UPDATES),
					),
				`${AT_ONCE} at once`,
			),
			stock(
				async (desk) =>
					await desk.engine.run(
						[
							httpRequest({
								method: 'PUT',
								url: desk.url('base/WorkOrder'),
								jsonBody:
									'={{ ({ Properties: ["PoNumber"], Entity: { Id: $json.id, PoNumber: "PO-" + $json.id } }) }}',
							}),
						],
						idItems(desk, UPDATES),
					),
				'all at once',
			),
			floor(
				async (desk) =>
					await desk.floor.each(
						desk.service.workOrders.slice(0, UPDATES),
						AT_ONCE,
						async (Id) =>
							await desk.floor.call('PUT', 'base/WorkOrder', {
								Properties: ['PoNumber'],
								Entity: { Id, PoNumber: `PO-${Id}` },
							}),
					),
				`${AT_ONCE} at once`,
			),
		],
	},
	{
		name: 'heap',
		title: 'Read 200,000 rows in a heap of 512 MB',
		results: () => ROWS_IN_SMALL_HEAP,
		runs: 1,
		heapMb: 512,
		contenders: [
			node(
				async (desk) =>
					await desk.node('record:getMany', {
						entity: { __rl: true, mode: 'name', value: 'WoActionLog' },
						returnAll: false,
						limit: ROWS_IN_SMALL_HEAP,
						...selected('*'),
					}),
			),
		],
	},
];
