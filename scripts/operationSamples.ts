/** A page of docs/operations shows an item of each operation and keeps it: no other file repeats it. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { resources } from '../nodes/Corrigo/actions/resources';

/** Returns the path of the page of a resource. */
export const getPage = ({ name }: { name: string }) =>
	`docs/operations/${name.toLowerCase().replace(' ', '-')}.md`;

/** Items by resource and operation, such as `workOrder:get`. */
export type Samples = ReadonlyMap<string, object>;

const SECTION = /^## (.+)\n(?:(?!^## )[\s\S])*?^```json\n([\s\S]*?)\n```$/gm;

export function readSamples(): Map<string, object> {
	const pages = resources.map((resource) => ({
		...resource,
		file: join(__dirname, '..', getPage(resource)),
	}));
	return new Map(
		pages
			.filter(({ file }) => existsSync(file))
			.flatMap(({ file, value, operations }) =>
				[...readFileSync(file, 'utf8').matchAll(SECTION)].map(([, heading, item]) => {
					const operation = operations.find(({ name }) => name === heading);
					return [`${value}:${operation?.value}`, JSON.parse(item) as object] as const;
				}),
			),
	);
}
