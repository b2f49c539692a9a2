/** The generated files of the repository: forms, tables and lists in documents, and the chart of the benchmark. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { growthTable, performanceChart, performanceTable } from '../bench/chart';
import { CONTRACT_MODULE, contractModule } from './contract';
import { formFiles } from './form';
import { buildSections, readSamples } from './eventSamples';
import { commonFields, referencePages } from './reference';
import {
	commonOperationsTable,
	eventSourcesList,
	eventsList,
	filtersTable,
	operationsTable,
	optionsTable,
	pushesTable,
	resourcesTable,
	triggerOptionsTable,
	valuesTable,
	writesTable,
} from './tables';

/** The tables and lists by document and marker, each written between its marker and the end marker. */
const TABLES: Readonly<Record<string, Record<string, () => string>>> = {
	'README.md': { resources: resourcesTable, events: eventsList },
	'docs/events.md': { samples: () => buildSections(readSamples()) },
	'docs/internals/triggers.md': { sources: eventSourcesList },
	'docs/operations.md': {
		common: commonOperationsTable,
		operations: operationsTable,
		fields: commonFields,
		filters: filtersTable,
		options: optionsTable,
		triggers: triggerOptionsTable,
		values: valuesTable,
		writes: writesTable,
	},
	'docs/internals/performance.md': { results: performanceTable, growth: growthTable },
	'docs/triggers.md': { events: eventsList },
	'docs/webhook.md': { pushes: pushesTable },
};

function withTables(document: string, file: string): string {
	return Object.entries(TABLES[file]).reduce((text, [marker, contents]) => {
		const markers = new RegExp(`(<!-- ${marker} -->\\n)[\\s\\S]*?(<!-- end of ${marker} -->)`);
		if (!markers.test(text)) throw new Error(`${file} lacks the markers of ${marker}`);
		return text.replace(markers, (_, start: string, end: string) => start + contents() + end);
	}, document);
}

/** Files that differ from what their sources generate, with the expected contents. */
export function staleFiles(root = join(__dirname, '..')): Map<string, string> {
	const read = (file: string) => readFileSync(join(root, file), 'utf8');
	const expected = [
		...Object.keys(TABLES).map((file) => [file, withTables(read(file), file)] as const),
		['docs/images/performance.svg', performanceChart()] as const,
		[CONTRACT_MODULE, contractModule()] as const,
		...formFiles(),
		...referencePages(),
	];
	return new Map(
		expected.filter(([file, contents]) => !existsSync(join(root, file)) || read(file) !== contents),
	);
}
