import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { endedByNpm } from '../process/shutdown';

// Another n8n, beside the one of the suite, starts and ends.
jest.setTimeout(300_000);

describe('the end of npm ends', () => {
	let folder: string;

	beforeEach(async () => {
		folder = await mkdtemp(join(tmpdir(), 'corrigo-ending-'));
	});

	afterEach(async () => {
		await rm(folder, { recursive: true, maxRetries: 5 });
	});

	it('n8n and the sandbox of `npm start`', async () => {
		const ended = await endedByNpm('start', ['--data', folder], 'Press Ctrl-C to stop');

		// npm, this package with its sandbox, n8n, and what n8n starts for code.
		expect(ended.length).toBeGreaterThanOrEqual(3);
	});

	it('the contenders of `npm run bench`', async () => {
		const args = ['--quick', '--case', 'picker'];

		const ended = await endedByNpm('bench', args, 'Search in a picker');

		// npm, the benchmark, and the sandbox beside.
		expect(ended.length).toBeGreaterThanOrEqual(3);
	});
});
