import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { endedByNpm } from '../ending';
import { closeAll, opened, runProgram } from '../opened';
import { step } from '../progress';
import { table } from '../table';
import { checks, mostTokens } from './checks';
import { run, WORKERS, type Report } from './run';

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

/** Whether the report passes the check; says so, and why not. */
function passes(name: string, check: (report: Report) => void, report: Report): boolean {
	try {
		check(report);
		console.log(`✓ ${name}`);
		return true;
	} catch (error) {
		console.log(`✗ ${name}\n${(error as Error).message}`);
		return false;
	}
}

async function test() {
	const folder = await mkdtemp(join(tmpdir(), 'corrigo-queue-'));
	opened.push(async () => await rm(folder, { recursive: true, force: true, maxRetries: 5 }));
	// The user of the database has to get through.
	await chmod(folder, 0o711);
	const report = await run(folder);
	console.log(`\n${table(['Figure', 'Value'], figures(report))}\n`);
	const failed = Object.entries(checks).filter(([name, check]) => !passes(name, check, report));
	await closeAll();
	await step('Ending npm while another one starts its workers', async () => {
		await endedByNpm('test:queue', [], `Starting ${WORKERS} workers`);
	});
	return failed.length === 0;
}

void runProgram(test);
