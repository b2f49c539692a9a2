/** A credential that is read only: in the node, in n8n's HTTP Request node, in the editor, and in triggers. */
import * as fc from 'fast-check';
import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import contract from '../../../contract/contract.json';
import { CorrigoTrigger } from '../../../nodes/Corrigo/CorrigoTrigger.node';
import type { RecordedRequest } from '../../../sandbox';
import { actAsColleague, workOrderShape } from '../../../sandbox/desktop';
import { cases } from '../../cases';
import { active } from '../../support/activeWebhook';
import { byId, byName, connectEngine, shareCompany } from '../../support/company';
import type { LegacyRequest } from '../../support/engine';
import { HOST_HALF } from '../../support/host';

// Requests of every kind have any names.
const company = shareCompany({ strict: false });
const READ_ONLY = { access: 'readOnly' };

beforeEach(async () => {
	company.n8n.store({ access: 'full' });
	// The session is opened first, so that only requests of the tests are counted.
	await company.n8n.run('company:discover');
	company.n8n.store(READ_ONLY);
	company.fresh();
});

const tellRefusal = (request: string) =>
	`'Access' of the Corrigo credential is Read Only, but ${request} could write`;

const reading: Record<string, boolean> = Object.fromEntries(
	Object.entries(contract.commands).map(([name, { reads }]) => [name.toLowerCase(), reads]),
);

/** Judges what has arrived, by the contract and independently of the node. */
function isWrite({ method, path, headers, query, rawBody }: RecordedRequest): boolean {
	const names = [...Object.keys(headers), ...Object.keys(query)];
	if (names.some((name) => /method|verb|action/i.test(name))) return true;
	const [, , , family, name, more] = path.toLowerCase().split('/');
	if (method === 'GET') return family !== 'base';
	if (method !== 'POST' || more !== undefined) return true;
	if (family === 'query') return false;
	if (family !== 'cmd' || reading[name] !== true) return true;
	if (/"\$type"/.test(rawBody)) return true;
	return /preferred/.test(name) && /robin"\s*:\s*(?!\s|false)/i.test(rawBody);
}

const writes = () => company.requests.sent().filter(isWrite);

describe('a write in the node', () => {
	const customer = { id: byId(101), fieldsJson: { Instructions: 'Ring twice' } };

	it('is sent with full access, also where the credential was saved before it had a choice', async () => {
		for (const access of ['full', undefined]) {
			company.n8n.store({ access });
			await company.n8n.succeed('customer:update', customer);
		}
		expect(writes()).toHaveLength(2);
	});

	it.each(['', 'Full', 'write', null, true])('is not sent with the access %j', async (access) => {
		company.n8n.store({ access });
		const { error } = await company.n8n.run('customer:update', customer);
		expect(error?.message).toContain('is Read Only');
		expect(writes()).toEqual([]);
	});

	it.each<[string, IDataObject]>([
		['GetTimeCardCommand', { EmployeeId: 301, Card: { $type: 'Corrigo.WoCancelCommand' } }],
		['WoLastModificationCommand', { Of: { $type: 'Corrigo.WoCancelCommand' }, WorkOrderId: 1 }],
	])('is not sent as the command %s with the type of another one', async (name, commandBody) => {
		const command = { commandName: byName(name), commandBody };
		const { message } = await company.n8n.refuse('command:execute', command);
		expect(message).toBe(tellRefusal(`POST /api/v1/cmd/${name}`));
	});

	it('is not sent with a type that could name another command', async () => {
		const commandBody = { $type: 'Corrigo.WoCancelCommand', WorkOrderId: 1 };
		const command = { commandName: byName('WoLastModificationCommand'), commandBody };
		const { message } = await company.n8n.refuse('command:execute', command);
		expect(message).toContain('has the member $type, which could name another command');
	});
});

describe('reads with a credential that is read only', () => {
	it('work in the editor: the test of the credential, lists, and columns', async () => {
		expect(await company.n8n.engine.testCredential()).toMatchObject({ status: 'OK' });
		const parameters = { resource: 'workOrder', operation: 'create' };
		const { results } = await company.n8n.engine.listSearch('searchCustomers', { parameters });
		expect(results.length).toBeGreaterThan(0);
		const { fields } = await company.n8n.engine.mappingColumns('getOrderFields', { parameters });
		expect(fields.length).toBeGreaterThan(0);
	});

	it('work in triggers', async () => {
		const credentials = { ...company.sandbox.credentials, ...READ_ONLY };
		const engine = connectEngine({ credentials }, { corrigoTrigger: CorrigoTrigger });
		const parameters = { event: 'workOrderCreated' };
		const poll = async (staticData: IDataObject) =>
			await engine.poll('corrigoTrigger', { parameters, staticData });
		const { staticData } = await poll({});
		actAsColleague(company.sandbox.world, workOrderShape.parse({}));
		expect((await poll(staticData)).items).toHaveLength(1);
	});

	it('work with pushes', async () => {
		const workOrderAdded = { event: 'workOrderCreated' };
		const { person, pushed } = await active(workOrderAdded, { credentials: READ_ONLY });
		person({});
		expect(await pushed()).toHaveLength(1);
	});

	it('work in the HTTP Request node, where writes fail with the name of the setting', async () => {
		const uri = `${company.sandbox.apiUrl}/api/v1/base/Customer?ID=101`;
		const got = await company.n8n.engine.legacyRequest({ method: 'GET', uri, json: true });
		expect(got).toMatchObject({ Data: { Id: 101 } });
		const refused = company.n8n.engine.legacyRequest({ method: 'DELETE', uri, json: true });
		await expect(refused).rejects.toMatchObject({
			message: expect.stringContaining(tellRefusal('DELETE /api/v1/base/Customer')) as string,
		});
		expect(writes()).toEqual([]);
	});
});

/** Requests of every kind, with the tricks by which one might pass for another. */
function anyRequest(apiUrl: string) {
	const api = '/api/v1';
	const commands = Object.keys(contract.commands);
	const entity = fc.constantFrom('Contact', 'WorkOrder', 'WorkZone', 'Customer');
	const path = fc.oneof(
		entity.map((name) => `${api}/base/${name}`),
		entity.map((name) => `${api}/query/${name}`),
		fc.constantFrom(...commands).map((name) => `${api}/cmd/${name}`),
		fc.constantFrom('WoCancelCommand', 'WorkZone/Create').map((name) => `${api}/cmd/${name}`),
		fc.constant(`${api}/cmd/GetPreferredAssigneesRoutine`),
		fc.constant(`${api}/batch/Delete`),
	);
	const trick = fc.constantFrom<Array<(path: string) => string>>(
		(text) => text.toLowerCase(),
		(text) => text.toUpperCase(),
		(text) => text.replace('/base', '/query/../base'),
		(text) => text.replace('/cmd', '/query/%2e%2e/cmd'),
		(text) => text.replace('/base/', '/base%2F'),
		(text) => text.replace(/(\w)$/, (last) => `%${last.charCodeAt(0).toString(16)}`),
		(text) => text.replace('/v1/', '/v1/./'),
		(text) => text.replace('/v1/', '/v1//'),
		(text) => text.replaceAll('/', '\\'),
		(text) => `/query${text}`,
		(text) => `${text}/query/WorkOrder`,
		(text) => `${text}/../../query/WorkOrder`,
		(text) => `${text}?${api}/query/WorkOrder`,
		(text) => `${text}#${api}/query/WorkOrder`,
		(text) => `${text}?ID=101`,
		(text) => `${text}?_method=DELETE&ID=101`,
		(text) => `${text};x=/query/WorkOrder`,
		(text) => `${text}/`,
		(text) => ` ${text}`,
		(text) => text.replace('/v1', '/v\n1'),
	);
	const body = fc.constantFrom<unknown[]>(
		undefined,
		...Array<unknown>(3).fill({ Entity: { LastName: 'Doe', CustomerId: 101 } }),
		{ Properties: ['Comment'], Entity: { Id: 2001, Comment: 'changed' } },
		{ QueryExpression: { PropertySet: { Properties: ['Id'] }, Count: 1 } },
		{ Command: { WorkOrderId: 50001 } },
		{ Command: { WorkZoneId: 11 } },
		{ Command: { WorkZoneId: 11, UpdateRoundRobin: true } },
		{ Command: { WorkZoneId: 11, updateRoundRobin: 'true' } },
		{ Command: { WorkOrderId: 50001, $type: 'WoCancelCommand' } },
		'{"Command":{"WorkZoneId":11,"UpdateRoundRobin":true}}',
		'{ "Command": { "WorkZoneId": 11, "UpdateRoundRobin": false } }',
		'{"Command":{"UpdateRoundRobin":true,"UpdateRoundRobin":false}}',
		'{"Command":{"$type":"WoCancelCommand","WorkOrderId":50001}}',
	);
	return fc
		.record({
			method: fc.constantFrom(
				...['GET', 'get', 'POST', 'POST', 'POST', 'post', 'PUT', 'put', 'DELETE', 'PATCH'],
			),
			path,
			tricks: fc.oneof(
				fc.constant<Array<(path: string) => string>>([]),
				fc.array(trick, { maxLength: 2 }),
			),
			body,
			headers: fc.constantFrom<Array<Record<string, string>>>(
				...[{}, {}, {}, {}, {}],
				{ 'Content-Type': 'application/json' },
				{ 'content-type': 'application/x-www-form-urlencoded' },
				{ 'X-HTTP-Method-Override': 'PUT' },
				{ 'x-http-method': 'DELETE' },
				{ 'X-Original-URL': `${api}/base/Contact` },
				{ 'X-Verb': 'PUT' },
				{ 'X-Action': 'Delete' },
			),
			place: fc.constantFrom('relative', 'absolute', 'capitals', 'base', 'path', 'uri'),
		})
		.map(({ method, path: plain, tricks, body: given, headers, place }) => {
			const text = tricks.reduce((one, change) => change(one), plain);
			const addresses: Record<string, object> = {
				relative: { url: text },
				absolute: { url: apiUrl + text },
				capitals: { url: apiUrl.toUpperCase() + text },
				base: { baseURL: apiUrl, url: text },
				path: { baseURL: apiUrl + text, url: `${api}/query/WorkOrder` },
				uri: { uri: apiUrl + text },
			};
			const request = {
				method,
				headers,
				json: true,
				...(given === undefined ? {} : { body: given }),
			};
			return { ...request, ...addresses[place] } as unknown as IHttpRequestOptions;
		});
}

describe('requests of every kind', () => {
	const readState = () =>
		JSON.stringify(
			['Contact', 'Customer', 'WorkOrder', 'WoActionLog', 'WorkZone', 'Space', 'Employee'].map(
				(entity) => company.records.rows(entity),
			),
		);

	async function sendAll(requests: IHttpRequestOptions[]): Promise<string[]> {
		const refused: string[] = [];
		for (const request of requests) {
			const answer =
				'uri' in request
					? company.n8n.engine.legacyRequest(request as LegacyRequest)
					: company.n8n.engine.httpRequest(request);
			await answer.catch((error: unknown) => refused.push(String((error as Error).message)));
		}
		return refused;
	}

	// Promise: A read-only credential sends nothing that could write
	it('leave only if they read', async () => {
		const numRuns = cases(300, 500);
		const seed = 31 + HOST_HALF;
		const requests = fc.sample(anyRequest(company.sandbox.apiUrl), { numRuns, seed });
		const before = readState();
		const refused = (await sendAll(structuredClone(requests))).filter((message) =>
			message.includes('is Read Only'),
		);
		expect(writes().map(({ method, path }) => `${method} ${path}`)).toEqual([]);
		expect(readState()).toBe(before);
		// The sample has reads that leave, and writes that leave with full access.
		expect(refused.length).toBeGreaterThan(numRuns / 2);
		expect(company.requests.sent().length).toBeGreaterThan(numRuns / 75);
		company.n8n.store({ access: 'full' });
		await sendAll(requests);
		expect(writes().filter(({ committed }) => committed).length).toBeGreaterThan(numRuns / 100);
		expect(readState()).not.toBe(before);
	});
});
