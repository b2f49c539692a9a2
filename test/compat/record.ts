/**
 * Writes the recording of a version into a folder of its name: `CHECKOUT` is a checkout of that
 * version, whose package is run against the sandbox of this one. See README.md.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { inLines } from './lines';
import { createRecorder } from './recorder';
import type { Outcome, SavedNode, VersionClasses } from './saved';

const root = resolve(String(process.env.CHECKOUT));
const from = <T extends object>(path: string) => jest.requireActual<T>(join(root, path));
const loadClass = <Name extends keyof VersionClasses>(name: Name, path: string) =>
	from<Pick<VersionClasses, Name>>(path)[name];
const { version } = from<{ version: string }>('package.json');
const recorder = createRecorder(
	{
		Corrigo: loadClass('Corrigo', 'nodes/Corrigo/Corrigo.node'),
		CorrigoDesk: loadClass('CorrigoDesk', 'nodes/Corrigo/CorrigoDesk.node'),
		CorrigoTrigger: loadClass('CorrigoTrigger', 'nodes/Corrigo/CorrigoTrigger.node'),
		CorrigoWebhookTrigger: loadClass(
			'CorrigoWebhookTrigger',
			'nodes/Corrigo/CorrigoWebhookTrigger.node',
		),
		CorrigoApi: loadClass('CorrigoApi', 'credentials/CorrigoApi.credentials'),
	},
	version,
);

function write(name: string, data: unknown): void {
	const folder = join(__dirname, version);
	mkdirSync(folder, { recursive: true });
	writeFileSync(join(folder, `${name}.json`), `${inLines(data)}\n`);
}

/**
 * Fails if a case was rejected or had no result, because its recording would test little. Filters that
 * are all filled in let nothing pass.
 */
function expectItems<Row extends Outcome & { node: SavedNode }>(rows: Row[]): Row[] {
	const useless = rows.filter(
		({ node, items, refused }) =>
			refused !== undefined || (items.length === 0 && !node.name.endsWith(', filters and JSON')),
	);
	expect(useless.map(({ node, refused }) => [node.name, refused])).toEqual([]);
	return rows;
}

it(`writes down what ${version} does for operations`, async () => {
	write('operations', expectItems(await recorder.operations()));
});

it(`writes down where the triggers of ${version} stand`, async () => {
	write('triggers', expectItems(await recorder.triggers()));
});

it(`writes down where the webhooks of ${version} stand`, async () => {
	write('webhooks', expectItems(await recorder.webhooks()));
});

it(`writes down the forms of ${version}`, () => {
	write('forms', recorder.forms());
	write('nodes', recorder.nodes());
});

it(`writes down credentials of ${version}`, async () => {
	write('credentials', await recorder.credentials());
});
