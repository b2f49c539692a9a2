import { setTimeout as delay } from 'node:timers/promises';

import { newConnection } from '../process/loopback';

const REPEAT_MS = 1000;
/** Longer than a restart of n8n takes. */
const NEXT_EVENT_MS = 60_000;

/** Pushes work orders as Corrigo does: each event again and again until it is answered with 200. */
export class Sender {
	private readonly sending = new Set<Promise<void>>();
	private isStopped = false;
	private finish!: () => void;
	private readonly finished = new Promise<void>((resolve) => (this.finish = resolve));

	/** The addresses change when n8n restarts. */
	constructor(private readonly addresses: ReadonlyArray<() => string>) {}

	/** Pushes an order to all addresses, and later once more, as the next event about it. */
	push(order: number) {
		for (const address of this.addresses) {
			const sent = this.sendEvents(order, address).finally(() => this.sending.delete(sent));
			this.sending.add(sent);
		}
	}

	/** Sends the next events of all orders at once, and waits until they are answered. */
	async end() {
		this.finish();
		await Promise.all(this.sending);
	}

	/** Gives up what is not answered yet, after a failure. */
	stop() {
		this.isStopped = true;
	}

	private async sendEvents(order: number, address: () => string) {
		await this.send(order, address);
		await Promise.race([delay(NEXT_EVENT_MS, undefined, { ref: false }), this.finished]);
		await this.send(order, address);
	}

	private async send(Id: number, address: () => string) {
		const push = async () =>
			await fetch(address(), {
				method: 'POST',
				headers: { 'content-type': 'application/json', ...newConnection },
				body: JSON.stringify({ WorkOrder: { Id } }),
			}).then(
				({ status }) => status,
				() => undefined,
			);
		while (!this.isStopped && (await push()) !== 200) await delay(REPEAT_MS);
	}
}
