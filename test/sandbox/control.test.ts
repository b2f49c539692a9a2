import { once } from 'node:events';
import { fork } from 'node:child_process';
import { join } from 'node:path';

import { Client } from './client';

const control = async (url: string, method: string, path: string, body?: unknown) => {
	const response = await fetch(url + path, {
		method,
		headers: body === undefined ? {} : { 'content-type': 'application/json' },
		body: body === undefined ? undefined : JSON.stringify(body),
	});
	return { status: response.status, data: await response.json() };
};

describe('control server', () => {
	let client: Client;

	beforeEach(async () => {
		client = await Client.start({ workOrders: 20 });
	});
	afterEach(async () => await client.close());

	const ask = async (method: string, path: string, body?: unknown) =>
		await control(client.sandbox.controlUrl, method, path, body);

	it('the control server returns the state and the requests', async () => {
		await client.call('GET', 'base/WoPriority/1');
		const { data } = await ask('GET', '/state');
		expect(data).toMatchObject({
			credentials: client.sandbox.credentials,
			liveTokens: 1,
			workOrders: 20,
			counters: { 'POST /OAuth/token': 1 },
		});
		expect((await ask('GET', '/requests')).data).toHaveLength(2);
		await ask('DELETE', '/requests');
		expect(client.sandbox.requests).toEqual([]);
	});

	it('the control server adds faults, changes settings, revokes tokens and moves the host', async () => {
		await ask('POST', '/fault', { kind: 'status', status: 500 });
		expect((await client.call('GET', 'base/WoPriority/1')).status).toBe(500);
		await ask('POST', '/fault', { kind: 'hang', times: 3 });
		await ask('DELETE', '/fault');
		await ask('POST', '/set', { tokenLifeSeconds: 60, clockOffsetSeconds: 1200 });
		expect((await client.call('GET', 'base/WoPriority/1')).data.ErrorCode).toBe('EXPIRED_TOKEN');
		expect((await client.requestToken({})).data.expires_in).toBe(59);
		await ask('POST', '/revoke-tokens');
		expect((await client.call('GET', 'base/WoPriority/1')).data.ErrorCode).toBe('INCORRECT_TOKEN');
		const before = client.sandbox.apiUrl;
		await ask('POST', '/move-host', { old: 'DATABASE_VERSION_MISMATCH' });
		expect(client.sandbox.apiUrl).not.toBe(before);
	});

	it('the control server acts as a colleague at the desktop', async () => {
		const made = await ask('POST', '/work-orders', { members: { PoNumber: 'P1' }, note: 'hi' });
		expect(made.data).toMatchObject({ PoNumber: 'P1', StatusId: 'New' });
		const { Id } = made.data as { Id: number };
		await ask('POST', '/work-orders', { id: Id, command: 'WoPickUpCommand' });
		await ask('POST', '/work-orders', { id: Id, members: { PoNumber: 'P2' } });
		expect(client.store.get('WorkOrder', Id)).toMatchObject({ StatusId: 'Open', PoNumber: 'P2' });
		const log = client.store.children('WoActionLog', 'WorkOrderId', Id);
		expect(log.map(({ TypeId, UiTypeId }) => [TypeId, UiTypeId])).toEqual([
			['Create', 'Corp'],
			['Note', 'Corp'],
			['PickUp', 'Corp'],
		]);
	});

	it('the control server restores the initial data', async () => {
		await client.create('Contact', { LastName: 'Gone' });
		await ask('POST', '/reset');
		expect(client.store.count('Contact')).toBe(60);
		expect(client.sandbox.requests).toEqual([]);
	});

	it.each([
		['/fault', { kind: 'nope' }],
		['/set', { color: 'red' }],
		['/work-orders', { id: 1 }],
	])('the control server rejects %s %j', async (path, body) => {
		const { status, data } = await ask('POST', path, body);
		expect([status, data]).toEqual([400, { error: expect.any(String) }]);
	});
});

it('the program prints its addresses and stops on SIGTERM', async () => {
	const program = fork('sandbox/main.ts', ['--work-orders', '5', '--token-life', '90'], {
		cwd: join(__dirname, '../..'),
		execArgv: ['--import', 'tsx'],
		stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
	});
	try {
		let printed = '';
		for await (const chunk of program.stdout ?? []) {
			printed += String(chunk);
			if (printed.includes('Ctrl+C')) break;
		}
		const [, url] = /Control +(\S+)\/state/.exec(printed) ?? [];
		expect(printed).toContain('Sandbox Facilities');
		const { data } = await control(url, 'GET', '/state');
		expect(data).toMatchObject({ workOrders: 5, settings: { tokenLifeSeconds: 90 } });
		const ended = once(program, 'exit');
		program.kill('SIGTERM');
		expect(await ended).toEqual([0, null]);
	} finally {
		program.kill('SIGKILL');
	}
});
