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

const folder = join(__dirname, version);

it.each(['operations', 'triggers', 'webhooks', 'forms', 'nodes', 'credentials'] as const)(
	`writes down the %s of ${version}`,
	async (name) => {
		mkdirSync(folder, { recursive: true });
		writeFileSync(join(folder, `${name}.json`), `${inLines(await recorder[name]())}\n`);
	},
);
