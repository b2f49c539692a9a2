/** `npm run live-check [file]`: what *Check Access* says of the Company in the environment, as a page. */
// The engine of n8n, as the benchmark sets it up outside of a test.
import '../bench/setup';
import { writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';

import { CorrigoApi } from '../credentials/CorrigoApi.credentials';
import { publicTokenUrl } from '../nodes/Corrigo/catalogue/regions';
import { version } from '../package.json';
import { createEngine } from '../test/engine/engine';
import type { NodeClass } from '../test/engine/nodes';
import { table } from './tables';

// By its full name: without the ending, the JSON file beside it would be found first.
const { Corrigo } = createRequire(__filename)('../nodes/Corrigo/Corrigo.node.ts') as {
	Corrigo: NodeClass;
};

function setting(name: string, otherwise?: string): string {
	const value = process.env[name] ?? otherwise;
	if (value) return value;
	throw new Error(`Set ${name} in the environment (see docs/live.md)`);
}

const locatorUrl = process.env.CORRIGO_LOCATOR_URL;

const credential = () => ({
	region: locatorUrl ? 'custom' : setting('CORRIGO_REGION'),
	locatorUrl: locatorUrl ?? '',
	companyName: setting('CORRIGO_COMPANY'),
	clientId: setting('CORRIGO_CLIENT_ID'),
	clientSecret: setting('CORRIGO_CLIENT_SECRET'),
	tokenUrl: setting('CORRIGO_TOKEN_URL', publicTokenUrl),
});

async function findings() {
	const engine = createEngine({
		nodes: { corrigo: Corrigo },
		credentialTypes: [CorrigoApi],
		credentials: { corrigoApi: { id: '1', data: credential() } },
	});
	const parameters = { resource: 'company', operation: 'checkAccess' };
	const { items, error } = await engine.run({ parameters });
	if (error) throw new Error(error.message);
	return items.map(({ json }) => json);
}

async function main(): Promise<void> {
	const found = await findings();
	const rows = found.map(({ check, status, detail, howToMend }) =>
		[check, status, detail, howToMend].map((cell) => String(cell).replace(/\|/g, '\\|')),
	);
	const page = [
		'# Live check\n',
		`n8n-nodes-corrigo ${version}, Node.js ${process.version}, ${new Date().toISOString()}\n`,
		table(['Check', 'Status', 'What was found', 'What to do'], rows),
	].join('\n');
	const [, , file] = process.argv;
	if (file) writeFileSync(file, page);
	else process.stdout.write(page);
	if (found.some(({ status }) => status === 'failed')) process.exitCode = 1;
}

main().catch((error: Error) => {
	console.error(error.message);
	process.exitCode = 2;
});
