import type { ITaskData } from 'n8n-workflow';

import type { Execution, Workflow } from './n8n/api';
import { step } from './console/progress';
import type { Session } from './n8n/instance';
import { table } from './console/table';

/** It needs nothing but the sandbox: run by hand, its trigger shows emergencies that are long overdue. */
const SHOWN = 'Escalate before a deadline passes';
const WIDEST_SAMPLE = 60;

const shortened = (text: string) =>
	text.length > WIDEST_SAMPLE ? `${text.slice(0, WIDEST_SAMPLE - 1)}…` : text;

function row(node: string, { data, error, executionStatus, executionTime }: ITaskData): string[] {
	const items = data?.main.flatMap((output) => output ?? []) ?? [];
	const sample = error?.message ?? JSON.stringify(items[0]?.json ?? {});
	const time = `${executionTime} ms`;
	return [node, executionStatus ?? '', String(items.length), time, shortened(sample)];
}

function report({ name }: Workflow, { id, status, runData, error }: Execution) {
	const runs = Object.entries(runData).flatMap(([node, tasks]) =>
		tasks.map((task) => ({ node, task })),
	);
	runs.sort((a, b) => a.task.executionIndex - b.task.executionIndex);
	const rows = runs.map(({ node, task }) => row(node, task));
	console.log(`\n${name}: execution ${id} ended with ${status}\n`);
	console.log(table(['Node', 'Status', 'Items', 'Time', 'First item'], rows));
	if (error) console.log(`\n${error.message}`);
}

/** Tests the credential and runs one example; says how both went. */
export async function runExample({ api, credential }: Session, examples: Workflow[]) {
	const { status, message } = await api.testCredential(credential.id);
	console.log(`\nCredential "${credential.name}": ${status}, ${message}`);
	const example = examples.find(({ name }) => name === SHOWN);
	if (!example) throw new Error(`There is no example workflow "${SHOWN}"`);
	const execution = await step(`Running "${example.name}"`, async () => await api.run(example));
	report(example, execution);
	return status === 'OK' && execution.status === 'success';
}
