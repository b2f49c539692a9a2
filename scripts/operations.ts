/** Writes the table of operations into the README, from what the node really offers. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { resources } from '../nodes/Corrigo/actions/registry';

const README = join(__dirname, '..', 'README.md');
const MARKS = /(<!-- operations -->\n)[\s\S]*(<!-- end of operations -->)/;

export function operationsTable(): string {
	const rows = resources.flatMap(({ name: resource, operations }) =>
		operations.map(({ name, description }, index) => {
			const title = index === 0 ? `**${resource}**` : '';
			return `| ${title} | ${name} | ${description} |\n`;
		}),
	);
	return `| Resource | Operation | What it does |\n|---|---|---|\n${rows.join('')}`;
}

export const withTable = (readme: string) =>
	readme.replace(MARKS, (_, start: string, end: string) => start + operationsTable() + end);

if (require.main === module) writeFileSync(README, withTable(readFileSync(README, 'utf8')));
