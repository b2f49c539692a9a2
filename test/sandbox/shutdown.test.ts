import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { endNpm, type Ending } from '../../selfhost/process/shutdown';

const folder = mkdtempSync(join(tmpdir(), 'shutdown-'));
const root = join(__dirname, '..', '..');
const serve = `cd '${root}' && exec node scripts/setup.mjs test/sandbox/serverProgram.ts`;
writeFileSync(join(folder, 'package.json'), JSON.stringify({ scripts: { serve } }));

afterAll(() => rmSync(folder, { recursive: true }));

// npm and the sandbox, with or without a shell between them.
const sandbox = { args: ['run', 'sandbox'], readyLine: 'Stop with Ctrl+C', processes: 2 };
// npm, the program and its server.
const program = {
	args: ['run', '--prefix', folder, 'serve'],
	readyLine: 'The server is up',
	processes: 3,
};

it.each<[string, Ending, typeof sandbox]>([
	['the sandbox', 'npm is killed', sandbox],
	['a program that runs a server, as `npm start` does,', 'npm is terminated', program],
	['a program that runs a server, as `npm start` does,', 'its terminal is closed', program],
])('all processes of %s end when %s', async (_, ending, { args, readyLine, processes }) => {
	const ended = await endNpm(args, readyLine, ending);
	expect(ended.length).toBeGreaterThanOrEqual(processes);
});
