/**
 * Writes the recording of a version into a folder of its name: `COMPAT_HOUSE` is a checkout of that
 * version, whose package is run against the sandbox of this one. See README.md.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

import { inLines } from './lines';
import { recorderOf } from './recorder';
import type { VersionClasses } from './saved';

const root = resolve(String(process.env.COMPAT_HOUSE));
const from = <T extends object>(path: string) => jest.requireActual<T>(join(root, path));
const recorder = recorderOf({
	...from<Pick<VersionClasses, 'Corrigo'>>('nodes/Corrigo/Corrigo.node'),
	...from<Pick<VersionClasses, 'CorrigoTrigger'>>('nodes/Corrigo/CorrigoTrigger.node'),
	...from<Pick<VersionClasses, 'CorrigoApi'>>('credentials/CorrigoApi.credentials'),
});
const { version } = from<{ version: string }>('package.json');

function write(name: string, data: unknown): void {
	const folder = join(__dirname, version);
	mkdirSync(folder, { recursive: true });
	writeFileSync(join(folder, `${name}.json`), `${inLines(data)}\n`);
}

interface Recorded {
	refused?: string;
}

/** Fails if a case was rejected, because its recording would test nothing. */
function expectNoRefusal<Row extends Recorded>(rows: Row[], nameOf: (row: Row) => string): void {
	const refused = rows.filter((row) => row.refused !== undefined);
	expect(refused.map((row) => [nameOf(row), row.refused])).toEqual([]);
}

it(`writes down what ${version} does for operations`, async () => {
	const rows = await recorder.operations();
	expectNoRefusal(rows, ({ node }) => node.name);
	const resourceOf = ({ node }: (typeof rows)[number]) => node.name.split(':')[0];
	for (const resource of new Set(rows.map(resourceOf))) {
		write(
			resource,
			rows.filter((row) => resourceOf(row) === resource),
		);
	}
});

it(`writes down where the triggers of ${version} stand`, async () => {
	const rows = await recorder.triggers();
	expectNoRefusal(rows, ({ node }) => node.name);
	write('triggers', rows);
});

it(`writes down what the examples of ${version} do`, async () => {
	const rows = await recorder.workflows(join(root, 'examples'));
	expectNoRefusal(rows, ({ workflow }) => workflow.name);
	write('workflows', rows);
});

it(`writes down the forms of ${version}`, () => {
	write('forms', recorder.forms());
});

it(`writes down a credential of ${version}`, async () => {
	write('credential', await recorder.credential());
});
