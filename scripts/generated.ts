/** Everything here that is written by a program, and what the program makes of its sources. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { performanceChart, performanceTable } from '../bench/chart';
import { FOLDER, previews } from './schema';
import {
	checksTable,
	eventsTable,
	filtersTable,
	operationsTable,
	optionsTable,
	triggerOptionsTable,
} from './tables';

/** Document -> mark -> what stands between the mark and its end. */
const TABLES: Readonly<Record<string, Record<string, () => string>>> = {
	'README.md': { operations: operationsTable },
	'docs/filters.md': { filters: filtersTable },
	'docs/live.md': { checks: checksTable },
	'docs/options.md': { options: optionsTable },
	'docs/performance.md': { results: performanceTable },
	'docs/trigger.md': { events: eventsTable, options: triggerOptionsTable },
};

function withTables(document: string, file: string): string {
	return Object.entries(TABLES[file]).reduce((text, [mark, table]) => {
		const marks = new RegExp(`(<!-- ${mark} -->\\n)[\\s\\S]*?(<!-- end of ${mark} -->)`);
		if (!marks.test(text)) throw new Error(`${file} has no marks of ${mark}`);
		return text.replace(marks, (_, start: string, end: string) => start + table() + end);
	}, document);
}

/** What is not as its sources make it: file -> its contents, nothing if it should not be there. */
export function stale(root = join(__dirname, '..')): Map<string, string | undefined> {
	const read = (file: string) => readFileSync(join(root, file), 'utf8');
	const wanted = new Map([
		...[...previews()].map(([file, contents]) => [`${FOLDER}/${file}`, contents] as const),
		...Object.keys(TABLES).map((file) => [file, withTables(read(file), file)] as const),
		['docs/images/performance.svg', performanceChart()],
	]);
	const present = readdirSync(join(root, 'nodes'), { recursive: true, encoding: 'utf8' })
		.map((file) => `nodes/${file.replace(/\\/g, '/')}`)
		.filter((file) => file.startsWith(dirname(FOLDER)) && file.endsWith('.json'));
	return new Map(
		[...new Set([...wanted.keys(), ...present])]
			.filter((file) => !existsSync(join(root, file)) || read(file) !== wanted.get(file))
			.map((file) => [file, wanted.get(file)]),
	);
}
