/** Run from the root: `jest --config selfhost/jest.config.js`. Each worker has an n8n of its own. */
module.exports = {
	rootDir: __dirname,
	roots: ['<rootDir>/e2e'],
	testMatch: ['<rootDir>/e2e/**/*.test.ts'],
	testEnvironment: 'node',
	transform: { '^.+\\.ts$': ['@swc/jest'] },
	globalSetup: '<rootDir>/e2e/setup.ts',
	globalTeardown: '<rootDir>/e2e/teardown.ts',
	maxWorkers: 2,
	// What a test starts would show its progress in the middle of the results.
	silent: true,
	// Upper limit for a slow machine that does other work, too; no test waits for this long.
	testTimeout: 300_000,
};
