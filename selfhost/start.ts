import { join } from 'node:path';

import { startSandbox } from '../sandbox';
import { buildPackage } from './build';
import { installN8n } from './install';
import { step } from './progress';

const root = join(__dirname, '..');
const userFolder = join(__dirname, '.data');
const USUAL_PORT = 5678;

/** What was opened last is closed first. */
const opened: Array<() => Promise<void>> = [];

async function closeAll() {
	for (let close = opened.pop(); close; close = opened.pop()) await close();
}

async function start(once: boolean) {
	await installN8n();
	await buildPackage(root);
	// These need what has just been installed.
	const { importExamples, openSession, owner } = await import('./session');
	const { runExample } = await import('./run-example');

	const sandbox = await step('Starting the sandbox', async () => await startSandbox());
	opened.push(async () => await sandbox.close());
	const credentialData = sandbox.credentials;
	const session = await openSession({ root, userFolder, credentialData, port: USUAL_PORT });
	opened.push(session.n8n.stop);
	const examples = await importExamples(session, join(root, 'examples'));
	const succeeded = await runExample(session, examples);

	if (once) return succeeded;
	console.log(
		[
			'',
			`Editor    ${session.n8n.url}`,
			`Email     ${owner.email}`,
			`Password  ${owner.password}`,
			`Sandbox   ${sandbox.controlUrl}/state`,
			`Log       ${session.n8n.logFile}`,
			'',
			'Press Ctrl-C to stop.',
		].join('\n'),
	);
	await session.n8n.ended;
	return interrupted;
}

let interrupted = false;

/** A terminal sends the signal to npm as well, which passes it on: it may come more than once. */
async function interrupt() {
	if (interrupted) return;
	interrupted = true;
	await closeAll();
	process.exit();
}

process.on('SIGINT', () => void interrupt());
process.on('SIGTERM', () => void interrupt());

async function main() {
	try {
		process.exitCode = (await start(process.argv.includes('--once'))) ? 0 : 1;
	} catch (error) {
		if (!interrupted) console.error(`\n${error instanceof Error ? error.message : String(error)}`);
		process.exitCode = 1;
	} finally {
		await closeAll();
	}
}

void main();
