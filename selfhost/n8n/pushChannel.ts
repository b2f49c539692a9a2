import { WebSocket } from 'ws';

import { waitFor } from '../waitFor';

export type PushType =
	| 'executionFinished'
	| 'workflowActivated'
	| 'workflowDeactivated'
	| 'workflowFailedToActivate';

interface PushMessage {
	type: string;
	data: { executionId?: string; workflowId?: string; errorMessage?: string };
}

/** The WebSocket by which n8n sends events to an open editor. */
export class PushChannel {
	private readonly received: PushMessage[] = [];

	private constructor(private readonly socket: WebSocket) {
		socket.on('message', (data: Buffer) => {
			this.received.push(JSON.parse(data.toString()) as PushMessage);
		});
	}

	static async open(url: string, pushRef: string, headers: Record<string, string>) {
		const socket = new WebSocket(`${url.replace('http', 'ws')}/rest/push?pushRef=${pushRef}`, {
			origin: url,
			headers,
		});
		await new Promise((resolve, reject) => {
			socket.once('open', resolve);
			socket.once('error', reject);
		});
		return new PushChannel(socket);
	}

	/** Waits for a message of these types about an execution or a workflow; one received before counts. */
	async waitForMessage(id: string, ...types: PushType[]): Promise<PushMessage> {
		const [message] = await waitFor(
			`n8n has sent ${types.join(' or ')} of ${id}`,
			() => this.findMessages(id, types),
			({ length }) => length > 0,
		);
		return message;
	}

	close() {
		this.socket.close();
	}

	private findMessages(id: string, types: readonly string[]): PushMessage[] {
		const found = this.received.filter(
			({ type, data }) => types.includes(type) && [data.executionId, data.workflowId].includes(id),
		);
		if (found.length === 0 && this.socket.readyState !== WebSocket.OPEN) {
			throw new Error(`n8n closed the channel before ${types.join(' or ')} of ${id}`);
		}
		return found;
	}
}
