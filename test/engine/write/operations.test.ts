/**
 * Every operation with all of its fields: what a dry run says, and what a read-only credential, Maximum
 * Items and a confirmation key let through. The list of cases is that of the recordings (test/compat).
 */
import * as fc from 'fast-check';
import type { IDataObject, INodeExecutionData, INodeParameters, OnError } from 'n8n-workflow';

import { resources } from '../../../nodes/Corrigo/actions/resources';
import { getCommand } from '../../../nodes/Corrigo/catalogue/commands';
import { summarizeFiles } from '../../../nodes/Corrigo/run/writes';
import { seed } from '../../../sandbox/seed';
import { cases as drawn } from '../../cases';
import { classes } from '../../compat/classes';
import { createRecorder } from '../../compat/recorder';
import { openCompany, run, type Company, type Outcome } from '../../compat/saved';
import { jsonOf, some } from '../../support/company';
import type { RunOptions } from '../../support/engine';

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

const outcomes = new Map<string, Outcome>();

/** What an operation sends and returns, carried out once for all tests. */
async function carriedOut(name: string): Promise<Outcome> {
	const outcome = outcomes.get(name) ?? (await run(company, getCase(name)));
	outcomes.set(name, outcome);
	return outcome;
}

/** Runs an operation for as many items as wanted, and returns the writes along with the run. */
async function perform(
	{ node, before, input = [{ json: {} }] }: ReturnType<typeof getCase>,
	more: RunOptions = {},
	count = 1,
) {
	company.begin(before);
	const items = Array.from({ length: count }, (): INodeExecutionData => structuredClone(input[0]));
	const result = await company.engine.run({ parameters: node.parameters, items, ...more });
	const sent = company.sandbox.requestsTo('api');
	return { ...result, sent, writes: sent.filter(isWrite) };
}

it.each(names)('%s returns something, and sends in its session', async (name) => {
	const { refused, items } = await carriedOut(name);
	expect([refused, items.length > 0]).toEqual([undefined, true]);
	const { accessToken } = company.engine.store.get('1');
	for (const { headers } of company.sandbox.requestsTo('api')) {
		expect(headers).toMatchObject({
			authorization: `Bearer ${String(accessToken)}`,
			companyname: 'Sandbox Facilities',
		});
	}
});

describe('a dry run', () => {
	const ORDER = [
		...['Outcome', 'Changed', 'NotRestored', 'AlreadyExisted', 'Before', 'Summary'],
		...['WouldChange', 'Then', 'ConfirmationKey', 'WouldSend'],
	];

	// Promise: *Dry Run* shows the exact request
	it.each(names)('of %s writes nothing, and says what would be sent', async (name) => {
		const told = (await carriedOut(name)).requests
			.filter(isWrite)
			.map(({ method, path, query, body }) => ({
				WouldSend: some({
					method,
					path: query === undefined ? path : `${path}?${new URLSearchParams(query)}`,
					...(body === undefined ? {} : { body: summarizeFiles(body) }),
				}),
			}));
		const dry = await run(company, getCase(name, { dryRun: 'always' }));
		expect(dry.refused).toBeUndefined();
		expect(dry.requests.filter(isWrite)).toEqual([]);
		if (told.length === 0) {
			expect(dry.items.some(({ json }) => 'WouldSend' in json)).toBe(false);
			return;
		}
		const [first, ...then] = told;
		expect(jsonOf(dry.items)).toEqual([
			some({ ...first, ...(then.length > 0 ? { Then: then.map(some) } : {}) }),
		]);
		const { items } = await perform(getCase(name, { dryRun: 'always' }));
		const [{ json, pairedItem }] = items;
		expect(pairedItem).toEqual({ item: 0 });
		expect(Object.keys(json)).toEqual(ORDER.filter((part) => part in json));
		for (const step of [json, ...((json.Then ?? []) as IDataObject[])]) {
			expect(step.Outcome).toMatch(/^would(Create|Delete|Run|Update)$/);
			expect(step.Summary).toMatch(/^Would [a-z]+ \S[^\n]{1,400}$/);
			expect(step.Summary).not.toMatch(/^Would leave /);
			expect(step.Summary).not.toMatch(/undefined|null|NaN|\[object|[a-z][A-Z]|\{/);
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
			{ numRuns: drawn(25, 150) },
		);
		company.sandbox.clearFaults();
	});
});

describe('a credential that is read only', () => {
	beforeEach(() => store({ access: 'readOnly' }));
	afterEach(() => store({ access: 'full' }));

	it.each(names)('lets %s read, but not write', async (name) => {
		store({ access: 'full' });
		const real = await carriedOut(name);
		store({ access: 'readOnly' });
		if (!real.requests.some(isWrite)) {
			expect(await run(company, getCase(name))).toEqual(real);
			return;
		}
		const { error, writes } = await perform(getCase(name));
		expect(writes).toEqual([]);
		expect(error?.message).toMatch(
			/'Access' of the Corrigo credential is Read Only, but (POST|PUT|DELETE) \S+ could write$/,
		);
		expect(error?.description).toMatch(/^Nothing was sent\./);
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
			if ((await carriedOut(name)).requests.some(isWrite)) sending.push(name);
		}
		expect(new Set(offering)).toEqual(new Set([...WRITING, ...sending]));
	},
);

// Promise: With more items than *Maximum Items*
it.each(WRITING)('%s sends nothing where more items come in than Maximum Items', async (name) => {
	const more = { onError: 'continueErrorOutput' } as const;
	const { errorItems, items, sent } = await perform(
		getCase(name, { advanced: { maxItems: 2 } }),
		more,
		3,
	);
	const error = "There are 3 items, but 'Maximum Items' is 2: nothing was written";
	expect(errorItems.map(({ json }) => json.error)).toEqual([error, error, error]);
	expect([items, sent]).toEqual([[], []]);
});

it.each(WRITING)('%s writes with a confirmation key what it writes without', async (name) => {
	const runOptions = async (options: object) => {
		const { items, error, writes } = await perform(getCase(name, options));
		const written = writes.map(({ method, path, body }) => ({ method, path, body }));
		return {
			keys: items.map(({ json }) => json.ConfirmationKey),
			error: error?.message,
			written,
		};
	};
	const plain = await runOptions({});
	const [key] = (await runOptions({ dryRun: 'always' })).keys;
	// A command that only reads has none.
	expect(await runOptions(key === undefined ? {} : { confirmationKey: key })).toEqual(plain);
	expect(plain.written.length > 0).toBe(key !== undefined);
});

// pageLimits.test.ts has operations that read more rows than the limit.
it('every operation writes the same with every page limit', async () => {
	const sendWrite = async (name: string, mostRows: number) => {
		company.sandbox.set({ mostRows });
		const { items, error, writes } = await perform(getCase(name, { returnBefore: true }));
		const written = writes.map(({ method, path, body }) => ({ method, path, body }));
		const said = items.map(({ json }) => [json.Outcome, json.Changed, Object.keys(json)]);
		return { name, said, error: error?.message, written };
	};
	const limits = fc.oneof(fc.constant(1), fc.integer({ min: 2, max: 60 }));
	await fc.assert(
		fc.asyncProperty(fc.constantFrom(...WRITING), limits, async (name, limit) => {
			const expected = await sendWrite(name, 4000);
			expect(await sendWrite(name, limit)).toEqual(expected);
		}),
		{ numRuns: drawn(12, 600) },
	);
	company.sandbox.set({ mostRows: 4000 });
});
