import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { endNpm } from '../process/shutdown';

describe('ending npm', () => {
	let folder: string;

	beforeEach(async () => {
		folder = await mkdtemp(join(tmpdir(), 'corrigo-shutdown-'));
	});

	afterEach(async () => {
		await rm(folder, { recursive: true, maxRetries: 5 });
	});

	it('ends n8n and the sandbox of `npm start`', async () => {
		const args = ['start', '--', '--data', folder];

		const ended = await endNpm(args, 'run until you press Ctrl-C', 'npm is terminated');

		// The processes are npm, the program with the sandbox, n8n, and n8n's task runner.
		expect(ended.length).toBeGreaterThanOrEqual(3);
	});

	it('ends the contenders of `npm run bench`', async () => {
		const args = ['run', 'bench', '--', '--quick', '--case', 'creates'];

		const ended = await endNpm(args, 'Create 200 work orders', 'npm is terminated');

		// The processes are npm, the benchmark and its sandbox.
		expect(ended.length).toBeGreaterThanOrEqual(3);
	});
});
