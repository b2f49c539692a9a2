import { Readable } from 'node:stream';
import axios, { AxiosError } from 'axios';
import fc from 'fast-check';
import type {
	ICredentialDataDecryptedObject,
	IHttpRequestHelper,
	IHttpRequestOptions,
} from 'n8n-workflow';
import { inspect } from 'node:util';

import { readLocatorUrl, SessionError } from '../../nodes/Corrigo/session/credential';
import { openSession } from '../../nodes/Corrigo/session/login';
import { limitRequest, TimeLimit } from '../../nodes/Corrigo/session/exchange';
import { ANY_SESSION, authenticate, RENEW_MARKER } from '../../nodes/Corrigo/session/session';
import { createHelpers, openServer, type Received, type Reply } from './servers';
import { cases } from '../cases';

const SECRET = 's3cret & <more>';
const HOME = 'https://company.example';

/** A login waits before it is repeated, which takes no time here. */
jest.mock('n8n-workflow', () => ({
	...jest.requireActual<object>('n8n-workflow'),
	sleep: async () => await Promise.resolve(),
}));

const NOW = Date.UTC(2026, 0, 31, 12);
let now: number;

let tokenReply: (received: Received, count: number) => Reply;
let locatorReply: (received: Received, count: number) => Reply;
let token: Awaited<ReturnType<typeof openServer>>;
let locator: Awaited<ReturnType<typeof openServer>>;
let companies = 0;

const tokenAnswer = (more: object = { expires_in: 1199 }) => ({
	access_token: `t0ken-${companies}-${token.received.length}`,
	token_type: 'bearer',
	...more,
});

const located = (Url: unknown): Reply => ({ body: { CommandResult: { Url, CompanyId: 7 } } });

beforeAll(async () => {
	token = await openServer((...given) => tokenReply(...given));
	locator = await openServer((...given) => locatorReply(...given));
});

beforeEach(() => {
	now = NOW;
	jest.spyOn(Date, 'now').mockImplementation(() => now);
	companies++;
	token.received.length = 0;
	locator.received.length = 0;
	tokenReply = () => ({ body: tokenAnswer() });
	locatorReply = () => located(`${HOME}/`);
});

afterEach(() => jest.restoreAllMocks());

afterAll(async () => {
	await token.close();
	await locator.close();
});

/** Sessions are cached by settings: each test has its own Company to be independent. */
const settings = (more: ICredentialDataDecryptedObject = {}): ICredentialDataDecryptedObject => ({
	region: 'custom',
	locatorUrl: locator.url,
	tokenUrl: token.url,
	companyName: `Acme ${companies}`,
	clientId: 'client',
	clientSecret: SECRET,
	...more,
});

const open = async (credentials = settings(), helpers = createHelpers()) =>
	await openSession(helpers, credentials);

/** n8n stores the session together with the settings. */
interface Stored extends ICredentialDataDecryptedObject {
	accessToken: string;
	n8n_expires_at: number;
	issuedFor: string;
}

const opened = async () => ({ ...settings(), ...(await open()) }) as Stored;

const calls = () => [token.received.length, locator.received.length];

describe('opening a session', () => {
	it('requests a token with the form of the contract, then the host with the token', async () => {
		const session = await open();
		expect(token.received).toHaveLength(1);
		const [{ method, path, headers, body }] = token.received;
		expect([method, path]).toEqual(['POST', '/OAuth/token']);
		expect(headers['content-type']).toBe('application/x-www-form-urlencoded');
		expect(Object.fromEntries(new URLSearchParams(body))).toEqual({
			grant_type: 'client_credentials',
			client_id: 'client',
			client_secret: SECRET,
		});
		expect(headers).not.toHaveProperty('authorization');

		expect(locator.received).toHaveLength(1);
		const [discovery] = locator.received;
		expect(discovery).toMatchObject({
			method: 'POST',
			path: '/api/v1/cmd/GetCompanyWsdkUrlCommand',
			headers: { authorization: `Bearer ${session.accessToken}`, companyname: `Acme ${companies}` },
		});
		expect(JSON.parse(discovery.body)).toEqual({
			Command: { ApiType: 'REST', CompanyName: `Acme ${companies}`, Protocol: 'HTTPS' },
		});
		expect(session).toEqual({
			accessToken: `t0ken-${companies}-1`,
			baseUrl: HOME,
			n8n_expires_at: NOW + 1_199_000 - 60_000,
			issuedFor: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
		});
		expect(discovery.body + JSON.stringify(session)).not.toContain('s3cret');
	});

	it('follows no redirect, and has a time limit', async () => {
		const seen: IHttpRequestOptions[] = [];
		await open(settings(), createHelpers(seen));
		expect(seen).toHaveLength(2);
		for (const options of seen) {
			expect(options).toMatchObject({ disableFollowRedirect: true, timeout: 60_000 });
			// The signal limits the whole request, `timeout` only the pauses between two bytes.
			expect(options.abortSignal).toBeInstanceOf(AbortSignal);
		}
	});

	it('serves later requests without a session or with an older one', async () => {
		const first = await opened();
		expect(await open()).toMatchObject({ accessToken: first.accessToken });
		expect(calls()).toEqual([1, 1]);

		now += 10_000;
		const second = await open(first);
		expect(second.accessToken).not.toBe(first.accessToken);
		expect(calls()).toEqual([2, 2]);
		expect(await open(first)).toEqual(second);
		expect(calls()).toEqual([2, 2]);
	});

	it('happens again for a request whose newest session was not accepted', async () => {
		const newest = await opened();
		now += 1;
		const sessions = await Promise.all(Array.from({ length: 50 }, async () => await open(newest)));
		expect(calls()).toEqual([2, 2]);
		for (const { accessToken } of sessions) expect(accessToken).toBe(`t0ken-${companies}-2`);
	});

	it("happens again for another worker's session, as the one in this process may have ended with it", async () => {
		const own = await opened();
		// Opened shortly before the one in this process.
		const current = { ...own, accessToken: 'another', n8n_expires_at: own.n8n_expires_at - 1 };
		const session = await open(current);
		expect(session.accessToken).not.toBe(own.accessToken);
		expect(calls()).toEqual([2, 2]);
		expect(await open(current)).toEqual(session);
		expect(await open()).toEqual(session);
		expect(calls()).toEqual([2, 2]);
	});

	it('happens again if the same token is issued for another host', async () => {
		tokenReply = () => ({ body: { access_token: 't0ken', expires_in: 1199 } });
		const before = await opened();
		locatorReply = () => located('https://moved.example');
		const after = await open(before);
		expect(after.baseUrl).toBe('https://moved.example');
		locatorReply = () => located('https://moved-again.example');
		const moved = { ...before, ...after } as Stored;
		for (const older of [moved, before]) {
			expect(await open(older)).toMatchObject({ baseUrl: 'https://moved-again.example' });
		}
		expect(calls()).toEqual([3, 3]);
	});

	it('happens again if the Company moves back to the host it had before', async () => {
		tokenReply = () => ({ body: { access_token: 't0ken', expires_in: 1199 } });
		let current = await opened();
		for (const host of ['https://moved.example', current.baseUrl, 'https://moved.example']) {
			locatorReply = () => located(host);
			current = { ...current, ...(await open(current)) } as Stored;
			expect(current.baseUrl).toBe(host);
		}
		expect(calls()).toEqual([4, 4]);
	});

	it('happens again after the stored session has ended', async () => {
		const { n8n_expires_at: end } = await open();
		now = end - 1;
		await open();
		expect(calls()).toEqual([1, 1]);
		now = end;
		await open();
		expect(calls()).toEqual([2, 2]);
	});

	it.each<[string, ICredentialDataDecryptedObject]>([
		['Company', { companyName: 'Other' }],
		['capital letters of the Company', { companyName: 'OTHER' }],
		['client', { clientId: 'other' }],
		['secret', { clientSecret: 'other' }],
		['path of the token server', { tokenUrl: 'http://127.0.0.1/other' }],
	])('does not share a session with another %s', async (_, other) => {
		const mine = await opened();
		if ('tokenUrl' in other) other.tokenUrl = `${token.url}/other`;
		const its = await open({ ...mine, ...other });
		expect(calls()).toEqual([2, 2]);
		expect(its.issuedFor).not.toBe(mine.issuedFor);
		expect(its.accessToken).not.toBe(mine.accessToken);
	});

	it('does not share a session with another locator', async () => {
		const mine = await opened();
		const elsewhere = await openServer(() => located('https://elsewhere.example'));
		try {
			const its = await open({ ...mine, locatorUrl: elsewhere.url });
			expect(its.baseUrl).toBe('https://elsewhere.example');
		} finally {
			await elsewhere.close();
		}
		expect(calls()).toEqual([2, 1]);
	});

	it('remembers a hundred sessions and forgets the oldest', async () => {
		const named = (index: number) => settings({ companyName: `Many ${index}` });
		for (let index = 1; index <= 100; index++) await open(named(index));
		now += 1;
		await open({ ...named(1), ...(await open(named(1))) } as Stored);
		expect(calls()).toEqual([101, 101]);
		await open(named(101));
		expect(calls()).toEqual([102, 102]);
		await open(named(1));
		expect(calls()).toEqual([102, 102]);
		await open(named(2));
		expect(calls()).toEqual([103, 103]);
	});
});

describe('the lifetime of a token', () => {
	it.each<[unknown, number]>([
		[1199, 1_139_000],
		['1199', 1_139_000],
		[60, 45_000],
		[5, 3_750],
		[undefined, 1_140_000],
		[0, 1_140_000],
		[-5, 1_140_000],
		['soon', 1_140_000],
		[true, 1_140_000],
		[0.001, 1_000],
		['1e-300', 1_000],
		[86_401, 86_340_000],
		[1e308, 86_340_000],
	])('with expires_in %j is %i ms', async (expires_in, ms) => {
		tokenReply = () => ({ body: tokenAnswer({ expires_in }) });
		expect((await open()).n8n_expires_at - NOW).toBe(ms);
	});

	it('starts when it is requested, however long the discovery takes', async () => {
		locatorReply = () => {
			now += 55_000;
			return located(HOME);
		};
		expect((await open()).n8n_expires_at).toBe(NOW + 1_139_000);
	});
});

/** All texts of an error that can appear in an item, a log or the editor. */
function showEverything(error: unknown): string {
	const { stack = '', cause } = error as Error;
	const shown = inspect(error, { depth: 20, showHidden: true, getters: true });
	return [JSON.stringify(error), String(error), stack, shown, inspect(cause, { depth: 20 })].join();
}

async function getRefusal(credentials = settings(), helpers = createHelpers()): Promise<string> {
	const error: unknown = await open(credentials, helpers).then(
		() => new Error('a session was opened'),
		(failure: unknown) => failure,
	);
	expect(error).toBeInstanceOf(SessionError);
	// n8n would send the request again for an error with a response.
	expect(error).not.toHaveProperty('response');
	expect((error as Error).cause).toBeUndefined();
	for (const hidden of ['s3cret', encodeURIComponent(SECRET), 't0ken', 'Bearer', 'pa55']) {
		expect(showEverything(error)).not.toContain(hidden);
	}
	return (error as Error).message;
}

describe('a token server without a token', () => {
	const html = '<html>Sign in</html>';
	const echo = ({ body }: Received) => ({ error: 'invalid_client', request: body });

	it.each<[string, number, (received: Received) => Reply, RegExp]>([
		['400', 1, (given) => ({ status: 400, body: echo(given) }), /'Client ID' and 'Client Secret'/],
		['401', 1, (given) => ({ status: 401, body: echo(given) }), /'Client ID' and 'Client Secret'/],
		['403', 1, (given) => ({ status: 403, body: echo(given) }), /'Client ID' and 'Client Secret'/],
		['404', 1, () => ({ status: 404, body: html }), /status 404\): check 'Token Server URL'/],
		['HTML', 4, () => ({ body: html }), /status 200\): check 'Token Server URL'/],
		['nothing', 4, () => ({ body: '' }), /status 200\): check 'Token Server URL'/],
		['another object', 1, (given) => ({ body: echo(given) }), /check 'Token Server URL'/],
		['a token with 202', 1, () => ({ status: 202, body: tokenAnswer() }), /status 202/],
		['an empty token', 1, () => ({ body: { access_token: '' } }), /check 'Token Server URL'/],
		['a token that is no text', 1, () => ({ body: { access_token: 5 } }), /'Token Server URL'/],
		['429', 4, (given) => ({ status: 429, body: echo(given) }), /status 429\): try again later/],
		['500', 1, (given) => ({ status: 500, body: echo(given) }), /status 500\): try again later/],
		['503', 4, (given) => ({ status: 503, body: echo(given) }), /status 503\): try again later/],
	])('but %s gets %i call(s) and an error that says what to do', async (_, count, reply, said) => {
		tokenReply = reply;
		expect(await getRefusal()).toMatch(said);
		expect(calls()).toEqual([count, 0]);
	});

	it('fails fifty requests at the same time with one call', async () => {
		tokenReply = () => ({ status: 401 });
		const failed = Array.from({ length: 50 }, async () => await getRefusal());
		for (const said of await Promise.all(failed)) expect(said).toContain("'Client Secret'");
		expect(calls()).toEqual([1, 0]);
	});
});

describe('a locator without a host', () => {
	it.each<[string, number, () => Reply, RegExp]>([
		['400', 1, () => ({ status: 400 }), /Company "Acme \d+".*'Company Name'.*'Region'/],
		['404', 1, () => ({ status: 404 }), /status 404\): check 'Locator URL'/],
		['HTML', 4, () => ({ body: '<html>' }), /status 200\): check 'Locator URL'/],
		['no Url', 1, () => ({ body: { CommandResult: {} } }), /status 200\): check 'Locator URL'/],
		['404 with a Url', 1, () => ({ ...located(HOME), status: 404 }), /status 404/],
		['an empty Url', 1, () => located(''), /status 200\): check 'Locator URL'/],
		['a Url that is no text', 1, () => located({}), /status 200\): check 'Locator URL'/],
		['no result', 1, () => ({ body: { CommandResult: null } }), /check 'Locator URL'/],
		['500', 1, () => ({ status: 500 }), /locator http:\/\/127.*status 500\): try again later/],
		['a redirect', 1, () => ({ status: 307, headers: { Location: token.url } }), /status 307/],
		['a plain Url', 1, () => located('http://user:pa55@company.example/'), /must start with https/],
		['a Url that is none', 1, () => located('https://'), /not a web address/],
	])('but %s gets %i call(s) and an error that says what to do', async (_, count, reply, said) => {
		locatorReply = reply;
		expect(await getRefusal()).toMatch(said);
		expect(calls()).toEqual([1, count]);
	});

	it.each([401, 403])('but %i gets one call for settings that never worked', async (status) => {
		locatorReply = () => ({ status });
		expect(await getRefusal()).toMatch(/'Region' and 'Token Server URL'/);
		expect(calls()).toEqual([1, 1]);
	});

	describe('for settings that have worked', () => {
		const renewed = async () => {
			const current = await opened();
			token.received.length = 0;
			locator.received.length = 0;
			return current;
		};

		it.each([401, 403])('but %i gets a second call with another token', async (status) => {
			const current = await renewed();
			locatorReply = () => ({ status });
			expect(await getRefusal(current)).toMatch(/'Region' and 'Token Server URL'/);
			expect(calls()).toEqual([2, 2]);
		});

		it('but a revoked token succeeds with another token', async () => {
			const current = await renewed();
			locatorReply = (_, count) => (count === 1 ? { status: 403 } : located(HOME));
			expect(await open(current)).toMatchObject({ baseUrl: HOME });
			expect(calls()).toEqual([2, 2]);
		});
	});
});

describe('an unreachable server', () => {
	it('is named with its field', async () => {
		const closed = await openServer(() => ({}));
		await closed.close();
		expect(await getRefusal(settings({ tokenUrl: closed.url }))).toMatch(
			/token server http:\/\/127.*refused\): check 'Token Server URL'/,
		);
		expect(await getRefusal(settings({ locatorUrl: closed.url }))).toMatch(
			/locator http:\/\/127.*refused\): check 'Locator URL'/,
		);
	});

	/** Fails as axios does, with the whole request in the error. */
	const failing = (code: string | undefined, server: string) =>
		({
			httpRequest: async (options: IHttpRequestOptions) => {
				if (!options.url.includes(server)) return await createHelpers().httpRequest(options);
				const config = { ...options, data: options.body } as never;
				throw new AxiosError(`${code} ${String(options.body)}`, code, config, options);
			},
		}) as IHttpRequestHelper['helpers'];

	it.each([
		['ENOTFOUND', 'there is no such host'],
		['EAI_AGAIN', 'the name of the host cannot be looked up'],
		['ECONNRESET', 'the connection was broken'],
		['ECONNABORTED', 'no answer in time'],
		['ETIMEDOUT', 'no answer in time'],
		['CERT_HAS_EXPIRED', 'no connection'],
		[undefined, 'no connection'],
	])('with %s is described in words', async (code, words) => {
		const said = await getRefusal(settings(), failing(code, token.url));
		expect(said).toContain(`(${words}): check 'Token Server URL'`);
		if (code !== undefined) expect(said).not.toContain(code);
	});

	it('that is the locator of a region is named by the region', async () => {
		const said = await getRefusal(
			settings({ region: 'emea' }),
			failing('ENOTFOUND', 'emea-apilocator'),
		);
		expect(said).toMatch(/emea-apilocator\.corrigo\.com.*check 'Region'/);
	});
});

describe('settings', () => {
	it.each(['Łódź FM', '東京', 'Acme 😀', 'Acme\u0007'])(
		'Company Name %j does not fit into a header and is refused',
		async (companyName) => {
			const said = await getRefusal(settings({ companyName }));
			expect(said).toContain("'Company Name'");
			expect(said).toContain(JSON.stringify(companyName));
			expect(calls()).toEqual([0, 0]);
		},
	);

	it('Company Name in Latin-1 is sent unchanged', async () => {
		await open(settings({ companyName: 'Müller & Søn' }));
		expect(calls()).toEqual([1, 1]);
	});

	const labels = [
		['companyName', 'Company Name'],
		['clientId', 'Client ID'],
		['clientSecret', 'Client Secret'],
		['tokenUrl', 'Token Server URL'],
		['locatorUrl', 'Locator URL'],
	];

	it.each(labels)('a line break in %s is refused', async (name, label) => {
		const value = String(settings()[name]);
		for (const end of ['\n', '\r']) {
			const broken = `${value.slice(0, 4)}${end}${value.slice(4)}`;
			const said = await getRefusal(settings({ [name]: broken }));
			expect(said).toContain(`'${label}'`);
			expect(said).not.toContain('s3cr');
		}
		expect(calls()).toEqual([0, 0]);
		await open(settings({ [name]: `${value}\r\n` }));
		expect(calls()).toEqual([1, 1]);
	});

	/** Replaces servers that cannot run here, and records their URLs. */
	const elsewhere = (asked: string[], host = HOME) =>
		({
			httpRequest: async ({ url }: IHttpRequestOptions) => {
				asked.push(url);
				const body = url.endsWith('/OAuth/token') ? tokenAnswer() : located(host).body;
				return {
					statusCode: 200,
					headers: {},
					body: Readable.from([Buffer.from(JSON.stringify(body))]),
				};
			},
		}) as unknown as IHttpRequestHelper['helpers'];

	it.each([
		['americas', 'https://corrigo.local.example'],
		['custom', 'http://127.0.0.1:8080'],
		['custom', 'https://10.0.0.5'],
	])('the region %s accepts the host %s', async (region, baseUrl) => {
		const session = await open(settings({ region }), elsewhere([], `${baseUrl}/`));
		expect(session).toMatchObject({ baseUrl });
	});

	it.each([
		'http://127.0.0.1:8080/',
		'https://localhost./',
		'https://a.localhost/',
		'https://[fd00::1]/',
		'https://8.8.8.8/',
		'https://0x0a.0.0.5/',
		'https://corrigo/',
		'https://corrigo.local/',
		'https://metadata.google.internal/',
		'http://company.example/',
	])('a public region refuses the host %s', async (host) => {
		const said = await getRefusal(settings({ region: 'americas' }), elsewhere([], host));
		expect(said).toMatch(/'Url of the Company, as the locator gave it,' must/);
	});

	it.each([
		['auth.example', 'https://auth.example/OAuth/token'],
		['auth.example:8443/base', 'https://auth.example:8443/base/OAuth/token'],
		['https://auth.example', 'https://auth.example/OAuth/token'],
		['  https://auth.example//  ', 'https://auth.example/OAuth/token'],
		['https://auth.example/OAuth/token', 'https://auth.example/OAuth/token'],
		['https://auth.example/oauth/token/', 'https://auth.example/OAuth/token'],
		['https://user:pa55@auth.example?x=1#y', 'https://auth.example/OAuth/token'],
		['auth.example/go?to=https://x.example', 'https://auth.example/go/OAuth/token'],
		['https://auth.example/oauth/token/v2', 'https://auth.example/oauth/token/v2/OAuth/token'],
		['http://localhost:5000', 'http://localhost:5000/OAuth/token'],
		['http://127.1:5000/', 'http://127.0.0.1:5000/OAuth/token'],
		['http://[::1]:5000', 'http://[::1]:5000/OAuth/token'],
	])('Token Server URL %j: %s', async (tokenUrl, expected) => {
		const asked: string[] = [];
		await open(settings({ tokenUrl }), elsewhere(asked));
		expect(asked[0]).toBe(expected);
	});

	it.each([
		'http://auth.example',
		'http://user:pa55@auth.example',
		'http://localhost.example',
		'http://127.0.0.1.example',
		'http://0.0.0.0',
		'http://localhost@auth.example',
		'ftp://localhost',
		'file:///etc/passwd',
		'https://',
		'https://auth example',
		'https://[auth.example',
	])('the URL %j is refused for the token server, the locator and the host', async (url) => {
		const asked: string[] = [];
		const why = /^'(Token Server|Locator) URL' (must start with https:\/\/|is not a web address)/;
		expect(await getRefusal(settings({ tokenUrl: url }), elsewhere(asked))).toMatch(why);
		expect(await getRefusal(settings({ locatorUrl: url }), elsewhere(asked))).toMatch(why);
		expect(asked).toEqual([]);
		locatorReply = () => located(url);
		expect(await getRefusal()).toMatch(/^'Url of the Company/);
	});

	it('what a credential or the locator gives ends no quotation, and adds no line', async () => {
		const hostile = 'x" y\u202ez';
		const said = [
			await getRefusal(settings({ tokenUrl: hostile }), elsewhere([])),
			await getRefusal(settings({ companyName: `"${'C'.repeat(99)}€` }), elsewhere([])),
			await getRefusal(settings({ region: `${hostile}\n` })),
		];
		locatorReply = () => located(`${hostile}\n\n.`);
		said.push(await getRefusal());
		for (const one of said) expect(one).toMatch(/^[^"\n\u202e]*"(\\.|[^"\\\n\u202e])*"[^"]*$/);
	});

	it.each([
		['https://company.example/', HOME],
		['https://company.example/wsdk/rest.asmx?x=1', HOME],
		['company.example/wsdk/', HOME],
		[' company.example ', HOME],
		['\thttps://company.example\n', HOME],
		['https://user:pa55@company.example/', HOME],
		['HTTPS://Company.Example:443/', HOME],
		['https://company.example:8443/x', 'https://company.example:8443'],
		['http://127.0.0.1:5000/x', 'http://127.0.0.1:5000'],
	])('Url %j of the Company: %s', async (url, host) => {
		locatorReply = () => located(url);
		expect((await open()).baseUrl).toBe(host);
	});

	it.each(labels)('%s must not be empty', async (name, label) => {
		for (const value of ['', '  ', undefined]) {
			const said = await getRefusal(settings({ [name]: value as string }));
			expect(said).toBe(`'${label}' is empty in the Corrigo credential`);
		}
		expect(calls()).toEqual([0, 0]);
	});

	it('have three regions and a custom locator', async () => {
		const of = (region: string) => readLocatorUrl({ region, locatorUrl: 'own.example/path' });
		expect(of('americas')).toBe('https://am-apilocator.corrigo.com');
		expect(of('asiaPacific')).toBe('https://apac-apilocator.corrigo.com');
		expect(of('emea')).toBe('https://emea-apilocator.corrigo.com');
		expect(of('custom')).toBe('https://own.example');
		expect(await getRefusal(settings({ region: 'mars' }))).toBe(`'Region' is unknown: "mars"`);
		expect(calls()).toEqual([0, 0]);
	});
});

describe('a request', () => {
	const put = (credentials: ICredentialDataDecryptedObject, more: object = {}) =>
		authenticate(credentials, { url: '/api/v1/query/WorkOrder', ...more } as IHttpRequestOptions);

	/** n8n opens a new session for an error of this form. */
	const ended = expect.objectContaining({ response: { status: 401 } }) as Error;

	function getFailure(work: () => unknown): unknown {
		try {
			work();
		} catch (error) {
			return error;
		}
		throw new Error('nothing was thrown');
	}

	it('gets host, token and Company, and keeps its own options', async () => {
		const credentials = await opened();
		const request = put(credentials, { method: 'POST', headers: { Other: 'x' }, body: { a: 1 } });
		expect(request).toEqual({
			disableFollowRedirect: true,
			followAllRedirects: false,
			followRedirect: false,
			method: 'POST',
			url: '/api/v1/query/WorkOrder',
			baseURL: HOME,
			headers: {
				Other: 'x',
				Authorization: `Bearer ${credentials.accessToken}`,
				CompanyName: `Acme ${companies}`,
			},
			body: { a: 1 },
		});
	});

	it('is unchanged by a second authentication', async () => {
		const credentials = await opened();
		const once = put(credentials);
		expect(authenticate(credentials, structuredClone(once))).toEqual(once);
	});

	it('keeps its own baseURL of the same host', async () => {
		const credentials = await opened();
		expect(put(credentials, { baseURL: `${HOME}/api` })).toMatchObject({ baseURL: `${HOME}/api` });
	});

	it('waits for a new session if the marker names the current one, or any', async () => {
		const credentials = await opened();
		for (const marker of [`Bearer ${credentials.accessToken}`, ANY_SESSION]) {
			const headers: Record<string, string> = { [RENEW_MARKER]: marker };
			const failure = getFailure(() => put(credentials, { headers }));
			expect(failure).toEqual(ended);
			for (const hidden of ['s3cret', 't0ken'])
				expect(showEverything(failure)).not.toContain(hidden);
			expect(headers).toEqual({});
			expect(put(credentials, { headers }).headers).not.toHaveProperty(RENEW_MARKER);
		}
	});

	it('is sent without the marker if that names another session', async () => {
		const credentials = await opened();
		const request = put(credentials, { headers: { [RENEW_MARKER]: 'Bearer older' } });
		expect(request.headers).toMatchObject({ Authorization: `Bearer ${credentials.accessToken}` });
		expect(request.headers).not.toHaveProperty(RENEW_MARKER);
	});

	it.each<[string, (before: string) => string]>([
		['companyName', (before) => before.toUpperCase()],
		['clientId', (before) => `${before}1`],
		['clientSecret', (before) => `${before}1`],
		['tokenUrl', (before) => `${before}/other`],
		['locatorUrl', (before) => before.replace('127.0.0.1', 'localhost')],
		['region', () => 'emea'],
		['issuedFor', (before) => before.replace(/^./, 'x')],
	])('waits for a new session if %s was edited', async (name, edit) => {
		const credentials: ICredentialDataDecryptedObject = await opened();
		const edited = { ...credentials, [name]: edit(String(credentials[name])) };
		expect(getFailure(() => put(edited))).toEqual(ended);
	});

	it('waits for a new session if there is none, or it has expired', async () => {
		expect(getFailure(() => put(settings()))).toEqual(ended);
		const credentials = await opened();
		now = credentials.n8n_expires_at - 1;
		expect(put(credentials).baseURL).toBe(HOME);
		now = credentials.n8n_expires_at;
		expect(getFailure(() => put(credentials))).toEqual(ended);
	});

	it.each([
		{ url: '' },
		{ url: 'api/v1' },
		{ url: '/api//v1' },
		{ url: `${HOME}/x` },
		{ url: `${HOME}:443/x` },
		{ url: 'https://COMPANY.example/x' },
		{ url: undefined, uri: `${HOME}/x` },
		{ url: new URL(`${HOME}/x`) },
		{ url: '?x=https://evil.example' },
	])('to its own host is sent: %p', async (target) => {
		expect(put(await opened(), target).headers).toHaveProperty('Authorization');
	});

	it('to the locator is sent for this package only', async () => {
		const credentials = await opened();
		const request: IHttpRequestOptions = { url: '/x', baseURL: locator.url };
		expect(getFailure(() => authenticate(credentials, request))).toBeInstanceOf(SessionError);
		limitRequest(request, new TimeLimit(1000));
		expect(authenticate(credentials, request).headers).toHaveProperty('CompanyName');
	});

	it.each([
		{ proxy: '' },
		{ proxy: { host: 'proxy.example', port: 8080 } },
		{ rejectUnauthorized: true },
		{ skipSslCertificateValidation: false },
		{ agentOptions: { cert: 'c', key: 'k', passphrase: 'p' } },
		{ agentOptions: { ca: 'a' } },
		{ headers: { host: 'company.example' } },
	])('that nobody else can read is sent: %j', async (options) => {
		expect(put(await opened(), options).headers).toHaveProperty('Authorization');
	});

	it.each<[object, string]>([
		[{ rejectUnauthorized: false }, "'Ignore SSL Issues' would let others read the token"],
		[{ skipSslCertificateValidation: true }, "'Ignore SSL Issues'"],
		[
			{ proxy: 'http://proxy.example', agentOptions: { ca: 'a' } },
			"the 'Proxy' of the request could read the token",
		],
		[{ agentOptions: { rejectUnauthorized: false } }, 'the request changes how n8n connects to it'],
		[{ agentOptions: { host: '192.0.2.1' } }, 'the request changes how n8n connects'],
		[{ headers: { host: 'evil.example' } }, "the request has another 'Host'"],
		[{ headers: { HOST: 'evil.example' } }, "another 'Host'"],
	])('that others could read is refused: %j', async (options, reason) => {
		const credentials = await opened();
		const failure = getFailure(() => put(credentials, options));
		expect(failure).toBeInstanceOf(SessionError);
		expect(String(failure)).toContain(`for ${HOME}, but `);
		expect(String(failure)).toContain(reason);
	});

	it.each([
		{ url: 'https://evil.example/' },
		{ url: undefined, uri: 'https://evil.example/' },
		{ url: new URL('https://evil.example/') },
		{ url: '//evil.example' },
		{ url: '\\\\evil.example' },
		{ url: '/\\evil.example' },
		{ url: '\t//evil.example' },
		{ url: 'ht\ntps://evil.example' },
		{ url: 'http:evil.example' },
		{ url: 'https:\\\\evil.example' },
		{ url: `${HOME}@evil.example` },
		{ url: `${HOME}:8443` },
		{ url: 'http://company.example/' },
		{ url: 'data:text/plain,x' },
		{ url: '/x', baseURL: 'https://evil.example' },
		{ url: '/x', baseURL: `${HOME}@evil.example` },
		{ url: '/x', baseURL: 'http://company.example' },
		{ url: 'https://evil.example', baseURL: HOME },
		// axios treats this URL as a path below the base URL.
		{ url: ` ${HOME}/x`, baseURL: 'https://evil.example' },
	])('to another host is refused: %p', async (target) => {
		const credentials = await opened();
		const request = { ...target } as unknown as IHttpRequestOptions;
		const error = getFailure(() => authenticate(credentials, request));
		expect(error).toBeInstanceOf(SessionError);
		expect(error).not.toHaveProperty('response');
		expect((error as Error).message).toContain(`for ${HOME}, but`);
		expect(request.headers ?? {}).toEqual({});
		expect(showEverything(error)).not.toContain('t0ken');
	});

	const orNothing = <T>(work: () => T): T | undefined => {
		try {
			return work();
		} catch {
			return undefined;
		}
	};

	it('that is sent goes nowhere else, as axios reads its URL', async () => {
		const credentials = await opened();
		const pieces = ['https:', 'http:', '/', '//', '\\', '@', ':', '443', '80', '.', '..', '?', '#'];
		const names = ['company.example', 'evil.example', ' ', '\t', '\n', '%2f', '%40', 'x', '[', ']'];
		const text = fc
			.array(fc.constantFrom(...pieces, ...names, HOME), { maxLength: 7 })
			.map((parts) => parts.join(''));
		let passed = 0;
		fc.assert(
			fc.property(text, fc.option(text, { nil: undefined }), (url, baseURL) => {
				const request = orNothing(() => put(credentials, { url, baseURL }));
				if (request === undefined) return;
				const address = { url: request.url, baseURL: request.baseURL };
				const target = orNothing(() => new URL(axios.getUri(address)));
				if (target === undefined) return;
				passed++;
				expect(target.origin).toBe(HOME);
			}),
			{ numRuns: cases(1_000, 10_000) },
		);
		expect(passed).toBeGreaterThan(cases(100, 500));
	});
});

describe('a time limit', () => {
	const never = new Promise<never>(() => undefined);

	it('ends work that takes longer', async () => {
		const limit = new TimeLimit(20);
		const signal = limit.start();
		await expect(limit.bound(never)).rejects.toThrow('The time is over');
		expect(signal.aborted).toBe(true);
		expect(limit.isOver).toBe(true);
	});

	it('starts when the request is sent', async () => {
		const limit = new TimeLimit(1);
		const work = limit.bound(new Promise((resolve) => setTimeout(resolve, 30, 'done')));
		expect(await work).toBe('done');
		expect(limit.isOver).toBe(false);
	});

	it('does not affect work that ends in time', async () => {
		const limit = new TimeLimit(Number.MAX_SAFE_INTEGER);
		const signal = limit.start();
		expect(await limit.bound(Promise.resolve('done'))).toBe('done');
		await expect(limit.bound(Promise.reject(new Error('Away')))).rejects.toThrow('Away');
		expect([signal.aborted, limit.isOver]).toEqual([false, false]);
	});

	it('ends with the run, which is not a time-out', async () => {
		const run = new AbortController();
		const limit = new TimeLimit(60_000, run.signal);
		limit.start();
		const work = limit.bound(never);
		run.abort();
		await expect(work).rejects.toThrow();
		expect(limit.isOver).toBe(false);
		await expect(new TimeLimit(60_000, run.signal).bound(never)).rejects.toThrow();
	});
});
