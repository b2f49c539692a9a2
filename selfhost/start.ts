import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { openDemo, root } from './demo';
import { runProgram } from './process/program';

const USUAL_PORT = 5678;

const { values: options } = parseArgs({
	options: {
		/** Ends after the example has run. */
		once: { type: 'boolean', default: false },
		/** Where n8n keeps everything. */
		data: { type: 'string', default: join(__dirname, '.data') },
	},
});

async function start() {
	const { sandbox, session } = await openDemo(options.data, USUAL_PORT);
	const { importExamples, owner } = await import('./n8n/instance');
	const { runExample } = await import('./examples');
	const examples = await importExamples(session, join(root, 'examples'));
	const succeeded = await runExample(session, examples);
	if (options.once) return succeeded;

	const { url, logFile, ended } = session.n8n;
	console.log(`
Editor    ${url}
Email     ${owner.email}
Password  ${owner.password}
Sandbox   ${sandbox.controlUrl}/state
Log       ${logFile}

Press Ctrl-C to stop.`);
	await ended;
	throw new Error(`n8n has ended on its own; its log: ${logFile}`);
}

void runProgram(start, { whenInterrupted: 0 });
