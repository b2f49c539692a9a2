import { terminateNpmScript } from '../../selfhost/process/shutdown';

it('npm run sandbox ends all its processes on SIGTERM', async () => {
	const ended = await terminateNpmScript('sandbox', [], 'Stop with Ctrl+C');

	// npm and the sandbox, with or without a shell between them.
	expect(ended.length).toBeGreaterThanOrEqual(2);
});
