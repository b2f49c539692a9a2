import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { startDemo } from './demo';
import { importExamples, runExample } from './examples';
import { runProgram } from './process/program';

const DEFAULT_PORT = 5678;

const { values: options } = parseArgs({
	options: {
		/** Stops after the example has run. */
		once: { type: 'boolean', default: false },
		/** Folder for the data of n8n. */
		data: { type: 'string', default: join(__dirname, '.data') },
	},
});

async function start() {
	const { sandbox, instance } = await startDemo(options.data, { port: DEFAULT_PORT });
	// The module imports packages that startDemo installs.
	const { owner } = await import('./n8n/instance');
	const examples = await importExamples(instance);
	const succeeded = await runExample(instance, examples);
	if (options.once) return succeeded;

	const { url, logFile, ended } = instance.n8n;
	console.log(`
Workflows ${new URL('home/workflows', url).href} (${examples.length} examples)
Email     ${owner.email}
Password  ${owner.password}
Sandbox   ${sandbox.controlUrl}/state
Log       ${logFile}

n8n and the local Corrigo run until you press Ctrl-C. ("npm start -- --once" stops after the
first run of an example.)`);
	await ended;
	throw new Error(`n8n stopped unexpectedly. Its log: ${logFile}`);
}

void runProgram(start, { interruptedExitCode: 0 });
