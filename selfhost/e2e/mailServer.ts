import { chown, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { runCommand } from '../process/command';
import { startDaemon } from '../process/daemon';
import { freePort, LOOPBACK } from '../process/loopback';
import { findUnprivilegedUser } from '../process/unprivilegedUser';

const PROGRAM = '/usr/sbin/dovecot';
const PASSWORD = 'secret';

/** Dovecot runs without root, so all of its processes have one user and none changes its root folder. */
const configure = (folder: string, port: number, user: string, group: string) => `
protocols = imap
listen = ${LOOPBACK}
ssl = no
disable_plaintext_auth = no
base_dir = ${join(folder, 'run')}
state_dir = ${join(folder, 'state')}
log_path = /dev/stderr
default_internal_user = ${user}
default_internal_group = ${group}
default_login_user = ${user}
first_valid_uid = 1
mail_location = maildir:${join(folder, 'mail')}
passdb {
  driver = static
  args = password=${PASSWORD}
}
userdb {
  driver = static
  args = uid=${user} gid=${group} home=${join(folder, 'mail')}
}
service imap-login {
  chroot =
  inet_listener imap {
    port = ${port}
  }
  inet_listener imaps {
    port = 0
  }
}
service anvil {
  chroot =
}
service stats {
  chroot =
}
`;

/** Starts a Dovecot with an empty mailbox. */
export async function startMailServer() {
	if (!existsSync(PROGRAM)) {
		throw new Error('Install Dovecot first. On Debian and Ubuntu: apt-get install dovecot-imapd');
	}
	const user = await findUnprivilegedUser('Dovecot');
	const readName = async (flag: string) =>
		await runCommand('id', [flag, '-n', ...(user ? [String(user.uid)] : [])], { cwd: '/' });
	const folder = await mkdtemp(join(tmpdir(), 'corrigo-mail-'));
	const mail = join(folder, 'mail');
	await mkdir(join(folder, 'state'));
	for (const name of ['', 'new', 'cur', 'tmp']) await mkdir(join(mail, name));
	const config = join(folder, 'dovecot.conf');
	const port = await freePort();
	await writeFile(config, configure(folder, port, await readName('-u'), await readName('-g')));
	if (user) {
		const own = ['', 'state', 'mail', 'mail/new', 'mail/cur', 'mail/tmp'];
		for (const path of own) await chown(join(folder, path), user.uid, user.gid);
	}
	const { stop } = await startDaemon({
		name: 'Dovecot',
		command: PROGRAM,
		args: ['-F', '-c', config],
		cwd: folder,
		user,
		logFile: join(folder, 'dovecot.log'),
		readyLine: 'starting up for imap',
	});
	let delivered = 0;
	return {
		/** Data for an IMAP credential. */
		credential: { user: 'desk', password: PASSWORD, host: LOOPBACK, port, secure: false },
		/** Delivers a mail as every mail server does with this kind of mailbox: a complete file appears. */
		deliver: async (lines: readonly string[]) => {
			delivered += 1;
			const name = `${delivered}.test`;
			await writeFile(join(mail, 'tmp', name), lines.join('\r\n'));
			await rename(join(mail, 'tmp', name), join(mail, 'new', name));
		},
		close: async () => {
			await stop();
			await rm(folder, { recursive: true, maxRetries: 5 });
		},
	};
}
