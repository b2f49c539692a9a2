import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { IDataObject } from 'n8n-workflow';

import { listen, LOOPBACK } from '../process/loopback';

/** A response of the model: a call of a tool, or a text. */
export type Turn = { call: string; with: IDataObject } | { say: string };

interface Message {
	role: string;
	content: string;
}

interface Chat {
	stream?: boolean;
	messages: Message[];
}

/** Agents tell calls apart by their IDs. */
const messageOf = (turn: Turn, call: number) =>
	'say' in turn
		? { role: 'assistant', content: turn.say }
		: {
				role: 'assistant',
				content: null,
				tool_calls: [
					{
						index: 0,
						id: `call_${call}`,
						type: 'function',
						function: { name: turn.call, arguments: JSON.stringify(turn.with) },
					},
				],
			};

/** A server with the API of OpenAI's chat models that gives scripted responses. */
export class LanguageModel {
	private readonly chats: Chat[] = [];
	private readonly server = createServer(
		(request, response) => void this.respond(request, response),
	);
	private port = 0;

	private constructor(private readonly turns: Turn[]) {}

	static async start(turns: Turn[]) {
		const model = new LanguageModel([...turns]);
		model.port = await listen(model.server);
		return model;
	}

	get url() {
		return `http://${LOOPBACK}:${this.port}/v1`;
	}

	/** A result of a tool that the model received, by default the latest. */
	toolResult<T = IDataObject[]>(index = -1): T {
		const results = this.chats.at(-1)?.messages.filter(({ role }) => role === 'tool');
		return JSON.parse(results?.at(index)?.content ?? '[]') as T;
	}

	async close() {
		this.server.closeAllConnections();
		await new Promise((resolve) => this.server.close(resolve));
	}

	private async respond(request: IncomingMessage, response: ServerResponse) {
		if (!request.url?.endsWith('/chat/completions')) {
			// Clients that know a newer API fall back to this one.
			response.writeHead(404).end();
			return;
		}
		let text = '';
		for await (const part of request) text += String(part);
		const chat = JSON.parse(text) as Chat;
		this.chats.push(chat);
		const turn = this.turns.shift() ?? { say: 'I have nothing more to say.' };
		const message = messageOf(turn, this.chats.length);
		const common = { id: 'chat', created: 0, model: 'stub' };
		const finish_reason = 'say' in turn ? 'stop' : 'tool_calls';
		if (chat.stream) {
			const chunk = (delta: object, reason: string | null) =>
				`data: ${JSON.stringify({
					...common,
					object: 'chat.completion.chunk',
					choices: [{ index: 0, delta, finish_reason: reason }],
				})}\n\n`;
			response.setHeader('content-type', 'text/event-stream');
			response.end(`${chunk(message, null)}${chunk({}, finish_reason)}data: [DONE]\n\n`);
			return;
		}
		response.setHeader('content-type', 'application/json');
		response.end(
			JSON.stringify({
				...common,
				object: 'chat.completion',
				choices: [{ index: 0, message, finish_reason }],
				usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
			}),
		);
	}
}
