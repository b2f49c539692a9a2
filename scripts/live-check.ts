/**
 * `npm run live-check -- [report.md] [--record DIR]` runs *Check Access* on the Company in the
 * environment, writes the results as Markdown, and records what was sent and answered. All requests
 * only read.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

import { version } from '../package.json';
import { openCompany, readCredential } from './live/company';
import { askQuestions } from './live/questions';
import { startRecorder } from './live/recorder';
import { checkFolder, writeRecording } from './live/recording';
import { table } from './tables';

const escape = (cell: unknown) => String(cell).replace(/\|/g, '\\|');

function readArguments() {
	const { values, positionals } = parseArgs({
		options: { record: { type: 'string' } },
		allowPositionals: true,
	});
	if (positionals.length > 1)
		throw new Error(`Name one file for the report, not ${positionals.length}`);
	const { record } = values;
	if (record === '') throw new Error('--record needs the name of a folder');
	return { record, file: positionals[0] };
}

async function main(): Promise<void> {
	const { record, file } = readArguments();
	if (record !== undefined) checkFolder(record);
	const { companyName, clientId, clientSecret } = readCredential();
	const company = await openCompany();
	const exchanges = record === undefined ? undefined : startRecorder();
	const results = await company.runChecks();
	const answers = exchanges ? await askQuestions(company.send) : [];

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
