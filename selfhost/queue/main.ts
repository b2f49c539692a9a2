import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { step } from '../console/progress';
import { table } from '../console/table';
import { cleanUp, cleanups, runProgram } from '../process/program';
import { endNpm } from '../process/shutdown';
import { checks, MAX_TOKENS, pushChecks, testRunChecks } from './checks';
import { runPushes, type PushReport } from './pushes';
import { runLoad, setUp, WORKERS, type LoadReport } from './run';
import { runTestRun } from './testRun';

const formatCounts = (counts: Record<string, number>) =>
	Object.entries(counts)
		.map(([name, count]) => `${count} ${name}`)
		.join(', ');

function loadFigures(report: LoadReport) {
	const { responses, seconds, executions, finished, tokens, discoveries } = report;
	const { creates, refusals, memory } = report;
	const [main, ...workers] = memory.map((mb) => `${mb} MB`);
	return [
		['Executions', `${formatCounts(executions)} in ${seconds.toFixed(1)} s`],
		['Executions per second', (responses.length / seconds).toFixed(1)],
		['Executions per worker', finished.join(', ')],
		['Creates', `${creates}, refused: ${formatCounts(refusals) || 'none'}`],
		['Tokens', `${tokens}, allowed ${MAX_TOKENS}`],
		['Discoveries', String(discoveries)],
		['Peak memory', main ? `n8n ${main}, workers ${workers.join(', ')}` : 'known on Linux only'],
	];
}

function pushFigures({ responses, requests, executions }: PushReport) {
	const times = responses.map(({ milliseconds }) => milliseconds).sort((a, b) => a - b);
	const [median, slowest] = [times[Math.floor(times.length / 2)], times[times.length - 1]];
	return [
		['Pushes', String(responses.length)],
		['Response time', `${median.toFixed(0)} ms, at most ${slowest.toFixed(0)} ms`],
		['Requests to Corrigo', String(requests)],
		['Executions', formatCounts(executions)],
	];
}

/** Prints the result of each check and returns the number of failures. */
function countFailures<T>(report: T, all: Record<string, (report: T) => void>): number {
	const failures = Object.entries(all).filter(([name, check]) => {
		try {
			check(report);
			console.log(`✓ ${name}`);
			return false;
		} catch (error) {
			console.log(`✗ ${name}\n${(error as Error).message}`);
			return true;
		}
	});
	return failures.length;
}

const printFigures = (rows: string[][]) => console.log(`\n${table(['Figure', 'Value'], rows)}\n`);

async function test() {
	const folder = await mkdtemp(join(tmpdir(), 'corrigo-queue-'));
	cleanups.push(async () => await rm(folder, { recursive: true, force: true, maxRetries: 5 }));
	// The user that runs the database needs to enter the folder.
	await chmod(folder, 0o711);
	const setup = await setUp(folder);
	const loadReport = await runLoad(setup);
	printFigures(loadFigures(loadReport));
	const failures = countFailures(loadReport, checks);
	const pushReport = await runPushes(setup);
	printFigures(pushFigures(pushReport));
	const pushFailures = countFailures(pushReport, pushChecks);
	const testRunFailures = countFailures(await runTestRun(setup), testRunChecks);
	await cleanUp();
	await step('Ending npm while its workers start', async () => {
		const readyLine = `Starting a webhook process and ${WORKERS} workers`;
		await endNpm(['run', 'test:queue'], readyLine, 'npm is terminated');
	});
	return failures + pushFailures + testRunFailures === 0;
}

void runProgram(test);
