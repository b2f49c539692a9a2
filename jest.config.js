const { availableParallelism } = require('node:os');

/** The node runs inside the oldest supported n8n and the newest: each engine is a project of its own. */
const shared = {
	rootDir: __dirname,
	testEnvironment: '<rootDir>/test/environment/environment.ts',
	transform: {
		'/node_modules/.*\\.c?js$': '<rootDir>/test/environment/loadedOnce.js',
		'^.+\\.ts$': ['@swc/jest'],
	},
	// The parts of jest itself.
	transformIgnorePatterns: ['/node_modules/(@jest|jest-|expect)'],
	modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/selfhost/'],
};

const engine = (name, moduleNameMapper = {}) => ({
	...shared,
	displayName: name,
	testMatch: ['<rootDir>/test/{engine,compat,acceptance}/**/*.test.ts'],
	moduleNameMapper,
});

module.exports = {
	// Two on a machine of two cores, where it would be one: much of the time is waiting.
	maxWorkers: Math.max(2, availableParallelism() - 1),
	// A worker keeps some of what each test file loads: from here on a new one goes on, instead of one of 2.8 GB.
	workerIdleMemoryLimit: '1GB',
	// The longest a test may take on a machine that is slow and does other work, too; none waits for it.
	testTimeout: 120_000,
	projects: [
		{
			...shared,
			displayName: 'units',
			testMatch: ['<rootDir>/test/**/*.test.ts'],
			testPathIgnorePatterns: ['/node_modules/', '<rootDir>/test/(engine|compat|acceptance)/'],
		},
		engine('n8n-core 2.41.1'),
		engine('n8n-core 2.0.2', {
			'^n8n-core$': '<rootDir>/node_modules/n8n-core-oldest',
			'^n8n-core/(.*)$': '<rootDir>/node_modules/n8n-core-oldest/$1',
			'^n8n-workflow$': '<rootDir>/node_modules/n8n-core-oldest/node_modules/n8n-workflow',
		}),
	],
};
