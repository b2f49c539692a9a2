/**
 * Tests run in the realm of the worker itself, as nodes run in that of n8n. So n8n-core can be loaded
 * once per worker; loading it takes longer than most test files. So is the sandbox, with the data that it
 * seeds. What a file changes there is undone after it. The other modules of the project are new in each
 * file, but compiled once per worker.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';
import { readFileSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import vm from 'node:vm';

import type { JestEnvironment, JestEnvironmentConfig } from '@jest/environment';
import { ModernFakeTimers } from '@jest/fake-timers';
import { transformSync } from '@swc/core';
import { ModuleMocker } from 'jest-mock';

// n8n reads its settings when it is first loaded, so they must be set before that.
const userFolder = join(tmpdir(), `n8n-engine-${randomUUID()}`);
process.env.N8N_USER_FOLDER = userFolder;
process.env.N8N_ENCRYPTION_KEY = 'engine-tests';
// n8n logs every failing run. Its logger is silenced but the console is not, so that a test can
// still print.
process.env.N8N_LOG_LEVEL = 'silent';

// n8n-core 2.0 holds the process open with a timer for SSH tunnels; newer versions release it too.
const { setInterval: startTimer } = globalThis;
globalThis.setInterval = ((...timer: Parameters<typeof startTimer>) =>
	startTimer(...timer).unref()) as typeof startTimer;

/** Stands for the realm of the worker, which Node.js does not offer as a context. */
const realm = vm.createContext({});
const { compileFunction } = vm;
const compiled = new Map<string, { code: string; load: ReturnType<typeof compileFunction> }>();

// What jest loads for each test file is compiled and optimized once per worker: calling the function
// again gives new variables.
vm.compileFunction = (code, parameters, options = {}) => {
	const { filename = '', parsingContext } = options;
	if (parsingContext !== realm) return compileFunction(code, parameters, options);
	const known = compiled.get(filename);
	if (known?.code === code) return known.load;
	// Other options hold the jest of this test file.
	const load = compileFunction(code, parameters, { filename });
	compiled.set(filename, { code, load });
	return load;
};

// jest follows every promise, which takes a tenth of the time, to know the test of an error. Here no two
// tests run at once, so it is the running one.
const { run } = AsyncLocalStorage.prototype;
AsyncLocalStorage.prototype.run = function (store: unknown, work: () => unknown): unknown {
	if (!Object.hasOwn(Object(store), 'test')) return Reflect.apply(run, this, [store, work]);
	const { getStore } = this;
	this.getStore = () => store;
	return (work() as Promise<unknown>).finally(() => (this.getStore = getStore));
};

/** Properties of an object, to be put back. */
export function remember(object: object): () => void {
	const known = Object.getOwnPropertyDescriptors(object);
	return () => {
		for (const key of Reflect.ownKeys(object)) {
			if (!Object.hasOwn(known, key)) Reflect.deleteProperty(object, key);
		}
		Object.defineProperties(object, known);
	};
}

/** Settings of a class, which keeps them out of its properties, to be put back. */
function rememberSettings(holder: object): () => void {
	const known = Object.entries(Object.getOwnPropertyDescriptors(holder))
		.filter(([, { get, set }]) => get !== undefined && set !== undefined)
		.map(([name]) => [name, Reflect.get(holder, name) as unknown] as const);
	return () => {
		for (const [name, value] of known) Reflect.set(holder, name, value);
	};
}

const load = createRequire(__filename);
const undoInPackages = new Map<string, Array<() => void>>();

// For the sandbox, which is no package and whose modules know nothing of jest.
load.extensions['.ts'] = (module, filename) => {
	const { code } = transformSync(readFileSync(filename, 'utf8'), { filename });
	(module as typeof module & { _compile(code: string, filename: string): void })._compile(
		code,
		filename,
	);
};

/**
 * Loads a package or a module of the sandbox unless the worker has it; each environment undoes the
 * changes of its file in it.
 */
function requireOnce(path: string): unknown {
	const loaded = load(path) as object;
	if (!undoInPackages.has(path)) {
		const classes = Object.values(loaded).filter((value) => typeof value === 'function');
		const prototypes = classes.map(({ prototype }) => prototype as object | undefined);
		const objects = [loaded, ...classes, ...prototypes].filter((one) => one !== undefined);
		undoInPackages.set(path, [...objects.map(remember), ...classes.map(rememberSettings)]);
	}
	return loaded;
}

export default class WorkerEnvironment implements JestEnvironment {
	readonly global = globalThis as unknown as JestEnvironment['global'];
	readonly moduleMocker = new ModuleMocker(globalThis);
	readonly fakeTimers = null;
	readonly fakeTimersModern: ModernFakeTimers;
	readonly exportConditions = () => ['node', 'node-addons'];
	readonly getVmContext = () => realm;
	private readonly undo = [globalThis, Error, process.env].map(remember);

	constructor({ projectConfig }: JestEnvironmentConfig) {
		this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
		Object.assign(globalThis, { requireOnce });
	}

	async setup(): Promise<void> {}

	/** jest begins with the files that took longest, and measures them when their tests have ended. */
	handleTestEvent({ name }: { name: string }): void {
		if (name === 'run_finish') this.fakeTimersModern.useRealTimers();
	}

	async teardown(): Promise<void> {
		this.fakeTimersModern.dispose();
		for (const undo of [...this.undo, ...[...undoInPackages.values()].flat()]) undo();
		// n8n makes it again when it needs it.
		rmSync(userFolder, { recursive: true, force: true });
	}
}
