import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { step } from '../console/progress';
import { table } from '../console/table';
import { startDemo } from '../demo';
import type { N8nApi, Workflow, WorkflowFile } from '../n8n/api';
import { cleanups, runProgram } from '../process/program';
import { waitFor } from '../waitFor';
import { withCredential } from '../workflows/credentials';
import { Receiver } from '../workflows/receiver';
import {
	onceWorkflow,
	pushedWorkflow,
	recordedWorkflow,
	webhookUrl,
} from '../workflows/triggerWorkflows';
import { Activity } from './activity';
import type { DisruptedN8n } from './disruptions';
import { findExceptions, timesReported, UNEXPLAINED, type Findings, type Promised } from './report';
import { Sender } from './sender';

const MINUTES = Number(process.env.SOAK_MINUTES ?? 10);
/** A change takes n8n about a second: it is pushed four times, and n8n loads its expressions again for most executions. */
const CHANGE_INTERVAL_MS = 3000;
const DISRUPTION_INTERVAL_MS = 15_000;
/** Polls come every minute, and a busy n8n may be late. */
const REPORT_TIMEOUT_MS = 240_000;
const BEGUN_NOTES = 'begun notes';
const promises = {
	orders: 'Once',
	actions: 'Once',
	notes: 'At Least Once, recorded',
	'pushed-once': 'Once, pushed',
	'pushed-again': 'At Least Once, pushed',
} satisfies Record<string, Promised>;
type Route = keyof typeof promises;
const routes = Object.keys(promises) as Route[];
const PUSHED_ROUTES = ['pushed-once', 'pushed-again'] as const;

const everyMinute = { item: [{ mode: 'everyMinute' }] };
const common = { pollTimes: everyMinute, returns: 'event' };

const pushed = (address: string, route: Route, delivery: string) =>
	pushedWorkflow({ event: 'workOrderCreated', options: { delivery } }, address, route);

/** Triggers whose workflows report the changes to the address. */
const workflowsFor = (address: string): Record<Route, WorkflowFile> => ({
	orders: onceWorkflow('Orders', { ...common, event: 'workOrderCreated' }, address, 'orders'),
	actions: onceWorkflow(
		'Actions',
		{ ...common, event: 'workOrderAction', actionTypes: ['PickUp'] },
		address,
		'actions',
	),
	notes: recordedWorkflow(
		'Notes',
		{ ...common, event: 'noteAdded', options: { delivery: 'atLeastOnce' } },
		address,
		[BEGUN_NOTES, 'notes'],
	),
	'pushed-once': pushed(address, 'pushed-once', 'once'),
	'pushed-again': pushed(address, 'pushed-again', 'atLeastOnce'),
});

/** Makes new changes and waits for their reports: by then, all earlier changes have had their turn. */
async function waitForReports(activity: Activity, receiver: Receiver) {
	activity.work();
	for (const { route, id } of activity.changes.slice(-routes.length)) {
		await waitFor(
			`${route} has reported ${id}`,
			() => receiver.ids(route),
			(ids) => ids.includes(id),
			REPORT_TIMEOUT_MS,
		);
	}
}

/** An execution of many changes may end after that of the last ones. */
async function waitForExecutions(api: N8nApi, workflows: Record<string, Workflow>) {
	for (const [route, { id }] of Object.entries(workflows)) {
		await waitFor(
			`no execution of ${route} runs`,
			async () => await api.executions(id, 'running'),
			({ length }) => length === 0,
			REPORT_TIMEOUT_MS,
		);
	}
}

/** Runs the disruptions in turn until the time is over, and counts them. */
async function disrupt({ disruptions }: DisruptedN8n): Promise<Map<string, number>> {
	const times = new Map(Object.keys(disruptions).map((name) => [name, 0]));
	const end = Date.now() + MINUTES * 60_000;
	for (;;) {
		for (const [name, run] of Object.entries(disruptions)) {
			if (Date.now() > end) return times;
			await step(name, run);
			times.set(name, (times.get(name) ?? 0) + 1);
			await delay(DISRUPTION_INTERVAL_MS);
		}
	}
}

async function findCrashed(api: N8nApi, workflows: Record<string, Workflow>) {
	const all = Object.entries(workflows).map(async ([route, { id }]) => {
		const crashed = await api.executions(id, 'crashed');
		return await Promise.all(
			crashed.map(async (one) => {
				const items = await api.triggerItems(one.id);
				return { id: one.id, route, ids: new Set(items.map(({ json }) => Number(json.Id))) };
			}),
		);
	});
	return (await Promise.all(all)).flat();
}

function printReport(findings: Findings, disruptions: Map<string, number>) {
	const { changes } = findings;
	const rows = routes.map((route) => {
		const times = changes
			.filter((change) => change.route === route)
			.map((change) => timesReported(findings, change));
		const count = (matches: (times: number) => boolean) => String(times.filter(matches).length);
		return [route, promises[route], String(times.length)].concat(
			count((n) => n === 1),
			count((n) => n > 1),
			count((n) => n === 0),
		);
	});
	console.log(`\n${table(['Changes', 'Delivery', 'Made', 'Once', 'Twice', 'Never'], rows)}`);
	console.log();
	const counts = [...disruptions].map(([name, times]) => [name, String(times)]);
	console.log(table(['Disruption', 'Times'], counts));
	const causes = new Map<string, number>();
	for (const { change, times, cause } of findExceptions(findings)) {
		const row = [change.route, times === 0 ? 'never' : `${times} times`, cause].join('\t');
		causes.set(row, (causes.get(row) ?? 0) + 1);
	}
	if (causes.size === 0) return;
	const rowsOfCauses = [...causes].map(([row, count]) => [String(count), ...row.split('\t')]);
	console.log(`\n${table(['Exceptions', 'Changes', 'Reported', 'Cause'], rowsOfCauses)}`);
}

async function soak() {
	const userFolder = await mkdtemp(join(tmpdir(), 'corrigo-soak-'));
	cleanups.push(async () => await rm(userFolder, { recursive: true, force: true, maxRetries: 5 }));
	const { sandbox, instance } = await startDemo(userFolder);
	// The module imports packages that startDemo installs.
	const { DisruptedN8n } = await import('./disruptions');
	const receiver = new Receiver();
	const address = await receiver.open();
	cleanups.push(async () => await receiver.close());

	const workflows: Record<string, Workflow> = {};
	for (const [route, file] of Object.entries(workflowsFor(address))) {
		const created = await instance.api.createWorkflow(withCredential(file, instance.credential));
		workflows[route] = await instance.api.activate(created);
	}
	const n8n = new DisruptedN8n(userFolder, sandbox, instance, Object.values(workflows));
	const sender = new Sender(PUSHED_ROUTES.map((route) => () => webhookUrl(n8n, route)));
	const activity = new Activity(sandbox, sender, PUSHED_ROUTES, CHANGE_INTERVAL_MS);
	cleanups.push(async () => {
		activity.stop();
		sender.stop();
		await Promise.resolve();
	});

	const disruptions = await disrupt(n8n);
	activity.stop();
	await step('Waiting for the last reports', async () => {
		// A repeated report may come with the poll after the last one.
		await waitForReports(activity, receiver);
		await waitForReports(activity, receiver);
		await sender.end();
		await waitForReports(activity, receiver);
		await waitForExecutions(n8n.api, workflows);
	});
	const reported = new Map(routes.map((route) => [route, receiver.ids(route)]));
	const crashed = await findCrashed(n8n.api, workflows);
	const { kills, stops } = n8n;
	const findings = { changes: activity.changes, reported, crashed, promises, kills, stops };
	printReport(findings, disruptions);
	return findExceptions(findings).every(({ cause }) => cause !== UNEXPLAINED);
}

void runProgram(soak);
