import { runCommand } from './command';

/** Users that can run servers which refuse to run as root. */
const UNPRIVILEGED_USERS = ['postgres', 'nobody'];

/** Returns the user to run a server as, where that is not the current one. */
export async function findUnprivilegedUser(server: string) {
	if (process.getuid?.() !== 0) return undefined;
	for (const name of UNPRIVILEGED_USERS) {
		const ids = await Promise.all(
			['-u', '-g'].map(async (flag) => await runCommand('id', [flag, name], { cwd: '/' })),
		).catch(() => undefined);
		if (ids) return { uid: Number(ids[0]), gid: Number(ids[1]) };
	}
	throw new Error(
		`${server} does not run as root, and there is no user ${UNPRIVILEGED_USERS.join(', ')}`,
	);
}
