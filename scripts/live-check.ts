/** `npm run live-check [file]` runs *Check Access* on the Company in the environment, and writes the results as Markdown. */
// The setup of the benchmark makes the n8n engine run outside of a test.
import '../bench/setup';
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import { CorrigoApi } from '../credentials/CorrigoApi.credentials';
import { DEFAULT_TOKEN_URL } from '../nodes/Corrigo/catalogue/regions';
import { version } from '../package.json';
import type * as CorrigoNode from '../nodes/Corrigo/Corrigo.node';
import { table } from './tables';

function requiredVariable(name: string, defaultValue?: string): string {
	const value = process.env[name] ?? defaultValue;
	if (value) return value;
	throw new Error(`Set ${name} in the environment (see docs/live.md)`);
}

const locatorUrl = process.env.CORRIGO_LOCATOR_URL;

const credential = () => ({
	region: locatorUrl ? 'custom' : requiredVariable('CORRIGO_REGION'),
	locatorUrl: locatorUrl ?? '',
	companyName: requiredVariable('CORRIGO_COMPANY'),
	clientId: requiredVariable('CORRIGO_CLIENT_ID'),
	clientSecret: requiredVariable('CORRIGO_CLIENT_SECRET'),
	tokenUrl: requiredVariable('CORRIGO_TOKEN_URL', DEFAULT_TOKEN_URL),
	access: 'readOnly',
});

async function runChecks() {
	const data = credential();
	// n8n takes seconds to load, which a missing variable must not wait for.
	const { createEngine } = await import('../test/engine/engine');
	// Without the extension, the JSON file of the same name would be found first.
	const { Corrigo } = createRequire(__filename)(
		'../nodes/Corrigo/Corrigo.node.ts',
	) as typeof CorrigoNode;
	const engine = createEngine({
		nodes: { corrigo: Corrigo },
		credentialTypes: [CorrigoApi],
		credentials: { corrigoApi: { id: '1', data } },
	});
	const parameters = { resource: 'company', operation: 'checkAccess' };
	const { items, error } = await engine.run({ parameters });
	if (error) throw new Error(error.message);
	return items.map(({ json }) => json);
}

async function main(): Promise<void> {
	const results = await runChecks();
	const rows = results.map(({ check, status, detail, howToFix }) =>
		[check, status, detail, howToFix].map((cell) => String(cell).replace(/\|/g, '\\|')),
	);
	const report = [
		'# Live check\n',
		`n8n-nodes-corrigo ${version}, Node.js ${process.version}, ${new Date().toISOString()}\n`,
		table(['Check', 'Status', 'What was found', 'What to do'], rows),
	].join('\n');
	const [, , file] = process.argv;
	if (file) writeFileSync(file, report);
	else process.stdout.write(report);
	if (results.some(({ status }) => status === 'failed')) process.exitCode = 1;
}

main().catch((error: Error) => {
	console.error(error.message);
	process.exitCode = 2;
});
