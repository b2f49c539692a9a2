/**
 * Counts the files of the package in which a function runs during one journey of a user: the shorter
 * the way, the sooner a reader knows it. `npm run build && npx tsx bench/journeys.ts [--list]`
 */
import './setup';

import { Session } from 'node:inspector/promises';
import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { startSandbox } from '../sandbox';
import { actAsColleague, workOrderShape } from '../sandbox/desktop';
import { createEngine } from '../test/support/engine';
import { listen } from '../test/support/webhook';
import { loadCredential, loadNode } from './built';

const Corrigo = loadNode('Corrigo');
const CorrigoTrigger = loadNode('CorrigoTrigger');
const CorrigoWebhookTrigger = loadNode('CorrigoWebhookTrigger');

const FILE = /\/nodes\/Corrigo\/(?!catalogue\/)(.+)\.[jt]s$/;

interface Journey {
	name: string;
	/** Runs before the journey and does not count. */
	prepare?: () => Promise<void>;
	travel: () => Promise<unknown>;
}

async function countFiles({ prepare, travel }: Journey): Promise<string[]> {
	// The first execution loads, logs in and fills caches.
	await prepare?.();
	await travel();
	await prepare?.();
	const session = new Session();
	session.connect();
	await session.post('Profiler.enable');
	await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
	await travel();
	const { result } = await session.post('Profiler.takePreciseCoverage');
	session.disconnect();
	const files = result.flatMap(({ url, functions }) => {
		const [, file] = FILE.exec(url) ?? [];
		const hasRun = functions.some(({ ranges }) => ranges.some(({ count }) => count > 0));
		return file !== undefined && hasRun ? [file] : [];
	});
	return [...new Set(files)].sort();
}

async function main() {
	const sandbox = await startSandbox({ workOrders: 40 });
	const engine = createEngine({
		nodes: { corrigo: Corrigo, corrigoTrigger: CorrigoTrigger },
		credentialTypes: [loadCredential()],
		credentials: { corrigoApi: { id: '1', data: sandbox.credentials } },
	});
	const run = async (
		resource: string,
		operation: string,
		parameters: INodeParameters,
		input?: INodeExecutionData[],
	) => {
		const { error, items } = await engine.run({
			parameters: { resource, operation, ...parameters },
			items: input,
		});
		if (error) throw error as unknown as Error;
		return items;
	};
	const [customer] = sandbox.store.rows('Customer');
	const orderId = sandbox.store.rows('WorkOrder')[0].Id;
	const locator = (mode: string, value: unknown) =>
		({ __rl: true, mode, value }) as INodeParameters;

	const createOrder = async () =>
		await run('workOrder', 'create', {
			typeCategory: 'Request',
			subType: locator('id', 24),
			customer: locator('name', 'Contoso Pharmacy'),
			items: {
				values: [{ asset: locator('name', 'Water Heater'), task: locator('name', 'No hot water') }],
			},
		});

	let staticData: IDataObject = {};
	const change = () => actAsColleague(sandbox.world, workOrderShape.parse({}));
	const poll = async () => {
		if (Object.keys(staticData).length > 0) change();
		const found = await engine.poll('corrigoTrigger', {
			parameters: { event: 'workOrderCreated' },
			staticData,
		});
		if (found.error) throw found.error as unknown as Error;
		({ staticData } = found);
		return found.items;
	};
	await poll();

	const listener = await listen({
		sandbox,
		node: CorrigoWebhookTrigger,
		parameters: { event: 'workOrderCreated' },
	});
	await listener.activate();
	const push = async () => {
		const { Id } = change();
		await listener.push({ WorkOrder: { Id } });
		await listener.idle();
		if (listener.items().length !== 1) throw new Error('The push has no item');
	};
	let updated: INodeExecutionData[] = [];
	const journeys: Journey[] = [
		{
			name: 'a condition in Get Many',
			travel: async () =>
				await run('workOrder', 'getMany', {
					searchBy: 'conditions',
					conditions: { values: [{ property: 'PoNumber', operator: 'Equal', value: 'PO-1' }] },
				}),
		},
		{ name: 'a create by names', travel: createOrder },
		{
			name: 'an upsert of a customer',
			travel: async () =>
				await run('customer', 'upsert', {
					fields: {
						mappingMode: 'defineBelow',
						value: { TenantCode: customer.TenantCode as string, Dba: String(performance.now()) },
						matchingColumns: ['TenantCode'],
					},
				}),
		},
		{ name: 'a poll with one change', travel: poll },
		{ name: 'a push', travel: push },
		{
			name: 'restored values',
			prepare: async () => {
				updated = await run('workOrder', 'update', {
					id: locator('id', orderId),
					fieldsMode: 'json',
					fieldsJson: { PoNumber: String(performance.now()) },
					options: { returnBefore: true },
				});
			},
			travel: async () =>
				await run(
					'record',
					'restoreValues',
					{ entity: locator('name', 'WorkOrder'), before: '={{ $json.Before }}' },
					updated,
				),
		},
	];
	for (const journey of journeys) {
		const files = await countFiles(journey);
		console.log(`${String(files.length).padStart(3)}  ${journey.name}`);
		if (process.argv.includes('--list')) console.log(`     ${files.join(' ')}`);
	}
	await listener.close();
	await sandbox.close();
}

void main();
