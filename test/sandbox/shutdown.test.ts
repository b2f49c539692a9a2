import { endNpm, type Ending } from '../../selfhost/process/shutdown';

const endings: Ending[] = ['npm is terminated', 'npm is killed', 'its terminal is closed'];

describe('all processes end', () => {
	it('of the sandbox, when npm is killed', async () => {
		const ended = await endNpm(['run', 'sandbox'], 'Stop with Ctrl+C', 'npm is killed');

		// npm and the sandbox, with or without a shell between them.
		expect(ended.length).toBeGreaterThanOrEqual(2);
	});

	it.each(endings)(
		'of a program that runs a server, as `npm start` does, when %s',
		async (ending) => {
			const program = 'exec node scripts/setup.mjs test/sandbox/serverProgram.ts';

			const ended = await endNpm(['exec', '--call', program], 'The server is up', ending);

			// npm, the program and its server.
			expect(ended.length).toBeGreaterThanOrEqual(3);
		},
	);
});
