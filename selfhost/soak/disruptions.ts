import { setTimeout as delay } from 'node:timers/promises';

import type { Sandbox } from '../../sandbox';
import type { Workflow } from '../n8n/api';
import { killN8n, restartN8n, type Instance } from '../n8n/instance';
import { troubles, WRONG_SECRET } from '../workflows/troubles';
import type { Kill } from './report';

const allTroubles = Object.values(troubles);

/** The n8n of the soak test, with everything that goes wrong around it. */
export class DisruptedN8n {
	readonly kills: Kill[] = [];
	/** Times at which n8n was stopped in an orderly way. */
	readonly stops: number[] = [];
	/** Short runs begin with another trouble each time. */
	private nextTrouble = Math.floor(Math.random() * allTroubles.length);

	constructor(
		private readonly userFolder: string,
		private readonly sandbox: Sandbox,
		private instance: Instance,
		private readonly workflows: Workflow[],
	) {}

	get api() {
		return this.instance.api;
	}

	get url() {
		return this.instance.n8n.url;
	}

	private async start() {
		this.instance = await restartN8n(this.instance, this.userFolder);
	}

	async stop() {
		await this.instance.n8n.stop();
		// n8n takes pushes until it has ended.
		this.stops.push(Date.now());
	}

	private async kill() {
		const polledAt = this.sandbox.requestsTo('api').at(-1)?.at ?? 0;
		this.kills.push({ at: Date.now(), polledAt });
		await killN8n(this.instance);
	}

	private async setSecret(clientSecret = this.sandbox.credentials.clientSecret) {
		const { api, credential } = this.instance;
		await api.updateCredential(credential, { ...this.sandbox.credentials, clientSecret });
	}

	/** Restarts n8n while Corrigo refuses it, each time in another way. */
	private async startInTrouble() {
		const trouble = allTroubles[this.nextTrouble++ % allTroubles.length];
		if (trouble === WRONG_SECRET) await this.setSecret('wrong');
		await this.stop();
		this.sandbox.revokeTokens();
		if (trouble !== WRONG_SECRET) this.sandbox.fault(trouble);
		await this.start();
		await delay(30_000);
		this.sandbox.clearFaults();
		if (trouble === WRONG_SECRET) await this.setSecret();
	}

	/** The test runs the disruptions in this order, again and again. */
	readonly disruptions: Record<string, () => Promise<void>> = {
		'n8n killed': async () => {
			await this.kill();
			await this.start();
		},
		'n8n stopped': async () => {
			await this.stop();
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
			this.sandbox.fault({ kind: 'status', status: 502, times: Number.MAX_SAFE_INTEGER });
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
		'n8n restarted while Corrigo refuses it': async () => {
			await this.startInTrouble();
		},
	};
}
