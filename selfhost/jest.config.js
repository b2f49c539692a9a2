/** Run from the root: `jest --config selfhost/jest.config.js`. One n8n serves all specs. */
module.exports = {
	rootDir: __dirname,
	roots: ['<rootDir>/e2e'],
	testMatch: ['<rootDir>/e2e/**/*.test.ts'],
	testEnvironment: 'node',
	transform: { '^.+\\.ts$': ['@swc/jest'] },
	globalSetup: '<rootDir>/e2e/setup.ts',
	globalTeardown: '<rootDir>/e2e/teardown.ts',
	maxWorkers: 1,
	// The longest a spec may take on a slow machine; none waits for it to pass.
	testTimeout: 120_000,
};
