import type {
	IDataObject,
	IExecuteFunctions,
	IHttpRequestMethods,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
} from 'n8n-workflow';

import { typeOfNode } from '../test/support/nodes';

export const SMALLEST = typeOfNode('smallest');

/** Sends a request by n8n's own helper, with the Corrigo credential. */
type SendRequest = (
	method: IHttpRequestMethods,
	path: string,
	body: object,
) => Promise<IDataObject>;

/** Work as a user would write it in ten lines, without checks, retries and error messages. */
export type NodeWork = (
	call: SendRequest,
	caller: IExecuteFunctions,
) => Promise<INodeExecutionData[]>;

/** The smallest node that can do the work: inside n8n nothing can be faster. */
export const smallestNode = (work: NodeWork): INodeType => ({
	description: {
		displayName: 'Smallest',
		name: 'smallest',
		group: ['transform'],
		version: 1,
		description: 'The work and nothing else',
		defaults: { name: 'Smallest' },
		inputs: ['main'],
		outputs: ['main'],
		credentials: [{ name: 'corrigoApi', required: true }],
		properties: [{ displayName: 'Value', name: 'value', type: 'string', default: '' }],
	} as INodeTypeDescription,
	async execute() {
		const call: SendRequest = async (method, url, body) =>
			(await this.helpers.httpRequestWithAuthentication.call(this, 'corrigoApi', {
				method,
				url: `/api/v1/${url}`,
				body,
				json: true,
			})) as IDataObject;
		return [await work(call, this)];
	},
});

interface Answer {
	Entities: Array<{ Data: IDataObject }>;
}

const MAX_IDS = 500;
const PAGE_SIZE = 4000;

const query = async (
	call: SendRequest,
	entity: string,
	expression: object,
): Promise<IDataObject[]> => {
	const QueryExpression = { FirstResultIndex: 0, Count: PAGE_SIZE, ...expression };
	const answer = (await call('POST', `query/${entity}`, { QueryExpression })) as unknown as Answer;
	return answer.Entities.map(({ Data }) => Data);
};

const where = (...Conditions: object[]) => ({ Criteria: { FilterOperator: 'And', Conditions } });
const condition = (PropertyName: string, Operator: string, Values: unknown[]) => ({
	PropertyName,
	Operator,
	Values,
});
const byId = (OrderType = 'Ascending') => ({ Orders: [{ PropertyName: 'Id', OrderType }] });

/** Reads the records whose IDs come from an expression. */
export const getByIds: NodeWork = async (call, caller) => {
	const ids = caller
		.getInputData()
		.map((_, item) => Number(caller.getNodeParameter('value', item)));
	const parts: number[][] = [];
	for (let first = 0; first < ids.length; first += MAX_IDS)
		parts.push(ids.slice(first, first + MAX_IDS));
	const read = parts.map(async (part) =>
		query(call, 'WorkOrder', {
			PropertySet: { Properties: ['*'] },
			...where(condition('Id', 'In', part)),
		}),
	);
	const records = new Map((await Promise.all(read)).flat().map((row) => [row.Id, row]));
	return ids.map((id, item) => ({ json: records.get(id) ?? {}, pairedItem: { item } }));
};

/** Reads all rows in parallel streams over equal ranges of IDs. */
export const readInStreams =
	(properties: readonly string[], streams: number): NodeWork =>
	async (call) => {
		const end = async (order: string) =>
			await query(call, 'WorkOrder', {
				PropertySet: { Properties: ['Id'] },
				Count: 1,
				...byId(order),
			});
		const [[first], [last]] = await Promise.all([end('Ascending'), end('Descending')]);
		const from = Number(first.Id) - 1;
		const step = Math.ceil((Number(last.Id) - from) / streams);
		const stream = async (after: number, maxId: number): Promise<INodeExecutionData[]> => {
			const items: INodeExecutionData[] = [];
			for (;;) {
				const page = await query(call, 'WorkOrder', {
					PropertySet: { Properties: properties },
					...where(
						condition('Id', 'GreaterThan', [after]),
						condition('Id', 'LessOrEqual', [maxId]),
					),
					...byId(),
				});
				for (const json of page) items.push({ json, pairedItem: { item: 0 } });
				if (page.length < PAGE_SIZE) return items;
				after = Number(page[page.length - 1].Id);
			}
		};
		const parts = Array.from({ length: streams }, async (_, index) =>
			stream(from + index * step, from + (index + 1) * step),
		);
		return (await Promise.all(parts)).flat();
	};

/** Runs a command for each item with a value from an expression, a few at a time. */
export const runCommands =
	(name: string, bodyOf: (value: string) => object, concurrency: number): NodeWork =>
	async (call, caller) => {
		const inputs = caller.getInputData();
		const items: INodeExecutionData[] = [];
		let next = 0;
		const worker = async () => {
			while (next < inputs.length) {
				const item = next++;
				const Command = bodyOf(String(caller.getNodeParameter('value', item)));
				const json = await call('POST', `cmd/${name}`, { Command });
				items[item] = { json, pairedItem: { item } };
			}
		};
		await Promise.all(Array.from({ length: concurrency }, worker));
		return items;
	};
