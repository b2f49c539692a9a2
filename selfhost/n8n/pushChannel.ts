import { WebSocket } from 'ws';

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
			socket.emit('received');
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
		for (;;) {
			const message = this.received.find(
				({ type, data }) =>
					types.some((wanted) => wanted === type) &&
					[data.executionId, data.workflowId].includes(id),
			);
			if (message) return message;
			await this.nextMessage(`n8n closed the channel before ${types.join(' or ')} of ${id}`);
		}
	}

	close() {
		this.socket.close();
	}

	private async nextMessage(closedMessage: string) {
		const { socket } = this;
		await new Promise<void>((resolve, reject) => {
			const closed = () => reject(new Error(closedMessage));
			socket.once('close', closed);
			socket.once('received', () => {
				socket.off('close', closed);
				resolve();
			});
		});
	}
}
