import { setTimeout as delay } from 'node:timers/promises';

import type { Sandbox } from '../../sandbox';
import type { Workflow } from '../n8n/api';
import { killN8n, restartN8n, type Instance } from '../n8n/instance';
import type { Kill } from './report';

/** The n8n of the soak test, with everything that goes wrong around it. */
export class DisruptedN8n {
	readonly kills: Kill[] = [];

	constructor(
		private readonly userFolder: string,
		private readonly sandbox: Sandbox,
		private instance: Instance,
		private readonly workflows: Workflow[],
	) {}

	get api() {
		return this.instance.api;
	}

	private async start() {
		this.instance = await restartN8n(this.instance, this.userFolder);
	}

	async stop() {
		await this.instance.n8n.stop();
	}

	private async kill() {
		const polledAt = this.sandbox.requestsTo('api').at(-1)?.at ?? 0;
		this.kills.push({ at: Date.now(), polledAt });
		await killN8n(this.instance);
	}

	private makeUnavailable() {
		this.sandbox.fault({ kind: 'status', status: 502, times: Number.MAX_SAFE_INTEGER });
	}

	/** The test runs the disruptions in this order, again and again. */
	readonly disruptions: Record<string, () => Promise<void>> = {
		'n8n killed': async () => {
			await this.kill();
			await this.start();
		},
		'Sessions revoked': async () => {
			this.sandbox.revokeTokens();
			await Promise.resolve();
		},
		'n8n killed during or just after a poll': async () => {
			const before = this.sandbox.requestsTo('api').length;
			await this.sandbox.waitFor(() => this.sandbox.requestsTo('api').length > before);
			// The kill comes at a random time between the first request and the end of the execution.
			await delay(Math.random() * 400);
			await this.kill();
			await this.start();
		},
		'Corrigo down for 70 seconds': async () => {
			this.makeUnavailable();
			await delay(70_000);
			this.sandbox.clearFaults();
		},
		'Host moved': async () => {
			await this.sandbox.moveHost();
		},
		'Workflow edited': async () => {
			for (const { id } of this.workflows) {
				const workflow = await this.api.workflow(id);
				workflow.nodes[0].notes = new Date().toISOString();
				await this.api.activate(await this.api.updateWorkflow(workflow));
			}
		},
		'n8n restarted while Corrigo is down': async () => {
			await this.stop();
			this.makeUnavailable();
			await this.start();
			await delay(30_000);
			this.sandbox.clearFaults();
		},
	};
}
