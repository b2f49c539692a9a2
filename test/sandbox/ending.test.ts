import { endedByNpm } from '../../selfhost/ending';

// npm, which starts a Node.js of its own, takes its time on a busy machine.
jest.setTimeout(120_000);

it('ends with npm, as a supervisor ends it', async () => {
	const ended = await endedByNpm('sandbox', [], 'Stop with Ctrl+C');

	// npm and the sandbox, with or without a shell between them.
	expect(ended.length).toBeGreaterThanOrEqual(2);
});
