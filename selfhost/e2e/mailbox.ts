import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createInterface } from 'node:readline';

import { until } from '../waitFor';

/** What nodemailer makes of lines that are too long, and of letters beyond ASCII. */
const decoded = (text: string) =>
	text
		.replace(/=\r?\n/g, '')
		.replace(/=([0-9A-F]{2})/g, (_, code: string) =>
			String.fromCharCode(Number.parseInt(code, 16)),
		);

/** Takes mail as a server of SMTP does, and keeps it. */
export class Mailbox {
	readonly mails: string[] = [];
	private readonly server: Server;
	private readonly sockets = new Set<Socket>();

	private constructor() {
		this.server = createServer((socket) => void this.take(socket));
	}

	static async start() {
		const mailbox = new Mailbox();
		await new Promise<void>((resolve) => mailbox.server.listen(0, '127.0.0.1', resolve));
		return mailbox;
	}

	/** For a credential of the type SMTP. */
	get credential() {
		const { port } = this.server.address() as AddressInfo;
		return { host: '127.0.0.1', port, secure: false, disableStartTls: true };
	}

	async first() {
		return (
			await until(
				'a mail has come',
				async () => this.mails,
				({ length }) => length > 0,
			)
		)[0];
	}

	async close() {
		for (const socket of this.sockets) socket.destroy();
		await new Promise((resolve) => this.server.close(resolve));
	}

	private async take(socket: Socket) {
		this.sockets.add(socket);
		socket.on('close', () => this.sockets.delete(socket));
		const say = (line: string) => socket.write(`${line}\r\n`);
		let mail: string[] | undefined;
		say('220 mailbox');
		for await (const line of createInterface({ input: socket, crlfDelay: Infinity })) {
			if (mail !== undefined && line !== '.') mail.push(line);
			else if (mail !== undefined) {
				this.mails.push(decoded(mail.join('\n')));
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
