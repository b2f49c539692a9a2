import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startSandbox, type Sandbox } from '../../sandbox';

const root = join(__dirname, '..', '..');
const folder = mkdtempSync(join(tmpdir(), 'live-check-'));
let sandbox: Sandbox;

beforeAll(async () => {
	sandbox = await startSandbox({ workOrders: 30, unreadable: ['WoActionReasonLookup'] });
});

afterAll(async () => {
	rmSync(folder, { recursive: true });
	await sandbox.close();
});

interface ProcessResult {
	code: number;
	stdout: string;
	stderr: string;
}

async function liveCheck(
	changes: NodeJS.ProcessEnv = {},
	...args: string[]
): Promise<ProcessResult> {
	const { locatorUrl, tokenUrl, companyName, clientId, clientSecret } = sandbox.credentials;
	const env = {
		PATH: process.env.PATH,
		CORRIGO_LOCATOR_URL: locatorUrl,
		CORRIGO_TOKEN_URL: tokenUrl,
		CORRIGO_COMPANY: companyName,
		CORRIGO_CLIENT_ID: clientId,
		CORRIGO_CLIENT_SECRET: clientSecret,
		...changes,
	};
	const script = ['--import', 'tsx', 'scripts/live-check.ts', ...args];
	return await new Promise((resolve) => {
		const child = execFile(process.execPath, script, { cwd: root, env }, (_, stdout, stderr) =>
			resolve({ code: child.exitCode ?? -1, stdout, stderr }),
		);
	});
}

const WARNING =
	/^\| Read WoActionReasonLookup \| warning \| Refused \(.*\) \| Give the role .* \|$/m;

it('the live check writes its report to a file', async () => {
	const file = join(folder, 'report.md');
	const { code, stdout, stderr } = await liveCheck({}, file);
	expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: '', stderr: '' });
	const page = readFileSync(file, 'utf8');
	expect(page).toMatch(/^# Live check\n/);
	expect(page).toMatch(/^\| Token \| ok \| /m);
	expect(page).toMatch(WARNING);
	expect(page).not.toContain(sandbox.credentials.companyName);
});

it('the live check prints its report, and fails if one of its checks fails', async () => {
	const { code, stdout } = await liveCheck({ CORRIGO_CLIENT_SECRET: 'wrong' });
	expect(code).toBe(1);
	expect(stdout).toMatch(/^# Live check\n/);
	expect(stdout).toMatch(/^\| Token \| failed \| Corrigo did not accept the credentials/m);
});

it('the live check names a missing environment variable', async () => {
	const { code, stderr, stdout } = await liveCheck({ CORRIGO_COMPANY: '' });
	expect([code, stdout]).toEqual([2, '']);
	expect(stderr).toContain('Set CORRIGO_COMPANY in the environment');
});
