import { join } from 'node:path';

import { openDemo, root } from './demo';
import { closeAll } from './opened';

const userFolder = join(__dirname, '.data');
const USUAL_PORT = 5678;

let interrupted = false;

async function start(once: boolean) {
	const { sandbox, session } = await openDemo(userFolder, USUAL_PORT);
	const { importExamples, owner } = await import('./session');
	const { runExample } = await import('./run-example');
	const examples = await importExamples(session, join(root, 'examples'));
	const succeeded = await runExample(session, examples);
	if (once) return succeeded;

	const { url, logFile, ended } = session.n8n;
	console.log(`
Editor    ${url}
Email     ${owner.email}
Password  ${owner.password}
Sandbox   ${sandbox.controlUrl}/state
Log       ${logFile}

Press Ctrl-C to stop.`);
	await ended;
	if (!interrupted) throw new Error(`n8n has ended on its own; its log: ${logFile}`);
	return true;
}

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
		if (interrupted) return;
		console.error(`\n${error instanceof Error ? error.message : String(error)}`);
		process.exitCode = 1;
	}
	await closeAll();
}

void main();
