/**
 * What comes from outside, by an expression, a file or a push: whatever it is, it arrives at the place
 * that is meant for it as it is, or nothing is sent and the message says why.
 */
import fc from 'fast-check';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { CorrigoWebhookTrigger } from '../../../nodes/Corrigo/CorrigoWebhookTrigger.node';
import { entities } from '../../../nodes/Corrigo/catalogue/entities';
import { actAsColleague, workOrderShape } from '../../../sandbox/desktop';
import { cases } from '../../cases';
import {
	byId,
	byName,
	errorsOf,
	idsOf,
	itemsOf,
	mappedByName,
	shareCompany,
} from '../../support/company';
import { HOST_HALF } from '../../support/host';
import { omitQuotations, type Run } from '../../support/run';
import { listen } from '../../support/webhook';

/** Five kinds of input share the cases, and so do both versions of n8n-core. */
const numRuns = cases(500, 5_000) / 5;
const seed = (kind: number) => 2 * kind + HOST_HALF;

const company = shareCompany();
const { n8n, records, requests } = company;

afterEach(() => {
	expect(Object.keys(Object.prototype)).toEqual([]);
	expect('polluted' in {}).toBe(false);
});

const INHERITED = [
	'__proto__',
	'constructor',
	'prototype',
	'toString',
	'valueOf',
	'hasOwnProperty',
];

/** Errors of JavaScript say nothing to a person. */
const INTERNAL =
	/is not a function|undefined|Cannot read|argument must be|call stack|\[object|not iterable/;

const part = fc.constantFrom(
	...['WorkOrder', 'WoNote', 'WorkZone/Create', 'x', ...INHERITED],
	...['/', '\\', '..', './', '//evil.example/', '@', '?', '#', ';', ':', '&', '=', '%2e', '%2f'],
	...[
		'%0d%0a',
		'\r\n',
		'\t',
		' ',
		'\u0000',
		'\u202e',
		'\u2028',
		'é',
		'😀',
		'．',
		'／',
		'{{',
		'$json',
	],
);
const text = fc.oneof(
	fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('')),
	fc.string(),
);
const name = fc.oneof({ arbitrary: text, weight: 2 }, fc.jsonValue());

const PLAIN = /^[A-Za-z]\w*$/;
const asText = (value: unknown) => (typeof value === 'string' ? value.trim() : '');

/** Where each value that is a plain name may go, and no other request. */
function expectOnlyPaths(
	values: unknown[],
	isName: (text: string) => boolean,
	base: string,
	others: string[] = [],
) {
	const named = values
		.map(asText)
		.filter(isName)
		.map((text) => `${base}${text}`);
	const allowed = new Set([...named, ...others].map((path) => path.toLowerCase()));
	const asked = requests.sent().map(({ path }) => path.toLowerCase());
	expect(asked.filter((path) => !allowed.has(path))).toEqual([]);
	expect(asked.length).toBeGreaterThan(0);
}

/** The messages of the failed items, each of which says something to a person. */
function readFailures(run: Run): string[] {
	const messages = errorsOf(run).map(String);
	expect(messages.filter((message) => INTERNAL.test(message))).toEqual([]);
	return messages;
}

// Promise: An expression cannot redirect a request
it.each([
	['get', 'simplified'],
	['get', 'raw'],
	['get', 'selected'],
	['getMany', 'simplified'],
])(
	'a name of an entity from an expression does not leave its place: %s, %s',
	async (verb, output) => {
		const values = [
			...fc.sample(name, { numRuns: numRuns / 4, seed: seed(1) }),
			...['WorkOrder', ...INHERITED],
		];
		const run = await n8n.run(
			`record:${verb}`,
			{
				output,
				entity: byName('={{ $json.x }}'),
				id: byId(1),
				options: { advanced: { combineItems: false } },
			},
			{ items: itemsOf(...values), onError: 'continueErrorOutput' },
		);
		const base = `/api/v1/${verb === 'get' ? 'base' : 'query'}/`;
		// Names of what a record refers to are looked up by names that the catalogue knows.
		const lookUps =
			output === 'simplified' ? entities.map((one) => `/api/v1/query/${one.name}`) : [];
		expectOnlyPaths(values, (text) => PLAIN.test(text) && !(text in {}), base, lookUps);
		const failures = readFailures(run);
		if (verb === 'get') expect(run.items.length + failures.length).toBe(values.length);
	},
);

it('a name of a command from an expression does not leave its place in the address', async () => {
	const values = fc.sample(name, { numRuns, seed: seed(2) });
	const run = await n8n.run(
		'command:execute',
		{ commandName: byName('={{ $json.x }}'), commandBody: '{}' },
		{ items: itemsOf(...values), onError: 'continueErrorOutput' },
	);
	const isCommand = (text: string) =>
		text.split('/').length <= 2 &&
		text.split('/').every((word) => PLAIN.test(word.trim()) && !(word.trim() in {}));
	expectOnlyPaths(values, isCommand, '/api/v1/cmd/');
	expect(run.items.length + readFailures(run).length).toBe(values.length);
});

/** A mark for what `JSON.stringify` would not write: digits of a number, and a name that is escaped. */
const MARK = '\u0001';
const ESCAPED_A = `${MARK}A`;
const EXACT = ['0', '-0', '1.50', '1E2', '2e-308', '9007199254740991', '-0.1', '123456789.125'];
const INEXACT = [
	'9007199254740993',
	'12300000000000000000000',
	'1e400',
	'1e-400',
	'0.10000000000000001',
];
const digits = (texts: string[]) =>
	fc.constantFrom(...texts).map((text) => `${MARK}${text}${MARK}`);

const toJsonText = (value: unknown) =>
	JSON.stringify(value)
		.replace(/"\\u0001([\d.eE+-]+)\\u0001"/g, '$1')
		.replaceAll('"\\u0001A"', '"\\u0041"');

function losesSomething(value: unknown): boolean {
	if (typeof value === 'string') return INEXACT.includes(value.replaceAll(MARK, ''));
	if (typeof value !== 'object' || value === null) return false;
	const hasBoth = Object.hasOwn(value, 'A') && Object.hasOwn(value, ESCAPED_A);
	return hasBoth || Object.values(value).some(losesSomething);
}

/** A number as its digits without zeros at the end, and the place of the point. */
function toDecimal(number: string): string {
	const [mantissa, exponent = '0'] = number.toLowerCase().split('e');
	const [whole, fraction = ''] = mantissa.split('.');
	let value = BigInt(whole + fraction);
	let power = Number(exponent) - fraction.length;
	for (; value !== 0n && value % 10n === 0n; value /= 10n) power++;
	return value === 0n ? '0' : `${value}e${power}`;
}

/** Reads JSON without ever making a number of its digits. */
const readExactly = (text: string): unknown =>
	JSON.parse(
		text.replace(/"((?:[^"\\]|\\.)*)"|-?\d[\d.eE+-]*/g, (token, string?: string) =>
			string === undefined ? `"number ${toDecimal(token)}"` : `"text ${string}"`,
		),
	);

const key = fc.oneof(
	fc.constantFrom('A', ESCAPED_A, 'Name', 'toJSON', 'then', ...INHERITED),
	fc.string(),
);
const { node: json, object } = fc.letrec<{ node: unknown; object: IDataObject }>((tie) => ({
	node: fc.oneof(
		{ maxDepth: 4 },
		fc.oneof(
			{ arbitrary: fc.oneof(fc.string(), fc.boolean(), fc.constant(null)), weight: 6 },
			{ arbitrary: digits(EXACT), weight: 6 },
			{ arbitrary: digits(INEXACT), weight: 1 },
		),
		fc.array(tie('node'), { maxLength: 3 }),
		tie('object'),
	),
	// A member named __proto__ is an own one, as JSON.parse makes it.
	object: fc
		.uniqueArray(fc.tuple(key, tie('node')), { maxLength: 4, selector: ([own]) => own })
		.map((members) => Object.fromEntries(members) as IDataObject),
}));

const toBody = (value: unknown) => ({ text: toJsonText(value), isLost: losesSomething(value) });
const bodies = fc.oneof(
	{ arbitrary: object.map(toBody), weight: 8 },
	{ arbitrary: json.map(toBody), weight: 1 },
	{ arbitrary: fc.string().map((text) => ({ text, isLost: false })), weight: 1 },
	{
		arbitrary: fc
			.tuple(fc.constantFrom('[', '{"A":'), fc.constantFrom(50, 101, 20_000))
			.map(([start, depth]) => ({
				text: start.repeat(depth) + 1 + (start === '[' ? ']' : '}').repeat(depth),
				isLost: false,
			})),
		weight: 1,
	},
);

// Promise: An expression cannot redirect a request
it('the JSON of a command arrives as it is, or is refused before anything is sent', async () => {
	const all = fc.sample(bodies, { numRuns, seed: seed(3) });
	const values = all.map(({ text }) => text);
	const run = await n8n.run(
		'command:execute',
		{ commandName: byName('WoPickUpCommand'), commandBody: '={{ $json.x }}' },
		{ items: itemsOf(...values), onError: 'continueErrorOutput' },
	);
	const refused = readFailures(run).map((message) => message.startsWith("'Body (JSON)"));
	expect(refused).toHaveLength(values.length);
	const commands = requests
		.sent()
		.map(({ rawBody }) => (readExactly(rawBody) as IDataObject)['text Command']);
	const given = values.filter((_, index) => !refused[index]);
	expect(commands).toEqual(given.map((text) => readExactly(text.trim() === '' ? '{}' : text)));
	for (const [index, { text, isLost }] of all.entries()) {
		if (isLost) expect([text, refused[index]]).toEqual([text, true]);
		if (/"(__proto__|constructor|prototype)":/.test(text)) expect(refused[index]).toBe(true);
	}
});

// Promise: An expression cannot redirect a request
describe('a number that JSON would change, or a name that comes twice, is refused in', () => {
	const lost = [
		'{"A": 9007199254740993}',
		'{"A": {"A": 1e400}}',
		'{"B": [1e-400]}',
		'{"A": 1, "A": 2}',
	];
	it.each([
		['Fields (JSON)', 'record:create', 'fieldsJson'],
		['Criteria (JSON)', 'record:getMany', 'criteriaJson'],
		['Before', 'record:restoreValues', 'before'],
		['Other Fields (JSON)', 'workOrder:create', 'otherProperties'],
	])('%s', async (field, operation, name) => {
		const input = { [name]: '={{ $json.x }}' };
		const form = { ...records.newOrder(), entity: byName('Contact'), additionalFields: input };
		const run = await n8n.run(
			operation,
			{ ...form, ...input },
			{ items: itemsOf(...lost), onError: 'continueErrorOutput' },
		);
		expect(readFailures(run).map((message) => message.replace(/^'(.*?)' has .*/, '$1'))).toEqual(
			lost.map(() => field),
		);
		expect(requests.sent()).toEqual([]);
	});
});

describe('names that others gave are quoted in the list of', () => {
	const NAME = 'Roof" (ID 7); "Lift", with PRETENSE';
	const rename = (entity: string, member: string) => {
		for (const { Id } of records.rows(entity)) records.change(entity, Id, { [member]: NAME });
	};

	it.each<[string, string, () => object]>([
		[
			'records of one name',
			'record:get',
			() => {
				for (let many = 0; many < 2; many++) records.insert('Team', { DisplayAs: NAME });
				return { entity: byName('Team'), id: byName(NAME) };
			},
		],
		[
			'similar records',
			'customer:get',
			() => {
				rename('Customer', 'DisplayAs');
				return { id: byName('PRETENSE') };
			},
		],
		[
			'records with one key',
			'contact:upsert',
			() => {
				for (let many = 0; many < 2; many++)
					records.insert('Contact', { DisplayAs: NAME, Number: 'X-1' });
				return { matchOn: 'Number', fieldsJson: { Number: 'X-1', DisplayAs: 'New' } };
			},
		],
		[
			'custom fields',
			'workOrder:update',
			() => {
				rename('CustomFieldDescriptor', 'Name');
				return {
					id: byId(records.ids('WorkOrder')[0]),
					fieldsJson: { CustomFields: { Nobody: 1 } },
				};
			},
		],
		[
			'products',
			'purchaseOrder:receive',
			() => {
				rename('Product', 'DisplayAs');
				const [{ Id }] = records.rows('ReplenishmentOrder');
				return {
					...{ id: byId(Id), received: 'chosen' },
					products: { values: [{ product: byId(99_999), quantity: 1 }] },
				};
			},
		],
		['fields of an item', 'customer:create', () => mappedByName([])],
	])('%s', async (_, operation, arrange) => {
		const { error } = await n8n.run(operation, arrange(), { items: [{ json: { [NAME]: 'x' } }] });
		const told = `${error?.message} ${error?.description}`;
		expect(told).toContain('PRETENSE');
		expect(omitQuotations(told)).not.toContain('PRETENSE');
	});
});

describe('a file', () => {
	const DATA_URL = 'data:image/png;base64,';
	const anything = fc.oneof(text, fc.constant(undefined), fc.jsonValue());
	const content = fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes));
	const file = fc.record({
		field: fc.constantFrom('data', 'photo', ...INHERITED),
		data: fc.oneof(
			{ arbitrary: content.map((bytes) => bytes.toString('base64')), weight: 3 },
			{ arbitrary: content.map((bytes) => DATA_URL + bytes.toString('base64')), weight: 1 },
			{ arbitrary: anything, weight: 1 },
		),
		fileName: anything,
		mimeType: fc.oneof(
			fc.constant('image/png'),
			text.filter((type) => type !== ''),
		),
	});
	/** Other text would arrive as other bytes. */
	const toBase64 = (data: unknown) => {
		const encoded = typeof data === 'string' ? data.replace(DATA_URL, '').replace(/\s/g, '') : '';
		return /^([\w+/-]{4})*([\w+/-]{2}==|[\w+/-]{3}=)?$/.test(encoded) ? encoded : '';
	};

	// Promise: An expression cannot redirect a request
	it('arrives whole and with a plain name, or is refused before anything is sent', async () => {
		const files = fc.sample(file, { numRuns, seed: seed(4) });
		const items = files.map(({ field, ...binary }) => ({
			json: { field },
			binary: { data: binary },
		})) as unknown as INodeExecutionData[];
		const run = await n8n.run(
			'document:upload',
			{
				actorTypeId: 'WO',
				actorId: byId(records.rows('WorkOrder')[0].Id),
				documentType: byId(3),
				binaryPropertyName: '={{ $json.field }}',
			},
			{ items, onError: 'continueErrorOutput' },
		);
		readFailures(run);
		const blobs = requests.bodies().map(({ Entity }) => Entity.Blob as IDataObject);
		const usable = files.filter(({ field, data }) => field === 'data' && toBase64(data) !== '');
		expect(idsOf(blobs, 'Body')).toEqual(
			usable.map(({ data }) => Buffer.from(toBase64(data), 'base64').toString('base64')),
		);
		for (const { FileName } of blobs) {
			expect(FileName).toMatch(/^[^\\/\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]+$/u);
			expect(FileName).not.toMatch(/^\.+$/);
		}
	});
});

describe('a push', () => {
	const member = fc.constantFrom(
		...[
			'Id',
			'EntityType',
			'EntityId',
			'WorkOrderId',
			'ActorTypeId',
			'ActorId',
			'Data',
			'WorkOrder',
		],
		...INHERITED,
	);
	const value = fc.oneof(
		fc.constantFrom<unknown>(
			'WorkOrder',
			'WoActionLogRecord',
			'note',
			50001,
			'50002',
			-1,
			...INHERITED,
		),
		json,
	);
	const hint = fc
		.array(fc.tuple(member, value), { maxLength: 4 })
		.map((members) => toJsonText(Object.fromEntries(members)));
	const any = bodies.map((body) => body.text);
	const push = fc.oneof({ arbitrary: hint, weight: 3 }, { arbitrary: any, weight: 2 });
	const type = fc.constantFrom('application/json', 'text/plain', 'application/xml', 'x');

	it('is read or refused, adds nothing to a workflow, and keeps nothing from those that follow', async () => {
		const parameters = { event: 'workOrderAction' };
		const { sandbox } = company;
		const listener = await listen({ sandbox, parameters, node: CorrigoWebhookTrigger });
		await listener.activate();
		const statuses = new Set<number>();
		for (const [body, contentType] of fc.sample(fc.tuple(push, type), { numRuns, seed: seed(5) })) {
			const { status } = await listener.push(body, { 'content-type': contentType });
			statuses.add(status);
			await listener.idle();
		}
		expect([...statuses].sort()).toEqual([200, 400, 415]);
		expect([listener.failures, listener.executions]).toEqual([[], []]);
		expect(listener.warnings.filter((line) => /[\p{Cc}\p{Bidi_Control}]/u.test(line))).toEqual([]);
		for (const { path } of requests.sent()) expect(path).toMatch(/^\/api\/v1\/query\/Wo/);

		const change = actAsColleague(sandbox.world, workOrderShape.parse({}));
		await listener.push({ WorkOrderId: change.Id });
		await listener.idle();
		expect(listener.items()).toHaveLength(1);
		await listener.close();
	});
});
