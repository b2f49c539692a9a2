/**
 * Every operation with all of its fields: what a dry run says, and what a read-only credential, Maximum
 * Items and a confirmation key let through. The list of cases is that of the recordings (test/compat).
 */
import * as fc from 'fast-check';
import type { IDataObject, INodeExecutionData, INodeParameters, OnError } from 'n8n-workflow';

import { resources } from '../../../nodes/Corrigo/actions/resources';
import { getCommand } from '../../../nodes/Corrigo/catalogue/commands';
import { getRecordTarget } from '../../../nodes/Corrigo/catalogue/targets';
import { getNoun, getRecordView, recordTypes } from '../../../nodes/Corrigo/catalogue/views';
import { summarizeFiles } from '../../../nodes/Corrigo/run/writes';
import { seed } from '../../../sandbox/seed';
import { cases as drawn } from '../../cases';
import { classes } from '../../compat/classes';
import { createRecorder } from '../../compat/recorder';
import { openCompany, toOutcome, type Company } from '../../compat/saved';
import { jsonOf, some } from '../../support/company';
import type { RunOptions } from '../../support/engine';
import { HOST_HALF, watchLog } from '../../support/host';

const recorder = createRecorder(classes, 'the operations');

// compat.test.ts says which operation has no case.
const known = recorder.completeCases(seed({ workOrders: 40 }));
const operations = resources
	.flatMap(({ value, operations: all }) =>
		all.map((operation) => ({ name: `${value}:${operation.value}`, operation })),
	)
	.filter(({ name }) => known.has(name));
const names = operations.map(({ name }) => name);
const WRITING = operations.filter(({ operation }) => !operation.reads).map(({ name }) => name);

/** The newest n8n-core shows for all operations what no version changes, the oldest for a few. */
const isShown = (name: string) => HOST_HALF === 1 || /^(customer|invoice):/.test(name);
const SHOWN = names.filter(isShown);
const SHOWN_WRITING = WRITING.filter(isShown);

let company: Company;
let cases: ReturnType<typeof recorder.completeCases>;

beforeAll(async () => {
	company = await openCompany(classes);
	cases = recorder.completeCases(company.sandbox.store);
});

afterAll(async () => {
	await company.sandbox.close();
});

const store = (data: IDataObject) =>
	company.engine.store.put('1', { ...company.engine.store.get('1'), ...data });

function getCase(name: string, options: object = {}, form: object = {}) {
	const { node, before, input } = cases.get(name) as NonNullable<ReturnType<typeof cases.get>>;
	const { advanced = {}, ...everyday } = (node.parameters.options ?? {}) as INodeParameters;
	const { advanced: more = {}, ...others } = options as INodeParameters;
	const all = {
		...everyday,
		...others,
		advanced: { ...(advanced as object), ...(more as object) },
	};
	const parameters = { ...node.parameters, ...form, options: all } as INodeParameters;
	return { node: { ...node, parameters }, before, input };
}

/** Decides by the documentation of the service, independently of the node. */
const isWrite = ({ method, path }: { method: string; path: string }) =>
	method !== 'GET' &&
	!path.includes('/query/') &&
	getCommand(path.split('/').at(-1) ?? '')?.reads !== true;

/** Runs an operation for as many items as wanted, and returns what was sent along with the run. */
async function perform(
	{ node, before, input = [{ json: {} }] }: ReturnType<typeof getCase>,
	more: RunOptions = {},
	count = 1,
) {
	company.begin(before);
	const items = Array.from({ length: count }, (): INodeExecutionData => structuredClone(input[0]));
	const result = await company.engine.run({ parameters: node.parameters, items, ...more });
	const sent = company.sandbox.requestsTo('api');
	const outcome = toOutcome(company, node, result);
	return { ...result, sent, writes: sent.filter(isWrite), outcome };
}

const performed = new Map<string, ReturnType<typeof perform>>();

/** Runs an operation once for all tests, for real or as a dry run. */
async function performOnce(name: string, dryRun: 'always' | 'never' = 'never') {
	const key = `${name} ${dryRun}`;
	const running = performed.get(key) ?? perform(getCase(name, { dryRun }));
	performed.set(key, running);
	return await running;
}

it.each(names)('%s returns something, and sends in its session', async (name) => {
	const { error, items, sent } = await performOnce(name);
	expect([error?.message, items.length > 0]).toEqual([undefined, true]);
	const { accessToken } = company.engine.store.get('1');
	for (const { headers } of sent) {
		expect(headers).toMatchObject({
			authorization: `Bearer ${String(accessToken)}`,
			companyname: 'Sandbox Facilities',
		});
	}
});

it.each(operations.filter(({ name, operation }) => isShown(name) && !operation.reads))(
	'$name writes by the address or command that its page names',
	async ({ name, operation: { command, address = command } }) => {
		const { writes } = await performOnce(name);
		const ways = writes.map(({ method, path }) =>
			path.includes('/cmd/') && address !== 'POST /cmd' ? path.split('/').at(-1) : method,
		);
		expect(ways).not.toEqual([]);
		for (const way of ways) expect(address).toContain(way);
	},
);

describe('a dry run', () => {
	const ORDER = [
		...['Outcome', 'Summary', 'Changed', 'NotRestored', 'AlreadyExisted', 'Before'],
		...['WouldChange', 'Then', 'ConfirmationKey', 'WouldSend'],
	];

	/** Only versions, and records that have no name in Corrigo, are shown by their IDs. */
	const nameless = recordTypes
		.filter((kind) => getRecordTarget(kind).ways.length === 0)
		.map((kind) => getNoun(getRecordView(kind).entity));
	const NAMED_BY_ID = new RegExp(
		`(?<!${['Concurrency', 'PM schedule', ...nameless].join('|')}) ID \\d`,
	);

	// Promise: *Dry Run* shows the exact request
	it.each(SHOWN)('of %s writes nothing, and says what would be sent', async (name) => {
		const { outcome: real } = await performOnce(name);
		const [first, ...then] = real.requests.filter(isWrite).map(({ method, path, query, body }) => ({
			WouldSend: some({
				method,
				path: query === undefined ? path : `${path}?${new URLSearchParams(query)}`,
				...(body === undefined ? {} : { body: summarizeFiles(body) }),
			}),
		}));
		const { error, items, outcome, writes } = await performOnce(name, 'always');
		expect([error, writes]).toEqual([undefined, []]);
		if (first === undefined) {
			expect(items.some(({ json }) => 'WouldSend' in json)).toBe(false);
			return;
		}
		expect(jsonOf(outcome.items)).toEqual([
			some({ ...first, ...(then.length > 0 ? { Then: then.map(some) } : {}) }),
		]);
		const [{ json, pairedItem }] = items;
		expect(pairedItem).toEqual({ item: 0 });
		expect(Object.keys(json)).toEqual(ORDER.filter((part) => part in json));
		for (const step of [json, ...((json.Then ?? []) as IDataObject[])]) {
			expect(step.Outcome).toMatch(/^would(Create|Delete|Run|Update)$/);
			expect(step.Summary).toMatch(/^Would [a-z]+ \S[^\n]{1,400}$/);
			expect(step.Summary).not.toMatch(/^Would leave /);
			expect(step.Summary).not.toMatch(/undefined|null|NaN|\[object|[a-z][A-Z]|\{/);
			expect(step.Summary).not.toMatch(NAMED_BY_ID);
		}
	});

	it('lets no write leave, whatever else is asked for', async () => {
		await fc.assert(
			fc.asyncProperty(
				fc.record({
					name: fc.constantFrom(...names),
					count: fc.integer({ min: 1, max: 3 }),
					onError: fc.constantFrom<OnError[]>('stopWorkflow', 'continueErrorOutput'),
					retryOnFail: fc.boolean(),
					faulty: fc.boolean(),
					options: fc.record(
						{
							dryRun: fc.constantFrom('always', 'manual'),
							advanced: fc.record({ parallelRequests: fc.integer({ min: 1, max: 4 }) }),
							returnRecord: fc.boolean(),
							ignoreMissing: fc.boolean(),
						},
						{ requiredKeys: ['dryRun'] },
					),
					output: fc.constantFrom('simplified', 'raw'),
				}),
				async ({ name, count, onError, retryOnFail, faulty, options, output }) => {
					company.sandbox.clearFaults();
					if (faulty)
						company.sandbox.fault({ match: { server: 'api' }, kind: 'status', status: 400 });
					const settings = { retryOnFail, maxTries: 2, waitBetweenTries: 1 };
					const more = { onError, settings };
					const { writes } = await perform(getCase(name, options, { output }), more, count);
					expect(writes).toEqual([]);
				},
			),
			{ numRuns: drawn(12, 150) },
		);
		company.sandbox.clearFaults();
	});
});

describe('a credential that is read only', () => {
	beforeEach(() => store({ access: 'readOnly' }));
	afterEach(() => store({ access: 'full' }));

	it.each(SHOWN)('lets %s read, but not write', async (name) => {
		store({ access: 'full' });
		const { outcome: real } = await performOnce(name);
		store({ access: 'readOnly' });
		const { error, outcome, writes } = await perform(getCase(name));
		if (!real.requests.some(isWrite)) {
			expect(outcome).toEqual(real);
			return;
		}
		expect(writes).toEqual([]);
		expect(error?.message).toMatch(
			/'Access' of the Corrigo credential is Read Only, but (POST|PUT|DELETE) \S+ could write$/,
		);
		expect(error?.description).toMatch(/^The request was not sent\./);
		expect(error?.context).toMatchObject({ mayHaveRun: false });
	});
});

it.each(['confirmationKey', 'dryRun', 'maxItems'])(
	'the option %s is offered by every operation that writes, and by no other',
	async (option) => {
		const offering = operations
			.filter(({ operation: { fields } }) =>
				fields.some(({ name, options = [] }) => {
					const advanced = options.find((one) => one.name === 'advanced');
					const inner = advanced && 'options' in advanced ? advanced.options : [];
					return (
						name === 'options' && [...options, ...(inner ?? [])].some((one) => one.name === option)
					);
				}),
			)
			.map(({ name }) => name);
		const sending: string[] = [];
		for (const name of names) {
			if ((await performOnce(name)).writes.length > 0) sending.push(name);
		}
		expect(new Set(offering)).toEqual(new Set([...WRITING, ...sending]));
	},
);

// Promise: With more items than *Maximum Items*
it.each(SHOWN_WRITING)(
	'%s sends nothing where more items come in than Maximum Items',
	async (name) => {
		const more = { onError: 'continueErrorOutput' } as const;
		const { errorItems, items, sent } = await perform(
			getCase(name, { advanced: { maxItems: 2 } }),
			more,
			3,
		);
		const error = "There are 3 items, but 'Maximum Items' is 2: nothing was written";
		expect(errorItems.map(({ json }) => json.error)).toEqual([error, error, error]);
		expect([items, sent]).toEqual([[], []]);
	},
);

it.each(SHOWN_WRITING)('%s writes with a confirmation key what it writes without', async (name) => {
	const say = ({ error, writes }: Awaited<ReturnType<typeof perform>>) => ({
		error: error?.message,
		written: writes.map(({ method, path, body }) => ({ method, path, body })),
	});
	const plain = say(await performOnce(name));
	const [{ json }] = (await performOnce(name, 'always')).items;
	const { ConfirmationKey: confirmationKey } = json;
	// A command that only reads has none.
	expect(plain.written.length > 0).toBe(confirmationKey !== undefined);
	if (confirmationKey === undefined) return;
	expect(say(await perform(getCase(name, { confirmationKey })))).toEqual(plain);
});

// Promise: A run that stops
describe('a run that is stopped', () => {
	/** Stops the run while its first write is under way; an operation that writes nothing has no case. */
	async function stop(name: string) {
		const { writes } = await performOnce(name);
		if (writes.length === 0) return undefined;
		const { node, before, input = [{ json: {} }] } = getCase(name);
		company.begin(before);
		const [{ method, path }] = writes;
		const match = { server: 'api', method, pathIncludes: path } as const;
		company.sandbox.fault({ match, kind: 'hang' });
		const { parameters } = node;
		const items = [0, 1].map((): INodeExecutionData => structuredClone(input[0]));
		const log = watchLog();
		const started = company.engine.start({ parameters, items, onError: 'continueRegularOutput' });
		await company.sandbox.waitFor((request) => isWrite(request) && request.path === path);
		let hasTurned = false;
		setImmediate(() => (hasTurned = true));
		started.cancel();
		const run = await started.finished;
		log.restore();
		company.sandbox.clearFaults();
		return { run, hasTurned, warnings: log.warnings };
	}

	it.each(SHOWN_WRITING)(
		'during %s ends at once, and n8n keeps and logs what it may have written',
		async (name) => {
			const stopped = await stop(name);
			if (stopped === undefined) return;
			const { run, hasTurned, warnings } = stopped;
			expect(run.status).toBe('canceled');
			expect(hasTurned).toBe(false);
			expect(run.serialized).toContain('may have been carried out');
			expect(warnings).toEqual([
				expect.stringMatching(
					`\\(${name.replace(':', ': ')}\\) was stopped\\. .*may have been carried out`,
				),
			]);
		},
	);

	it('says how many items had been carried out, and their names, wherever it is', async () => {
		const name = 'customer:update';
		const { node, before } = getCase(name);
		company.begin(before);
		const customers = company.sandbox.store.rows('Customer').slice(0, 4);
		const ids = customers.map(({ Id }) => Id);
		const parameters = {
			...node.parameters,
			id: { __rl: true, mode: 'id', value: '={{ $json.id }}' },
		};
		const items = ids.map((id) => ({ json: { id } }));
		const log = watchLog();
		const started = company.engine.start({ parameters, items });
		const [, , third] = ids;
		await company.sandbox.waitFor(
			(request) => isWrite(request) && request.rawBody.includes(String(third)),
		);
		started.cancel();
		const { serialized } = await started.finished;
		log.restore();
		const names = customers.slice(0, 2).map(({ DisplayAs }) => `"${String(DisplayAs)}"`);
		const said = `2 of 4 items had been carried out before (${names.join(', ')})`;
		expect(serialized).toContain(JSON.stringify(said).slice(1, -1));
		expect(log.warnings).toEqual([expect.stringContaining(said)]);
	});
});
