/** Active workflows with the webhook trigger, which are closed after each test. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { CorrigoWebhookTrigger } from '../../nodes/Corrigo/CorrigoWebhookTrigger.node';
import type { Sandbox, SandboxOptions } from '../../sandbox';
import { loadNodes, openCompany, closeAfterTest } from './activeTrigger';
import { listen } from './webhook';

/** Another copy of the node may take the place of the one that is loaded here. */
type Spec = Partial<Omit<Parameters<typeof listen>[0], 'sandbox' | 'parameters'>>;

/** Starts another process of n8n that listens for one Company. */
export async function startListener(sandbox: Sandbox, parameters: object, spec: Spec = {}) {
	const one = closeAfterTest(
		await listen({
			sandbox,
			parameters: parameters as INodeParameters,
			node: CorrigoWebhookTrigger,
			...spec,
		}),
	);
	/** Waits until the node has processed all pushes, and returns the items since the last time. */
	async function settled(): Promise<IDataObject[]> {
		await one.idle();
		expect(one.failures).toEqual([]);
		return one.items();
	}
	return {
		...one,
		settled,
		/** Returns the items of one push. */
		async receive(...push: Parameters<typeof one.push>): Promise<IDataObject[]> {
			await one.push(...push);
			return await settled();
		},
		/** Pushes all changes, and returns the items. */
		async pushed(push: Partial<Parameters<Sandbox['push']>[0]> = {}): Promise<IDataObject[]> {
			await sandbox.push({ url: one.url, ...push });
			return await settled();
		},
	};
}

/** An active workflow in front of a Corrigo whose clock is years away from that of this machine. */
export async function active(
	parameters: object = { event: 'workOrderAction' },
	spec: Spec & SandboxOptions = {},
) {
	const company = await openCompany(spec);
	const one = await startListener(company.sandbox, parameters, spec);
	await one.activate();
	company.sandbox.forgetRequests();
	return {
		...one,
		...company,
		sent: company.read,
		/** Starts a new process of n8n with the state that is stored. */
		async inNewProcess(and: object = {}) {
			const { CorrigoWebhookTrigger: node } = await loadNodes();
			const { database } = one;
			return await startListener(company.sandbox, { ...parameters, ...and }, { database, node });
		},
	};
}
