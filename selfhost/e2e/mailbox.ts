import { createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';

import type { N8nApi, Workflow } from '../n8n/api';
import { listen, LOOPBACK, newConnection } from '../process/loopback';
import { waitFor } from '../waitFor';

/** Undoes the quoted-printable encoding of long lines and of letters beyond ASCII. */
const decode = (text: string) =>
	text
		.replace(/=\r?\n/g, '')
		.replace(/=([0-9A-F]{2})/g, (_, code: string) =>
			String.fromCharCode(Number.parseInt(code, 16)),
		);

/** n8n ignores responses from programs that follow links in mails, such as virus scanners. */
const BROWSER_USER_AGENT =
	'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36';

/** Follows the link of the first button in a mail, once the execution that has sent it is waiting. */
export async function approve(mail: string, api: N8nApi, { id: workflow }: Workflow) {
	const [found] = mail.match(/https?:\/\/[^\s"<>]*approved=true[^\s"<>]*/) ?? [];
	const link = String(found).replaceAll('&amp;', '&');
	await waitFor(
		'the workflow waits for the approval',
		async () => await api.executions(workflow, 'waiting'),
		(waiting) => waiting.some(({ id }) => link.includes(`/${id}/`)),
	);
	await fetch(link, { headers: { 'user-agent': BROWSER_USER_AGENT, ...newConnection } });
}

/** An SMTP server that keeps the mails it receives. */
export class Mailbox {
	readonly mails: string[] = [];
	private readonly server = createServer((socket) => void this.receive(socket));
	private readonly sockets = new Set<Socket>();
	private port = 0;

	static async start() {
		const mailbox = new Mailbox();
		mailbox.port = await listen(mailbox.server);
		return mailbox;
	}

	/** Data for an SMTP credential. */
	get credential() {
		return { host: LOOPBACK, port: this.port, secure: false, disableStartTls: true };
	}

	async mailWith(text: string): Promise<string> {
		const mail = await waitFor(
			`a mail with "${text}" has arrived`,
			() => this.mails.find((each) => each.includes(text)),
			(found) => found !== undefined,
		);
		return String(mail);
	}

	async close() {
		for (const socket of this.sockets) socket.destroy();
		await new Promise((resolve) => this.server.close(resolve));
	}

	private async receive(socket: Socket) {
		this.sockets.add(socket);
		socket.on('close', () => this.sockets.delete(socket));
		const say = (line: string) => socket.write(`${line}\r\n`);
		let mail: string[] | undefined;
		say('220 mailbox');
		for await (const line of createInterface({ input: socket, crlfDelay: Infinity })) {
			if (mail !== undefined && line !== '.') mail.push(line);
			else if (mail !== undefined) {
				this.mails.push(decode(mail.join('\n')));
				mail = undefined;
				say('250 kept');
			} else if (/^DATA/i.test(line)) {
				mail = [];
				say('354 go on');
			} else if (/^QUIT/i.test(line)) socket.end('221 bye\r\n');
			else say('250 mailbox');
		}
	}
}
