/** The generated files of the repository: previews, forms, tables and lists in documents, and the chart of the benchmark. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { growthTable, performanceChart, performanceTable } from '../bench/chart';
import { formFiles } from './form';
import { PREVIEW_FOLDER, previews } from './schema';
import {
	commonOperationsTable,
	eventSourcesList,
	eventsList,
	filtersTable,
	operationsTable,
	optionsTable,
	triggerOptionsTable,
	writesTable,
} from './tables';

/** The tables and lists by document and marker, each written between its marker and the end marker. */
const TABLES: Readonly<Record<string, Record<string, () => string>>> = {
	'docs/internals/triggers.md': { sources: eventSourcesList },
	'docs/operations.md': {
		common: commonOperationsTable,
		operations: operationsTable,
		filters: filtersTable,
		options: optionsTable,
		triggers: triggerOptionsTable,
		writes: writesTable,
	},
	'docs/performance.md': { results: performanceTable, growth: growthTable },
	'docs/triggers.md': { events: eventsList },
};

function withTables(document: string, file: string): string {
	return Object.entries(TABLES[file]).reduce((text, [marker, contents]) => {
		const markers = new RegExp(`(<!-- ${marker} -->\\n)[\\s\\S]*?(<!-- end of ${marker} -->)`);
		if (!markers.test(text)) throw new Error(`${file} lacks the markers of ${marker}`);
		return text.replace(markers, (_, start: string, end: string) => start + contents() + end);
	}, document);
}

/** Files that differ from what their sources generate, with the expected contents; undefined for surplus files. */
export function staleFiles(root = join(__dirname, '..')): Map<string, string | undefined> {
	const read = (file: string) => readFileSync(join(root, file), 'utf8');
	const expected = new Map([
		...[...previews()].map(([file, contents]) => [`${PREVIEW_FOLDER}/${file}`, contents] as const),
		...Object.keys(TABLES).map((file) => [file, withTables(read(file), file)] as const),
		['docs/images/performance.svg', performanceChart()],
		...formFiles(),
	]);
	const present = readdirSync(join(root, 'nodes'), { recursive: true, encoding: 'utf8' })
		.map((file) => `nodes/${file.replace(/\\/g, '/')}`)
		.filter((file) => file.startsWith(dirname(PREVIEW_FOLDER)) && file.endsWith('.json'));
	return new Map(
		[...new Set([...expected.keys(), ...present])]
			.filter((file) => !existsSync(join(root, file)) || read(file) !== expected.get(file))
			.map((file) => [file, expected.get(file)]),
	);
}
