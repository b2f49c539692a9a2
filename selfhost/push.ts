import { WebSocket } from 'ws';

interface PushMessage {
	type: string;
	data: { executionId?: string; workflowId?: string };
}

/** The channel by which n8n tells an open editor what happens to runs and workflows. */
export class Push {
	private readonly told = new Set<string>();

	private constructor(private readonly socket: WebSocket) {
		socket.on('message', (data: Buffer) => {
			const { type, data: subject } = JSON.parse(data.toString()) as PushMessage;
			const message = `${type} ${subject?.executionId ?? subject?.workflowId}`;
			this.told.add(message);
			socket.emit(message);
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
		return new Push(socket);
	}

	/** Settles when n8n tells, or has told, this about an execution or a workflow. */
	async message(type: string, id: string) {
		const message = `${type} ${id}`;
		if (this.told.has(message)) return;
		await new Promise<void>((resolve, reject) => {
			this.socket.once(message, resolve);
			this.socket.once('close', () =>
				reject(new Error(`n8n closed its channel before "${message}"`)),
			);
		});
	}

	close() {
		this.socket.close();
	}
}
