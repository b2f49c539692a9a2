const { projects } = require('../../jest.config');

const [, engine] = projects;

/** The recorder: see README.md. Another version brings its own classes, and runs in the engine of this one. */
module.exports = {
	...engine,
	testTimeout: 60_000,
	testMatch: ['<rootDir>/test/compat/record.ts'],
	moduleNameMapper: { '^n8n-workflow$': '<rootDir>/node_modules/n8n-workflow' },
};
