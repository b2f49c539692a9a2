/**
 * `npm run live-check -- [report.md] [--record DIR [--write-test ORDER [--send-order]]]` runs *Check
 * Access* on the Company in the environment, writes the results as Markdown, and records what was sent
 * and answered. Only the write test writes, and only to the order that is named.
 */
import { writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline/promises';
import { parseArgs } from 'node:util';

import { version } from '../package.json';
import { openCompany, readCredential } from './live/company';
import { askQuestions } from './live/questions';
import { startRecorder } from './live/recorder';
import { checkFolder, writeRecording } from './live/recording';
import { runWriteTest } from './live/writeTest';
import { table } from './tables';

const escape = (cell: unknown) => String(cell).replace(/\|/g, '\\|');

function readArguments() {
	const { values, positionals } = parseArgs({
		options: {
			record: { type: 'string' },
			'write-test': { type: 'string' },
			'send-order': { type: 'boolean', default: false },
		},
		allowPositionals: true,
	});
	if (positionals.length > 1)
		throw new Error(`Name one file for the report, not ${positionals.length}`);
	const { record, 'write-test': order, 'send-order': sends } = values;
	if (record === '') throw new Error('--record needs the name of a folder');
	if (order?.trim() === '') throw new Error('--write-test needs the number of a work order');
	if (order !== undefined && record === undefined)
		throw new Error('--write-test needs --record, which says where to keep the answers');
	if (sends && order === undefined) throw new Error('--send-order is a part of --write-test');
	if (order !== undefined && !process.stdin.isTTY)
		throw new Error('--write-test asks before each write: run it in a terminal');
	return { record, order, sends, file: positionals[0] };
}

/** Asks the person at the terminal before each write. */
async function askAndWrite(order: string, sends: boolean) {
	const { send } = await openCompany('full');
	const terminal = createInterface({ input: process.stdin, output: process.stdout });
	// Ctrl+C and the end of the input skip all that is left, so that it is listed.
	const closed = new Promise<string>((resolve) => terminal.once('close', () => resolve('')));
	const ask = async (question: string) =>
		await Promise.race([terminal.question(question).catch(() => ''), closed]);
	try {
		return await runWriteTest(send, { ask, print: console.log }, order, { sends });
	} finally {
		terminal.close();
	}
}

async function main(): Promise<void> {
	const { record, order, sends, file } = readArguments();
	if (record !== undefined) checkFolder(record);
	const { companyName, clientId, clientSecret } = readCredential('readOnly');
	const company = await openCompany('readOnly');
	const exchanges = record === undefined ? undefined : startRecorder();
	const results = await company.runChecks();
	const answers = exchanges ? await askQuestions(company.send) : [];
	if (order !== undefined) answers.push(...(await askAndWrite(order, sends)));

	const rows = results.map(({ check, status, detail, howToFix }) =>
		[check, status, detail, howToFix].map(escape),
	);
	const report = [
		'# Live check\n',
		`n8n-nodes-corrigo ${version}, Node.js ${process.version}, ${new Date().toISOString()}\n`,
		table(['Check', 'Status', 'What was found', 'What to do'], rows),
		...(answers.length > 0 ? ['## Open questions\n', table(['Question', 'Answer'], answers)] : []),
	].join('\n');
	if (file) writeFileSync(file, report);
	else process.stdout.write(report);
	if (exchanges && record !== undefined) {
		writeRecording(record, exchanges, [companyName, clientId, clientSecret]);
	}
	if (results.some(({ status }) => status === 'failed')) process.exitCode = 1;
}

main().catch((error: Error) => {
	console.error(error.message);
	process.exitCode = 2;
});
