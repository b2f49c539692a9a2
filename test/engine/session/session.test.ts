import type { IDataObject } from 'n8n-workflow';

import {
	openCompany,
	byId,
	byName,
	connectEngine,
	itemsOf,
	jsonOf,
	some,
	withShortPauses,
	type Company,
} from '../../support/company';
import { Corrigo } from '../../../nodes/Corrigo/Corrigo.node';
import { RENEW_MARKER } from '../../../nodes/Corrigo/session/session';
import type { Fault } from '../../../sandbox';

let company: Company;

beforeEach(async () => {
	company = await openCompany();
});

afterEach(async () => {
	jest.restoreAllMocks();
	await company.close();
});

const markers = () => company.sandbox.requests.filter(({ headers }) => RENEW_MARKER in headers);

const firstOrder = () => company.records.rows('WorkOrder')[0].Id;
const tryOne = async () => await company.n8n.run('workOrder:get', { id: byId(firstOrder()) });
const getOne = async () => await company.n8n.succeed('workOrder:get', { id: byId(firstOrder()) });
const openSession = async () => {
	await getOne();
	company.sandbox.forgetRequests();
};
const servers = () => company.sandbox.requests.map(({ server }) => server);
const notes = () => company.sandbox.store.count('WoNote');

/** A new note, for which the service gets one request for each item. */
const newNote = () => ({
	entity: byName('WoNote'),
	fieldsJson: { WorkOrderId: firstOrder(), Body: 'x', NoteTypeId: 'Public' },
});
const twoItems = { items: itemsOf('first', 'second'), onError: 'continueErrorOutput' } as const;

const expire = () => company.sandbox.set({ clockOffsetSeconds: 3600 });
const revoke = () => company.sandbox.revokeTokens();
const moveHost = async () => await company.sandbox.moveHost('DATABASE_VERSION_MISMATCH');
/** The open session is about to expire. */
const passTwentyMinutes = () => jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 20 * 60_000);

/** Nothing listens there. */
const AWAY = 'http://127.0.0.1:1';

describe('the session', () => {
	// Promise: The node logs in on first use
	it('is opened on first use: token, discovery, request', async () => {
		await getOne();
		expect(servers()).toEqual(['token', 'locator', 'api']);
		expect(company.n8n.stored().baseUrl).toBe(company.sandbox.apiUrl);
	});

	// Promise: The node logs in on first use
	it('is renewed before it ends, and the old token is not sent again', async () => {
		await getOne();
		const before = company.n8n.stored().accessToken;
		company.n8n.store({ n8n_expires_at: Date.now() - 1 });
		passTwentyMinutes();
		company.sandbox.forgetRequests();

		await company.n8n.succeed('record:create', newNote());
		expect(servers()).toEqual(['token', 'locator', 'api']);
		expect(company.n8n.stored().accessToken).not.toBe(before);
		expect(company.requests.sent()[0].headers.authorization).not.toContain(String(before));
	});

	// Promise: Revoked tokens and moved hosts need nothing from you
	it.each([
		['expired', expire],
		['revoked', revoke],
		['at a moved host', moveHost],
	])('recovers a write when it is %s, and executes it once', async (_, spoil) => {
		await openSession();
		await spoil();
		const before = notes();
		await company.n8n.succeed('record:create', newNote());
		expect(notes()).toBe(before + 1);
		expect(servers()).toEqual(['api', 'token', 'locator', 'api']);
		expect(company.n8n.stored().baseUrl).toBe(company.sandbox.apiUrl);
		expect(markers()).toEqual([]);
	});

	it('recovers a read when it is at a moved host that answers with 503', async () => {
		await openSession();
		await company.sandbox.moveHost('503');
		expect((await getOne()).items).toHaveLength(1);
		expect(servers()).toEqual(['api', 'token', 'locator', 'api']);
	});

	it('reports a local clock that makes a new session expire at once', async () => {
		const { store } = company.n8n.engine;
		const [now, write] = [Date.now.bind(Date), store.write.bind(store)];
		let ahead = 0;
		jest.spyOn(Date, 'now').mockImplementation(() => now() + ahead);
		jest.spyOn(store, 'write').mockImplementation(async (...session) => {
			await write(...session);
			ahead += 3_600_000;
		});
		const { error } = await company.n8n.run('record:create', newNote());
		expect(error?.message).toBe('The Corrigo session has ended: check the clock of this machine');
		expect(error?.description).not.toContain('may have been carried out');
		expect(company.requests.sent()).toEqual([]);
	});

	it('does not repeat a write that was answered with 503, but finds the moved host for the next one', async () => {
		await getOne();
		await company.sandbox.moveHost('503');
		const before = notes();
		const fieldsJson = `={{ { WorkOrderId: ${firstOrder()}, Body: $json.x, NoteTypeId: "Public" } }}`;
		const run = await company.n8n.run('record:create', { ...newNote(), fieldsJson }, twoItems);
		expect(jsonOf(run.errorItems)).toEqual([
			some({ message: expect.stringContaining('may have been carried out') as string }),
		]);
		expect(run.items).toHaveLength(1);
		expect(notes()).toBe(before + 1);
	});

	it('is renewed once more if the request after a write that was answered with 503 is refused', async () => {
		await getOne();
		for (const status of [503, 401]) {
			company.requests.fault({ match: { server: 'api' }, kind: 'status', status, body: {} });
		}
		const before = notes();
		const run = await company.n8n.run('record:create', newNote(), twoItems);
		expect([run.errorItems.length, run.items.length]).toEqual([1, 1]);
		expect(notes()).toBe(before + 1);
		expect(company.requests.sessions()).toEqual({ tokens: 3, discoveries: 3 });
	});

	const getFifty = async () => await Promise.all(Array.from({ length: 50 }, getOne));

	// Promise: The node logs in on first use
	it('is opened once for fifty concurrent calls', async () => {
		await getFifty();
		expect(company.requests.sessions()).toEqual({ tokens: 1, discoveries: 1 });
		expect(company.requests.sent()).toHaveLength(50);
	});

	it.each([
		['is about to expire', () => company.n8n.store({ n8n_expires_at: Date.now() - 1 }), 50],
		['was revoked', revoke, 100],
	])('is renewed once for fifty calls whose token %s', async (_, end, most) => {
		await openSession();
		end();
		await getFifty();
		expect(company.requests.sessions()).toEqual({ tokens: 1, discoveries: 1 });
		expect(company.requests.sent().length).toBeLessThanOrEqual(most);
	});

	// Promise: The node logs in on first use
	it('is shared between workers through the stored credential', async () => {
		await getOne();
		const otherWorker = connectEngine(
			company.sandbox,
			{ corrigo: Corrigo },
			company.n8n.engine.store,
		);
		const run = await otherWorker.run({
			parameters: { resource: 'workOrder', operation: 'get', id: byId(firstOrder()) },
		});
		expect(run.error).toBeUndefined();
		expect(company.requests.sessions()).toEqual({ tokens: 1, discoveries: 1 });
	});

	describe('of another worker, stored over the one opened here', () => {
		const ends: Array<[string, () => unknown]> = [
			['were revoked', revoke],
			['lead to a host that was left', moveHost],
		];

		/** Stores a session as if another worker had opened it a moment before this one and saved it after. */
		const storeAnother = () =>
			company.n8n.store({
				accessToken: company.sandbox.world.tokens.issue(1200),
				n8n_expires_at: Number(company.n8n.stored().n8n_expires_at) - 1,
			});

		it.each(ends)('recovers when both %s', async (_, end) => {
			await openSession();
			storeAnother();
			await end();

			await getOne();
			expect(servers()).toEqual(['api', 'token', 'locator', 'api']);
		});

		it.each(ends)('recovers when both %s during a request', async (_, end) => {
			await openSession();
			company.sandbox.set({ latencyMs: 20 });
			const run = getOne();
			await company.sandbox.waitFor(({ server }) => server === 'api');
			storeAnother();
			await end();

			await run;
			expect(servers()).toEqual(['api', 'api', 'token', 'locator', 'api']);
		});
	});

	it('is never opened for a node without work', async () => {
		const one = { id: byId(1), options: { advanced: { combineItems: false } } };
		const { items } = await company.n8n.run('workOrder:get', one, { items: [] });
		expect(items).toEqual([]);
		expect(company.sandbox.requests).toEqual([]);
	});
});

describe('a credential that does not work', () => {
	const edit = (data: IDataObject) => () => company.n8n.store(data);
	const TOKENS = { tokenUrl: 'http://tokens.example.com' };

	// Promise: Changes to the credential take effect immediately
	it.each<[string, () => void, RegExp, string?]>([
		['a wrong secret', edit({ clientSecret: 'wrong-secret' }), /'Client Secret'/],
		[
			'a company in other letters',
			edit({ companyName: 'sandbox facilities' }),
			/'Company Name'.*'Region'/,
		],
		['a locator that is not there', edit({ locatorUrl: AWAY }), /'Region'.*|'Locator URL'/, '503'],
		['an unencrypted address', edit(TOKENS), /'Token Server URL' must start with https/],
		['half a web address', edit({ webAddress: 'corrigo' }), /'Web Address' .* "corrigo"/],
		[
			'the address of a page',
			edit({ webAddress: 'https://x.org/a' }),
			/'Web Address' .*without a page/,
		],
		[
			'an open web address',
			edit({ webAddress: 'http://x.org' }),
			/'Web Address' must start with https/,
		],
	])('%s: names the field to check, and sends nothing to the Company', async (...given) => {
		const [, spoil, words, status = '401'] = given;
		spoil();
		const run = await withShortPauses(tryOne);
		expect(run.error?.message).toMatch(words);
		expect(run.error?.description).toContain('credential');
		expect(run.error?.httpCode).toBe(status);
		expect(company.requests.sessions().tokens).toBeLessThanOrEqual(4);
		expect(company.requests.sent()).toEqual([]);
		for (const secret of ['sandbox-secret', 'wrong-secret']) {
			expect(run.serialized).not.toContain(secret);
		}
	});
});

describe('the credential test', () => {
	it('passes at the first try, and reads no more than the ID of one record', async () => {
		expect(await company.n8n.engine.testCredential()).toMatchObject({ status: 'OK' });
		expect(servers()).toEqual(['token', 'locator', 'api']);
		expect(company.requests.sent().map(({ body }) => body)).toEqual([
			{ QueryExpression: { PropertySet: { Properties: ['Id'] }, Count: 1 } },
		]);
	});

	it.each([
		['Client Secret', { clientSecret: 'wrong' }],
		['Company Name', { companyName: 'Other Company' }],
		['Token Server URL', { tokenUrl: AWAY }],
	])(
		'fails at once when %s is changed to a wrong one while the old token is valid',
		async (field, change) => {
			expect(await company.n8n.engine.testCredential()).toMatchObject({ status: 'OK' });
			const { status, message } = await withShortPauses(() =>
				company.n8n.engine.testCredential(change),
			);
			expect(status).toBe('Error');
			expect(message).toContain(field);
		},
	);
});

describe('the credential in an ordinary authenticated request', () => {
	const query = { QueryExpression: { PropertySet: { Properties: ['Id'] }, Count: 1 } };

	it('finds the host of the Company for a relative address', async () => {
		const answer = await company.n8n.engine.httpRequest({
			method: 'POST',
			url: '/api/v1/query/WoPriority',
			body: query,
		});
		expect(answer).toHaveProperty('Entities');
	});

	/** A request as the HTTP Request node makes it. */
	const request = (path = 'query/WoPriority', body: object = query) => ({
		method: 'POST' as const,
		uri: `${company.sandbox.apiUrl}/api/v1/${path}`,
		body,
		json: true,
	});

	it('renews an expiring session before the HTTP Request node sends', async () => {
		await openSession();
		passTwentyMinutes();
		await company.n8n.engine.legacyRequest(request());
		expect(servers()).toEqual(['token', 'locator', 'api']);
	});

	it('renews an expiring session for the pages of the HTTP Request node, too', async () => {
		await openSession();
		passTwentyMinutes();
		const pages = await company.n8n.engine.legacyPaginated(
			{ ...request(), resolveWithFullResponse: true },
			{ continue: '={{ $pageCount < 2 }}', request: {}, requestInterval: 0 },
		);
		expect(pages).toHaveLength(2);
		expect(company.requests.sent().map(({ status }) => status)).toEqual([200, 200]);
		expect(company.requests.sessions().tokens).toBe(1);
	});

	describe('and a write of the HTTP Request node that fails', () => {
		const createNote = async (note: object = { Body: 'once' }) => {
			const Entity = { NoteTypeId: 'Public', WorkOrderId: firstOrder(), ...note };
			await company.n8n.engine.legacyRequest(request('base/WoNote', { Entity }));
		};
		const api = { match: { server: 'api' } } as const;

		beforeEach(openSession);

		// Promise: A request that may have run is never silently repeated
		it.each<[string, Fault]>([
			...[500, 502, 504, 401].map((status): [string, Fault] => [
				`is answered with ${status} after it ran`,
				{ ...api, kind: 'status', status, commit: true },
			]),
			['loses its connection', { ...api, kind: 'resetAfter' }],
		])('sends it once if it %s', async (_, fault) => {
			const before = notes();
			company.requests.fault(fault);
			await expect(createNote()).rejects.toMatchObject({
				httpCode: fault.kind === 'status' ? String(fault.status) : 'ECONNRESET',
			});
			expect(notes()).toBe(before + 1);
			expect(servers()).toEqual(['api']);
		});

		it('passes on what the service says, and logs in once for five of them', async () => {
			for (let count = 0; count < 5; count++) {
				await expect(createNote({})).rejects.toMatchObject({
					httpCode: '400',
					messages: [expect.stringContaining('Body is a required field')],
				});
			}
			expect(company.requests.sent()).toHaveLength(5);
			expect(company.requests.sessions().tokens).toBeLessThanOrEqual(1);
		});

		it('opens a session for the next request, because a revoked token looks the same', async () => {
			company.sandbox.revokeTokens();
			await expect(createNote()).rejects.toMatchObject({ httpCode: '403' });
			await createNote();
			expect(company.requests.sessions().tokens).toBe(1);
		});
	});
});
