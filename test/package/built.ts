import { existsSync, readdirSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, extname, join } from 'node:path';
import type { ICredentialType, INodeProperties, INodeType } from 'n8n-workflow';

import { n8n } from '../../package.json';

const root = join(__dirname, '..', '..');

const changedAt = (path: string) => statSync(path).mtimeMs;
/** Every file that the package is built from. */
export const sources = ['credentials', 'nodes'].flatMap((folder) =>
	readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
		.filter((file) => extname(file) !== '')
		.map((file) => join(root, folder, file)),
);

/** The path of a built file, unless a source is newer. */
export function builtFile(file: string): string {
	const path = join(root, file);
	if (!existsSync(path) || changedAt(path) < Math.max(...sources.map(changedAt))) {
		throw new Error(`${file} is missing or older than its sources: run "npm run build" first`);
	}
	return path;
}

/** Loads a class of the built package, which is the code that users install. */
function built<T>(file: string): T {
	const exported = createRequire(__filename)(builtFile(file)) as Record<string, new () => T>;
	return new exported[basename(file).split('.')[0]]();
}

export const nodes = n8n.nodes.map((file) => built<INodeType>(file));
export const credentials = n8n.credentials.map((file) => built<ICredentialType>(file));

export interface FormParameter {
	/** The path to the parameter, for the message of a failing test. */
	path: string;
	property: INodeProperties;
	siblings: INodeProperties[];
}

/** Every parameter of a form, those inside collections included. */
export function* parameters(properties: INodeProperties[], above = ''): Generator<FormParameter> {
	for (const property of properties) {
		const show = property.displayOptions?.show ?? {};
		const scope = [show.resource, show.operation].flat().filter(Boolean).join(' ');
		const path = `${above}${scope ? `[${scope}] ` : ''}${property.name}`;
		yield { path, property, siblings: properties };
		if (property.type === 'collection') {
			yield* parameters(property.options as INodeProperties[], `${path} > `);
		}
		if (property.type === 'fixedCollection') {
			for (const group of property.options as Array<{ name: string; values: INodeProperties[] }>) {
				yield* parameters(group.values, `${path} > ${group.name} > `);
			}
		}
	}
}
