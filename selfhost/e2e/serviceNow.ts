import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { text } from 'node:stream/consumers';
import type { IDataObject } from 'n8n-workflow';

import { changeRow, findRows } from '../../test/support/serviceNow';
import { certificate } from '../../test/support/tls';
import { listen, LOOPBACK } from '../process/loopback';

const ACCOUNT = { user: 'corrigo', password: 'secret' };
const AUTHORIZATION = `Basic ${Buffer.from(`${ACCOUNT.user}:${ACCOUNT.password}`).toString('base64')}`;
const REFERENCES = ['location', 'cmdb_ci', 'caller_id', 'assignment_group'];

const failure = (message: string, detail: string | null = null) => ({
	error: { message, detail },
	status: 'failure',
});

/** ServiceNow's Table API with one table, the incidents. */
export class ServiceNow {
	readonly changes: IDataObject[] = [];
	private readonly server = createServer(
		certificate,
		(request, response) => void this.respond(request, response),
	);
	private port = 0;

	private constructor(readonly incidents: IDataObject[]) {}

	static async start(incidents: IDataObject[]) {
		const service = new ServiceNow(incidents);
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
		const [, id] = /^\/\.service-now\.com\/api\/now\/table\/incident(?:\/(\w+))?$/.exec(
			pathname,
		) ?? [null];
		if (request.headers.authorization !== AUTHORIZATION) {
			return answer(401, failure('User Not Authenticated'));
		}
		if (id === null) return answer(400, failure(`Invalid table ${pathname}`));
		if (id === undefined) {
			const found = findRows(this.incidents, searchParams.get('sysparm_query') ?? '');
			const from = Number(searchParams.get('sysparm_offset') ?? 0);
			const page = found.slice(from, from + Number(searchParams.get('sysparm_limit') ?? 10_000));
			const result = page.map((row) => this.show(row, searchParams));
			return answer(200, { result }, { 'x-total-count': String(found.length) });
		}
		const row = this.incidents.find((one) => one.sys_id === id);
		if (!row) return answer(404, failure('No Record found', "Record doesn't exist"));
		try {
			const members = JSON.parse(await text(request)) as IDataObject;
			changeRow(row, members);
			this.changes.push(members);
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
