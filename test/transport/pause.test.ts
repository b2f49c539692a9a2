import { performance } from 'node:perf_hooks';

import { pause } from '../../nodes/Corrigo/transport/send';

const MINUTES = 600_000;

it('a pause ends when the run is stopped, however long it is', async () => {
	const run = new AbortController();
	const waiting = pause(MINUTES, run.signal);
	run.abort();
	await waiting;
	expect(run.signal.aborted).toBe(true);
});

it('a pause does not start for a run that was stopped before', async () => {
	await pause(MINUTES, AbortSignal.abort());
});

it('a pause lasts as long as requested', async () => {
	const start = performance.now();
	await pause(20);
	expect(performance.now() - start).toBeGreaterThan(15);
});
