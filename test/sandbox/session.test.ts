import { getError, getRefusal, sharedClient, TestClock } from './client';

const clock = new TestClock();
const client = sharedClient({ now: clock.now });

const readPriority = async (headers: Record<string, string | null> = {}) =>
	await client.call('GET', 'base/WoPriority?ID=1&properties=', { headers });

describe('token server', () => {
	it('the token server returns an opaque token, its type and its lifetime', async () => {
		const { status, data } = await client.requestToken({});
		expect(status).toBe(200);
		expect(data).toEqual({
			access_token: expect.stringMatching(/^[\w-]{40,}$/),
			token_type: 'bearer',
			expires_in: 1199,
		});
	});

	it('the token server accepts client credentials by HTTP Basic', async () => {
		const { clientId, clientSecret } = client.sandbox.credentials;
		const basic = Buffer.from(`${clientId}:${clientSecret}`).toString('base64');
		const { status } = await client.requestToken({}, { authorization: `Basic ${basic}` });
		expect(status).toBe(200);
	});

	it.each([
		['invalid_client', { client_secret: 'wrong' }],
		['invalid_client', { client_id: 'wrong' }],
		['unsupported_grant_type', { grant_type: 'password' }],
	])('the token server answers %s to %j', async (error, fields) => {
		const answer = await client.requestToken(fields);
		expect([answer.status, answer.data]).toEqual([400, { error }]);
	});

	it('the token server rejects a body that is not a form', async () => {
		const { status, data } = await client.requestToken({}, { 'content-type': 'application/json' });
		expect([status, data]).toEqual([400, { error: 'invalid_request' }]);
	});

	it('the token server omits expires_in if set so', async () => {
		client.sandbox.set({ expiresIn: false });
		const { data } = await client.requestToken({});
		client.sandbox.set({ expiresIn: true });
		expect(Object.keys(data)).toEqual(['access_token', 'token_type']);
	});
});

describe('authorization', () => {
	it.each([
		['a missing header', null, 401, 'MISSING_AUTHORIZATION_HEADER'],
		['a missing scheme', 'abc', 403, 'MISSING_AUTHORIZATION_SCHEME'],
		['another scheme', 'Basic abc', 403, 'MISSING_AUTHORIZATION_SCHEME'],
		['an empty token', 'Bearer ', 400, 'INCORRECT_TOKEN'],
		['a token with a blank', 'Bearer a b', 400, 'INCORRECT_TOKEN'],
		['an unknown token', 'Bearer abc', 403, 'INCORRECT_TOKEN'],
	])('the API rejects %s', async (_case, authorization, status, code) => {
		expect(getError(await readPriority({ authorization }))).toEqual([status, code]);
	});

	it.each(['Bearer', 'bearer', 'BEARER'])('the API accepts the scheme %s', async (scheme) => {
		const { status } = await readPriority({ authorization: `${scheme} ${client.token}` });
		expect(status).toBe(200);
	});

	it('an expired token is rejected with a time stamp, while a younger one is valid', async () => {
		const old = await client.newToken();
		clock.advance(600);
		const young = await client.newToken();
		clock.advance(601);
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

	it.each([null, 'sandbox facilities', 'Another'])(
		'a request for Company %s is rejected',
		async (companyname) => {
			expect(await getRefusal(readPriority({ companyname }))).toBe('DATABASE_VERSION_MISMATCH');
		},
	);
});

describe('locator', () => {
	const discover = async (command: object, headers = {}) =>
		await client.send('POST', `${client.sandbox.locatorUrl}/api/v1/cmd/GetCompanyWsdkUrlCommand`, {
			body: { Command: command, RequestId: 'r1' },
			headers,
		});
	const whole = { ApiType: 'REST', Protocol: 'HTTPS', CompanyName: 'Sandbox Facilities' };

	it('the locator returns the host with a trailing slash', async () => {
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

	it('the locator returns the SOAP address if no API type is given', async () => {
		const { data } = await discover({ ...whole, ApiType: undefined, Protocol: undefined });
		expect(data.CommandResult.Url).toMatch(/^127\.0\.0\.1:\d+\/wsdk\//);
	});

	it('the locator matches the name of a Company case-sensitively', async () => {
		const { status, data } = await discover({ ...whole, CompanyName: 'SANDBOX FACILITIES' });
		expect(status).toBe(400);
		const text = expect.any(String) as string;
		expect(data).toMatchObject({ ErrorCode: text, ErrorMessage: text, RequestId: 'r1' });
	});

	it('the locator requires a valid token', async () => {
		expect((await discover(whole, { authorization: null })).status).toBe(401);
		const unknown = await discover(whole, { authorization: 'Bearer no' });
		expect(getError(unknown)).toEqual([403, 'INCORRECT_TOKEN']);
	});

	it('the locator answers its short path, and the API host answers the command too', async () => {
		const path = '/api/v1/CorrigoService/GetCompanyWsdkUrl/Sandbox%20Facilities';
		const short = await client.send('GET', client.sandbox.locatorUrl + path);
		expect(short.data.Url).toBe(`${client.sandbox.apiUrl}/`);
		const { Url } = await client.run('GetCompanyWsdkUrlCommand', whole);
		expect(Url).toBe(`${client.sandbox.apiUrl}/`);
	});
});
