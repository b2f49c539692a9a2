import { performance } from 'node:perf_hooks';

import { pause } from '../../nodes/Corrigo/transport/pause';

const MINUTES = 600_000;

it('ends when the run is stopped, however long it was to be', async () => {
	const run = new AbortController();
	const waiting = pause(MINUTES, run.signal);
	run.abort();
	await waiting;
	expect(run.signal.aborted).toBe(true);
});

it('does not begin for a run that was stopped before', async () => {
	await pause(MINUTES, AbortSignal.abort());
});

it('takes its time otherwise', async () => {
	const start = performance.now();
	await pause(20);
	expect(performance.now() - start).toBeGreaterThan(15);
});
