import { Client, Hands, refusal } from './client';

describe('the session', () => {
	const hands = new Hands();
	let client: Client;

	beforeAll(async () => {
		client = await Client.of({ now: hands.now });
	});
	afterAll(async () => await client.close());

	const readPriority = async (headers: Record<string, string | null> = {}) =>
		await client.call('GET', 'base/WoPriority?ID=1&properties=', { headers });

	describe('token server', () => {
		it('answers with an opaque token, its type and its life', async () => {
			const { status, data } = await client.askToken({});
			expect(status).toBe(200);
			expect(data).toEqual({
				access_token: expect.stringMatching(/^[\w-]{40,}$/),
				token_type: 'bearer',
				expires_in: 1199,
			});
		});

		it('takes the client by HTTP Basic as well', async () => {
			const { clientId, clientSecret } = client.sandbox.credentials;
			const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
			const { status } = await client.askToken({}, { authorization: `Basic ${basic}` });
			expect(status).toBe(200);
		});

		it.each([
			['invalid_client', { client_secret: 'wrong' }],
			['invalid_client', { client_id: 'wrong' }],
			['unsupported_grant_type', { grant_type: 'password' }],
		])('refuses with %s', async (error, fields) => {
			const answer = await client.askToken(fields);
			expect([answer.status, answer.data]).toEqual([400, { error }]);
		});

		it('refuses a body that is no form', async () => {
			const { status, data } = await client.askToken({}, { 'content-type': 'application/json' });
			expect([status, data]).toEqual([400, { error: 'invalid_request' }]);
		});

		it('can keep the life of a token to itself', async () => {
			client.sandbox.set({ expiresIn: false });
			const { data } = await client.askToken({});
			client.sandbox.set({ expiresIn: true });
			expect(Object.keys(data)).toEqual(['access_token', 'token_type']);
		});
	});

	describe('authorization', () => {
		it.each([
			['no header', null, 401, 'MISSING_AUTHORIZATION_HEADER'],
			['no scheme', 'abc', 403, 'MISSING_AUTHORIZATION_SCHEME'],
			['another scheme', 'Basic abc', 403, 'MISSING_AUTHORIZATION_SCHEME'],
			['an empty token', 'Bearer ', 400, 'INCORRECT_TOKEN'],
			['a token in two pieces', 'Bearer a b', 400, 'INCORRECT_TOKEN'],
			['an unknown token', 'Bearer abc', 403, 'INCORRECT_TOKEN'],
		])('refuses %s', async (_case, authorization, status, code) => {
			expect(refusal(await readPriority({ authorization }))).toEqual([status, code]);
		});

		it.each(['Bearer', 'bearer', 'BEARER'])('takes the scheme as %s', async (scheme) => {
			const { status } = await readPriority({ authorization: `${scheme} ${client.token}` });
			expect(status).toBe(200);
		});

		it('refuses an expired token with a time-stamped body, and only that one', async () => {
			const old = await client.newToken();
			hands.pass(600);
			const young = await client.newToken();
			hands.pass(601);
			const expired = await readPriority({ authorization: `Bearer ${old}` });
			expect([expired.status, expired.data]).toEqual([
				403,
				{
					ErrorMessage: 'Token has expired',
					ErrorCode: 'EXPIRED_TOKEN',
					TimeStamp: expect.stringMatching(/^2026-01-31T12:20:01\.\d{7}Z$/),
				},
			]);
			expect((await readPriority({ authorization: `Bearer ${young}` })).status).toBe(200);
			client.token = await client.newToken();
		});

		it('refuses every revoked token', async () => {
			client.sandbox.revokeTokens();
			expect(refusal(await readPriority())).toEqual([403, 'INCORRECT_TOKEN']);
			client.token = await client.newToken();
		});

		it.each([null, 'sandbox facilities', 'Another'])('refuses Company %s', async (companyname) => {
			expect(refusal(await readPriority({ companyname }))).toEqual([
				400,
				'DATABASE_VERSION_MISMATCH',
			]);
		});
	});

	describe('locator', () => {
		const discover = async (command: object, headers = {}) =>
			await client.send(
				'POST',
				`${client.sandbox.locatorUrl}/api/v1/cmd/GetCompanyWsdkUrlCommand`,
				{ body: { Command: command, RequestId: 'r1' }, headers },
			);
		const whole = { ApiType: 'REST', Protocol: 'HTTPS', CompanyName: 'Sandbox Facilities' };

		it('tells the host, with a slash at the end', async () => {
			const { status, data } = await discover(whole);
			expect(status).toBe(200);
			expect(data).toEqual({
				CommandResult: {
					Url: `${client.sandbox.apiUrl}/`,
					CompanyName: 'Sandbox Facilities',
					Protocol: 'HTTPS',
					CompanyVersion: expect.stringMatching(/^9\./),
					CompanyId: 1234,
				},
				RequestId: 'r1',
			});
		});

		it('gives the address of the other API when it is not told which', async () => {
			const { data } = await discover({ CompanyName: 'Sandbox Facilities' });
			expect(data.CommandResult.Url).toMatch(/^127\.0\.0\.1:\d+\/wsdk\//);
		});

		it('knows a Company by its exact name only', async () => {
			const { status, data } = await discover({ ...whole, CompanyName: 'SANDBOX FACILITIES' });
			expect(status).toBe(400);
			expect(data).toMatchObject({
				ErrorCode: expect.any(String),
				ErrorMessage: expect.any(String),
				RequestId: 'r1',
			});
		});

		it('needs a live token', async () => {
			expect(refusal(await discover(whole, { authorization: null }))[0]).toBe(401);
			expect(refusal(await discover(whole, { authorization: 'Bearer no' }))).toEqual([
				403,
				'INCORRECT_TOKEN',
			]);
		});

		it('answers the short form and the same command on the host itself', async () => {
			const company = encodeURIComponent('Sandbox Facilities');
			const short = await client.send(
				'GET',
				`${client.sandbox.locatorUrl}/api/v1/CorrigoService/GetCompanyWsdkUrl/${company}`,
			);
			expect(short.data.Url).toBe(`${client.sandbox.apiUrl}/`);
			const { data } = await client.command('GetCompanyWsdkUrlCommand', whole);
			expect(data.CommandResult.Url).toBe(`${client.sandbox.apiUrl}/`);
		});
	});

	describe.each([
		['503' as const, 503, 'SERVICE_UNAVAILABLE'],
		['DATABASE_VERSION_MISMATCH' as const, 400, 'DATABASE_VERSION_MISMATCH'],
	])('a Company that moved, leaving %s', (left, status, code) => {
		it('is served by the new host and no longer by the old one', async () => {
			const old = client.sandbox.apiUrl;
			await client.sandbox.moveHost(left);
			expect(client.sandbox.apiUrl).not.toBe(old);
			expect(refusal(await client.send('GET', `${old}/api/v1/base/WoPriority/1`))).toEqual([
				status,
				code,
			]);
			expect((await readPriority()).status).toBe(200);
		});
	});
});
