import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { text } from 'node:stream/consumers';
import { UserError, type IDataObject } from 'n8n-workflow';

import { changeRow, findRows } from '../../test/support/serviceNow';
import { certificate } from '../../test/support/tls';
import { listen, LOOPBACK, newConnection } from '../process/loopback';

const ACCOUNT = { user: 'corrigo', password: 'secret' };
const AUTHORIZATION = `Basic ${Buffer.from(`${ACCOUNT.user}:${ACCOUNT.password}`).toString('base64')}`;
const REFERENCES = ['location', 'cmdb_ci', 'caller_id', 'assignment_group'];

const failure = (message: string, detail: string | null = null) => ({
	error: { message, detail },
	status: 'failure',
});

/** ServiceNow's Table API with one table. */
export class ServiceNow {
	readonly changes: IDataObject[] = [];
	private readonly server = createServer(
		certificate,
		(request, response) => void this.respond(request, response),
	);
	private port = 0;

	private constructor(
		readonly rows: IDataObject[],
		private readonly table: string,
	) {}

	static async start(rows: IDataObject[], table = 'incident') {
		const service = new ServiceNow(rows, table);
		service.port = await listen(service.server);
		return service;
	}

	/** n8n puts ".service-now.com" after the subdomain, which becomes the first part of the path. */
	get credential() {
		return { ...ACCOUNT, subdomain: `${LOOPBACK}:${this.port}/` };
	}

	async close() {
		this.server.closeAllConnections();
		await new Promise((resolve) => this.server.close(resolve));
	}

	private async respond(request: IncomingMessage, response: ServerResponse) {
		const answer = (status: number, body: object, headers = {}) =>
			response
				.writeHead(status, { 'content-type': 'application/json', ...headers })
				.end(JSON.stringify(body));
		const { pathname, searchParams } = new URL(request.url ?? '', 'https://localhost');
		const [, table, id] =
			/^\/\.service-now\.com\/api\/now\/table\/(\w+)(?:\/(\w+))?$/.exec(pathname) ?? [];
		if (request.headers.authorization !== AUTHORIZATION) {
			return answer(401, failure('User Not Authenticated'));
		}
		if (table !== this.table) return answer(400, failure(`Invalid table ${pathname}`));
		if (id === undefined) {
			const found = findRows(this.rows, searchParams.get('sysparm_query') ?? '');
			const from = Number(searchParams.get('sysparm_offset') ?? 0);
			const page = found.slice(from, from + Number(searchParams.get('sysparm_limit') ?? 10_000));
			const result = page.map((row) => this.show(row, searchParams));
			return answer(200, { result }, { 'x-total-count': String(found.length) });
		}
		const row = this.rows.find((one) => one.sys_id === id);
		if (!row) return answer(404, failure('No Record found', "Record doesn't exist"));
		try {
			const members = JSON.parse(await text(request)) as IDataObject;
			changeRow(row, members);
			this.changes.push({ sys_id: id, ...members });
			return answer(200, { result: this.show(row, searchParams) });
		} catch (error) {
			return answer(403, failure('Operation Failed', (error as Error).message));
		}
	}

	/** References come as names only on request, and without their links only on request. */
	private show(row: IDataObject, parameters: URLSearchParams): IDataObject {
		const names = parameters.get('sysparm_display_value') === 'true';
		const bare = parameters.get('sysparm_exclude_reference_link') === 'true';
		const columns = parameters.get('sysparm_fields')?.split(',') ?? Object.keys(row);
		const shown = columns.map((column): [string, IDataObject[string]] => {
			const value = row[column] ?? '';
			if (!REFERENCES.includes(column) || value === '') return [column, value];
			const key = names ? String(value) : 'f'.repeat(32);
			const link = `https://${LOOPBACK}/api/now/table/${column}/${'f'.repeat(32)}`;
			return [column, bare ? key : { [names ? 'display_value' : 'value']: key, link }];
		});
		return Object.fromEntries(shown);
	}
}

type Flow = 'create' | 'update' | 'cancel';

/**
 * A workplace case, as ServiceNow documents its IFM Integration Framework: flows call a facilities
 * provider, and return what the provider answers. The action that sends a request is not documented.
 */
export class WorkplaceCase {
	/** Set by the flow that creates the order; ServiceNow shows it on the case. */
	workOrder = '';
	integrationState = '';
	/** Messages in the sync history of the case. */
	readonly history: string[] = [];

	constructor(
		readonly fields: IDataObject,
		private readonly provider: string,
	) {}

	async run(flow: Flow, inputs: IDataObject = {}): Promise<IDataObject> {
		const response = await fetch(`${this.provider}-${flow}`, {
			method: 'POST',
			headers: { 'content-type': 'application/json', ...newConnection },
			body: JSON.stringify({ ...this.fields, fm_work_order_id: this.workOrder, ...inputs }),
		});
		const outputs = (await response.json()) as IDataObject;
		const { Status: status, Message: message } = outputs;
		if (
			outputs['Response Code'] !== response.status ||
			!['success', 'failed'].includes(`${status}`)
		) {
			throw new UserError(`Not the outputs of a flow: ${JSON.stringify(outputs)}`);
		}
		if (message) this.history.push(String(message));
		if (flow === 'create') {
			this.integrationState = status === 'failed' ? 'Create Failed' : '';
			this.workOrder = String(outputs['FM Work Order Id']);
		}
		return outputs;
	}
}
