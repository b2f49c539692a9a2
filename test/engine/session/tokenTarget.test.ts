/**
 * Whatever the HTTP Request node is told to do with the credential, nobody but the host of the Company
 * reads the token, and ordinary requests arrive.
 */
import fc from 'fast-check';
import type { IHttpRequestOptions } from 'n8n-workflow';
import { createServer as createPlainServer, type RequestListener } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { connect, type AddressInfo, type Server, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';

import { CorrigoApi } from '../../../credentials/CorrigoApi.credentials';
import { Corrigo } from '../../../nodes/Corrigo/Corrigo.node';
import { cases } from '../../cases';
import { createEngine, type LegacyRequest } from '../../support/engine';
import { HOST_HALF } from '../../support/host';
import { startTlsServer, untrusted } from '../../support/tls';

const TOKEN = 't0ken';
/** Generated requests have this mark, those by which a session is opened do not. */
const MARK = 'x-generated';

/** Everything that each server could read. */
const read: Array<{ server: string; received: string }> = [];
const isToken = ({ received }: { received: string }) => received.includes(TOKEN);
const getRequests = (server: string) => read.filter((one) => one.server === server);

type Answer = (body: string) => object;
const ANSWERS: Record<string, Answer> = {
	token: () => ({ access_token: `${TOKEN}-${read.length}`, expires_in: 1199 }),
	locator: (body) => ({
		CommandResult: { Url: body.includes('Plain') ? urls.plain : urls.encrypted },
	}),
};

const listenTo =
	(name: string): RequestListener =>
	(request, response) => {
		const { method = '', url = '', headers, rawHeaders } = request;
		void text(request).then((body) => {
			read.push({ server: name, received: [method, url, ...rawHeaders, body].join(' ') });
			const moves = headers['x-move'] === undefined ? {} : { location: `${urls.stranger}/moved` };
			response.writeHead('location' in moves ? 302 : 200, {
				...{ 'content-type': 'application/json', connection: 'close' },
				...moves,
			});
			response.end(JSON.stringify(ANSWERS[name]?.(body) ?? { Entities: [] }));
		});
	};

const sockets = new Set<Socket>();
const servers: Server[] = [];
const urls: Record<string, string> = {};

async function listen<T extends Server>(name: string, server: T): Promise<T> {
	servers.push(server);
	server.on('connection', (socket: Socket) => sockets.add(socket));
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	urls[name] = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	return server;
}

/** A proxy that passes encrypted requests on unread, or with `reader`, ends the encryption itself. */
async function startProxy(name: string, reader?: Server): Promise<void> {
	const proxy = await listen(name, createPlainServer(listenTo(name)));
	proxy.on('connect', ({ url = '', rawHeaders }, socket: Socket) => {
		read.push({ server: name, received: ['CONNECT', url, ...rawHeaders].join(' ') });
		socket.on('error', () => socket.destroy());
		socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
		if (reader !== undefined) {
			reader.emit('connection', socket);
			return;
		}
		const onward = connect(Number(url.split(':')[1]), '127.0.0.1');
		sockets.add(onward);
		onward.on('error', () => socket.destroy());
		socket.pipe(onward).pipe(socket);
	});
}

let company: Awaited<ReturnType<typeof startTlsServer>>;
const engines: Record<string, ReturnType<typeof createEngine>> = {};

beforeAll(async () => {
	for (const name of ['token', 'locator', 'plain', 'stranger']) {
		await listen(name, createPlainServer(listenTo(name)));
	}
	company = await startTlsServer(listenTo('encrypted'));
	urls.encrypted = company.url;
	await startProxy('proxy');
	await startProxy('reader', createTlsServer(untrusted, listenTo('reader')));
	for (const [name, companyName] of Object.entries({ encrypted: 'Encrypted', plain: 'Plain' })) {
		const data = {
			...{ region: 'custom', locatorUrl: urls.locator, tokenUrl: urls.token },
			...{ companyName, clientId: 'client', clientSecret: 'secret' },
		};
		engines[name] = createEngine({
			nodes: { corrigo: Corrigo },
			credentialTypes: [CorrigoApi],
			credentials: { corrigoApi: { id: name, data } },
		});
		await engines[name].httpRequest({ method: 'GET', url: '/api/v1/base/WorkOrder' });
	}
});

beforeEach(() => void read.splice(0));

afterAll(async () => {
	for (const socket of sockets) socket.destroy();
	await Promise.all(
		servers.map(async (server) => await new Promise((closed) => server.close(closed))),
	);
	await company.close();
});

const { constantFrom } = fc;
const path = constantFrom(
	...['/api/v1/base/WorkOrder?ID=1', '/api/v1/query/WorkOrder', '/api/v1/cmd/WoCancelCommand', ''],
	'/api/v1/cmd/GetCompanyWsdkUrlCommand',
);
const addressOf: ReadonlyArray<(base: string, path: string) => string> = [
	...Array<(base: string, path: string) => string>(16).fill((base, own) => base + own),
	(_, own) => urls.locator + own,
	(_, own) => urls.token + own,
	(_, own) => urls.stranger + own,
	(base, own) => base.replace(/\d+$/, (port) => String(Number(port) + 1)) + own,
	(base, own) => `${base}@${urls.stranger.slice('http://'.length)}${own}`,
	(base, own) => base.replace('://', `://${urls.stranger.slice('http://'.length)}@`) + own,
	(base, own) => base.replace('://', '://user:word@') + own,
	(base, own) => base.replace('127.0.0.1', '2130706433') + own,
	(base, own) => base.replace('127.0.0.1', '127.0.0.1.') + own,
	(base, own) => base.replace('127.0.0.1', 'localhost') + own,
	(base, own) => base.replace(/^https?/, (scheme) => (scheme === 'http' ? 'https' : 'http')) + own,
	(base, own) => `${base}\\@${urls.stranger.slice('http://'.length)}${own}`,
	(base, own) => `${base}/%2f..%2f..${own}#${urls.stranger}`,
	(_, own) => ` ${urls.stranger.replace('tt', 't\nt')}${own}`,
];

const shape = fc.record({
	host: constantFrom('encrypted', 'encrypted', 'plain'),
	helper: constantFrom('legacyRequest', 'legacyRequest', 'legacyPaginated', 'httpRequest'),
	method: constantFrom('GET', 'GET', 'POST', 'POST', 'PUT', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS'),
	address: constantFrom(...addressOf),
	path,
	proxy: constantFrom(...[undefined, undefined, 'proxy', 'proxy', 'reader']),
	isProxyObject: fc.boolean(),
	ignoresCertificates: constantFrom(false, false, true),
	ca: constantFrom(undefined, undefined, untrusted.cert),
	headers: constantFrom<Array<Record<string, string>>>(
		...[{}, {}, {}],
		{ host: 'stranger.example' },
		{ Host: 'stranger.example' },
		{ 'x-http-method-override': 'DELETE' },
		{ 'x-verb': 'PUT' },
		{ 'x-forwarded-host': 'stranger.example' },
		{ 'x-move': 'away' },
		{ authorization: 'Basic own' },
	),
	body: constantFrom<Array<Record<string, unknown>>>(
		{},
		{ body: { a: 1 } },
		{ body: 'a=1' },
		{ form: { a: 1 } },
		{ formData: { a: '1' } },
	),
	followsRedirects: fc.boolean(),
});
type Shape = typeof shape extends fc.Arbitrary<infer T> ? T : never;

const toProxy = (name: string, isObject: boolean) => {
	const { hostname, port } = new URL(urls[name]);
	return isObject ? { protocol: 'http', host: hostname, port: Number(port) } : urls[name];
};

async function send(one: Shape): Promise<void> {
	const { host, helper, method, proxy, ca, followsRedirects } = one;
	const address = one.address(urls[host], one.path);
	const shared = {
		...{ method, headers: { [MARK]: '1', ...one.headers }, ...one.body },
		...(proxy === undefined ? {} : { proxy: toProxy(proxy, one.isProxyObject) }),
		...(ca === undefined ? {} : { agentOptions: { ca } }),
	};
	const engine = engines[host];
	if (helper === 'httpRequest') {
		const { ignoresCertificates: skipSslCertificateValidation } = one;
		const more = { url: address, disableFollowRedirect: !followsRedirects };
		await engine.httpRequest({
			...shared,
			...more,
			skipSslCertificateValidation,
		} as unknown as IHttpRequestOptions);
		return;
	}
	const request = {
		...shared,
		...{ uri: address, rejectUnauthorized: !one.ignoresCertificates, json: true },
		...{ followRedirect: followsRedirects, followAllRedirects: followsRedirects },
	} as unknown as LegacyRequest;
	if (helper === 'legacyRequest') await engine.legacyRequest(request);
	else {
		const next = { request: { url: urls.stranger }, requestInterval: 0 };
		await engine.legacyPaginated(request, { continue: '={{ $pageCount < 2 }}', ...next });
	}
}

const findFailure = async (one: Shape) =>
	await send(one).then(
		() => '',
		(error: Error) => error.message,
	);

const describeShape = (one: Shape) =>
	JSON.stringify({ ...one, address: one.address(urls[one.host], one.path) });

/** Requests that work today and must go on working. */
const isOrdinary = (one: Shape) =>
	one.address === addressOf[0] &&
	one.path.includes('WorkOrder') &&
	['GET', 'POST'].includes(one.method) &&
	!('body' in one.body && one.body.body === 'a=1') &&
	!/host/i.test(Object.keys(one.headers).join()) &&
	one.helper !== 'legacyPaginated' &&
	(one.host === 'plain' ? one.proxy === undefined : !one.ignoresCertificates) &&
	!(one.proxy === 'reader' || (one.proxy !== undefined && one.ca !== undefined));

const drawSeed = 50 + HOST_HALF;

// Promise: Only the hosts of the credential are contacted
it('is read by the host of the Company only, whatever a request asks for', async () => {
	let refused = 0;
	for (const one of fc.sample(shape, { numRuns: cases(150, 500), seed: drawSeed })) {
		read.splice(0);
		const failure = await findFailure(one);
		const readers = ['stranger', 'proxy', 'reader', 'token'].flatMap(getRequests).filter(isToken);
		const asked = getRequests('locator').filter(
			(reading) => isToken(reading) && reading.received.includes(MARK),
		);
		expect([describeShape(one), readers, asked]).toEqual([describeShape(one), [], []]);
		if (/credential is for/.test(failure)) refused++;
	}
	expect(refused).toBeGreaterThan(0);
});

it.each(['uri', 'baseURL', 'url'])('is read by no host that %s becomes later', async (name) => {
	for (const helper of ['legacyRequest', 'legacyPaginated', 'httpRequest'] as const) {
		for (let count = 1; count <= 8; count++) {
			let left = count;
			const address = { toString: () => (left-- > 0 ? urls.plain : urls.stranger) };
			const request = { method: 'GET', headers: { [MARK]: '1' }, [name]: address };
			const next = { continue: '={{ false }}', request: {}, requestInterval: 0 };
			// n8n itself refuses some of these.
			await engines.plain[helper](request as never, next as never).catch(() => undefined);
			expect(getRequests('stranger').filter(isToken)).toEqual([]);
		}
	}
});

it('is read by the host of the Company in every ordinary request', async () => {
	const ordinary = shape.filter(isOrdinary);
	for (const one of fc.sample(ordinary, { numRuns: cases(10, 100), seed: drawSeed })) {
		read.splice(0);
		const failure = await findFailure(one);
		const received = getRequests(one.host).filter(isToken);
		expect([describeShape(one), received.length]).not.toEqual([describeShape(one), 0]);
		// A redirect that is not followed fails, but arrives before.
		expect([describeShape(one), failure]).toEqual([
			describeShape(one),
			expect.stringMatching(/^$|302/),
		]);
	}
});

it('passes unread through a proxy of the environment', async () => {
	const before = { ...process.env };
	Object.assign(process.env, { HTTPS_PROXY: urls.proxy, NO_PROXY: '', no_proxy: '' });
	try {
		const uri = `${urls.encrypted}/api/v1/base/WorkOrder`;
		await engines.encrypted.legacyRequest({ method: 'GET', uri, json: true });
		await engines.encrypted.httpRequest({ method: 'GET', url: uri });
	} finally {
		process.env = before;
	}
	expect(getRequests('proxy')).toHaveLength(2);
	expect(getRequests('proxy').filter(isToken)).toEqual([]);
	expect(getRequests('encrypted').filter(isToken)).toHaveLength(2);
});
