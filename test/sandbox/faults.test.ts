import { Client, sharedClient } from './client';

/** The error of fetch for a broken connection. */
const BROKEN = { name: 'TypeError', message: 'fetch failed' };

describe('faults', () => {
	const client = sharedClient({ workOrders: 20 });
	beforeEach(() => {
		client.sandbox.clearFaults();
		client.sandbox.forgetRequests();
	});

	const write = async () => await client.create('Contact', { LastName: 'Fault' });
	const contacts = (): number => client.store.count('Contact');

	/** Creates a contact under a fault; returns the number created and what the caller received. */
	const createDuring = async (fault: Parameters<typeof client.sandbox.fault>[0]) => {
		const before = contacts();
		client.sandbox.fault(fault);
		const seen = await write().catch((error: Error) => error);
		return { made: contacts() - before, seen };
	};

	it.each<[Parameters<typeof createDuring>[0], number, object]>([
		[{ kind: 'status', status: 500, commit: true }, 1, { status: 500 }],
		[{ kind: 'resetBefore' }, 0, BROKEN],
		[{ kind: 'resetAfter' }, 1, BROKEN],
		[{ kind: 'html' }, 0, { status: 502, data: expect.stringMatching(/^<!DOCTYPE html>/) }],
		[{ kind: 'empty' }, 1, { status: 200, data: '' }],
		[{ kind: 'wrongShape' }, 1, { status: 200, data: { Unexpected: [] } }],
		[{ kind: 'truncated' }, 1, { name: 'SyntaxError' }],
	])('a create under the fault %j makes %i records', async (fault, count, received) => {
		const { made, seen } = await createDuring(fault);
		expect([made, seen]).toEqual([count, expect.objectContaining(received)]);
		const [request] = client.sandbox.requests;
		expect(request).toMatchObject({ fault: fault.kind, committed: count === 1 });
		expect('status' in request).toBe(!fault.kind.startsWith('reset'));
	});

	it('a fault of an unknown kind is rejected', () => {
		expect(() => client.sandbox.fault({ kind: 'earthquake' as 'hang' })).toThrow();
	});

	it('a hanging request ends when the sandbox closes', async () => {
		const own = await Client.start({ workOrders: 0 });
		own.sandbox.fault({ match: { server: 'api' }, kind: 'hang' });
		const seen = own.create('Contact', { LastName: 'X' }).catch((error: Error) => error);
		const { path } = await own.sandbox.waitFor(({ server }) => server === 'api');
		expect(path).toBe('/api/v1/base/Contact');
		await own.close();
		expect(await seen).toMatchObject(BROKEN);
		expect(own.sandbox.store.count('Contact')).toBe(60);
	});

	it('waiting for a request ends when the sandbox closes', async () => {
		const own = await Client.start({ workOrders: 0 });
		const waiting = own.sandbox.waitFor(() => false);
		await Promise.all([expect(waiting).rejects.toThrow('closed'), own.close()]);
	});
});

describe('recorded requests', () => {
	const client = sharedClient({ workOrders: 20 });

	it('every request is recorded in full', async () => {
		client.sandbox.forgetRequests();
		await client.requestToken({});
		await client.call('GET', 'base/WoPriority?ID=1&properties=Id', { headers: { 'X-Own': 'a' } });
		await client.call('POST', 'query/WoPriority', { rawBody: '{broken' });
		await client.call('GET', 'nowhere');
		expect(client.sandbox.requests).toMatchObject([
			{ server: 'token', body: { grant_type: 'client_credentials' }, committed: true },
			{
				server: 'api',
				method: 'GET',
				path: '/api/v1/base/WoPriority',
				query: { ID: '1', properties: 'Id' },
				headers: { 'x-own': 'a', companyname: 'Sandbox Facilities' },
				rawBody: '',
				status: 200,
				answer: '{"Data":{"Id":1}}',
			},
			{ body: '{broken', rawBody: '{broken', status: 400, committed: false },
			{ path: '/api/v1/nowhere', status: 404, committed: false },
		]);
		expect(client.sandbox.requestsTo('token')).toHaveLength(1);
		expect(client.sandbox.counters).toMatchObject({ 'GET /api/v1/base/WoPriority': 1 });
	});

	it('answers are delayed by the latency setting', async () => {
		const own = await Client.start({ workOrders: 0 });
		own.sandbox.set({ latencyMs: 3_600_000 });
		const seen = own.call('GET', 'base/WoPriority/1').catch((error: Error) => error);
		const request = await own.sandbox.waitFor(({ server }) => server === 'api');
		await own.close();
		expect(await seen).toMatchObject(BROKEN);
		expect(request.status).toBeUndefined();
	});
});
