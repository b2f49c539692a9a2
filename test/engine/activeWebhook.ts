/** Active workflows with the webhook trigger, which are closed after each test. */
import { isLimitProbe } from './desk';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { CorrigoWebhookTrigger } from '../../nodes/Corrigo/CorrigoWebhookTrigger.node';
import { startSandbox, type Sandbox, type SandboxOptions } from '../../sandbox';
import { runCommand } from '../../sandbox/commands';
import { actAsColleague, workOrderShape } from '../../sandbox/desktop';
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
	let now = Date.UTC(2031, 4, 5, 6, 7, 8);
	const sandbox = await startSandbox({ workOrders: 40, strict: true, now: () => now, ...spec });
	sandboxes.push(sandbox);
	const one = await startListener(sandbox, parameters, spec);
	await one.activate();
	sandbox.forgetRequests();
	return {
		...one,
		sandbox,
		pass: (ms: number) => (now += ms),
		person: (work: object) => actAsColleague(sandbox.world, workOrderShape.parse(work)),
		api: (command: string, members: IDataObject) => runCommand(sandbox.world, command, members),
		/** Names of the entities that were read. */
		/** Entities of all requests but the probes of the page limit, one per hour and entity. */
		sent: () =>
			sandbox
				.requestsTo('api')
				.filter((one) => !isLimitProbe(one))
				.map(({ path }) => path.split('/').at(-1)),
		orders: () => sandbox.store.rows('WorkOrder'),
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
