import { mkdir } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';

import { n8nBinary, nodeForN8n, pathWithNode } from '../install';
import { startDaemon, type Daemon } from '../process/daemon';
import { freePort, LOOPBACK } from '../process/loopback';

/** Text that each of n8n's commands prints when it is ready. */
const READY_LINES = {
	start: 'Editor is now accessible via:',
	webhook: 'Webhook listener waiting for requests.',
	worker: 'n8n worker is now ready',
};
const INHERITED_VARIABLES = ['HOME', 'LANG', 'PATH', 'TMPDIR', 'TZ', 'USER'];

export interface N8nOptions {
	/** Defaults to the process with the editor. */
	command?: keyof typeof READY_LINES;
	/** The folder that holds everything of the instance. */
	userFolder: string;
	/** Preferred port; another one is used where it is taken. */
	port?: number;
	env?: NodeJS.ProcessEnv;
	onLine?: (line: string) => void;
}

export interface N8n extends Daemon {
	url: string;
}

/**
 * Inherits only a few variables: settings of another n8n, of npm or of a test runner would change
 * this n8n.
 */
async function environment({ userFolder, port, env }: N8nOptions) {
	const inherited = Object.fromEntries(
		INHERITED_VARIABLES.map((name) => [name, process.env[name]]),
	);
	return {
		...inherited,
		PATH: [join(__dirname, '..', 'bin'), pathWithNode()].join(delimiter),
		NODE_ENV: 'production',
		// Several n8n start from the same files.
		NODE_COMPILE_CACHE: join(dirname(n8nBinary), '..', '..', '.cache', 'compiled'),
		N8N_USER_FOLDER: userFolder,
		N8N_HOST: LOOPBACK,
		N8N_LISTEN_ADDRESS: LOOPBACK,
		N8N_PORT: String(await freePort(port)),
		N8N_RUNNERS_BROKER_PORT: String(await freePort()),
		// The address is plain http on the loopback interface.
		N8N_SECURE_COOKIE: 'false',
		// No request leaves the machine: no telemetry, no look-ups of versions, banners or templates.
		N8N_DIAGNOSTICS_ENABLED: 'false',
		N8N_DISABLED_MODULES: 'mcp-registry',
		N8N_DYNAMIC_BANNERS_ENABLED: 'false',
		N8N_LICENSE_AUTO_RENEW_ENABLED: 'false',
		N8N_TEMPLATES_ENABLED: 'false',
		N8N_VERIFIED_PACKAGES_ENABLED: 'false',
		N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
		N8N_VERSION_NOTIFICATIONS_WHATS_NEW_ENABLED: 'false',
		// n8n has not verified this package.
		N8N_UNVERIFIED_PACKAGES_ENABLED: 'true',
		// A new user gets straight to the editor.
		N8N_HIRING_BANNER_ENABLED: 'false',
		N8N_PERSONALIZATION_ENABLED: 'false',
		N8N_PYTHON_ENABLED: 'false',
		N8N_GRACEFUL_SHUTDOWN_TIMEOUT: '5',
		// By default n8n refuses requests once its database takes 5 seconds, as on a busy machine.
		DB_PING_TIMEOUT_MS: '60000',
		...env,
	};
}

/** Starts a real n8n and waits until it is ready. */
export async function startN8n(options: N8nOptions): Promise<N8n> {
	const { command = 'start', userFolder, onLine } = options;
	await mkdir(userFolder, { recursive: true });
	const env = await environment(options);
	const daemon = await startDaemon({
		name: 'n8n',
		command: nodeForN8n(),
		args: [n8nBinary, command],
		cwd: userFolder,
		env,
		logFile: join(userFolder, 'n8n.log'),
		readyLine: READY_LINES[command],
		onLine,
	});
	return { ...daemon, url: `http://${LOOPBACK}:${env.N8N_PORT}` };
}
