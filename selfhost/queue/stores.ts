import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync } from 'node:fs';
import { chown, mkdir, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';

import { runCommand } from '../process/command';
import { startDaemon } from '../process/daemon';
import { freePort, LOOPBACK } from '../process/loopback';
import { findUnprivilegedUser } from '../process/unprivilegedUser';

const DEBIAN_POSTGRES = '/usr/lib/postgresql';
const USER = 'n8n';

/** Debian keeps the programs of each version of PostgreSQL outside PATH. */
function searchPath() {
	const versions = existsSync(DEBIAN_POSTGRES) ? readdirSync(DEBIAN_POSTGRES) : [];
	const newestFirst = versions.sort((a, b) => Number(b) - Number(a));
	const path = (process.env.PATH ?? '').split(delimiter);
	return [...path, ...newestFirst.map((version) => join(DEBIAN_POSTGRES, version, 'bin'))];
}

const PROGRAMS = ['redis-server', 'initdb', 'postgres', 'psql'] as const;

export type Programs = Record<(typeof PROGRAMS)[number], string>;

/** Paths of the programs, which come from packages of the distribution. */
export function findPrograms(): Programs {
	const path = searchPath();
	const found = PROGRAMS.map((name) => [
		name,
		path.map((folder) => join(folder, name)).find((file) => existsSync(file)),
	]);
	const missing = found.filter(([, file]) => file === undefined).map(([name]) => name);
	if (missing.length === 0) return Object.fromEntries(found) as Programs;
	throw new Error(
		`Queue mode needs Redis and PostgreSQL. Not found: ${missing.join(', ')}.\n` +
			'On Debian and Ubuntu: apt-get update && apt-get install redis-server postgresql',
	);
}

/** Starts a Redis without persistence, and returns its address for n8n. */
export async function startRedis(programs: Programs, folder: string) {
	await mkdir(folder);
	const port = String(await freePort());
	const flags = { '--port': port, '--bind': LOOPBACK, '--dir': folder, '--save': '' };
	await startDaemon({
		name: 'Redis',
		command: programs['redis-server'],
		args: Object.entries(flags).flat(),
		cwd: folder,
		logFile: join(folder, 'redis.log'),
		readyLine: 'Ready to accept connections',
	});
	return { QUEUE_BULL_REDIS_HOST: LOOPBACK, QUEUE_BULL_REDIS_PORT: port };
}

export type Database = Awaited<ReturnType<typeof startPostgres>>;

/** Starts a new PostgreSQL, and returns its address for n8n and a function that queries it. */
export async function startPostgres(programs: Programs, folder: string) {
	const user = await findUnprivilegedUser('PostgreSQL');
	const data = join(folder, 'data');
	const passwordFile = join(folder, 'password');
	const password = randomBytes(16).toString('hex');
	await mkdir(folder);
	await writeFile(passwordFile, password, { mode: 0o600 });
	if (user) for (const path of [folder, passwordFile]) await chown(path, user.uid, user.gid);

	const create = [`--pgdata=${data}`, `--username=${USER}`, `--pwfile=${passwordFile}`];
	const settings = ['--auth=scram-sha-256', '--encoding=UTF8', '--locale=C', '--no-sync'];
	await runCommand(programs.initdb, [...create, ...settings], { cwd: folder, user });
	const port = String(await freePort());
	await startDaemon({
		name: 'PostgreSQL',
		command: programs.postgres,
		args: ['-D', data, '-h', LOOPBACK, '-p', port, '-k', '', '-F'],
		cwd: folder,
		user,
		logFile: join(folder, '..', 'postgres.log'),
		readyLine: 'database system is ready to accept connections',
	});

	const address = { host: LOOPBACK, port, dbname: 'postgres', user: USER };
	const target = Object.entries(address).map(([name, value]) => `${name}=${value}`);
	return {
		env: {
			DB_TYPE: 'postgresdb',
			DB_POSTGRESDB_HOST: LOOPBACK,
			DB_POSTGRESDB_PORT: port,
			DB_POSTGRESDB_DATABASE: address.dbname,
			DB_POSTGRESDB_USER: USER,
			DB_POSTGRESDB_PASSWORD: password,
		},
		/** Returns the rows, each as an array of texts. */
		query: async (sql: string) => {
			const rows = await runCommand(programs.psql, ['-At', '-d', target.join(' '), '-c', sql], {
				cwd: folder,
				env: { PGPASSWORD: password },
			});
			return rows === '' ? [] : rows.split('\n').map((row) => row.split('|'));
		},
	};
}
