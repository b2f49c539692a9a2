import { setTimeout as delay } from 'node:timers/promises';

import type { Sandbox } from '../../sandbox';
import { N8nApi, type Workflow } from '../n8n/api';
import { startN8n } from '../n8n/server';
import type { Session } from '../n8n/instance';
import type { Kill } from './report';

/** The n8n of the soak, which goes through a lot. */
export class Machine {
	readonly kills: Kill[] = [];

	constructor(
		private readonly userFolder: string,
		private readonly sandbox: Sandbox,
		private session: Session,
		private readonly workflows: Workflow[],
	) {}

	get api() {
		return this.session.api;
	}

	private async start() {
		const n8n = await startN8n({ userFolder: this.userFolder });
		this.session = { ...this.session, n8n, api: new N8nApi(n8n.url, this.api.session) };
	}

	async stop() {
		await this.session.n8n.stop();
	}

	private async killed() {
		const polledAt = this.sandbox.requestsTo('api').at(-1)?.at ?? 0;
		process.kill(this.session.n8n.pid, 'SIGKILL');
		this.kills.push({ at: Date.now(), polledAt });
		await this.session.n8n.ended;
	}

	private away() {
		this.sandbox.fault({ kind: 'status', status: 502, times: Number.MAX_SAFE_INTEGER });
	}

	/** All that is done to it, in this order, again and again. */
	readonly troubles: Record<string, () => Promise<void>> = {
		'n8n killed': async () => {
			await this.killed();
			await this.start();
		},
		'Sessions revoked': async () => {
			this.sandbox.revokeTokens();
			await Promise.resolve();
		},
		'n8n killed during a poll, or just after it': async () => {
			const seen = this.sandbox.requestsTo('api').length;
			await this.sandbox.waitFor(() => this.sandbox.requestsTo('api').length > seen);
			// Anywhere from the middle of the poll to the end of what it has started.
			await delay(Math.random() * 400);
			await this.killed();
			await this.start();
		},
		'Corrigo away for 70 seconds': async () => {
			this.away();
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
		'n8n started while Corrigo is away': async () => {
			await this.stop();
			this.away();
			await this.start();
			await delay(30_000);
			this.sandbox.clearFaults();
		},
	};
}
