import { Agent, request } from 'node:http';
import { json } from 'node:stream/consumers';

import type { Service } from './service';

export type Row = Record<string, unknown> & { Id: number };

/** Limits of the service. */
const PAGE_SIZE = 4000;
const MAX_IDS = 500;

interface Condition {
	PropertyName: string;
	Operator: string;
	Values: unknown[];
}

interface Read {
	entity: string;
	properties: readonly string[];
	conditions?: Condition[];
	orders?: Array<{ PropertyName: string; OrderType: string }>;
	count?: number;
}

/** A client in bare Node.js that keeps connections open, and checks and renews nothing. */
export class Baseline {
	private readonly agent = new Agent({ keepAlive: true });

	constructor(
		private readonly service: Service,
		private readonly token: string,
	) {}

	async call(method: string, path: string, body: object): Promise<Record<string, unknown>> {
		const text = JSON.stringify(body);
		return await new Promise((resolve, reject) => {
			const headers = {
				Authorization: `Bearer ${this.token}`,
				CompanyName: this.service.credentials.companyName,
				'Content-Type': 'application/json',
				'Content-Length': Buffer.byteLength(text),
			};
			const sent = request(
				`${this.service.apiUrl}/api/v1/${path}`,
				{ agent: this.agent, method, headers },
				(response) => {
					if (response.statusCode !== 200) reject(new Error(`Status ${response.statusCode}`));
					json(response).then(
						(answer) => resolve(answer as Record<string, unknown>),
						(error: Error) => reject(error),
					);
				},
			);
			sent.once('error', reject).end(text);
		});
	}

	async query({
		entity,
		properties,
		conditions = [],
		orders,
		count = PAGE_SIZE,
	}: Read): Promise<Row[]> {
		const { Entities } = (await this.call('POST', `query/${entity}`, {
			QueryExpression: {
				PropertySet: { Properties: properties },
				...(conditions.length > 0
					? { Criteria: { FilterOperator: 'And', Conditions: conditions } }
					: {}),
				Orders: orders ?? [{ PropertyName: 'Id', OrderType: 'Ascending' }],
				Count: count,
				FirstResultIndex: 0,
			},
		})) as { Entities: Array<{ Data: Row }> };
		return Entities.map(({ Data }) => Data);
	}

	/** Reads many records in a few parallel queries. */
	async byIds(entity: string, ids: readonly number[]): Promise<Row[]> {
		const parts: number[][] = [];
		for (let first = 0; first < ids.length; first += MAX_IDS)
			parts.push(ids.slice(first, first + MAX_IDS));
		const found = await Promise.all(
			parts.map(async (Values) =>
				this.query({
					entity,
					properties: ['*'],
					conditions: [{ PropertyName: 'Id', Operator: 'In', Values }],
				}),
			),
		);
		return found.flat();
	}

	/** Reads page after page. */
	async all(read: Read, after = 0, maxId = Infinity): Promise<Row[]> {
		const rows: Row[] = [];
		let last = after;
		for (;;) {
			const page = await this.query({
				...read,
				conditions: [
					...(read.conditions ?? []),
					{ PropertyName: 'Id', Operator: 'GreaterThan', Values: [last] },
					...(maxId === Infinity
						? []
						: [{ PropertyName: 'Id', Operator: 'LessOrEqual', Values: [maxId] }]),
				],
			});
			for (const row of page) rows.push(row);
			if (page.length < PAGE_SIZE) return rows;
			last = page[page.length - 1].Id;
		}
	}

	/** Reads all pages in parallel streams over equal ranges of IDs. */
	async inStreams(read: Read, streams: number): Promise<Row[]> {
		const end = async (OrderType: string) =>
			await this.query({
				...read,
				properties: ['Id'],
				orders: [{ PropertyName: 'Id', OrderType }],
				count: 1,
			});
		const [[first], [last]] = await Promise.all([end('Ascending'), end('Descending')]);
		const from = first.Id - 1;
		const step = Math.ceil((last.Id - from) / streams);
		const parts = await Promise.all(
			Array.from({ length: streams }, async (_, index) =>
				this.all(read, from + index * step, from + (index + 1) * step),
			),
		);
		return parts.flat();
	}

	async mapConcurrently<T>(
		jobs: readonly T[],
		concurrency: number,
		work: (job: T) => Promise<object>,
	) {
		const responses: object[] = [];
		let next = 0;
		const worker = async () => {
			while (next < jobs.length) {
				const index = next++;
				responses[index] = await work(jobs[index]);
			}
		};
		await Promise.all(Array.from({ length: concurrency }, worker));
		return responses;
	}
}
