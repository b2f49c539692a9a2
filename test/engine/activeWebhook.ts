/** Active workflows with the webhook trigger, which are closed after each test. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { CorrigoWebhookTrigger } from '../../nodes/Corrigo/CorrigoWebhookTrigger.node';
import type { Sandbox, SandboxOptions } from '../../sandbox';
import { openCompany } from './activeTrigger';
import { listen, type Listener } from './webhook';

const sandboxes: Sandbox[] = [];
const listeners: Listener[] = [];

afterEach(async () => {
	await Promise.all(listeners.splice(0).map(async (one) => await one.close()));
	await Promise.all(sandboxes.splice(0).map(async (one) => await one.close()));
});

type ListenOptions = Parameters<typeof listen>[0];
/** Another copy of the node may take the place of the one that is loaded here. */
type Spec = Omit<ListenOptions, 'sandbox' | 'parameters' | 'node'> &
	Partial<Pick<ListenOptions, 'node'>>;

/** Starts another process of n8n that listens for one Company. */
export async function startListener(
	sandbox: Sandbox,
	parameters: INodeParameters,
	spec: Spec = {},
) {
	const one = await listen({ sandbox, parameters, node: CorrigoWebhookTrigger, ...spec });
	listeners.push(one);
	return one;
}

/** An active workflow in front of a Corrigo whose clock is years away from that of this machine. */
export async function active(
	parameters: INodeParameters = { event: 'workOrderAction' },
	spec: Spec & SandboxOptions = {},
) {
	const company = await openCompany(spec);
	const { sandbox, read } = company;
	sandboxes.push(sandbox);
	const one = await startListener(sandbox, parameters, spec);
	await one.activate();
	sandbox.forgetRequests();
	return {
		...one,
		...company,
		sent: read,
		/** Pushes all changes, and waits until the node has processed them. */
		async pushed(push: Partial<Parameters<Sandbox['push']>[0]> = {}): Promise<IDataObject[]> {
			await sandbox.push({ url: one.url, ...push });
			return await settled(one);
		},
	};
}

export async function settled(one: Listener): Promise<IDataObject[]> {
	await one.idle();
	expect(one.failures).toEqual([]);
	return one.items();
}
