const { availableParallelism } = require('node:os');

const shared = {
	rootDir: __dirname,
	// The gate installs n8n in another folder while the tests run.
	roots: ['<rootDir>/test'],
	testEnvironment: '<rootDir>/test/environment/environment.ts',
	setupFiles: ['<rootDir>/test/environment/seed.ts'],
	transform: {
		[`/node_modules/.*\\.c?js$|^${__dirname}/sandbox/.*\\.ts$`]:
			'<rootDir>/test/environment/loadedOnce.js',
		'^.+\\.ts$': ['@swc/jest'],
	},
	// The parts of jest itself.
	transformIgnorePatterns: ['/node_modules/(@jest|jest-|expect)'],
	modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/selfhost/'],
};

/** Tests that run the node inside n8n-core; each version of n8n-core is a project of its own. */
const ENGINE = ['<rootDir>/test/{engine,compat,acceptance}/**/*.test.ts'];

const engine = (...names) => names.map((name) => `<rootDir>/test/engine/**/${name}.test.ts`);

/** What depends on the version, in short tests: a case of each operation, requests, polls, pushes, files, forms. */
const HOST = [
	...engine('attachments', 'form', 'ignoreChangesBy', 'load', 'operations', 'retries'),
	...engine('tokenTarget', 'triggerState'),
];

/** And what uses more of it: expressions, lists of a form, items, tools, whole workflows, sessions, triggers. */
const MORE_HOST = [
	...engine('choosing', 'columns', 'deadlines', 'desk', 'document', 'dryRun', 'examples'),
	...engine('maximumItems', 'models', 'pickers', 'readOnly', 'reading', 'record'),
	...engine('sensitiveOutput', 'session', 'times', 'transport', 'trigger', 'untrusted', 'webhook'),
	...engine('workOrderActions'),
	'<rootDir>/test/{compat,acceptance}/**/*.test.ts',
];

/** What evaluates expressions: as a value, for each item, in a tool, in the examples. */
const EXPRESSIONS = [
	...engine('choosing', 'confirmation', 'emptyExpressions', 'exampleGaps', 'examples'),
	...engine('foreignText', 'guideExpressions', 'requestCounts', 'times', 'untrusted', 'ways'),
];

/** Newer hosts evaluate expressions in an isolated VM by default, which needs the Node.js that they need. */
const hasVm = Number.parseInt(process.versions.node, 10) >= 24;

const withVm = {
	...shared,
	displayName: 'n8n-core 2.41.1, isolated VM',
	testMatch: EXPRESSIONS,
	setupFilesAfterEnv: ['<rootDir>/test/environment/expressions.ts'],
};

module.exports = {
	// Three on a machine of two cores, where it would be one: much of the time is waiting.
	maxWorkers: Math.max(3, availableParallelism() - 1),
	// A worker keeps some of what each test file loads: from here on a new one goes on, instead of one of 2.8 GB.
	workerIdleMemoryLimit: '1.8GB',
	// The longest a worker may take to end; jest's half second is too short on a busy machine.
	workerGracefulExitTimeout: 10_000,
	// The longest a test may take on a machine that is slow and does other work, too; none waits for it.
	testTimeout: 120_000,
	projects: [
		{
			...shared,
			displayName: 'units',
			testMatch: ['<rootDir>/test/**/*.test.ts'],
			testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/(engine|compat|acceptance)/'],
		},
		{
			...shared,
			displayName: 'n8n-core 2.41.1',
			testMatch: ENGINE,
			// The longest of the tests that evaluate expressions runs with one evaluator, the newer one that there is.
			testPathIgnorePatterns: ['/node_modules/', ...(hasVm ? ['/exampleGaps\\.test\\.ts$'] : [])],
		},
		...(hasVm ? [withVm] : []),
		{
			...shared,
			displayName: 'n8n-core 2.0.2',
			testMatch: process.env.FULL ? [...HOST, ...MORE_HOST] : HOST,
			moduleNameMapper: {
				'^n8n-core$': '<rootDir>/node_modules/n8n-core-oldest',
				'^n8n-core/(.*)$': '<rootDir>/node_modules/n8n-core-oldest/$1',
				'^n8n-workflow$': '<rootDir>/node_modules/n8n-core-oldest/node_modules/n8n-workflow',
			},
		},
	],
};
