import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { endedByNpm } from '../process/shutdown';
import { closeAll, opened, runProgram } from '../process/program';
import { step } from '../console/progress';
import { table } from '../console/table';
import { checks, mostTokens, pushChecks } from './checks';
import type { PushReport } from './pushes';
import { open, run, WORKERS, type Report } from './run';

const listed = (counts: Record<string, number>) =>
	Object.entries(counts)
		.map(([name, count]) => `${count} ${name}`)
		.join(', ');

function figures(report: Report) {
	const { answers, seconds, executions, finished, tokens, discoveries } = report;
	const { creates, refusals, memory } = report;
	const [main, ...workers] = memory.map((mb) => `${mb} MB`);
	return [
		['Executions', `${listed(executions)} in ${seconds.toFixed(1)} s`],
		['A second', (answers.length / seconds).toFixed(1)],
		['Of each worker', finished.join(', ')],
		['Creates', `${creates}, of them refused: ${listed(refusals) || 'none'}`],
		['Tokens', `${tokens}, at most ${mostTokens(seconds)}`],
		['Discoveries', String(discoveries)],
		['Peak memory', main ? `n8n ${main}, workers ${workers.join(', ')}` : 'not known here'],
	];
}

function pushFigures({ answers, reads, executions }: PushReport) {
	const times = answers.map(({ milliseconds }) => milliseconds).sort((a, b) => a - b);
	const [median, slowest] = [times[Math.floor(times.length / 2)], times[times.length - 1]];
	return [
		['Pushes', String(answers.length)],
		['Answered after', `${median.toFixed(0)} ms, the slowest ${slowest.toFixed(0)} ms`],
		['Requests for the storm', String(reads)],
		['Executions', listed(executions)],
	];
}

/** How many checks the report does not pass; says of each whether it does, and why not. */
function failed<T>(report: T, all: Record<string, (report: T) => void>): number {
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

const show = (rows: string[][]) => console.log(`\n${table(['Figure', 'Value'], rows)}\n`);

async function test() {
	const folder = await mkdtemp(join(tmpdir(), 'corrigo-queue-'));
	opened.push(async () => await rm(folder, { recursive: true, force: true, maxRetries: 5 }));
	// The user of the database has to get through.
	await chmod(folder, 0o711);
	const company = await open(folder);
	const report = await run(company);
	show(figures(report));
	const failures = failed(report, checks);
	// This needs what has been installed by now.
	const { push } = await import('./pushes');
	const pushed = await push(company);
	show(pushFigures(pushed));
	const pushFailures = failed(pushed, pushChecks);
	await closeAll();
	await step('Ending npm while another one starts its workers', async () => {
		await endedByNpm('test:queue', [], `Starting a webhook process and ${WORKERS} workers`);
	});
	return failures + pushFailures === 0;
}

void runProgram(test);
