import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { startSandbox, type Sandbox } from '../../sandbox';
import { checkCompany } from '../../scripts/live/check';
import { readRecording } from '../../scripts/live/recording';

const root = join(__dirname, '..', '..');
const folder = mkdtempSync(join(tmpdir(), 'live-check-'));
let sandbox: Sandbox;

// A session of one test would be taken up by the next one.
beforeEach(async () => {
	sandbox = await startSandbox({ workOrders: 30, unreadable: ['WoActionReasonLookup'] });
});

afterEach(async () => await sandbox.close());

afterAll(() => rmSync(folder, { recursive: true }));

const environment = (changes: NodeJS.ProcessEnv = {}) => {
	const { locatorUrl, tokenUrl, companyName, clientId, clientSecret } = sandbox.credentials;
	return {
		CORRIGO_LOCATOR_URL: locatorUrl,
		CORRIGO_TOKEN_URL: tokenUrl,
		CORRIGO_COMPANY: companyName,
		CORRIGO_CLIENT_ID: clientId,
		CORRIGO_CLIENT_SECRET: clientSecret,
		...changes,
	};
};

/** The program without a process of its own. */
async function liveCheck(changes: NodeJS.ProcessEnv = {}, ...args: string[]) {
	const printed: string[] = [];
	const passed = await checkCompany(args, environment(changes), (text) => printed.push(text));
	return { passed, report: printed.join('') };
}

it('the live check writes its report to a file', async () => {
	const file = join(folder, 'report.md');
	expect(await liveCheck({}, file)).toEqual({ passed: true, report: '' });
	const page = readFileSync(file, 'utf8');
	expect(page).toMatch(/^# Live check\n/);
	expect(page).toMatch(/^\| Token \| ok \| /m);
	expect(page).toMatch(
		/^\| Read WoActionReasonLookup \| warning \| Refused \(.*\) \| Give the role .* \|$/m,
	);
	expect(page).not.toMatch(/undefined/);
	expect(page).not.toContain(sandbox.credentials.companyName);
});

it('the live check prints its report, and fails if one of its checks fails', async () => {
	const env = { PATH: process.env.PATH, ...environment({ CORRIGO_CLIENT_SECRET: 'wrong' }) };
	const script = ['--import', 'tsx', 'scripts/live-check.ts'];
	const child = spawn(process.execPath, script, { cwd: root, env });
	const ended = once(child, 'exit');
	const report = await text(child.stdout);
	expect([await text(child.stderr), await ended]).toEqual(['', [1, null]]);
	expect(report).toMatch(/^# Live check\n/);
	expect(report).toMatch(/^\| Token \| failed \| Corrigo did not accept the credentials/m);
});

it('the live check names a missing environment variable', async () => {
	await expect(liveCheck({ CORRIGO_COMPANY: '' })).rejects.toThrow(
		'Set CORRIGO_COMPANY in the environment',
	);
});

it.each([
	['--recording', 'folder'],
	['--record'],
	['--record', ''],
	['one.md', 'two.md'],
	['--record=folder', '--force'],
	['--record=folder', '--write-test', 'CHL1'],
])(
	'the live check refuses arguments that it does not know, and sends nothing: %j',
	async (...args) => {
		await expect(liveCheck({}, ...args)).rejects.toThrow(
			/--(?:recording|record|force|write-test)|one file/,
		);
		expect(sandbox.requests).toEqual([]);
		expect(existsSync(join(root, '--recording'))).toBe(false);
	},
);

/** Texts of the data, which no recording may contain. */
function textsOf({ store, credentials, world }: Sandbox): string[] {
	const { companyName, clientId, clientSecret } = credentials;
	const texts = ['Customer', 'Employee', 'WorkZone', 'Contact', 'WorkOrder', 'WoNote', 'Location']
		.flatMap((entity) => store.rows(entity))
		.flatMap(({ DisplayAs, Name, Number: number, Body }) => [DisplayAs, Name, number, Body])
		.filter((text): text is string => typeof text === 'string' && text.length > 5);
	return [companyName, clientId, clientSecret, world.urls.api, '127.0.0.1', ...texts];
}

const READ = /^\/api\/v1\/(?:query\/\w+|cmd\/GetCompanyWsdkUrlCommand)$|^\/OAuth\/token$/;
const writes = () => sandbox.requests.filter(({ path }) => !READ.test(path));

// Promise: Recordings contain no secret
it('a recording has every exchange without data of the Company, answers open questions, and is written at its end', async () => {
	const recorded = join(folder, 'recording');
	const recording = liveCheck({}, '--record', recorded);
	await sandbox.waitFor(({ path }) => path.endsWith('WoActionLogProp'));
	expect(existsSync(recorded)).toBe(false);
	const { passed, report } = await recording;
	expect(passed).toBe(true);
	expect(report).toMatch(/^\| How many rows has an answer with Count 4001\? \| \d+ rows \|$/m);
	expect(report).toMatch(/^\| Does Equal ignore case\? \| yes \|$/m);
	expect(readdirSync(recorded).sort()).toEqual(['exchanges.json', 'kept.md']);

	const exchanges = readRecording(recorded);
	const pathOf = (url: string) => new URL(url).pathname;
	expect(exchanges.map(({ method, url }) => `${method} ${pathOf(url)}`).sort()).toEqual(
		sandbox.requests.map(({ method, path }) => `${method} ${path}`).sort(),
	);
	expect(writes()).toEqual([]);
	const files = ['exchanges.json', 'kept.md'].map((name) =>
		readFileSync(join(recorded, name), 'utf8'),
	);
	expect(textsOf(sandbox).filter((text) => files.join('').includes(text))).toEqual([]);
	expect(files[1]).toContain('`WoActionReasonLookup`');

	sandbox.forgetRequests();
	await expect(liveCheck({}, '--record', recorded)).rejects.toThrow('has a recording already');
	expect(sandbox.requests).toEqual([]);
});
