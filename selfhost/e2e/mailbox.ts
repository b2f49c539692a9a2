import { createServer, type Socket } from 'node:net';
import { createInterface } from 'node:readline';

import { listen, LOOPBACK } from '../process/loopback';
import { waitFor } from '../waitFor';

/** Undoes the quoted-printable encoding of long lines and of letters beyond ASCII. */
const decode = (text: string) =>
	text
		.replace(/=\r?\n/g, '')
		.replace(/=([0-9A-F]{2})/g, (_, code: string) =>
			String.fromCharCode(Number.parseInt(code, 16)),
		);

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

	async firstMail() {
		const [mail] = await waitFor(
			'a mail has arrived',
			() => this.mails,
			({ length }) => length > 0,
		);
		return mail;
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
