/** A recording on the disk: scrubbed exchanges, and a report of what they show unchanged. */
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { scrub, type Exchange, type Kept } from './scrub';

const EXCHANGES = 'exchanges.json';
const REPORT = 'kept.md';

export const readRecording = (folder: string): Exchange[] =>
	JSON.parse(readFileSync(join(folder, EXCHANGES), 'utf8')) as Exchange[];

export function checkFolder(folder: string): void {
	if (!existsSync(join(folder, EXCHANGES))) return;
	throw new Error(`${folder} has a recording already: name another folder`);
}

/** Shorter names of Companies may be part of a published word. */
const MIN_SECRET_LENGTH = 8;

const MAX_LISTED = 40;

/** Sorted values; of many numbers and dates, the first and the last one tell enough. */
function list(kind: string, values: ReadonlySet<string | number>): string {
	const sorted = [...values].sort((a, b) =>
		typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b)),
	);
	const isRange = /^(?:Numbers|Dates|Header date)/.test(kind) && sorted.length > MAX_LISTED;
	return isRange
		? `${sorted.length} values from ${sorted[0]} to ${sorted.at(-1)}`
		: sorted.map((value) => `\`${String(value).replace(/`/g, "'")}\``).join(', ');
}

const buildReport = (kept: Kept) =>
	[
		'# What this recording shows unchanged',
		'Everything else became a stand-in. If you find a name, a text or a number that says something about your Company, do not share the recording.',
		...[...kept].sort().map(([kind, values]) => `- **${kind}**: ${list(kind, values)}`),
	].join('\n\n') + '\n';

/** The value itself, and as parts of other texts contain it. */
const listForms = (secret: string) => [
	secret,
	encodeURIComponent(secret),
	JSON.stringify(secret).slice(1, -1),
	Buffer.from(secret).toString('base64').replace(/=+$/, ''),
];

/**
 * Exchanges are scrubbed in memory, and a file has its name only once it is whole. A recording
 * that contains one of the secrets is not written: that is a bug in the stand-ins.
 */
export function writeRecording(
	folder: string,
	exchanges: readonly Exchange[],
	secrets: readonly string[],
): void {
	checkFolder(folder);
	const scrubbed = scrub(exchanges);
	const lines = scrubbed.exchanges.map((exchange) => JSON.stringify(exchange));
	const files = {
		[REPORT]: buildReport(scrubbed.kept),
		[EXCHANGES]: `[\n${lines.join(',\n')}\n]\n`,
	};
	const written = Object.values(files).join('');
	const long = secrets.filter(({ length }) => length >= MIN_SECRET_LENGTH);
	if (long.flatMap(listForms).some((form) => written.includes(form))) {
		throw new Error('Nothing was written: a value of the credential is left in the recording');
	}
	mkdirSync(folder, { recursive: true });
	for (const [name, content] of Object.entries(files)) {
		const temporary = join(folder, `.${name}.${process.pid}`);
		try {
			writeFileSync(temporary, content, { flag: 'wx' });
			renameSync(temporary, join(folder, name));
		} finally {
			rmSync(temporary, { force: true });
		}
	}
}
