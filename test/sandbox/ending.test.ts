import { terminateNpmScript } from '../../selfhost/process/shutdown';

it('ends with npm, as a supervisor ends it', async () => {
	const ended = await terminateNpmScript('sandbox', [], 'Stop with Ctrl+C');

	// npm and the sandbox, with or without a shell between them.
	expect(ended.length).toBeGreaterThanOrEqual(2);
});
