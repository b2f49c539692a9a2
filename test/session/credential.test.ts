import { commands } from '../../nodes/Corrigo/catalogue/commands';
import {
	isReadRequest,
	pinRequest,
	toRequestLine,
	type OutgoingRequest,
} from '../../nodes/Corrigo/session/credential';
import {
	buildCommandRequest,
	buildCreateRequest,
	buildDeleteRequest,
	buildDiscoveryRequest,
	buildGetRequest,
	buildQueryRequest,
	buildUpdateRequest,
	type ServiceRequest,
} from '../../nodes/Corrigo/wire/requests';

const discovery = buildDiscoveryRequest('x');
const HOST = 'https://am-ce62.corrigo.com';
const QUERY = '/api/v1/query/WorkOrder';
const BASE = '/api/v1/base/WorkOrder';
const READING = '/api/v1/cmd/WoLastModificationCommand';
const ROUTINE = '/api/v1/cmd/GetPreferredAssigneesRoutine';

const post = (url: string, more: OutgoingRequest = {}) => ({ method: 'POST', url, ...more });

function isRead(request: OutgoingRequest): boolean {
	pinRequest(request);
	return isReadRequest(request);
}

const TWO_TYPES = { headers: { 'Content-Type': 'application/json', 'content-type': 'a/b' } };

const asText = (body: string, type = 'application/json') =>
	post(ROUTINE, { headers: { 'Content-Type': type }, body });

describe('a request is known to read:', () => {
	it.each<[string, OutgoingRequest]>([
		['a get', { method: 'GET', url: BASE, qs: { ID: '5', properties: '*' } }],
		['a get without a method', { url: BASE }],
		['a get in lower case', { method: 'get', url: BASE }],
		[
			'a get by its whole address',
			{ method: 'GET', url: `${HOST}${BASE}?ID=5&properties=Id, Name` },
		],
		['a get in the format of the older helper', { method: 'GET', uri: `${HOST}${BASE}?ID=5` }],
		['a get with the ID in the path', { method: 'GET', url: `${BASE}/5?Properties=Id` }],
		[
			'a get with headers as browsers and tracing send them',
			{ url: BASE, headers: { Accept: '*/*', 'User-Agent': 'n8n', traceparent: '00-1' } },
		],
		['a query', post(QUERY, { body: { QueryExpression: {} } })],
		['a query in other case', { method: 'post', url: '/API/v1/Query/workorder' }],
		['a query with the text of its body', { ...asText('{}'), url: QUERY }],
		['a query with the host apart', post(QUERY, { baseURL: HOST })],
		[
			'a query with empty parameters and other headers',
			post(QUERY, { qs: {}, headers: { Accept: '*/*' } }),
		],
		['discovery', { ...discovery, url: discovery.path }],
		['a command that reads', post(READING, { body: { Command: { WorkOrderId: 5 } } })],
		['a command that reads, in other case', post(READING.toLowerCase())],
		['suggestions', post(ROUTINE, { body: { Command: { UpdateRoundRobin: false } } })],
		['suggestions as JSON text', asText('{ "Command": { "UpdateRoundRobin": false } }')],
		[
			'suggestions as JSON text with a character set',
			asText('{"Command": {"Note": "\\"$type\\": 1"}}', 'application/json; charset=UTF-8'),
		],
	])('%s', (_, request) => expect(isRead(request)).toBe(true));

	it('whatever the node sends as a read, and nothing that it sends as a write', () => {
		const requests: Array<ServiceRequest<unknown>> = [
			buildGetRequest('WorkOrder', 5, ['*']),
			buildQueryRequest('WorkOrder', { PropertySet: { Properties: ['*'] }, Count: 1 }, 'Snapshot'),
			buildCreateRequest('Contact', {}, 'r'),
			buildUpdateRequest('Contact', { Properties: [], Entity: { Id: 5 } }, 'r'),
			buildDeleteRequest('Contact', 5, { ignoresMissing: true }),
			...commands.map(({ name }) => buildCommandRequest(name, {}, 'r')),
			...[true, false].map((UpdateRoundRobin) =>
				buildCommandRequest('GetPreferredAssigneesRoutine', { UpdateRoundRobin }, 'r'),
			),
		];
		for (const { method, path, query, headers, body, reads } of requests) {
			expect([path, isRead({ method, url: path, qs: query, headers, body })]).toEqual([
				path,
				reads,
			]);
		}
	});
});

describe('a request counts as a write:', () => {
	it.each<[string, OutgoingRequest]>([
		['an update', { method: 'PUT', url: BASE }],
		['an update in lower case', { method: 'put', url: BASE }],
		['a delete', { method: 'DELETE', url: `${BASE}?ID=5` }],
		['another method', { method: 'PATCH', url: QUERY }],
		['a method with a space', { method: 'GET ', url: BASE }],
		['a head', { method: 'HEAD', url: BASE }],
		['a command that writes', post('/api/v1/cmd/WoCancelCommand')],
		['a command that writes, in other case', post('/api/v1/CMD/wocancelcommand')],
		['the short form of a command', post('/api/v1/cmd/WorkZone/Create')],
		['an unknown command', post('/api/v1/cmd/GetAnythingCommand')],
		['a command by get', { method: 'GET', url: '/api/v1/cmd/WoCancelCommand?WorkOrderId=5' }],
		['a command by get in other case', { method: 'GET', url: '/api/v1/Cmd/WoCancelCommand.json' }],
		['the commands by get', { method: 'GET', url: '/api/v1/cmd' }],
		['a command by get with a dot', { method: 'GET', url: '/api/v1/cmd./WoCancelCommand' }],
		['a get of something else than records', { url: '/api/v1/batch/Delete?ID=5' }],
		['a get of another page of the host', { url: '/swagger/v1/swagger.json' }],
		['a get below a record', { url: `${BASE}/5/delete` }],
		['a get with another parameter', { url: BASE, qs: { ID: 5, verb: 'DELETE' } }],
		['a get with another parameter in the address', { url: `${BASE}?ID=5&action=delete` }],
		['a get with a parameter that has parts', { url: BASE, qs: { ID: { _method: 'DELETE' } } }],
		['a get with a body', { url: BASE, body: { Entity: { Id: 5 } } }],
		['a get with the text of a body', { url: BASE, body: 'Entity.Id=5' }],
		['a command by get with dots', { url: '/api/v1/query/../cmd/WoCancelCommand' }],
		[
			'a command that reads, with the type of another',
			post(READING, { body: { Command: { Order: [{ $type: 'X' }] } } }),
		],
		['a query with a type', post(QUERY, { body: { QueryExpression: { $type: 'X' } } })],
		['a query with an older type', post(QUERY, { body: { QueryExpression: { __type: 'X' } } })],
		['a query with a command', post(QUERY, { body: { Command: { WorkOrderId: 1 } } })],
		['a command that reads, with an older type', post(READING, { body: { __type: 'X' } })],
		[
			'a query whose length is given',
			post(QUERY, { headers: { 'Content-Length': '2' }, body: {} }),
		],
		['a get whose length is given', { url: BASE, headers: { 'content-length': '0' } }],
		['a query with text of no type', post(QUERY, { body: '{}' })],
		['a query with bytes', post(QUERY, { body: Buffer.from('{}') })],
		['a query with parameters of a form', post(QUERY, { body: new URLSearchParams('a=b') })],
		['a query with a list', post(QUERY, { body: [{}] })],
		[
			'a query with an object that is sent as a form',
			post(QUERY, { headers: { 'Content-Type': 'application/x-www-form-urlencoded' }, body: {} }),
		],
		['a query with XML', { ...asText('<Delete/>', 'text/xml'), url: QUERY }],
		['a query with text that is not JSON', { ...asText('Id=5'), url: QUERY }],
		['a query in front of another path', post('/api/v1/query/WorkOrder/base/WorkOrder')],
		['a query below another path', post('/x/api/v1/query/WorkOrder')],
		['a query of another version', post('/api/v2/query/WorkOrder')],
		['a query as a parameter', post(`${BASE}?/api/v1/query/WorkOrder`)],
		['a query with a hash', post(`${QUERY}#`)],
		['a query with dots', post('/api/v1/query/../base/WorkOrder')],
		['a query with encoded dots', post('/api/v1/query/%2e%2e/base/WorkOrder')],
		['a query with backslashes', post('/api/v1/query\\..\\base\\WorkOrder')],
		['a query with two slashes', post('/api/v1//query/WorkOrder')],
		['a query with a slash at the end', post(`${QUERY}/`)],
		['a query with a line break', post('/api/v1/query/Work\nOrder')],
		['a query with a tab in the parameters', { method: 'GET', url: `${BASE}?ID=5\t` }],
		['a query with a space', post(` ${QUERY}`)],
		['a query with letters that look alike', post('/api/v1/query/Wo\u0440kOrder')],
		['a query with a parameter', post(`${QUERY}?a=b`)],
		['a query of another host without a scheme', post('//evil.example/api/v1/query/WorkOrder')],
		['a query without a slash', post('api/v1/query/WorkOrder')],
		['a query below another base', post(QUERY, { baseURL: `${HOST}/api/v1/cmd/WoCancelCommand?` })],
		['a query below a base with a path', post(QUERY, { baseURL: `${HOST}/proxy` })],
		['a query with two addresses', post(QUERY, { uri: BASE })],
		['a query with an address that is no text', { method: 'POST', uri: { href: QUERY } }],
		['a query without an address', { method: 'POST', baseURL: HOST }],
		['a get with a header of unknown effect', { url: BASE, headers: { 'X-Verb': 'PUT' } }],
		['a query with a header of unknown effect', post(QUERY, { headers: { 'X-Action': 'Save' } })],
		['a get with another method as a parameter', { url: BASE, qs: { _method: 'DELETE' } }],
		['a get with another method in the address', { url: `${BASE}?_meth%6Fd=DELETE` }],
		['a get with parameters that are no object', { url: BASE, qs: '_method=DELETE' }],
		[
			'a get with headers that are no object',
			{ url: BASE, headers: new Map([['X-HTTP-Method', 'PUT']]) },
		],
	])('%s', (_, request) => expect(isRead(request)).toBe(false));
});

describe('suggestions count as a write', () => {
	it.each<[string, OutgoingRequest]>([
		['with the switch', { body: { Command: { updateRoundRobin: true } } }],
		['as a text', { body: '{"Command":{"UpdateRoundRobin":true}}' }],
		['as a form', { body: new URLSearchParams('Command.UpdateRoundRobin=true') }],
		['as a form of the older helper', { form: { UpdateRoundRobin: 'true' } }],
		['with form data', { formData: {} }],
		['as bytes', { body: Buffer.from('{}') }],
		['as text of two types', { ...TWO_TYPES, body: '{}' }],
		['with the switch in the address', { url: `${ROUTINE}?UpdateRoundRobin=true`, body: {} }],
		['with the switch as a parameter', { qs: { UpdateRoundRobin: true } }],
	])('%s', (_, more) => expect(isRead(post(ROUTINE, more))).toBe(false));

	it.each<[string, string, string?]>([
		['with the switch', '{"Command": {"updateRoundRobin" : true}}'],
		['with an escaped name', '{"Command": {"\\u0055pdateRoundRobin": true}}'],
		['that count in one of two places', '{"UpdateRoundRobin": true, "UpdateRoundRobin": false}'],
		['that is not JSON', "{'UpdateRoundRobin': true}"],
		['of a list', '[{}]'],
		['with a type', '{"Command": {"$type": "WoCancelCommand"}}'],
		['of another type', '{}', 'application/x-www-form-urlencoded'],
		['in other letters', '{}', 'application/json; charset=utf-16'],
	])('as JSON text %s', (_, body, ...type) => {
		expect(isRead(asText(body, ...type))).toBe(false);
	});
});

it.each([
	[{ method: 'put', url: `${HOST}${BASE}?token=secret` }, `PUT ${BASE}`],
	[{ uri: BASE }, `GET ${BASE}`],
	[post('/api/v1/query/%2e%2e/secret'), 'POST'],
])('errors name a request as method and path: %j', (request, line) => {
	expect(toRequestLine(request)).toBe(line);
});

describe('a body is JSON as it is sent, or a write:', () => {
	const write = { $type: 'WoCancelCommand' };
	const BODIES: Record<string, unknown> = {
		null: null,
		empty: '',
		blank: ' ',
		list: [write],
		number: 5,
		ownJson: { toJSON: () => write },
		innerJson: { Command: { toJSON: () => write } },
		deepJson: { Command: { List: [{ toJSON: () => ({ UpdateRoundRobin: true }) }] } },
		buffer: Buffer.from('{}'),
		parameters: new URLSearchParams('a=1'),
		date: new Date(0),
	};
	const TYPES: Record<string, unknown> = {
		none: undefined,
		json: 'application/json',
		list: ['application/json'],
		two: ['application/json', 'text/xml'],
		object: { toString: () => 'application/json' },
	};
	const cases = Object.keys(BODIES).flatMap((body) =>
		Object.keys(TYPES).map((type) => [body, type]),
	);

	it.each(cases)('%s as %s', (body, type) => {
		const headers = TYPES[type] === undefined ? {} : { 'Content-Type': TYPES[type] };
		const request = { headers, body: BODIES[body] } as OutgoingRequest;
		expect(isRead(post(ROUTINE, request))).toBe(false);
	});

	it.each([undefined, {}, { Command: {} }])('%j only reads, without a list of types', (body) => {
		for (const type of ['list', 'two', 'object']) {
			const headers = { 'Content-Type': TYPES[type] } as OutgoingRequest['headers'];
			expect(isRead(post(ROUTINE, { headers, body }))).toBe(false);
		}
		expect(isRead(post(ROUTINE, { body }))).toBe(true);
	});
});

/** Creates an object that becomes another text, or other JSON, after it was read `count` times. */
function createChanging<T>(count: number, first: T, second: T) {
	let left = count;
	const read = () => (left-- > 0 ? first : second);
	return { toString: read, toJSON: read };
}

describe('what is judged is what is sent:', () => {
	const counts = [0, 1, 2, 3, 4, 5];
	const readingBody = { WorkZoneId: 11 };
	const writingBody = { WorkZoneId: 11, UpdateRoundRobin: true };

	it.each(counts)('a body that changes after %i readings', (count) => {
		const change = () => createChanging(count, readingBody, writingBody);
		for (const body of [
			{ ...change() },
			{ Command: change() },
			{ Command: { List: [change()] } },
		]) {
			const request: OutgoingRequest = post(ROUTINE, { body });
			const isJudgedRead = isRead(request);
			expect([isJudgedRead, JSON.stringify(request.body)]).toEqual([
				count > 0,
				expect.stringMatching(count > 0 ? /^(?!.*UpdateRoundRobin)/ : /UpdateRoundRobin/),
			]);
		}
	});

	it.each(counts)('an address or a method that changes after %i readings', (count) => {
		const requests: OutgoingRequest[] = [
			{ method: 'GET', url: createChanging(count, BASE, '/api/v1/cmd/WoCancelCommand') },
			{ method: createChanging(count, 'GET', 'DELETE'), uri: BASE },
			{ method: 'GET', url: BASE, baseURL: createChanging(count, HOST, `${HOST}/?`) },
		];
		for (const request of requests) {
			expect(isRead(request)).toBe(count > 0);
			expect(isRead(request)).toBe(count > 0);
		}
	});

	it.each(counts)(
		'a parameter that changes after %i readings, which counts as a write',
		(count) => {
			for (const ID of [createChanging(count, '5', '6'), () => count]) {
				expect(isRead({ method: 'GET', url: BASE, qs: { ID } })).toBe(false);
			}
		},
	);
});
