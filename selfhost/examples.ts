import type { ITaskData } from 'n8n-workflow';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { root } from './build';
import { step } from './console/progress';
import { table } from './console/table';
import type { Execution, Workflow, WorkflowFile } from './n8n/api';
import type { Instance } from './n8n/instance';
import { withCredential } from './workflows/credentials';

const FOLDER = join(root, 'examples');

/** The example that runs at the start. Its trigger finds overdue emergencies in the sandbox. */
const EXAMPLE = 'Escalate before a deadline passes';
const MAX_SAMPLE_LENGTH = 60;

/** File names of the example workflows. */
export const exampleFiles = () =>
	readdirSync(FOLDER)
		.filter((file) => file.endsWith('.json'))
		.sort();

export const readExample = (file: string) =>
	JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as WorkflowFile;

/** Imports the example workflows; those that n8n has already, perhaps edited, stay as they are. */
export async function importExamples({ api, credential }: Pick<Instance, 'api' | 'credential'>) {
	const present = new Map((await api.workflows()).map(({ name, id }) => [name, id]));
	const imported: Workflow[] = [];
	for (const example of exampleFiles().map(readExample)) {
		const id = present.get(example.name);
		imported.push(
			id ? await api.workflow(id) : await api.createWorkflow(withCredential(example, credential)),
		);
	}
	return imported;
}

const shorten = (text: string) =>
	text.length > MAX_SAMPLE_LENGTH ? `${text.slice(0, MAX_SAMPLE_LENGTH - 1)}…` : text;

function row(node: string, { data, error, executionStatus, executionTime }: ITaskData): string[] {
	const items = data?.main.flatMap((output) => output ?? []) ?? [];
	const sample = error?.message ?? JSON.stringify(items[0]?.json ?? {});
	const time = `${executionTime} ms`;
	return [node, executionStatus ?? '', String(items.length), time, shorten(sample)];
}

function printExecution({ name }: Workflow, { id, status, runData, error }: Execution) {
	const runs = Object.entries(runData).flatMap(([node, tasks]) =>
		tasks.map((task) => ({ node, task })),
	);
	runs.sort((a, b) => a.task.executionIndex - b.task.executionIndex);
	const rows = runs.map(({ node, task }) => row(node, task));
	console.log(`\n${name}: execution ${id} ended with ${status}\n`);
	console.log(table(['Node', 'Status', 'Items', 'Time', 'First item'], rows));
	if (error) console.log(`\n${error.message}`);
}

/** Tests the credential, runs one example, prints both results, and returns whether both succeeded. */
export async function runExample({ api, credential }: Instance, examples: Workflow[]) {
	const { status, message } = await api.testCredential(credential.id);
	console.log(`\nCredential "${credential.name}": ${status}, ${message}`);
	const example = examples.find(({ name }) => name === EXAMPLE);
	if (!example) throw new Error(`There is no example workflow "${EXAMPLE}"`);
	const execution = await step(`Running "${example.name}"`, async () => await api.run(example));
	printExecution(example, execution);
	return status === 'OK' && execution.status === 'success';
}
