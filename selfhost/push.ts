import { WebSocket } from 'ws';

interface PushMessage {
	type: string;
	data: { executionId?: string };
}

/** The channel by which n8n tells an open editor what happens in the runs it has started. */
export class Push {
	private readonly finished = new Set<string>();

	private constructor(private readonly socket: WebSocket) {
		socket.on('message', (data: Buffer) => {
			const { type, data: subject } = JSON.parse(data.toString()) as PushMessage;
			if (type !== 'executionFinished' || !subject.executionId) return;
			this.finished.add(subject.executionId);
			socket.emit(`finished ${subject.executionId}`);
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

	async executionFinished(executionId: string) {
		if (this.finished.has(executionId)) return;
		await new Promise<void>((resolve, reject) => {
			this.socket.once(`finished ${executionId}`, resolve);
			this.socket.once('close', () =>
				reject(new Error(`n8n closed its channel before execution ${executionId} finished`)),
			);
		});
	}

	close() {
		this.socket.close();
	}
}
