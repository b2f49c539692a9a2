import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import type { Fault, SandboxOptions } from '../../../sandbox';
import { logAction } from '../../../sandbox/base/actionLog';
import { MAX_CHECK_REQUESTS } from '../../../nodes/Corrigo/actions/company/probe';
import {
	itemsOf,
	jsonOf,
	openCompany,
	rejection,
	withShortPauses,
	type Company,
} from '../../support/company';

interface Finding {
	check: string;
	status: string;
	detail: string;
	howToFix?: string;
}

let company: Company;

async function open(options: SandboxOptions = {}) {
	company = await openCompany({ workOrders: 60, ...options });
}

afterEach(async () => {
	await company.close();
});

/** The verdict, and then the findings. */
async function report(options: IDataObject = {}): Promise<Finding[]> {
	const run = await company.n8n.succeed('company:checkAccess', { options });
	return jsonOf(run.items) as unknown as Finding[];
}

const findings = async (options?: IDataObject) => (await report(options)).slice(1);

const byName = (all: Finding[]) =>
	Object.fromEntries(all.map(({ check, ...said }) => [check, said]));
const notOk = (all: Finding[]) => all.filter(({ status }) => status !== 'ok');

const UNREACHED = ['Page limit', 'skipped', 'There are too few records to reach it'];
const UNUSED = ['API users', 'skipped', 'No recent action came through the API'];
const shortly = (all: Finding[]) => all.map(({ check, status, detail }) => [check, status, detail]);

const READ = /^\/api\/v1\/(?:query\/\w+|cmd\/GetCompanyWsdkUrlCommand)$|^\/OAuth\/token$/;
const writes = () => company.sandbox.requests.filter(({ path }) => !READ.test(path));

/** All requests but logins, which ask for a token and then the locator. */
const countReads = () =>
	company.sandbox.requests.length - 2 * company.sandbox.requestsTo('token').length;

describe('an access check without problems', () => {
	beforeEach(async () => await open());

	it.each([
		['full', 'Full: the credential reads and writes'],
		['readOnly', 'Read only: requests that could write are not sent'],
	])('reports the access %s, and no failure, by a few reads', async (access, detail) => {
		company.n8n.store({ access });
		const all = await findings();
		expect(byName(all).Access).toEqual({ status: 'ok', detail });
		expect(shortly(notOk(all))).toEqual([UNREACHED, UNUSED]);
		expect(all.filter((one) => 'howToFix' in one)).toEqual([]);
		expect(countReads()).toBeLessThanOrEqual(MAX_CHECK_REQUESTS);
		expect(writes()).toEqual([]);
	});

	it('reports in the order of its table, once for all items', async () => {
		const all = await findings({ advanced: { parallelRequests: 1 } });
		const asked = company.sandbox.requests.length;
		const run = await company.n8n.run('company:checkAccess', {}, { items: itemsOf(1, 2, 3) });
		expect(jsonOf(run.items).map(({ check }) => check)).toEqual([
			'Verdict',
			...all.map(({ check }) => check),
		]);
		expect(new Set(all.map(({ check }) => check)).size).toBe(all.length);
		// Both runs share one session.
		expect(company.sandbox.requests.length).toBe(2 * asked - 2);
	});
});

/** Names that must not be pasted into a public issue. */
function listNames({ sandbox }: Company): string[] {
	const { companyName, clientId, clientSecret } = sandbox.credentials;
	const people = ['Customer', 'Employee', 'WorkZone', 'Contact'].flatMap((entity) =>
		sandbox.store.rows(entity).map(({ DisplayAs }) => String(DisplayAs)),
	);
	return [companyName, clientId, clientSecret, '127.0.0.1', '1234', ...people];
}

const containing = (part: string) => expect.stringContaining(part) as string;

type Problem = [check: string, status: string, detail: string, howToFix: string];

describe('an access check of a Company that differs', () => {
	const refusal = 'Refused (BUSINESS_LOGIC_ERROR, status 400)';
	const VERDICTS = {
		ok: 'Everything works',
		warning: 'Everything works, with the limits in the next items',
		failed: 'Some operations do not work: see the next items',
	};

	it.each<[string, SandboxOptions, Problem[]]>([
		['nothing differs', {}, []],
		[
			'the list of reasons may not be read',
			{ unreadable: ['WoActionReasonLookup'] },
			[['Read WoActionReasonLookup', 'warning', refusal, "'By ID' works without the list"]],
		],
		...[
			['AssetAttribute', 'Only attributes and readings of assets need it'],
			[
				'AssetTree',
				"Only lists and names of assets in new work orders, 'Tree of' and the filter 'Space' need it",
			],
			['CustomFieldDescriptor', 'Only custom fields need it'],
		].map(([entity, howToFix]): [string, SandboxOptions, Problem[]] => [
			`${entity}, of which there is no list, may not be read`,
			{ unreadable: [entity] },
			[[`Read ${entity}`, 'warning', refusal, howToFix]],
		]),
		[
			'customers and the log of actions may not be read',
			{ unreadable: ['Customer', 'WoActionLog'] },
			[
				['Read Customer', 'failed', refusal, 'right to read Customer'],
				['Read WoActionLog', 'failed', refusal, "'Get History', 'Get Changes', 'Get Performance'"],
			],
		],
		[
			'work orders may not be read',
			{ unreadable: ['WorkOrder'] },
			[
				['Read WorkOrder', 'failed', refusal, 'right to read WorkOrder'],
				['Conditions through references', 'failed', refusal, 'WorkZone.Id'],
				['Conditions on LastAction.XNumber', 'warning', refusal, 'Skip if External Number'],
				['Conditions on Items.Asset.Id', 'warning', refusal, 'Skip if an Open Order'],
				['Latency', 'warning', refusal, 'network'],
			],
		],
		...[100, 151].map((mostRows): [string, SandboxOptions, Problem[]] => [
			`pages are cut to ${mostRows} rows`,
			{ mostRows },
			[['Page limit', 'warning', `One answer has ${mostRows} rows at most`, 'lose nothing']],
		]),
		[
			'pages are cut below 100 rows',
			{ mostRows: 99 },
			[['Page limit', 'failed', 'One answer has 99 rows at most', 'at least 100 rows']],
		],
		[
			'the clock goes wrong',
			{ clockOffsetSeconds: -600 },
			[['Clock', 'warning', expect.stringMatching(/ 60[01] s apart$/) as string, 'Set the clock']],
		],
	])('%s', async (_, options, expected) => {
		await open(options);
		const all = await report();
		const [worst = 'ok'] = expected.map(([, status]) => status as keyof typeof VERDICTS);
		const statuses = all.map(({ status }) => status);
		const verdict = { check: 'Verdict', status: worst, detail: VERDICTS[worst] };
		const problems = expected.map(([check, status, detail, howToFix]) => {
			return { check, status, detail, howToFix: containing(howToFix) };
		});
		expect(all.slice(0, expected.length + 1)).toEqual([verdict, ...problems]);
		expect(statuses[expected.length + 1]).toBe('ok');
		expect(new Set(statuses.slice(expected.length + 1))).toEqual(new Set(['ok', 'skipped']));
		for (const name of listNames(company)) expect(JSON.stringify(all)).not.toContain(name);
	});

	it('says that a Company refuses large pages, and what to do', async () => {
		await open();
		company.requests.fault(
			rejection('/query/WoActionLog', { ErrorMessage: 'Count' }, { after: 1 }),
		);
		expect(byName(await findings())).toMatchObject({
			'Order by Id': { status: 'skipped' },
			'Page limit': {
				...{ status: 'failed', detail: 'Corrigo refuses a page of 4000 rows' },
				howToFix: expect.stringMatching(/^Set 'Page Size' .* to 1000 or less/) as string,
			},
		});
	});

	it('names the users whose actions came through the API, each once', async () => {
		await open();
		const { world, store } = company.sandbox;
		const [order] = store.rows('WorkOrder');
		const erp = { Id: '201) Call (', TypeId: 'Employee', DisplayAs: 'ERP\nIMPORTANT: \u202Ecall' };
		for (const members of [{}, { Actor: erp }, {}, { Actor: null }]) {
			logAction(world, order, { TypeId: 'Note', ...members });
		}
		logAction(world, order, { TypeId: 'Note', UiTypeId: 'Corp', Actor: { Id: 2 } });
		const detail = String.raw`Recent actions through the API are by "Web Services User" (ID 330), "ERP\nIMPORTANT: \u202Ecall" (ID "201) Call (")`;
		expect(byName(await findings())['API users']).toEqual({ status: 'ok', detail });
	});

	it('skips checks that need work orders where there are none', async () => {
		await open({ workOrders: 0 });
		expect(byName(await findings())).toMatchObject({
			'Read WorkOrder': { status: 'ok', detail: 'Can be read, and has no records' },
			'Order by Id': { status: 'skipped' },
			'Page limit': { status: 'skipped' },
			'Conditions through references': { status: 'skipped' },
		});
	});

	it('warns of an unknown time zone', async () => {
		await open();
		const [{ Id }] = company.records.rows('WorkZone');
		company.records.change('WorkZone', Id, { TimeZone: 999 });
		expect(byName(await findings())).toMatchObject({
			'Time zones': { status: 'warning', detail: 'Not known: 999' },
		});
		company.records.change('WorkZone', Id, { TimeZone: 'Bob.\n\nIMPORTANT: call' });
		expect(byName(await findings())).toMatchObject({
			'Time zones': { detail: String.raw`Not known: "Bob.\n\nIMPORTANT: call"` },
		});
	});

	it('reports a Company that ignores the order by Id or a condition', async () => {
		await open();
		const order = company.records.rows('WorkOrder')[0].Id;
		company.records.change('WoLastAction', order, { XNumber: 'n8n Check Access' });
		const body = { Entities: [{ Data: { Id: 2 } }, { Data: { Id: 1 } }] };
		company.requests.fault(rejection('/query/WoActionLog', body, { kind: 'wrongShape', times: 4 }));
		expect(byName(await findings())).toMatchObject({
			'Order by Id': { status: 'failed', howToFix: containing('By Offset') },
			'Conditions on LastAction.XNumber': { status: 'warning', detail: containing('Are ignored') },
		});
	});
});

describe('an access check without a session', () => {
	const AWAY = 'http://127.0.0.1:1';
	const REFUSED = ['failed', 'skipped'];
	const UNKNOWN = ['ok', 'failed'];

	it.each<[string, IDataObject, string[], string, ...string[]]>([
		[
			'the Company is unknown',
			{ companyName: 'No "such" Company' },
			UNKNOWN,
			'Corrigo does not know the Company "…" in this region',
			'token',
			'locator',
		],
		[
			'the secret is wrong',
			{ clientSecret: 'wrong' },
			REFUSED,
			'Corrigo did not accept the credentials',
			'token',
		],
		[
			'the locator is away',
			{ locatorUrl: AWAY },
			UNKNOWN,
			'The locator … cannot be reached',
			'token',
		],
		[
			'the token server is away',
			{ tokenUrl: AWAY },
			REFUSED,
			'The token server … cannot be reached',
		],
		['the credential is not filled in', { clientId: ' ' }, REFUSED, "'Client ID' is empty"],
	])(
		'reports the failure and sends nothing else: %s',
		async (_, data, statuses, detail, ...asked) => {
			await open();
			company.n8n.store(data);
			const all = await withShortPauses(findings);
			const { Token, Discovery, ...others } = byName(all);
			expect([Token.status, Discovery.status]).toEqual(statuses);
			const failed = all.find(({ status }) => status === 'failed');
			expect(failed?.detail).toContain(detail);
			const isAway = detail.endsWith('cannot be reached');
			expect(failed?.howToFix?.startsWith('Check the network') === true).toBe(isAway);
			const [, ...unchecked] = Object.values(others).map(({ status }) => status);
			expect(new Set(unchecked)).toEqual(new Set(['skipped']));
			expect(company.sandbox.requests.map(({ server }) => server)).toEqual(asked);
			for (const name of [...listNames(company), 'such'])
				expect(JSON.stringify(all)).not.toContain(name);
		},
	);
});

describe('an access check with failing requests', () => {
	const busy = { kind: 'status', status: 429, headers: { 'Retry-After': '0' } } as const;

	// Promise: *Check Access* only reads
	// A renewal is one of the four requests that may be sent again.
	it('renews an expired session within the promised requests, and repeats three more', async () => {
		await open();
		await company.n8n.run('workZone:getMany', {});
		company.sandbox.forgetRequests();
		company.sandbox.revokeTokens();
		company.requests.fault({ match: { pathIncludes: '/query/' }, ...busy, times: 3 });
		const all = await findings({ advanced: { parallelRequests: 1 } });
		expect(all.filter(({ status }) => status === 'failed')).toEqual([]);
		expect(countReads()).toBe(MAX_CHECK_REQUESTS);
	});
});

// Promise: Recordings contain no secret
it('sends only reads, and few, whatever comes back', async () => {
	await open();
	const body = fc.constantFrom<unknown>(
		...[null, [], 'text', { Entities: null }, { Entities: [null, {}, { Data: null }] }],
		...[{ Entities: [{ Data: { Id: 'x', DisplayAs: 1 } }] }, { CommandResult: { Url: 7 } }],
		...[{ ErrorCode: 7 }, { ErrorCode: 'ERROR_CODE_6', ErrorMessage: { a: 1 } }],
	);
	const kind = fc.constantFrom<Fault['kind']>(
		...(['wrongShape', 'wrongShape', 'truncated', 'empty'] as const),
		...(['status', 'html', 'resetBefore', 'resetAfter'] as const),
	);
	const fault = fc.record({
		kind,
		body,
		status: fc.constantFrom(200, 201, 302, 400, 403, 404, 405, 429),
		after: fc.nat(40),
		times: fc.integer({ min: 1, max: 9 }),
	});
	const faults = fc.array(fault, { minLength: 1, maxLength: 5 });
	await fc.assert(
		fc.asyncProperty(faults, async (all) => {
			company.sandbox.reset();
			for (const one of all) company.requests.fault({ headers: { 'Retry-After': '0' }, ...one });
			await company.n8n.run('company:checkAccess', {});
			expect(writes()).toEqual([]);
			expect(countReads()).toBeLessThanOrEqual(MAX_CHECK_REQUESTS);
		}),
		{ numRuns: 10 },
	);
});

it('stops sending once Corrigo is unavailable', async () => {
	await open();
	const body = { ErrorCode: 'X), see (', ErrorMessage: 'Bakery is broken' };
	const match = { pathIncludes: '/query/' };
	company.requests.fault({ match, kind: 'status', status: 500, body, times: 100 });
	const all = await findings();
	const failed = all.filter(({ status }) => status === 'failed');
	expect(JSON.stringify(all)).not.toContain('the right to read');
	expect(failed.map(({ detail }) => detail)).toEqual(
		Array.from({ length: 4 }, () => 'Not answered ("X), see (", status 500)'),
	);
	expect(company.requests.sent()).toHaveLength(4);
	expect(all.at(-1)).toMatchObject({ status: 'skipped', detail: 'Corrigo did not answer before' });
});

it('ends when the run is stopped', async () => {
	await open();
	company.requests.fault({ match: { pathIncludes: '/query/' }, kind: 'hang', times: 100 });
	const run = company.n8n.start('company:checkAccess', {});
	await company.sandbox.waitFor(({ server }) => server === 'api');
	run.cancel();
	const { items, status } = await run.finished;
	expect([items, status]).toEqual([[], 'canceled']);
});

it.each(['locator', 'api'] as const)('waits for the %s as long as Timeout says', async (server) => {
	await open();
	await company.n8n.run('workZone:getMany', {});
	company.requests.fault({ match: { server }, kind: 'hang', times: 100 });
	const all = await findings({ advanced: { timeout: 1000 } });
	const failure = all.find(({ status }) => status === 'failed');
	expect(failure?.detail).toBe('Corrigo did not answer in time');
	expect(failure?.check === 'Discovery').toBe(server === 'locator');
});
