import type { IDataObject } from 'n8n-workflow';

import { openDesk, byId, byName, itemsOf, type Desk } from './desk';
import { createEngine } from './engine';
import { CorrigoApi } from '../../credentials/CorrigoApi.credentials';
import { Corrigo } from '../../nodes/Corrigo/Corrigo.node';
import { RENEW_MARKER } from '../../nodes/Corrigo/session/session';
import type { Fault } from '../../sandbox';

let desk: Desk;

beforeEach(async () => {
	desk = await openDesk();
});

afterEach(async () => {
	jest.restoreAllMocks();
	await desk.close();
});

const oneOrder = { id: byId(1) };
const single = { advanced: { combineItems: false } };
const markers = () => desk.sandbox.requests.filter(({ headers }) => RENEW_MARKER in headers);

const firstOrder = () => desk.rows('WorkOrder')[0].Id;
const getOne = async () => await desk.run('workOrder:get', { id: byId(firstOrder()) });
const servers = () => desk.sandbox.requests.map(({ server }) => server);
const notes = () => desk.sandbox.store.count('WoNote');

/** A new note, for which the service gets one request for each item. */
const newNote = () => ({
	entity: byName('WoNote'),
	fieldsJson: { WorkOrderId: firstOrder(), Body: 'x', NoteTypeId: 'Public' },
});
const twoItems = { items: itemsOf('first', 'second'), onError: 'continueErrorOutput' } as const;

describe('the session', () => {
	it('is opened on first use: token, discovery, request', async () => {
		const run = await getOne();
		expect(run.error).toBeUndefined();
		expect(servers()).toEqual(['token', 'locator', 'api']);

		const [token, locator, api] = desk.sandbox.requests;
		expect(token.headers['content-type']).toBe('application/x-www-form-urlencoded');
		expect(token.body).toEqual({
			grant_type: 'client_credentials',
			client_id: 'sandbox-client',
			client_secret: 'sandbox-secret',
		});
		const bearer = `Bearer ${String(desk.stored().accessToken)}`;
		expect(locator.headers).toMatchObject({
			authorization: bearer,
			companyname: 'Sandbox Facilities',
		});
		expect(locator.body).toEqual({
			Command: { ApiType: 'REST', CompanyName: 'Sandbox Facilities', Protocol: 'HTTPS' },
		});
		expect(api.headers).toMatchObject({ authorization: bearer, companyname: 'Sandbox Facilities' });
		expect(desk.stored().baseUrl).toBe(desk.sandbox.apiUrl);
	});

	it('serves later executions without further requests', async () => {
		await getOne();
		await getOne();
		expect(desk.sessions()).toEqual({ tokens: 1, discoveries: 1 });
	});

	it('is renewed before it ends, and the old token is not sent again', async () => {
		await getOne();
		const before = desk.stored().accessToken;
		desk.store({ n8n_expires_at: Date.now() - 1 });
		jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 20 * 60_000);
		desk.sandbox.forgetRequests();

		await desk.succeed('record:create', newNote());
		expect(servers()).toEqual(['token', 'locator', 'api']);
		expect(desk.stored().accessToken).not.toBe(before);
		expect(desk.sent()[0].headers.authorization).not.toContain(String(before));
	});

	it.each([
		['expired (403 EXPIRED_TOKEN)', () => desk.sandbox.set({ clockOffsetSeconds: 3600 })],
		['revoked (403 INCORRECT_TOKEN)', () => desk.sandbox.revokeTokens()],
		[
			'refused with 401',
			() => desk.fault({ match: { server: 'api' }, kind: 'status', status: 401, body: {} }),
		],
		['at a moved host (503)', async () => await desk.sandbox.moveHost('503')],
		[
			'at a moved host (DATABASE_VERSION_MISMATCH)',
			async () => await desk.sandbox.moveHost('DATABASE_VERSION_MISMATCH'),
		],
	])('recovers a read when it is %s', async (_, spoil) => {
		await getOne();
		await spoil();
		desk.sandbox.forgetRequests();

		const run = await getOne();
		expect(run.error).toBeUndefined();
		expect(run.items).toHaveLength(1);
		expect(servers()).toEqual(['api', 'token', 'locator', 'api']);
		expect(desk.stored().baseUrl).toBe(desk.sandbox.apiUrl);
		expect(markers()).toEqual([]);
	});

	it.each([
		['expired', () => desk.sandbox.set({ clockOffsetSeconds: 3600 })],
		['revoked', () => desk.sandbox.revokeTokens()],
		['at a moved host', async () => await desk.sandbox.moveHost('DATABASE_VERSION_MISMATCH')],
	])('recovers a write when it is %s, and executes it once', async (_, spoil) => {
		await getOne();
		await spoil();
		const before = notes();
		await desk.succeed('record:create', newNote());
		expect(notes()).toBe(before + 1);
	});

	it('reports a local clock that makes a new session expire at once', async () => {
		const { store } = desk.engine;
		const [now, write] = [Date.now.bind(Date), store.write.bind(store)];
		let ahead = 0;
		jest.spyOn(Date, 'now').mockImplementation(() => now() + ahead);
		jest.spyOn(store, 'write').mockImplementation(async (...session) => {
			await write(...session);
			ahead += 3_600_000;
		});
		const { error } = await desk.run('record:create', newNote());
		expect(error?.message).toBe('The Corrigo session has ended: check the clock of this machine');
		expect(error?.description).not.toContain('may have been carried out');
		expect(desk.sent()).toEqual([]);
	});

	it('does not repeat a write that was answered with 503, but finds the moved host for the next one', async () => {
		await getOne();
		await desk.sandbox.moveHost('503');
		const before = notes();
		const fieldsJson = `={{ { WorkOrderId: ${firstOrder()}, Body: $json.x, NoteTypeId: "Public" } }}`;
		const run = await desk.run('record:create', { ...newNote(), fieldsJson }, twoItems);
		expect(run.errorItems).toHaveLength(1);
		expect(run.errorItems[0].json.message).toContain('may have been carried out');
		expect(run.items).toHaveLength(1);
		expect(notes()).toBe(before + 1);
	});

	it('is renewed once more if the request after a write that was answered with 503 is refused', async () => {
		await getOne();
		for (const status of [503, 401]) {
			desk.fault({ match: { server: 'api' }, kind: 'status', status, body: {} });
		}
		const before = notes();
		const run = await desk.run('record:create', newNote(), twoItems);
		expect([run.errorItems.length, run.items.length]).toEqual([1, 1]);
		expect(notes()).toBe(before + 1);
		expect(desk.sessions()).toEqual({ tokens: 3, discoveries: 3 });
	});

	it('uses edited settings at once', async () => {
		await getOne();
		desk.sandbox.set({ company: 'Renamed Facilities' });
		desk.store({ companyName: 'Renamed Facilities' });
		desk.sandbox.forgetRequests();

		const run = await getOne();
		expect(run.error).toBeUndefined();
		expect(servers()).toEqual(['token', 'locator', 'api']);
		expect(desk.sent()[0].headers.companyname).toBe('Renamed Facilities');
	});

	const getFifty = async () => {
		const runs = await Promise.all(Array.from({ length: 50 }, getOne));
		expect(runs.filter(({ error }) => error)).toEqual([]);
	};

	it('is opened once for fifty concurrent calls', async () => {
		await getFifty();
		expect(desk.sessions()).toEqual({ tokens: 1, discoveries: 1 });
		expect(desk.sent()).toHaveLength(50);
	});

	it('is renewed once for fifty calls whose token is about to expire', async () => {
		await getOne();
		desk.store({ n8n_expires_at: Date.now() - 1 });
		await getFifty();
		expect(desk.sessions()).toEqual({ tokens: 2, discoveries: 2 });
		expect(desk.sent()).toHaveLength(51);
	});

	it('is renewed once for fifty calls whose token was revoked', async () => {
		await getOne();
		desk.sandbox.revokeTokens();
		await getFifty();
		expect(desk.sessions()).toEqual({ tokens: 2, discoveries: 2 });
	});

	it('is requested once for a Company that no longer exists', async () => {
		await getOne();
		desk.sandbox.revokeTokens();
		desk.fault({ match: { server: 'locator' }, kind: 'status', status: 400, times: 9 });
		const run = await getOne();
		expect(run.error?.message).toMatch(/does not know the Company/);
		expect(desk.sessions()).toEqual({ tokens: 2, discoveries: 2 });
	});

	it('is shared between workers through the stored credential', async () => {
		await getOne();
		const otherWorker = createEngine({
			nodes: { corrigo: Corrigo },
			credentialTypes: [CorrigoApi],
			credentials: { corrigoApi: { id: '1', data: {} } },
			store: desk.engine.store,
		});
		const run = await otherWorker.run({
			parameters: { resource: 'workOrder', operation: 'get', id: byId(firstOrder()) },
		});
		expect(run.error).toBeUndefined();
		expect(desk.sessions()).toEqual({ tokens: 1, discoveries: 1 });
	});

	describe('of another worker, stored over the one opened here', () => {
		const events: Array<[string, () => unknown]> = [
			['were revoked', () => desk.sandbox.revokeTokens()],
			[
				'lead to a host that was left',
				async () => await desk.sandbox.moveHost('DATABASE_VERSION_MISMATCH'),
			],
		];

		/** Stores a session as if another worker had opened it a moment before this one and saved it after. */
		const storeAnother = () =>
			desk.store({
				accessToken: desk.sandbox.world.tokens.issue(1200),
				n8n_expires_at: Number(desk.stored().n8n_expires_at) - 1,
			});

		const renewed = ['api', 'token', 'locator', 'api'];

		it.each(events)('recovers when both %s', async (_, end) => {
			await getOne();
			storeAnother();
			await end();
			desk.sandbox.forgetRequests();

			expect((await getOne()).error).toBeUndefined();
			expect(servers()).toEqual(renewed);
		});

		it.each(events)('recovers when both %s during a request', async (_, end) => {
			await getOne();
			desk.sandbox.set({ latencyMs: 20 });
			desk.sandbox.forgetRequests();
			const run = getOne();
			await desk.sandbox.waitFor(({ server }) => server === 'api');
			storeAnother();
			await end();

			expect((await run).error).toBeUndefined();
			expect(servers()).toEqual(['api', ...renewed]);
		});

		it('recovers in the HTTP Request node when both were revoked', async () => {
			await getOne();
			storeAnother();
			desk.sandbox.revokeTokens();
			desk.sandbox.forgetRequests();

			await desk.engine.legacyRequest({
				method: 'GET',
				uri: `${desk.sandbox.apiUrl}/api/v1/base/WorkOrder?ID=${firstOrder()}`,
				json: true,
			});
			expect(servers()).toEqual(renewed);
		});
	});

	it('is never opened for a node without work', async () => {
		const run = await desk.run('workOrder:get', { ...oneOrder, options: single }, { items: [] });
		expect(run.items).toEqual([]);
		expect(desk.sandbox.requests).toEqual([]);
	});
});

describe('a credential that does not work', () => {
	const cases: Array<[string, () => void, RegExp]> = [
		['a wrong secret', () => desk.store({ clientSecret: 'wrong-secret' }), /'Client Secret'/],
		['a wrong client', () => desk.store({ clientId: 'nobody' }), /'Client ID'/],
		[
			'a company in other letters',
			() => desk.store({ companyName: 'sandbox facilities' }),
			/'Company Name'.*'Region'/,
		],
		[
			'a locator that is not there',
			() => desk.store({ locatorUrl: 'http://127.0.0.1:1' }),
			/'Region'.*|'Locator URL'/,
		],
		[
			'a token server that is not there',
			() => desk.store({ tokenUrl: 'http://127.0.0.1:1' }),
			/'Token Server URL'/,
		],
		[
			'an unencrypted address',
			() => desk.store({ tokenUrl: 'http://tokens.example.com' }),
			/'Token Server URL' must start with https/,
		],
		['an empty company', () => desk.store({ companyName: ' ' }), /'Company Name' is empty/],
		[
			'a token server that answers with a page',
			() => desk.fault({ match: { server: 'token' }, kind: 'html' }),
			/'Token Server URL'|token server/,
		],
		[
			'a locator that answers with a page',
			() => desk.fault({ match: { server: 'locator' }, kind: 'html' }),
			/'Region'|locator/,
		],
	];

	it.each(cases)('%s: names the field to check, and sends one request', async (_, spoil, words) => {
		spoil();
		const run = await getOne();
		expect(run.error?.message).toMatch(words);
		expect(run.error?.description).toContain('credential');
		expect(run.error?.httpCode).toBe('401');
		expect(desk.sessions().tokens).toBeLessThanOrEqual(1);
		expect(desk.sent()).toEqual([]);
		for (const secret of ['sandbox-secret', 'wrong-secret']) {
			expect(run.serialized).not.toContain(secret);
		}
	});
});

describe('the credential test', () => {
	it('passes at the first try', async () => {
		expect(await desk.engine.testCredential()).toMatchObject({ status: 'OK' });
		expect(servers()).toEqual(['token', 'locator', 'api']);
	});

	it('reads no more than the ID of one record', async () => {
		await desk.engine.testCredential();
		expect(desk.sent().map(({ body }) => body)).toEqual([
			{ QueryExpression: { PropertySet: { Properties: ['Id'] }, Count: 1 } },
		]);
	});

	it.each([
		['Client Secret', { clientSecret: 'wrong' }],
		['Client ID', { clientId: 'wrong' }],
		['Company Name', { companyName: 'Other Company' }],
		['Locator URL', { locatorUrl: 'http://127.0.0.1:1' }],
		['Token Server URL', { tokenUrl: 'http://127.0.0.1:1' }],
	])(
		'fails at once when %s is changed to a wrong one while the old token is valid',
		async (field, change) => {
			expect(await desk.engine.testCredential()).toMatchObject({ status: 'OK' });
			const { status, message } = await desk.engine.testCredential(change);
			expect(status).toBe('Error');
			expect(message).toContain(field);
		},
	);
});

describe('the credential in an ordinary authenticated request', () => {
	const query = { QueryExpression: { PropertySet: { Properties: ['Id'] }, Count: 1 } };

	it('finds the host of the Company for a relative address', async () => {
		const answer = await desk.engine.httpRequest({
			method: 'POST',
			url: '/api/v1/query/WoPriority',
			body: query,
		});
		expect(answer).toHaveProperty('Entities');
	});

	/** A request as the HTTP Request node makes it. */
	const request = () => ({
		method: 'POST' as const,
		uri: `${desk.sandbox.apiUrl}/api/v1/query/WoPriority`,
		body: query,
		json: true,
	});

	it('works in the HTTP Request node with the address of the Company', async () => {
		expect(await desk.engine.legacyRequest(request())).toHaveProperty('Entities');
	});

	it('renews an expiring session before the HTTP Request node sends', async () => {
		await getOne();
		jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 20 * 60_000);
		desk.sandbox.forgetRequests();
		await desk.engine.legacyRequest(request());
		expect(servers()).toEqual(['token', 'locator', 'api']);
	});

	it('renews an expiring session for the pages of the HTTP Request node, too', async () => {
		await getOne();
		jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 20 * 60_000);
		desk.sandbox.forgetRequests();
		const pages = await desk.engine.legacyPaginated(
			{ ...request(), resolveWithFullResponse: true },
			{ continue: '={{ $pageCount < 2 }}', request: {}, requestInterval: 0 },
		);
		expect(pages).toHaveLength(2);
		expect(desk.sent().map(({ status }) => status)).toEqual([200, 200]);
		expect(desk.sessions().tokens).toBe(1);
	});

	describe('and a write of the HTTP Request node that fails', () => {
		const createNote = async (body: IDataObject = { WorkOrderId: firstOrder(), Body: 'once' }) =>
			await desk.engine.legacyRequest({
				method: 'POST',
				uri: `${desk.sandbox.apiUrl}/api/v1/base/WoNote`,
				body: { Entity: { NoteTypeId: 'Public', ...body } },
				json: true,
			});
		const api = { match: { server: 'api' } } as const;

		beforeEach(async () => {
			await getOne();
			desk.sandbox.forgetRequests();
		});

		it.each<[string, Fault]>([
			...[500, 502, 504, 401].map((status): [string, Fault] => [
				`is answered with ${status} after it ran`,
				{ ...api, kind: 'status', status, commit: true },
			]),
			['loses its connection', { ...api, kind: 'resetAfter' }],
		])('sends it once if it %s', async (_, fault) => {
			const before = notes();
			desk.fault(fault);
			await expect(createNote()).rejects.toMatchObject({
				httpCode: fault.kind === 'status' ? String(fault.status) : 'ECONNRESET',
			});
			expect(notes()).toBe(before + 1);
			expect(servers()).toEqual(['api']);
		});

		it('passes on what the service says, and logs in once for five of them', async () => {
			for (let count = 0; count < 5; count++) {
				await expect(createNote({ WorkOrderId: firstOrder() })).rejects.toMatchObject({
					httpCode: '400',
					messages: [expect.stringContaining('Body is a required field')],
				});
			}
			expect(desk.sent()).toHaveLength(5);
			expect(desk.sessions().tokens).toBeLessThanOrEqual(1);
		});

		it('opens a session for the next request, because a revoked token looks the same', async () => {
			desk.sandbox.revokeTokens();
			await expect(createNote()).rejects.toMatchObject({ httpCode: '403' });
			await createNote();
			expect(desk.sessions().tokens).toBe(1);
		});
	});

	it('does not follow a redirect to another host', async () => {
		const stranger = await openDesk();
		try {
			await getOne();
			const url = `${desk.sandbox.apiUrl}/api/v1/base/WorkOrder?ID=1`;
			const elsewhere = {
				match: { server: 'api' },
				kind: 'status',
				status: 302,
				headers: { location: `${stranger.sandbox.apiUrl}/api/v1/base/WorkOrder?ID=1` },
				times: 4,
			} as const;
			desk.fault(elsewhere);
			await expect(desk.engine.httpRequest({ method: 'GET', url })).rejects.toThrow();
			await expect(
				desk.engine.legacyRequest({ method: 'GET', uri: url, followAllRedirects: true }),
			).rejects.toThrow();
			expect(stranger.sandbox.requests).toEqual([]);
		} finally {
			await stranger.close();
		}
	});

	it('does not carry the token to another host', async () => {
		const stranger = await openDesk();
		try {
			const elsewhere = {
				method: 'GET',
				url: `${stranger.sandbox.apiUrl}/api/v1/base/WorkOrder?ID=1`,
			} as const;
			await expect(desk.engine.httpRequest(elsewhere)).rejects.toThrow(/credential is for/);
			await expect(
				desk.engine.legacyRequest({ method: 'GET', uri: elsewhere.url }),
			).rejects.toThrow(/credential is for/);
			expect(stranger.sandbox.requests).toEqual([]);
		} finally {
			await stranger.close();
		}
	});
});
