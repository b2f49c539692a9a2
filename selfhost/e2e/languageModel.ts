import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { IDataObject } from 'n8n-workflow';

/** What the model does when it is its turn: it asks for a tool, or it answers. */
export type Turn = { call: string; with: IDataObject } | { say: string };

interface Message {
	role: string;
	content: string;
}

interface Chat {
	stream?: boolean;
	messages: Message[];
}

const messageOf = (turn: Turn) =>
	'say' in turn
		? { role: 'assistant', content: turn.say }
		: {
				role: 'assistant',
				content: null,
				tool_calls: [
					{
						index: 0,
						id: 'call_1',
						type: 'function',
						function: { name: turn.call, arguments: JSON.stringify(turn.with) },
					},
				],
			};

/** Speaks as a chat model of OpenAI does, and says what it was told to say. */
export class LanguageModel {
	private readonly chats: Chat[] = [];
	private readonly server: Server;

	private constructor(private readonly turns: Turn[]) {
		this.server = createServer((request, response) => void this.answer(request, response));
	}

	static async start(turns: Turn[]) {
		const model = new LanguageModel([...turns]);
		await new Promise<void>((resolve) => model.server.listen(0, '127.0.0.1', resolve));
		return model;
	}

	get url() {
		return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/v1`;
	}

	/** What the tool gave the model to read. */
	lastToolAnswer(): IDataObject[] {
		const last = this.chats.at(-1)?.messages.findLast(({ role }) => role === 'tool');
		return JSON.parse(last?.content ?? '[]') as IDataObject[];
	}

	async close() {
		this.server.closeAllConnections();
		await new Promise((resolve) => this.server.close(resolve));
	}

	private async answer(request: IncomingMessage, response: ServerResponse) {
		let text = '';
		for await (const part of request) text += String(part);
		const chat = JSON.parse(text) as Chat;
		this.chats.push(chat);
		const turn = this.turns.shift() ?? { say: 'I have nothing more to say.' };
		const message = messageOf(turn);
		const about = { id: 'chat', created: 0, model: 'stub' };
		const finish_reason = 'say' in turn ? 'stop' : 'tool_calls';
		if (chat.stream) {
			const chunk = (delta: object, reason: string | null) =>
				`data: ${JSON.stringify({
					...about,
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
				...about,
				object: 'chat.completion',
				choices: [{ index: 0, message, finish_reason }],
				usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
			}),
		);
	}
}
