/** Run from the root: `jest --config selfhost/jest.config.js`. All tests share one n8n. */
module.exports = {
	rootDir: __dirname,
	roots: ['<rootDir>/e2e'],
	testMatch: ['<rootDir>/e2e/**/*.test.ts'],
	testEnvironment: 'node',
	transform: { '^.+\\.ts$': ['@swc/jest'] },
	globalSetup: '<rootDir>/e2e/setup.ts',
	globalTeardown: '<rootDir>/e2e/teardown.ts',
	maxWorkers: 1,
	// Upper limit for a slow machine; no test waits for this long.
	testTimeout: 120_000,
};
