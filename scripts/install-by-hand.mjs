// Installs the packed package as README says, in an empty folder, with each Node.js that n8n supports:
// it must bring nothing else, and the oldest and the newest n8n-core, on the running Node.js, must load
// it from there.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const NODE_VERSIONS = ['20', '22', '24'];
const HOSTS = ['n8n-core-oldest', 'n8n-core'];

const require = createRequire(import.meta.url);
const { name: NAME, n8n } = require('../package.json');

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const tarball = resolve(process.argv[2] ?? process.env.CORRIGO_TARBALL);
const folder = mkdtempSync(join(tmpdir(), 'corrigo-install-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

const npm =
	process.env.npm_execpath ??
	join(dirname(process.execPath), '../lib/node_modules/npm/bin/npm-cli.js');
const runNpm = (cwd, node, ...args) =>
	execFileSync(node, [npm, ...args, '--no-audit', '--no-fund', '--loglevel=error'], { cwd });

/** Returns a Node.js of this major version, from the registry unless it is the running one. */
function installNode(version) {
	if (process.versions.node.startsWith(`${version}.`)) return process.execPath;
	const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
	const home = join(folder, `node-${version}`);
	mkdirSync(home);
	runNpm(
		home,
		process.execPath,
		'install',
		`${name}@${version}`,
		'--prefix',
		home,
		'--ignore-scripts',
	);
	return join(home, 'node_modules', name, 'bin', 'node');
}

// n8n makes its own packages known to community nodes in the same way.
const LOAD = `
	const { PackageDirectoryLoader } = require(process.argv[1]);
	const loader = new PackageDirectoryLoader(process.argv[2]);
	loader.loadAll().then(() => console.log(loader.types.nodes.length));
`;
const load = (host, directory) => {
	const core = require.resolve(`${host}/package.json`);
	const paths = [join(dirname(core), 'node_modules'), join(root, 'node_modules')];
	const env = { ...process.env, NODE_PATH: paths.join(process.platform === 'win32' ? ';' : ':') };
	return Number(execFileSync(process.execPath, ['-e', LOAD, dirname(core), directory], { env }));
};

for (const version of NODE_VERSIONS) {
	const nodes = join(folder, version, '.n8n', 'nodes');
	mkdirSync(nodes, { recursive: true });
	runNpm(nodes, installNode(version), 'install', tarball);
	const installed = readdirSync(join(nodes, 'node_modules')).filter(
		(name) => !name.startsWith('.'),
	);
	const counts = HOSTS.map((host) => load(host, join(nodes, 'node_modules', NAME)));
	const isRight = installed.join() === NAME && counts.every((count) => count === n8n.nodes.length);
	console.log(
		`Installed by Node.js ${version}: ${installed.join(', ')}; nodes that Node.js ${process.versions.node} loads in ${HOSTS.join(', ')}: ${counts.join(', ')}`,
	);
	if (!isRight) process.exitCode = 1;
}
