/**
 * Runs *Check Access* on a Company, writes the results as Markdown, and records what was sent and
 * answered. All requests only read.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

import { version } from '../../package.json';
import { openCompany, readCredential } from './company';
import { askQuestions } from './questions';
import { startRecorder } from './recorder';
import { checkFolder, writeRecording } from './recording';
import { table } from '../tables';

const escape = (cell: unknown) => String(cell).replace(/\|/g, '\\|');

function readArguments(args: string[]) {
	const { values, positionals } = parseArgs({
		args,
		options: { record: { type: 'string' } },
		allowPositionals: true,
	});
	if (positionals.length > 1)
		throw new Error(`Name one file for the report, not ${positionals.length}`);
	const { record } = values;
	if (record === '') throw new Error('--record needs the name of a folder');
	return { record, file: positionals[0] };
}

/** Returns whether all checks passed. */
export async function checkCompany(
	args: string[],
	env: NodeJS.ProcessEnv,
	print: (report: string) => void,
): Promise<boolean> {
	const { record, file } = readArguments(args);
	if (record !== undefined) checkFolder(record);
	const credential = readCredential(env);
	const { companyName, clientId, clientSecret } = credential;
	const company = await openCompany(credential);
	const recorder = record === undefined ? undefined : startRecorder();
	const results = await company.runChecks();
	const answers = recorder ? await askQuestions(company.send) : [];
	recorder?.stop();

	const rows = results.map(({ check, status, detail, howToFix }) =>
		[check, status, detail, howToFix ?? ''].map(escape),
	);
	const report = [
		'# Live check\n',
		`n8n-nodes-corrigo ${version}, Node.js ${process.version}, ${new Date().toISOString()}\n`,
		table(['Check', 'Status', 'What was found', 'What to do'], rows),
		...(answers.length > 0 ? ['## Open questions\n', table(['Question', 'Answer'], answers)] : []),
	].join('\n');
	if (file) writeFileSync(file, report);
	else print(report);
	if (recorder && record !== undefined) {
		writeRecording(record, recorder.exchanges, [companyName, clientId, clientSecret]);
	}
	return results.every(({ status }) => status !== 'failed');
}
