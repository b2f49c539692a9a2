import { Agent, request } from 'node:http';
import { json } from 'node:stream/consumers';

import type { Service } from './service';

export type Row = Record<string, unknown> & { Id: number };

/** The largest page and the most ids the service takes. */
const PAGE = 4000;
const IDS = 500;

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

/** The service in bare Node.js: connections are kept, and nothing is checked or renewed. */
export class Floor {
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

	async query({ entity, properties, conditions = [], orders, count = PAGE }: Read): Promise<Row[]> {
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

	/** Few queries for many records, side by side. */
	async byIds(entity: string, ids: readonly number[]): Promise<Row[]> {
		const parts: number[][] = [];
		for (let first = 0; first < ids.length; first += IDS) parts.push(ids.slice(first, first + IDS));
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

	/** Page after page, each asked for as soon as it is known where it begins. */
	async all(read: Read, after = 0, upTo = Infinity): Promise<Row[]> {
		const rows: Row[] = [];
		let last = after;
		for (;;) {
			const page = await this.query({
				...read,
				conditions: [
					...(read.conditions ?? []),
					{ PropertyName: 'Id', Operator: 'GreaterThan', Values: [last] },
					...(upTo === Infinity
						? []
						: [{ PropertyName: 'Id', Operator: 'LessOrEqual', Values: [upTo] }]),
				],
			});
			for (const row of page) rows.push(row);
			if (page.length < PAGE) return rows;
			last = page[page.length - 1].Id;
		}
	}

	/** The same in streams over equal ranges of Ids. */
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

	/** A few at a time. */
	async each<T>(jobs: readonly T[], atOnce: number, work: (job: T) => Promise<object>) {
		const answers: object[] = [];
		let next = 0;
		const lane = async () => {
			while (next < jobs.length) {
				const index = next++;
				answers[index] = await work(jobs[index]);
			}
		};
		await Promise.all(Array.from({ length: atOnce }, lane));
		return answers;
	}

	close(): void {
		this.agent.destroy();
	}
}
