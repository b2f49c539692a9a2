import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import type { N8nApi, Workflow, WorkflowFile } from '../n8n/api';
import { openDemo } from '../demo';
import { opened, runProgram } from '../process/program';
import { step } from '../console/progress';
import { Receiver } from '../workflows/receiver';
import { table } from '../console/table';
import { atLeastOnceWorkflow, onceWorkflow } from '../workflows/triggerWorkflows';
import { until } from '../waitFor';
import { Desk } from './activity';
import type { Machine } from './disruptions';
import { exceptionsOf, timesTold, UNKNOWN, type Findings } from './report';

const MINUTES = Number(process.env.SOAK_MINUTES ?? 10);
const BETWEEN_CHANGES_MS = 1000;
const BETWEEN_TROUBLES_MS = 15_000;
/** Polls come every minute, and an n8n that was busy may be late. */
const LONGEST_WAIT_MS = 240_000;
const AGAIN = 'notes again';

const everyMinute = { item: [{ mode: 'everyMinute' }] };
const ofAll = { pollTimes: everyMinute, output: 'event' };

/** Three triggers, each with what tells of its changes. */
const workflowsTo = (address: string): Record<string, WorkflowFile> => ({
	orders: onceWorkflow('Orders', { ...ofAll, event: 'workOrderCreated' }, address, 'orders'),
	actions: onceWorkflow(
		'Actions',
		{ ...ofAll, event: 'workOrderAction', actionTypes: ['PickUp'] },
		address,
		'actions',
	),
	notes: atLeastOnceWorkflow(
		'Notes',
		{ ...ofAll, event: 'noteAdded', options: { delivery: 'atLeastOnce' } },
		address,
		['notes', AGAIN],
	),
});

const toldOf = (receiver: Receiver, way: string) =>
	receiver.received.filter((each) => each.get('way') === way).map((each) => Number(each.get('id')));

/** Whatever was made before has had its turn when the last thing made has been told of. */
async function caughtUp(desk: Desk, receiver: Receiver) {
	desk.work();
	for (const { way, id } of desk.changes.slice(-3)) {
		await until(
			`${way} has told of ${id}`,
			() => toldOf(receiver, way).at(-1),
			() => toldOf(receiver, way).includes(id),
			LONGEST_WAIT_MS,
		);
	}
}

/** One trouble after the other, until the time is over. */
async function goThrough({ troubles }: Machine): Promise<Map<string, number>> {
	const times = new Map(Object.keys(troubles).map((name) => [name, 0]));
	const end = Date.now() + MINUTES * 60_000;
	for (;;) {
		for (const [name, make] of Object.entries(troubles)) {
			if (Date.now() > end) return times;
			await step(name, make);
			times.set(name, (times.get(name) ?? 0) + 1);
			await delay(BETWEEN_TROUBLES_MS);
		}
	}
}

async function crashedOf(api: N8nApi, workflows: Record<string, Workflow>) {
	const all = Object.entries(workflows).map(async ([way, { id }]) => {
		const crashed = await api.executions(id, 'crashed');
		return await Promise.all(
			crashed.map(async (one) => {
				const items = await api.startedWith(one.id);
				return { id: one.id, way, ids: new Set(items.map(({ json }) => Number(json.Id))) };
			}),
		);
	});
	return (await Promise.all(all)).flat();
}

function show(findings: Findings, troubles: Map<string, number>, again: number) {
	const { changes } = findings;
	const rows = ['orders', 'actions', 'notes'].map((way) => {
		const times = changes
			.filter((change) => change.way === way)
			.map((change) => timesTold(findings, change));
		const count = (fits: (times: number) => boolean) => String(times.filter(fits).length);
		const delivery = way === 'notes' ? 'At Least Once, Remove Duplicates' : 'Once';
		return [way, delivery, String(times.length)].concat(
			count((n) => n === 1),
			count((n) => n > 1),
			count((n) => n === 0),
		);
	});
	console.log(`\n${table(['Changes', 'Delivery', 'Made', 'Once', 'Twice', 'Never'], rows)}`);
	console.log(`\n${again} notes came again, and Remove Duplicates took them out.\n`);
	const troubled = [...troubles].map(([name, times]) => [name, String(times)]);
	console.log(table(['Trouble', 'Times'], troubled));
	const causes = new Map<string, number>();
	for (const { change, times, cause } of exceptionsOf(findings)) {
		const row = [change.way, times === 0 ? 'never' : `${times} times`, cause].join('\t');
		causes.set(row, (causes.get(row) ?? 0) + 1);
	}
	if (causes.size === 0) return;
	const rowsOfCauses = [...causes].map(([row, count]) => [String(count), ...row.split('\t')]);
	console.log(`\n${table(['Exceptions', 'Changes', 'Came', 'Cause'], rowsOfCauses)}`);
}

async function soak() {
	const userFolder = await mkdtemp(join(tmpdir(), 'corrigo-soak-'));
	opened.push(async () => await rm(userFolder, { recursive: true, force: true, maxRetries: 5 }));
	const { sandbox, session } = await openDemo(userFolder);
	const { withCredential } = await import('../n8n/instance');
	const { Machine } = await import('./disruptions');
	const receiver = new Receiver();
	const address = await receiver.open();
	opened.push(async () => await receiver.close());

	const workflows: Record<string, Workflow> = {};
	for (const [way, file] of Object.entries(workflowsTo(address))) {
		const created = await session.api.createWorkflow(withCredential(file, session.credential));
		workflows[way] = await session.api.activate(created);
	}
	const machine = new Machine(userFolder, sandbox, session, Object.values(workflows));
	const desk = new Desk(sandbox, BETWEEN_CHANGES_MS);
	opened.push(async () => await Promise.resolve(desk.stop()));

	const troubles = await goThrough(machine);
	desk.stop();
	await step('Waiting for what is still to come', async () => {
		// What comes twice may come with the poll after the last one.
		await caughtUp(desk, receiver);
		await caughtUp(desk, receiver);
	});
	const told = new Map(Object.keys(workflows).map((way) => [way, toldOf(receiver, way)]));
	const crashed = await crashedOf(machine.api, workflows);
	const findings = { changes: desk.changes, told, crashed, kills: machine.kills };
	show(findings, troubles, toldOf(receiver, AGAIN).length);
	return exceptionsOf(findings).every(({ cause }) => cause !== UNKNOWN);
}

void runProgram(soak);
