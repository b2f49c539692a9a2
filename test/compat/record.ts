/**
 * Writes the recording of a version into a folder of its name: `CHECKOUT` is a checkout of that
 * version, whose package is run against the sandbox of this one. See README.md.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { inLines } from './lines';
import { createRecorder } from './recorder';
import type { VersionClasses } from './saved';

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

it(`writes down what ${version} does for operations`, async () => {
	write('operations', await recorder.operations());
});

it(`writes down where the triggers of ${version} stand`, async () => {
	write('triggers', await recorder.triggers());
});

it(`writes down where the webhooks of ${version} stand`, async () => {
	write('webhooks', await recorder.webhooks());
});

it(`writes down the forms of ${version}`, () => {
	write('forms', recorder.forms());
	write('nodes', recorder.nodes());
});

it(`writes down credentials of ${version}`, async () => {
	write('credentials', await recorder.credentials());
});
